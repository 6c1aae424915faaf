import { areWorkersPaused, hasMonitors } from '../../collector/monitors.ts';
import {
  SYNCHRONOUS_WORKER,
  stepSynchronousWorker,
  takeForSynchronousDeletion,
} from '../../collector/synchronous-worker.ts';
import type { Rules } from '../../rules/rules.ts';
import type { UpdateCall } from '../../state/calls.ts';
import type { Cluster } from '../../state/cluster.ts';
import { instancesOf } from '../../state/instances.ts';
import type { NodeId } from '../../state/nodes.ts';
import { identityOfNode } from '../../state/nodes.ts';
import { FOREGROUND } from '../../state/objects.ts';
import type { Names } from '../../words/names.ts';
import { type Actor, action } from '../actor.ts';
import { dependentsBeliefs } from './beliefs.ts';

const ROUTINE = 'gc finalizer routine';

function runs(rules: Rules): boolean {
  return rules.foregroundDeletion === 'synchronousQueue';
}

/**
 * The routine `GCFinalizer` of the proposal of synchronous garbage collection. It takes owners in
 * foreground deletion from a queue of its own. Only some protocols have it.
 */
export const SYNCHRONOUS_COLLECTION: Actor = {
  actions: {
    takeForSynchronousDeletion: action<{ node: NodeId }>({
      fairness: 'strong',
      about: 'The routine for owners in foreground deletion takes an item from its queue.',
      parameters: (setup) =>
        runs(setup.rules) ? instancesOf(setup).nodes.map((node) => ({ node })) : null,
      candidates: (_setup, _world, { synchronousDeletion }) =>
        Object.keys(synchronousDeletion).map((node) => ({ node })),
      reducer:
        (_setup, world) =>
        (cluster, { node }) => {
          if (hasMonitors(world) && areWorkersPaused(cluster, world)) return;
          takeForSynchronousDeletion(cluster, node);
        },
      describe: ({ names }, { node }, _before, after) =>
        describeSynchronousTake(names, after, node),
    }),
    synchronousDeletion: action<Record<never, never>>({
      fairness: 'weak',
      about:
        'The routine for owners in foreground deletion does its next step: one API call or one read of the graph.',
      parameters: ({ rules }) => (runs(rules) ? [{}] : null),
      reducer: (_setup, world) => (cluster) => stepSynchronousWorker(cluster, world),
      request: (_setup, before) => callInFlight(before),
      continued: callInFlight,
      describe: ({ names }, _parameters, before, after) =>
        describeSynchronousStep(names, before, after),
      beliefs: (context, _parameters, before) => {
        const worker = before.synchronousWorkers[SYNCHRONOUS_WORKER];
        return worker?.at === 'readDependents'
          ? dependentsBeliefs(context, before, worker.node)
          : [];
      },
    }),
  },
  clients: ({ rules }) => (runs(rules) ? [[SYNCHRONOUS_WORKER, ROUTINE]] : []),
  isIdle: (_setup, cluster) =>
    Object.keys(cluster.synchronousDeletion).length === 0 &&
    Object.keys(cluster.synchronousWorkers).length === 0,
};

function callInFlight({ synchronousWorkers }: Cluster): UpdateCall | null {
  const worker = synchronousWorkers[SYNCHRONOUS_WORKER];
  return worker?.at === 'putFinalizers' ? worker.call : null;
}

function describeSynchronousTake(names: Names, after: Cluster, node: NodeId): string {
  const taken = `${ROUTINE}: takes ${names.node(node)} from synchronousGC`;
  if (after.synchronousWorkers[SYNCHRONOUS_WORKER] !== undefined) return taken;
  return after.graph[identityOfNode(node).uid] === undefined
    ? `${taken}, drops it: it has left the graph`
    : `${taken}, drops it: its deletion is not in progress`;
}

function describeSynchronousStep(names: Names, before: Cluster, after: Cluster): string {
  const old = before.synchronousWorkers[SYNCHRONOUS_WORKER];
  if (old === undefined) return `${ROUTINE}: is idle`;
  const now = after.synchronousWorkers[SYNCHRONOUS_WORKER];
  const item = names.node(old.node);
  switch (old.at) {
    case 'getItem':
      return `${ROUTINE}: GET ${item} -> ${itemFound(after, old.node, now?.at)}`;
    case 'readDependents': {
      const found = before.dependents[identityOfNode(old.node).uid] ?? [];
      const list = found.map((uid) => names.uid(uid)).join(', ');
      return `${ROUTINE}: reads dependents of ${item} in the graph -> ${list === '' ? 'none' : list}`;
    }
    case 'putFinalizers':
      return `${ROUTINE}: works on ${item}`;
    default:
      throw new Error(`unknown worker state ${JSON.stringify(old satisfies never)}`);
  }
}

function itemFound(after: Cluster, node: NodeId, now: string | undefined): string {
  if (now === 'readDependents') return `200, it has ${FOREGROUND}`;
  return after.synchronousDeletion[node] === undefined
    ? 'nothing to let go'
    : 'its controller has yet to observe the deletion, so it is queued again';
}
