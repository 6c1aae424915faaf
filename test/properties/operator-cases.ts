import type { Task } from '../../model/actors/workloads/plan.ts';
import type { Reconciling } from '../../model/actors/workloads/reconciling.ts';
import type { Cluster } from '../../model/state/cluster.ts';
import type { ApiObject } from '../../model/state/objects.ts';
import type { Operator } from '../../model/state/setup.ts';
import { CUSTOM_CONTROLLER_AS_DESCRIBED } from '../../properties/workloads/controllers.ts';
import type { Cases } from './cases.ts';
import { clusterOf, configMap, deletedWith, HOLD, object, setupOf } from './clusters.ts';
import type { Run } from './judge.ts';

const a = configMap('a', { finalizers: [HOLD] });
const going = { ...a, ...deletedWith(HOLD) };
const disk = object('Secret', 'disk');
const DISK = 'Secret/default/disk';
const operator: Operator = {
  name: 'operator',
  parent: { key: 'ConfigMap/default/a', uid: a.uid },
  finalizer: HOLD,
  addsFinalizer: false,
  creates: [],
  deletes: [{ key: DISK, options: {} }],
  waitsFor: [],
  reads: 'cache',
  fairness: 'weak',
};

/** The operator reads the store, possibly without the latest change, and decides. */
function decides(
  stored: readonly ApiObject[],
  task: Task | null,
  more: Partial<Cluster> = {},
): Run {
  const controllers: Readonly<Record<string, Reconciling>> =
    task === null ? {} : { operator: { role: 'operator', tasks: [task] } };
  return {
    setup: setupOf([a, disk], { operators: [operator] }),
    states: [clusterOf(stored, more), clusterOf(stored, { ...more, controllers })],
    steps: [{ name: 'reconcile', parameters: { controller: 'operator' } }],
  };
}

const deletion: Task = { do: 'delete', key: DISK, uid: disk.uid };
const stale: Partial<Cluster> = { unseen: { 'operator: Secret': [{ key: DISK, before: null }] } };

export const operatorCases: Cases = {
  [CUSTOM_CONTROLLER_AS_DESCRIBED.name]: {
    violated: {
      'it deletes an object that is already being deleted': {
        run: decides([going, { ...disk, ...deletedWith(HOLD) }], deletion),
        explained: ['operator decides on delete, although it is gone or going already'],
      },
      'its object stays': {
        run: decides([a, disk], deletion),
        explained: ['operator decides on delete, although its object does not wait for that'],
      },
      'it removes its finalizer too early': {
        run: decides([going, disk], { do: 'removeFinalizer' }),
        explained: ['operator decides on removeFinalizer, although Secret/disk is still there'],
      },
    },
    holds: {
      'it deletes an existing object': decides([going, disk], deletion),
      'everything is gone as far as it knows': decides(
        [going, disk],
        { do: 'removeFinalizer' },
        stale,
      ),
    },
    vacuous: { 'it decides nothing': decides([going, disk], null) },
  },
};
