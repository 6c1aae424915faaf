import { produce } from 'immer';
import {
  identityOfNode,
  lookUpItem,
  type NodeId,
  type ObjectKey,
  takeForDelete,
  takeForOrphan,
} from '../../../model/index.ts';
import type { TraceContext } from './context.ts';
import { recorded } from './hidden-step.ts';
import type { TraceState } from './trace-state.ts';

/** Items of the work queues, and the workers that take them. */

/** The key that a GET of the item reads; null if its kind cannot be mapped. */
export function keyOfNode(context: TraceContext, node: NodeId): ObjectKey | null {
  const before = context.keysOfNodes.get(node);
  if (before !== undefined) return before;
  const lookup = lookUpItem(context.world, identityOfNode(node));
  const key = lookup.kind === 'key' ? lookup.key : null;
  context.keysOfNodes.set(node, key);
  return key;
}

/**
 * A delete worker takes the item. Null if that is not possible, or if the worker would skip the
 * item: then the item can stay in the queue as well.
 */
export function takeItem(
  context: TraceContext,
  state: TraceState,
  node: NodeId,
): TraceState | null {
  const { attemptToDelete, processing, deleteWorkers } = state.cluster;
  if (attemptToDelete[node] === undefined || processing[node] !== undefined) return null;
  const next = taken(context, state, node, 'takeForDelete', deleteWorkers, takeForDelete);
  return next?.cluster.deleteWorkers[node] === undefined ? null : next;
}

/** An orphan worker takes the item. Null if that is not possible. */
export function takeOrphan(
  context: TraceContext,
  state: TraceState,
  node: NodeId,
): TraceState | null {
  const { attemptToOrphan, orphaning, orphanWorkers } = state.cluster;
  if (attemptToOrphan[node] === undefined || orphaning[node] !== undefined) return null;
  return taken(context, state, node, 'takeForOrphan', orphanWorkers, takeForOrphan);
}

function taken(
  context: TraceContext,
  state: TraceState,
  node: NodeId,
  action: string,
  busy: Readonly<Record<string, unknown>>,
  take: typeof takeForDelete | typeof takeForOrphan,
): TraceState | null {
  // A deferred step keeps a worker busy for longer than it was, so the others may be too few here.
  if (!context.reduced && Object.keys(busy).length >= context.workers) return null;
  const what = { action, step: '', subject: subjectOf(node) };
  return recorded(context, state, what, () =>
    produce(state, (draft) => {
      take(draft.cluster, context.world, node, node);
    }),
  );
}

const emptied = new WeakMap<TraceState, TraceState>();

/** The state with empty work queues: what is queued after a step was added by that step. */
export function withEmptyQueue(state: TraceState): TraceState {
  const before = emptied.get(state);
  if (before !== undefined) return before;
  const bare: TraceState = {
    ...state,
    cluster: { ...state.cluster, attemptToDelete: {}, attemptToOrphan: {} },
    pendingGets: {},
    late: {},
  };
  emptied.set(state, bare);
  return bare;
}

/** Kind and name, for messages. */
export function subjectOf(node: NodeId): string {
  const { kind, name } = identityOfNode(node);
  return `${kind}/${name}`;
}
