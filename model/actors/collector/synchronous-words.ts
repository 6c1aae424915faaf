import { SYNCHRONOUS_WORKER } from '../../collector/synchronous-worker.ts';
import type { Cluster, NodeId } from '../../state/cluster.ts';
import { identityOfNode } from '../../state/cluster.ts';
import { FOREGROUND } from '../../state/objects.ts';
import type { Names } from '../../words/names.ts';

/** What the routine for owners in foreground deletion does that is no writing request. */

const ACTOR = 'gc finalizer routine';

export function describeSynchronousTake(names: Names, after: Cluster, node: NodeId): string {
  const taken = `${ACTOR}: takes ${names.node(node)} from synchronousGC`;
  if (after.synchronousWorkers[SYNCHRONOUS_WORKER] !== undefined) return taken;
  return after.graph[identityOfNode(node).uid] === undefined
    ? `${taken}, drops it: it has left the graph`
    : `${taken}, drops it: its deletion is not in progress`;
}

export function describeSynchronousStep(names: Names, before: Cluster, after: Cluster): string {
  const old = before.synchronousWorkers[SYNCHRONOUS_WORKER];
  if (old === undefined) return `${ACTOR}: is idle`;
  const now = after.synchronousWorkers[SYNCHRONOUS_WORKER];
  const item = names.node(old.node);
  switch (old.at) {
    case 'getItem':
      return `${ACTOR}: GET ${item} -> ${itemFound(after, old.node, now?.at)}`;
    case 'readDependents': {
      const found = before.dependents[identityOfNode(old.node).uid] ?? [];
      const list = found.map((uid) => names.uid(uid)).join(', ');
      return `${ACTOR}: reads dependents of ${item} in the graph -> ${list === '' ? 'none' : list}`;
    }
    case 'putFinalizers':
      return `${ACTOR}: works on ${item}`;
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
