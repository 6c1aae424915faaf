import { identityOfNode, type NodeId, nodeId, type Uid } from '../../../model/index.ts';
import type { TraceContext } from './context.ts';
import { isReferencedLater } from './owner-references.ts';
import { hasNoGetLeft } from './pending-gets.ts';
import { mayListAgain, type TraceState } from './trace-state.ts';

/**
 * Objects that are gone, and of which the log shows nothing more. What is left of each is one
 * effect: its node leaves the graph, by the event of the watch or by an event of the collector's
 * own.
 *
 * Among such objects with equal references it makes no difference whose node leaves first. So of
 * the collector's own events for them, only one is offered: that of the object whose event of the
 * watch comes first. Take a run that delivers the own event of w now, and the node of v leaves
 * later, although the event of the watch for v comes first. Then exchange v and w: the node of w
 * leaves where that of v left, always by its own event, which can be delivered at any time.
 */
export function withoutTwins(
  context: TraceContext,
  state: TraceState,
  index: number,
  events: readonly NodeId[],
): readonly NodeId[] {
  if (!context.reduced || context.partial || mayListAgain(state)) return events;
  const first = new Map<string, { readonly node: NodeId; readonly place: number }>();
  const others: NodeId[] = [];
  for (const node of events) {
    if (!isFaded(context, state, index, node)) {
      others.push(node);
      continue;
    }
    const { uid, kind } = identityOfNode(node);
    const owners = JSON.stringify([kind, state.cluster.graph[uid]?.owners]);
    const place = placeInStream(state, uid);
    const before = first.get(owners);
    if (before === undefined || place < before.place) first.set(owners, { node, place });
  }
  return [...others, ...[...first.values()].map(({ node }) => node)];
}

/** Whether nothing but one delete event of the object can still matter. */
function isFaded(context: TraceContext, state: TraceState, index: number, node: NodeId): boolean {
  const { graph, dependents, processing, attemptToOrphan, orphaning } = state.cluster;
  const { uid } = identityOfNode(node);
  const inGraph = graph[uid];
  if (inGraph === undefined || inGraph.virtual || nodeId(inGraph.identity) !== node) return false;
  if ((dependents[uid] ?? []).length > 0 || !isGoneForGood(context, state, node)) return false;
  if (attemptToOrphan[node] !== undefined || orphaning[node] !== undefined) return false;
  return processing[node] === undefined && hasNoGetLeft(context, state, node, index);
}

/** Whether no event or reference can bring the node back once it has left the graph. */
export function isGoneForGood(context: TraceContext, state: TraceState, node: NodeId): boolean {
  const { uid } = identityOfNode(node);
  const { store, watch } = state.cluster;
  if (isReferencedLater(context, state, uid)) return false;
  if (Object.values(store).some((object) => object.uid === uid)) return false;
  return !Object.values(watch).some((events) =>
    events.some(({ type, object }) => type !== 'delete' && object.identity.uid === uid),
  );
}

/** Where the delete event of the object stands in its stream. */
function placeInStream({ cluster }: TraceState, uid: Uid): number {
  for (const events of Object.values(cluster.watch)) {
    const place = events.findIndex(({ object }) => object.identity.uid === uid);
    if (place >= 0) return place;
  }
  return Number.POSITIVE_INFINITY;
}
