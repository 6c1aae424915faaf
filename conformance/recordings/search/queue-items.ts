import { produce } from 'immer';
import {
  identityOfNode,
  lookUpItem,
  type NodeId,
  type ObjectKey,
  takeForDelete,
  takeForOrphan,
} from '../../../model/index.ts';
import { recorded, type Trial } from './context.ts';
import type { TraceState } from './trace-state.ts';

/** Items of the work queues and what becomes of them when a worker takes them. */

/** Where a GET of the item goes; null where it has no place. */
export function keyOfNode(trial: Trial, node: NodeId): ObjectKey | null {
  const before = trial.keysOfNodes.get(node);
  if (before !== undefined) return before;
  const lookup = lookUpItem(trial.world, identityOfNode(node));
  const key = lookup.kind === 'key' ? lookup.key : null;
  trial.keysOfNodes.set(node, key);
  return key;
}

/** Null where the item cannot be taken, or nothing comes of it: an item that is skipped may as well wait. */
export function takeItem(trial: Trial, state: TraceState, node: NodeId): TraceState | null {
  const { cluster } = state;
  if (cluster.attemptToDelete[node] === undefined || cluster.processing[node] !== undefined) {
    return null;
  }
  if (Object.keys(cluster.deleteWorkers).length >= trial.workers) return null;
  const subject = subjectOf(node);
  const next = recorded(trial, state, { action: 'takeForDelete', step: '', subject }, () =>
    produce(state, (draft) => takeForDelete(draft.cluster, trial.world, node, node)),
  );
  return next.cluster.deleteWorkers[node] === undefined ? null : next;
}

export function takeOrphan(trial: Trial, state: TraceState, node: NodeId): TraceState | null {
  const { cluster } = state;
  if (cluster.attemptToOrphan[node] === undefined || cluster.orphaning[node] !== undefined) {
    return null;
  }
  if (Object.keys(cluster.orphanWorkers).length >= trial.workers) return null;
  const subject = subjectOf(node);
  return recorded(trial, state, { action: 'takeForOrphan', step: '', subject }, () =>
    produce(state, (draft) => takeForOrphan(draft.cluster, trial.world, node, node)),
  );
}

const emptied = new WeakMap<TraceState, TraceState>();

/** Nothing waits, so that what waits after a step was added by it. */
export function withEmptyQueue(state: TraceState): TraceState {
  const before = emptied.get(state);
  if (before !== undefined) return before;
  const bare: TraceState = {
    ...state,
    cluster: { ...state.cluster, attemptToDelete: {}, attemptToOrphan: {} },
    pools: {},
    late: {},
  };
  emptied.set(state, bare);
  return bare;
}

/** For people: kind and name. */
export function subjectOf(node: NodeId): string {
  const { kind, name } = identityOfNode(node);
  return `${kind}/${name}`;
}
