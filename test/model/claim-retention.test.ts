import { describe, expect, it } from 'vitest';
import { planWorkload } from '../../model/actors/workloads/workload-plan.ts';
import { PROTOCOLS } from '../../model/rules/protocols.ts';
import type { Rules } from '../../model/rules/rules.ts';
import { BUILT_IN_KINDS } from '../../model/state/kind-table.ts';
import { type ApiObject, keyOf, type OwnerReference } from '../../model/state/objects.ts';
import type { ClaimRetention, Workload } from '../../model/state/setup.ts';
import { deletedWith, HOLD, object } from '../properties/clusters.ts';

const SET = object('StatefulSet.apps', 'db');
const REFERENCES = {
  set: { apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'db', uid: 'uid-db' },
  pod: { apiVersion: 'v1', kind: 'Pod', name: 'db-1', uid: 'uid-db-1' },
  former: { apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'db', uid: 'uid-former' },
  other: {
    ...{ apiVersion: 'x.io/v1', kind: 'Db', name: 'db', uid: 'uid-other' },
    controller: true,
  },
} as const satisfies Record<string, OwnerReference>;
const BLOCKING = { controller: true, blockOwnerDeletion: true } as const;
const AS_CONTROLLER: Readonly<Record<string, OwnerReference>> = {
  SET: { ...REFERENCES.set, ...BLOCKING },
  POD: { ...REFERENCES.pod, ...BLOCKING },
};
const NAMED: Readonly<Record<string, OwnerReference>> = { ...REFERENCES, ...AS_CONTROLLER };

/** `set pod`: in small letters as an owner only, in capital letters as the controller. */
function named(words: string): readonly OwnerReference[] {
  return words.split(' ').flatMap((word) => NAMED[word] ?? []);
}

function wordsOf(references: readonly OwnerReference[]): string {
  const words = references.map((reference) =>
    Object.keys(NAMED).find((word) => JSON.stringify(NAMED[word]) === JSON.stringify(reference)),
  );
  return words.join(' ');
}

interface Case {
  readonly policy?: readonly [deleted: 'Retain' | 'Delete', scaled: 'Retain' | 'Delete'];
  readonly has?: string;
  readonly replicas?: number;
  readonly protocol?: string;
  readonly set?: Partial<ApiObject>;
  readonly pod?: Partial<ApiObject>;
}

/** The references that the claim of pod db-1 is to get; null: the controller leaves it alone. */
function references(given: Case): string | null {
  const { policy: [whenDeleted, whenScaled] = ['Delete', 'Retain'], replicas = 2 } = given;
  const set = { ...SET, ...given.set };
  const pod = object('Pod', 'db-1', {
    pod: { terminationGracePeriodSeconds: null, scheduled: false, finished: false },
    ownerReferences: [{ ...REFERENCES.set, controller: true }],
    ...given.pod,
  });
  const claim = object('PersistentVolumeClaim', 'data-db-1', {
    ownerReferences: named(given.has ?? ''),
  });
  const claims: ClaimRetention = {
    ...{ whenDeleted, whenScaled, firstOrdinal: 0 },
    ofPods: { [keyOf(pod)]: [keyOf(claim)] },
  };
  const parent = { key: keyOf(set), uid: set.uid };
  const selects = [keyOf(pod)];
  const workload: Workload = { parent, replicas, children: [], caches: 'own', selects, claims };
  const { tasks } = planWorkload(workload, {
    rules: PROTOCOLS[given.protocol ?? 'v1.31'] as Rules,
    kinds: BUILT_IN_KINDS,
    look: (key) => [set, pod, claim].find((one) => keyOf(one) === key) ?? null,
    isFree: () => false,
    awaits: false,
  });
  const [task] = tasks;
  return task?.do === 'setOwners' ? wordsOf(task.ownerReferences) : null;
}

const cases: readonly (readonly [what: string, is: Case, has: string | null])[] = [
  ['a claim that goes with the set', {}, 'SET'],
  ['one that has the reference', { has: 'SET' }, null],
  ['one whose reference makes nobody its controller', { has: 'set' }, 'SET'],
  ['the same until 1.30', { has: 'set', protocol: 'v1.30' }, null],
  ['a claim of 1.27', { protocol: 'v1.27' }, 'set'],
  ['a claim before 1.27', { protocol: 'v1.26' }, null],
  ['a claim that is to stay', { policy: ['Retain', 'Retain'], has: 'SET' }, ''],
  ['one that is to stay and has no owner', { policy: ['Retain', 'Retain'] }, null],
  ['the claim of a surplus pod', { policy: ['Retain', 'Delete'], replicas: 1 }, 'POD'],
  [
    'the claim of a surplus pod, of the set before',
    { policy: ['Delete', 'Delete'], replicas: 1, has: 'SET' },
    'POD',
  ],
  ['the claim of a pod that is wanted again', { policy: ['Delete', 'Delete'], has: 'POD' }, 'SET'],
  ['a surplus pod whose claims stay', { policy: ['Retain', 'Retain'], replicas: 1 }, null],
  ['a claim of a former set', { has: 'former' }, null],
  ['a claim of a former set until 1.30', { has: 'former', protocol: 'v1.30' }, 'former set'],
  ['a claim of another controller', { has: 'other' }, null],
  ['a claim of two controllers', { has: 'other set' }, 'other'],
  ['a set that is being deleted', { set: deletedWith(HOLD) }, null],
  ['a pod that is being deleted', { pod: deletedWith(HOLD) }, null],
  [
    'a surplus pod that is being deleted',
    { pod: deletedWith(HOLD), policy: ['Retain', 'Delete'], replicas: 1 },
    'POD',
  ],
];

describe('the controller of a StatefulSet keeps the owners of claims', () => {
  it.each(cases)('%s', (_what, given, has) => {
    expect(references(given)).toBe(has);
  });
});
