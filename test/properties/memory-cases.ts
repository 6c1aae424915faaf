import type { Cluster } from '../../model/state/cluster.ts';
import { nodeId } from '../../model/state/nodes.ts';
import type { ApiObject } from '../../model/state/objects.ts';
import type { Setup } from '../../model/state/setup.ts';
import type { DeleteWorker } from '../../model/state/workers.ts';
import {
  GRAPH_KNOWS_WAITING_OWNERS,
  GRAPH_WAITING_WAS_OBSERVED,
} from '../../properties/collector/graph.ts';
import { ABSENT_OWNER_CACHE_CORRECT } from '../../properties/collector/memory.ts';
import { WORKERS_WAIT_FOR_MONITORS } from '../../properties/collector/monitors.ts';
import { ONE_WORKER_PER_ITEM } from '../../properties/collector/queues.ts';
import { COLLECTOR_REQUESTS_JUSTIFIED } from '../../properties/collector/requests.ts';
import { LIVE_OWNER_REFERENCES_KEPT } from '../../properties/ownership/collection.ts';
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

const identityA = graphNode(a).identity;

/** The graph receives an event for `a`, and then considers it waiting. */
function told(foreground: boolean): Run {
  const deletion = { beingDeleted: true, orphan: false, foreground };
  const object = { identity: identityA, ownerReferences: [], deletion };
  const event = { type: 'add', key: 'ConfigMap/default/a', object } as const;
  const before = clusterOf([waiting], { watch: { ConfigMap: [event] }, graph: {} });
  return {
    setup: setupOf([a]),
    states: [before, clusterOf([waiting])],
    steps: [{ name: 'deliver', parameters: { kind: 'ConfigMap' } }],
  };
}

/** A worker takes an item. */
function taken(setup: Partial<Setup>, monitors: Cluster['monitors']): Run {
  return {
    setup: setupOf([a], setup),
    states: [clusterOf([a], { monitors }), clusterOf([a], { monitors })],
    steps: [{ name: 'takeForDelete', parameters: { worker: 'delete-1', node: nodeOf(a) } }],
  };
}

const discovering: Partial<Setup> = { discovery: { empty: 0, failing: {} } };

const node = nodeOf(b);
const live = { ownerReferences: b.ownerReferences, orphan: false, foreground: false };
const lookingUp: DeleteWorker = { node, at: 'getOwner', live, classes: [] };

function deleting(propagationPolicy: 'Foreground' | 'Background'): DeleteWorker {
  return { node, at: 'delete', call: deleteCall(B, 'get', { propagationPolicy }) };
}

function patching(...uids: readonly string[]): DeleteWorker {
  return { node, at: 'patchOwners', call: updateCall(B, 'update', { do: 'removeOwners', uids }) };
}

/** The patch removes the reference to `a`. */
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
  [ABSENT_OWNER_CACHE_CORRECT.name]: {
    violated: {
      'an existing object is remembered as absent': {
        run: at(a)({ absentOwners: { [nodeOf(a)]: true } }),
        explained: [
          'the collector takes ConfigMap/a for absent (stored with uid=uid-a, deletionTimestamp unset, finalizers=[])',
        ],
      },
      'without a namespace, which counts for all of them': {
        run: at(a)({ absentOwners: { [nodeId({ ...identityA, namespace: '' })]: true } }),
        explained: [
          'the collector takes ConfigMap/a for absent (stored with uid=uid-a, deletionTimestamp unset, finalizers=[])',
        ],
      },
    },
    holds: { 'another object of that name': at(a)({ absentOwners: { [nodeOf(b)]: true } }) },
    vacuous: { 'nothing is stored': { setup: setupOf([a]), states: [clusterOf([])] } },
  },
  [ONE_WORKER_PER_ITEM.name]: {
    violated: {
      'no worker holds it any more': {
        run: at(a)({ processing: { [nodeOf(a)]: 'current' } }),
        explained: ['ConfigMap/a is taken and has not just one worker'],
      },
      'two workers hold it': {
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
    vacuous: { 'no worker is busy': at(a)({}) },
  },
  [GRAPH_KNOWS_WAITING_OWNERS.name]: {
    violated: {
      'the graph has not noticed': {
        run: at(waiting)({ graph: { 'uid-a': graphNode(waiting, { deletingDependents: false }) } }),
        explained: ['the graph does not know that ConfigMap/a waits for its dependents'],
      },
    },
    holds: { 'it has': at(waiting)({}) },
    vacuous: { 'it only waits for a third party': at(configMap('a', deletedWith(HOLD)))({}) },
  },
  [GRAPH_WAITING_WAS_OBSERVED.name]: {
    violated: {
      'the event does not show it': {
        run: told(false),
        explained: ['the graph takes ConfigMap/a for waiting without having been told'],
      },
    },
    holds: { 'the event shows it': told(true) },
    vacuous: { 'nothing changes': at(waiting)({}) },
  },
  [WORKERS_WAIT_FOR_MONITORS.name]: {
    violated: {
      'a monitor has not listed yet': {
        run: taken(discovering, { Secret: 'unsynced' }),
        explained: ['a worker takes an item, and Secret has not been listed'],
      },
      'the monitors change while a worker is busy': {
        run: {
          setup: setupOf([b], discovering),
          states: [clusterOf([b], collecting(b, 'get')), clusterOf([b])],
          steps: [{ name: 'resyncMonitors', parameters: {} }],
        },
        explained: ['the monitors change while delete-1 is at work'],
      },
    },
    holds: {
      'the monitors change, and no worker is busy': {
        ...taken(discovering, {}),
        steps: [{ name: 'resyncMonitors', parameters: {} }],
      },
      'all have listed': taken(discovering, { Secret: 'stopped' }),
    },
    vacuous: { 'monitors never change': taken({}, {}) },
  },
  [LIVE_OWNER_REFERENCES_KEPT.name]: {
    violated: {
      'the owner is there': {
        run: takenOff(a),
        explained: [
          'the collector takes off a reference to ConfigMap/a, which is there (uid=uid-a, deletionTimestamp unset, finalizers=[])',
        ],
      },
    },
    holds: { 'the owner is gone': takenOff(null), 'the owner waits': takenOff(waiting) },
    vacuous: { 'an object is deleted': begun(b, { ...b, ...deletedWith(HOLD) }) },
  },
  [COLLECTOR_REQUESTS_JUSTIFIED.name]: {
    violated: {
      'an empty patch': {
        run: decided(a, lookingUp, patching()),
        explained: ['the collector decides on a PATCH that takes no owner reference off'],
      },
      'a finalizer that the object does not have': {
        run: decided(
          a,
          { node: nodeOf(a), at: 'getForFinalizer', attempt: 1 },
          {
            node: nodeOf(a),
            at: 'patchFinalizer',
            attempt: 1,
            call: updateCall('ConfigMap/default/a', 'update', {
              do: 'setFinalizers',
              finalizers: [],
            }),
          },
        ),
        explained: [
          'the collector decides on a PATCH of ConfigMap/a, which has no finalizer foregroundDeletion',
        ],
      },
      'foreground without a waiting owner': {
        run: decided(null, lookingUp, deleting('Foreground')),
        explained: [
          'the collector decides on a DELETE of ConfigMap/b with policy Foreground, for which there is no reason (its finalizers ask for nothing, no owner waits for it)',
        ],
      },
      'an object with orphan is deleted together with its dependents': {
        run: decided(
          null,
          { ...lookingUp, live: { ...live, orphan: true } },
          deleting('Background'),
        ),
        explained: [
          'the collector decides on a DELETE of ConfigMap/b with policy Background, for which there is no reason (its finalizers ask for Orphan, no owner waits for it)',
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
