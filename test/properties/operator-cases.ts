import type { Cluster } from '../../model/state/cluster.ts';
import type { ApiObject } from '../../model/state/objects.ts';
import type { Operator } from '../../model/state/programs/operator.ts';
import type { Programmed } from '../../model/state/programs/process.ts';
import type { ProgramTask } from '../../model/state/programs/program.ts';
import { CUSTOM_CONTROLLER_AS_DESCRIBED } from '../../properties/workloads/controllers.ts';
import type { Cases } from './cases.ts';
import { clusterOf, configMap, deletedWith, HOLD, object, setupOf } from './clusters.ts';
import type { Run } from './judge.ts';

const a = configMap('a', { finalizers: [HOLD] });
const going = { ...a, ...deletedWith(HOLD) };
const disk = object('Secret', 'disk');
const DISK = 'Secret/default/disk';
const A = 'ConfigMap/default/a';
const operator: Operator = {
  name: 'operator',
  parent: { key: A, uid: a.uid },
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
  task: ProgramTask | null,
  more: Partial<Cluster> = {},
): Run {
  const controllers: Readonly<Record<string, Programmed>> =
    task === null ? {} : { operator: { role: 'programmed', request: A, tasks: [task] } };
  return {
    setup: setupOf([a, disk], { operators: [operator] }),
    states: [clusterOf(stored, more), clusterOf(stored, { ...more, controllers })],
    steps: [{ name: 'reconcileObject', parameters: { controller: 'operator', object: A } }],
  };
}

const deletion: ProgramTask = { do: 'delete', key: DISK, options: {} };
const removal: ProgramTask = {
  do: 'write',
  key: A,
  change: { do: 'removeFinalizer', finalizer: HOLD },
  uid: a.uid,
  words: 'remove its finalizer',
};
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
        run: decides([going, disk], removal),
        explained: ['operator decides on removeFinalizer, although Secret/disk is still there'],
      },
    },
    holds: {
      'it deletes an existing object': decides([going, disk], deletion),
      'everything is gone as far as it knows': decides([going, disk], removal, stale),
    },
    vacuous: { 'it decides nothing': decides([going, disk], null) },
  },
};
