import { type ApiObject, identityOfNode, type NodeId, type Uid } from '../../../model/index.ts';
import type { Timeline } from '../logs/timeline.ts';
import type { TraceContext } from './context.ts';
import { mayListAgain, type TraceState } from './trace-state.ts';

/** Whether anything can still read a reference to an owner: what nothing reads changes nothing. */

/** By uid of the owner: index of the last change that leaves an object with a reference to it. */
export function lastReferencesIn({ changes }: Pick<Timeline, 'changes'>): ReadonlyMap<Uid, number> {
  const last = new Map<Uid, number>();
  changes.forEach(({ seen }, index) => {
    if (seen.type === 'DELETED') return;
    for (const { uid } of seen.object.ownerReferences) last.set(uid, index);
  });
  return last;
}

/** Whether an undelivered event or a later change has a reference to the owner. */
export function isReferencedLater(context: TraceContext, state: TraceState, uid: Uid): boolean {
  if ((context.lastReferences.get(uid) ?? -1) >= state.changes) return true;
  if (mayListAgain(state)) return true;
  return Object.values(state.cluster.watch).some((events) =>
    events.some(({ object }) => object.ownerReferences.some((reference) => reference.uid === uid)),
  );
}

/**
 * Whether another node, another stored or read object, or a worker with another item has a
 * reference to the owner.
 */
export function isReferencedElsewhere(state: TraceState, uid: Uid, item: NodeId): boolean {
  const { cluster } = state;
  const own = identityOfNode(item).uid;
  if ((cluster.dependents[uid] ?? []).some((dependent) => dependent !== own)) return true;
  const mentions = (object: ApiObject | null | undefined): boolean =>
    object?.uid !== own &&
    object?.ownerReferences.some((reference) => reference.uid === uid) === true;
  if (Object.values(cluster.store).some(mentions)) return true;
  if (Object.values(state.open).some(({ done }) => mentions(done?.object))) return true;
  if (
    Object.values(state.pendingGets).some((gets) => gets.some(({ done }) => mentions(done?.object)))
  ) {
    return true;
  }
  return Object.entries(cluster.deleteWorkers).some(
    ([node, worker]) =>
      node !== item &&
      worker.at === 'getOwner' &&
      worker.live.ownerReferences.some((reference) => reference.uid === uid),
  );
}
