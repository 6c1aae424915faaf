import { describe, expect, it } from 'vitest';
import type { Task } from '../../model/actors/workloads/plan.ts';
import { planWorkload } from '../../model/actors/workloads/workload-plan.ts';
import { DEFAULT_PROTOCOL, PROTOCOLS } from '../../model/rules/protocols.ts';
import type { Rules } from '../../model/rules/rules.ts';
import { BUILT_IN_KINDS } from '../../model/state/kind-table.ts';
import { type ApiObject, keyOf } from '../../model/state/objects.ts';
import type { Workload } from '../../model/state/setup.ts';
import { deletedWith, HOLD, object } from '../properties/clusters.ts';

const rules = PROTOCOLS[DEFAULT_PROTOCOL] as Rules;

const DELETED = deletedWith(HOLD);
const RUNNING = { terminationGracePeriodSeconds: null, scheduled: false, finished: false };
const ENDED = { ...RUNNING, finished: true };

function controlledBy(uid: string): Pick<ApiObject, 'ownerReferences'> {
  return {
    ownerReferences: [{ apiVersion: 'v1', kind: 'Any', name: 'any', uid, controller: true }],
  };
}
const MINE = controlledBy('uid-x');
const ANOTHERS = controlledBy('uid-y');

function pod(name: string, more: Partial<ApiObject> = {}): ApiObject {
  return object('Pod', name, { pod: RUNNING, ...MINE, ...more });
}

interface Case {
  readonly parent: string;
  readonly seen: readonly ApiObject[];
  readonly children?: readonly ApiObject[];
  readonly replicas?: number;
  readonly of?: Partial<ApiObject>;
  readonly rules?: Partial<Rules>;
  readonly awaits?: boolean;
}

/** The tasks in short form, such as `adopt a, create c`, with `lacks` at the end. */
function planned({ parent, seen, children = [pod('c')], replicas = 1, ...more }: Case): string {
  const owner = object(parent, 'x', more.of);
  const workload: Workload = {
    parent: { key: keyOf(owner), uid: owner.uid },
    replicas,
    children,
    caches: 'own',
    selects: seen.map(keyOf),
  };
  const { tasks, lacks } = planWorkload(workload, {
    rules: { ...rules, ...more.rules },
    kinds: BUILT_IN_KINDS,
    look: (key) => [owner, ...seen].find((one) => keyOf(one) === key) ?? null,
    isFree: (uid) => !seen.some((one) => one.uid === uid),
    awaits: more.awaits === true,
  });
  return [...tasks.map(short), ...(lacks ? ['lacks'] : [])].join(', ');
}

function short(task: Task): string {
  const uid = 'uid' in task ? task.uid.replace('uid-', '') : '';
  return `${task.do} ${uid}`.trim();
}

const RS = 'ReplicaSet.apps';
const SET = 'StatefulSet.apps';
const inSet = [pod('p-0'), pod('p-1'), pod('p-0', { uid: 'uid-p-0-again' })];
const revision = object('ControllerRevision.apps', 'h', MINE);
const set1 = object('ReplicaSet.apps', 's', MINE);
const anew = object('ReplicaSet.apps', 's', { uid: 'uid-s-again', ...MINE });

const cases: readonly (readonly [what: string, is: Case, plan: string])[] = [
  ['missing pod', { parent: RS, seen: [] }, 'create c'],
  ['as many as wanted', { parent: RS, seen: [pod('a')] }, ''],
  ['none left to create', { parent: RS, seen: [], replicas: 2 }, 'create c, lacks'],
  ['pod of another controller', { parent: RS, seen: [pod('a', ANOTHERS)] }, 'create c'],
  [
    'pod without a controller',
    { parent: RS, seen: [pod('a', { ownerReferences: [] })] },
    'adopt a',
  ],
  ['pod that ends', { parent: RS, seen: [pod('a', DELETED)] }, 'create c'],
  ['pod that has ended', { parent: RS, seen: [pod('a', { pod: ENDED })] }, 'create c'],
  [
    'pod that is being deleted, if such pods count',
    { parent: RS, seen: [pod('a', DELETED)], rules: { terminatingPods: 'counted' } },
    '',
  ],
  [
    'pod with other labels',
    { parent: RS, seen: [pod('a', { otherLabels: true })] },
    'release a, create c',
  ],
  ['one too many', { parent: RS, seen: [pod('a'), pod('b')] }, 'delete b'],
  ['scaled to none', { parent: RS, seen: [pod('a')], of: { replicas: 0 } }, 'delete a'],
  ['own doing not seen yet', { parent: RS, seen: [], awaits: true }, ''],
  ['parent that goes', { parent: RS, seen: [], of: DELETED }, ''],
  [
    'parent that is being deleted and still acts',
    { parent: RS, seen: [], of: DELETED, rules: { controllersOfDeleted: 'act' } },
    'create c',
  ],
  ['Job whose pod has ended', { parent: 'Job.batch', seen: [pod('a', { pod: ENDED })] }, ''],
  ['Job whose pod ends', { parent: 'Job.batch', seen: [pod('a', DELETED)] }, 'create c'],
  ['Job with too many', { parent: 'Job.batch', seen: [pod('a'), pod('b')] }, 'delete b'],
  [
    'Job with one that has ended and one that runs',
    { parent: 'Job.batch', seen: [pod('a', { pod: ENDED }), pod('b')] },
    '',
  ],
  [
    'Deployment whose ReplicaSet goes',
    { parent: 'Deployment.apps', seen: [{ ...set1, ...DELETED }], children: [set1, anew] },
    '',
  ],
  [
    'Deployment whose ReplicaSet has gone',
    { parent: 'Deployment.apps', seen: [], children: [set1, anew] },
    'create s',
  ],
  [
    'ReplicaSet without a controller that is being deleted',
    {
      parent: 'Deployment.apps',
      seen: [{ ...set1, ...DELETED, ownerReferences: [] }],
      children: [anew],
    },
    'create s-again',
  ],
  [
    'ReplicaSet without a controller that is being deleted, if it is adopted',
    {
      parent: 'Deployment.apps',
      seen: [{ ...set1, ...DELETED, ownerReferences: [] }],
      children: [anew],
      rules: { adoptionOfDeleted: 'adopted' },
    },
    'adopt s',
  ],
  ['StatefulSet, the first', { parent: SET, seen: [], children: inSet, replicas: 2 }, 'create p-0'],
  [
    'StatefulSet, the next',
    { parent: SET, seen: [pod('p-0')], children: inSet, replicas: 2 },
    'create p-1',
  ],
  [
    'StatefulSet, the first one ends',
    { parent: SET, seen: [pod('p-0', DELETED)], children: inSet, replicas: 2 },
    '',
  ],
  [
    'StatefulSet, the first one has ended',
    { parent: SET, seen: [pod('p-0', { pod: ENDED })], children: inSet, replicas: 2 },
    'delete p-0',
  ],
  [
    'StatefulSet, scaled to none: the last one first',
    { parent: SET, seen: [pod('p-0'), pod('p-1')], children: inSet, replicas: 0 },
    'delete p-1',
  ],
  [
    'DaemonSet that is being deleted, its history',
    { parent: 'DaemonSet.apps', seen: [], children: [revision], of: DELETED },
    '',
  ],
  [
    'DaemonSet that is being deleted, its history, if its status needs it',
    {
      parent: 'DaemonSet.apps',
      seen: [],
      children: [revision],
      of: DELETED,
      rules: { daemonSetHistoryOfDeleted: 'constructed' },
    },
    'create h',
  ],
  ['DaemonSet whose pod ends', { parent: 'DaemonSet.apps', seen: [pod('c', DELETED)] }, ''],
];

describe('a controller of a workload plans', () => {
  it.each(cases)('%s', (_what, given, plan) => {
    expect(planned(given)).toBe(plan);
  });
});
