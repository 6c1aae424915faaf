import type { DeleteWorker } from '../../model/collector/worker.ts';
import type { ApiObject } from '../../model/objects.ts';
import type { Cluster } from '../../model/state.ts';
import {
  ABSENT_IS_ABSENT,
  FOREGROUND_NOTICED,
  ONE_WORKER_EACH,
} from '../../properties/bookkeeping.ts';
import { LIVE_OWNERS_KEPT, REQUESTS_HAVE_REASONS } from '../../properties/reasons.ts';
import type { Cases } from './cases.ts';
import {
  clusterOf,
  collecting,
  configMap,
  deleteCall,
  deletedWith,
  graphNode,
  HOLD,
  nodeOf,
  ownedBy,
  setupOf,
  updateCall,
} from './clusters.ts';
import type { Run } from './judge.ts';

const a = configMap('a');
const b = configMap('b', { ownerReferences: [ownedBy('a')] });
const waiting = configMap('a', deletedWith('foregroundDeletion'));
const B = 'ConfigMap/default/b';
const collect = { name: 'attemptToDelete', parameters: { worker: 'delete-1' } };

function at(...objects: readonly ApiObject[]): (more: Partial<Cluster>) => Run {
  return (more) => ({ setup: setupOf(objects), states: [clusterOf(objects, more)] });
}

/** The delete worker goes from one point of its work on `b` to another. */
function decided(owner: ApiObject | null, from: DeleteWorker, to: DeleteWorker): Run {
  const objects = owner === null ? [b] : [owner, b];
  const state = (worker: DeleteWorker): Cluster =>
    clusterOf(objects, { deleteWorkers: { 'delete-1': worker } });
  return { setup: setupOf([a, b]), states: [state(from), state(to)], steps: [collect] };
}

const node = nodeOf(b);
const live = { ownerReferences: b.ownerReferences, orphan: false, foreground: false };
const lookingUp: DeleteWorker = { node, at: 'getOwner', live, classes: [] };

function deleting(propagationPolicy: 'Foreground' | 'Background'): DeleteWorker {
  return { node, at: 'delete', call: deleteCall(B, 'get', { propagationPolicy }) };
}

function patching(...uids: readonly string[]): DeleteWorker {
  return { node, at: 'patchOwners', call: updateCall(B, 'update', { do: 'removeOwners', uids }) };
}

/** The patch takes the reference to `a` off. */
function takenOff(owner: ApiObject | null): Run {
  const objects = owner === null ? [] : [owner];
  return {
    setup: setupOf([a, b]),
    states: [
      clusterOf([...objects, b], { deleteWorkers: { 'delete-1': patching('uid-a') } }),
      clusterOf([...objects, { ...b, ownerReferences: [] }]),
    ],
    steps: [collect],
  };
}

function begun(old: ApiObject, now: ApiObject): Run {
  return {
    setup: setupOf([old]),
    states: [clusterOf([old], collecting(old, 'update')), clusterOf([now])],
    steps: [collect],
  };
}

export const memoryCases: Cases = {
  [ABSENT_IS_ABSENT.name]: {
    violated: {
      'what is there is remembered as absent': {
        run: at(a)({ absentOwners: { [nodeOf(a)]: true } }),
        explained: ['the collector takes ConfigMap/a for absent'],
      },
    },
    holds: { 'another object of that name': at(a)({ absentOwners: { [nodeOf(b)]: true } }) },
    vacuous: { 'nothing is stored': { setup: setupOf([a]), states: [clusterOf([])] } },
  },
  [ONE_WORKER_EACH.name]: {
    violated: {
      'nobody works on it any more': {
        run: at(a)({ processing: { [nodeOf(a)]: 'current' } }),
        explained: ['ConfigMap/a is taken and has not just one worker'],
      },
      'two work on it': {
        run: at(a)({
          processing: { [nodeOf(a)]: 'current' },
          deleteWorkers: {
            'delete-1': { at: 'getItem', node: nodeOf(a) },
            'delete-2': { at: 'getItem', node: nodeOf(a) },
          },
        }),
        explained: ['ConfigMap/a is taken and has not just one worker'],
      },
      'it does not count as taken': {
        run: at(a)({
          orphanWorkers: { 'orphan-1': { at: 'getForFinalizer', attempt: 1, node: nodeOf(a) } },
        }),
        explained: ['ConfigMap/a is taken and has not just one worker'],
      },
    },
    holds: { 'one works on it': at(b)(collecting(b, 'get')) },
    vacuous: { 'nobody is busy': at(a)({}) },
  },
  [FOREGROUND_NOTICED.name]: {
    violated: {
      'the graph has not noticed': {
        run: at(waiting)({ graph: { 'uid-a': graphNode(waiting, { deletingDependents: false }) } }),
        explained: ['the graph does not know that ConfigMap/a waits for its dependents'],
      },
    },
    holds: { 'it has': at(waiting)({}) },
    vacuous: { 'it only waits for somebody else': at(configMap('a', deletedWith(HOLD)))({}) },
  },
  [LIVE_OWNERS_KEPT.name]: {
    violated: {
      'the owner is there': {
        run: takenOff(a),
        explained: ['the collector takes off a reference to ConfigMap/a, which is there'],
      },
    },
    holds: { 'the owner is gone': takenOff(null), 'the owner waits': takenOff(waiting) },
    vacuous: { 'an object is deleted': begun(b, { ...b, ...deletedWith(HOLD) }) },
  },
  [REQUESTS_HAVE_REASONS.name]: {
    violated: {
      'an empty patch': {
        run: decided(a, lookingUp, patching()),
        explained: ['the collector decides on a PATCH that takes no owner reference off'],
      },
      'foreground for nobody': {
        run: decided(null, lookingUp, deleting('Foreground')),
        explained: [
          'the collector decides on a DELETE of ConfigMap/b with policy Foreground, for which there is no reason',
        ],
      },
      'what is to be orphaned goes with its dependents': {
        run: decided(
          null,
          { ...lookingUp, live: { ...live, orphan: true } },
          deleting('Background'),
        ),
        explained: [
          'the collector decides on a DELETE of ConfigMap/b with policy Background, for which there is no reason',
        ],
      },
    },
    holds: {
      'foreground for an owner that waits': decided(waiting, lookingUp, deleting('Foreground')),
      'background for an owner that is gone': decided(null, lookingUp, deleting('Background')),
      'a patch of one reference': decided(a, lookingUp, patching('uid-a')),
    },
    vacuous: { 'it looks on': decided(a, lookingUp, lookingUp) },
  },
};
