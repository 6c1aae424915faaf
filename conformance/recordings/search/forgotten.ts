import { identityOfNode, type NodeId } from '../../../model/index.ts';
import type { TraceContext } from './context.ts';
import { isReferencedLater } from './owner-references.ts';
import { hasNoGetLeft } from './pending-gets.ts';
import type { TraceState } from './trace-state.ts';

/**
 * The state without what can never matter again, so that states which differ only in that are one:
 *
 * - Queued items for which the log has no GET left. A worker that took one would send a GET first.
 * - Delete events of the collector's own whose node has left the graph and cannot come back.
 */
export function withoutForgotten(
  context: TraceContext,
  state: TraceState,
  index: number,
): TraceState {
  if (!context.reduced || context.partial) return state;
  const { attemptToDelete, graphChanges, graph } = state.cluster;
  const hasNoGet = (node: NodeId): boolean => hasNoGetLeft(context, state, node, index);
  const isFutile = (node: NodeId): boolean => {
    const { uid } = identityOfNode(node);
    return graph[uid] === undefined && !isReferencedLater(context, state, uid);
  };
  const items = without(attemptToDelete, hasNoGet);
  const events = without(graphChanges, isFutile);
  if (items === attemptToDelete && events === graphChanges) return state;
  return {
    ...state,
    cluster: { ...state.cluster, attemptToDelete: items, graphChanges: events },
  };
}

/** The same object if nothing is left out. */
function without<Value>(
  all: Readonly<Record<NodeId, Value>>,
  isLeftOut: (node: NodeId) => boolean,
): Readonly<Record<NodeId, Value>> {
  const kept = Object.entries(all).filter(([node]) => !isLeftOut(node));
  return kept.length === Object.keys(all).length ? all : Object.fromEntries(kept);
}
