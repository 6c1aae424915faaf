import { describe, expect, it } from 'vitest';
import { replacedIn, withoutReplacements } from '../../../input/cluster/replacements.ts';
import type { ApiObject, ClaimRetention, Setup, Workload } from '../../../model/index.ts';
import { keyOf } from '../../../model/index.ts';
import { alice, object, setupOf } from '../../properties/clusters.ts';

const RUNS = { terminationGracePeriodSeconds: 5, scheduled: true, finished: false };

function ownedBy({ kind, name, uid }: ApiObject, controller = true): Partial<ApiObject> {
  const [own = '', group] = kind.split('.');
  const apiVersion = group === undefined ? 'v1' : `${group}/v1`;
  return { ownerReferences: [{ apiVersion, kind: own, name, uid, controller }] };
}

interface Given {
  readonly parent?: string;
  readonly above?: Partial<ApiObject>;
  readonly pod?: Partial<ApiObject>;
  readonly workload?: Partial<Workload>;
  readonly setup?: Partial<Setup>;
  readonly asked?: readonly ApiObject[];
}

const TOP = object('ConfigMap', 'top');
const CLAIM = object('PersistentVolumeClaim', 'data');

/** A pod that is deleted, and a controller that makes it anew for a parent that stays. */
function setupFor({
  parent: kind = 'StatefulSet.apps',
  pod: own,
  workload,
  ...more
}: Given): Setup {
  const parent = object(kind, 'db', ownedBy(TOP));
  const pod = object('Pod', 'db-0', { ...ownedBy(parent), pod: RUNS, ...own });
  const replacement = { ...pod, uid: 'uid-db-0-replacement', pod: { ...RUNS, scheduled: false } };
  const { finished: _, ...claims } = { ...pod.pod };
  return setupOf([{ ...TOP, ...more.above }, CLAIM, parent, pod], {
    ...alice(
      ...(more.asked ?? [pod]).map(
        (one) => ({ do: 'delete', key: keyOf(one), options: {} }) as const,
      ),
    ),
    kubelets: true,
    workloads: [
      {
        parent: { key: keyOf(parent), uid: parent.uid },
        ...{ replicas: 1, caches: 'own', uidsReturn: true, selects: [keyOf(pod)] },
        children: [{ ...replacement, finalizers: [], pod: { ...replacement.pod, ...claims } }],
        ...workload,
      },
    ],
    ...more.setup,
  });
}

const CHANGES: [string, Given][] = [
  ['its owner is asked for', { asked: [TOP] }],
  ['its owner is going already', { above: { deletionTimestamp: 0 } }],
  ['its namespace is emptied', { setup: { emptiedNamespaces: ['default'] } }],
  ['an owner is not there', { above: { uid: 'uid-other' } }],
  [
    'the parent is another one by now',
    { workload: { parent: { key: 'StatefulSet.apps/default/db', uid: 'uid-old' } } },
  ],
  ['it reads the store', { workload: { caches: undefined as never } }],
  ['another actor makes them', { workload: { controller: 'other' } }],
  ['it sets the owners of claims', { workload: { claims: { ofPods: {} } as ClaimRetention } }],
  ['it has too many', { parent: 'ReplicaSet.apps', workload: { replicas: 0 } }],
  ['it has more names than it wants', { workload: { replicas: 0 } }],
  ['it may adopt the pod', { pod: ownedBy(TOP, false) }],
  ['it releases the pod', { pod: { otherLabels: true } }],
  ['it deletes a pod that has ended', { pod: { pod: { ...RUNS, finished: true } } }],
  ['a pod may end', { setup: { containers: true } }],
  [
    'it counts what is being deleted',
    { setup: { rules: { ...setupOf([]).rules, terminatingPods: 'counted' } } },
  ],
  [
    'a replacement uses a claim that goes',
    { pod: { pod: { ...RUNS, claims: ['data'] } }, asked: [CLAIM] },
  ],
];

describe('the controller of a workload that stays', () => {
  it.each(CHANGES)('is kept where %s', (_what, given) => {
    const setup = setupFor(given);
    expect(withoutReplacements(setup)).toBe(setup);
  });

  it.each([
    ['names its children', {}],
    ['counts its children', { parent: 'ReplicaSet.apps' }],
    [
      'counts those that have ended no longer',
      {
        parent: 'ReplicaSet.apps',
        workload: { replicas: 0 },
        pod: { pod: { ...RUNS, finished: true } },
      },
    ],
    ['has pods with claims that stay', { pod: { pod: { ...RUNS, claims: ['data'] } } }],
  ] as [string, Given][])('is left out if it %s', (_what, given) => {
    expect(withoutReplacements(setupFor(given)).workloads).toBe(undefined);
  });
});

describe('what a controller that is left out replaces', () => {
  const names = ['db-0', 'db-1'];

  /** A controller of two pods that are deleted, and what is known of each of them. */
  function replaced(
    kind: string,
    known: readonly ('goes' | 'hangs' | 'stays' | 'open')[],
  ): unknown {
    const parent = object(kind, 'db');
    const pods = names.map((name) => object('Pod', name, { ...ownedBy(parent), pod: RUNS }));
    const replacement = (pod: ApiObject): ApiObject => ({ ...pod, uid: `${pod.uid}-replacement` });
    const setup = setupOf([parent, ...pods], {
      workloads: [
        {
          parent: { key: keyOf(parent), uid: parent.uid },
          ...{ replicas: 2, caches: 'own', uidsReturn: true, selects: pods.map(keyOf) },
          children: pods.map(replacement),
        },
      ],
    });
    const of = (uid: string) => known[names.indexOf(uid.replace('uid-', ''))];
    const found = replacedIn(setup, {
      goes: (uid) => of(uid) === 'goes',
      begins: (uid) => of(uid) === 'goes' || of(uid) === 'hangs',
      neverBegins: (uid) => of(uid) === 'stays',
    });
    return found && [...found].map((uid) => uid.replace('uid-', ''));
  }

  it.each([
    ['DaemonSet.apps', ['hangs', 'goes'], ['db-1']],
    ['StatefulSet.apps', ['goes', 'hangs'], ['db-0']],
    ['StatefulSet.apps', ['stays', 'goes'], ['db-1']],
    // It waits until the first one is gone.
    ['StatefulSet.apps', ['hangs', 'goes'], null],
    // What is being deleted does not count.
    ['ReplicaSet.apps', ['hangs', 'goes'], ['db-0', 'db-1']],
    ['ReplicaSet.apps', ['open', 'goes'], null],
  ] as const)('%s: its pods are %j', (kind, known, expected) => {
    expect(replaced(kind, known)).toEqual(expected);
  });
});
