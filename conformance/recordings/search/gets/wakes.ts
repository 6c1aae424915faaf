import {
  FOREGROUND,
  identityOfNode,
  type NodeId,
  type OwnerReference,
  type Uid,
} from '../../../../model/index.ts';
import type { LoggedGet, SharedKey, TraceContext } from '../context.ts';
import { isReferencedLater } from '../owner-references.ts';
import { deleteSender, type TraceState } from '../trace-state.ts';

/** How many GETs the worker of the owner can still send. */
interface OwnGets {
  /** GETs that show the owner in foreground deletion. */
  readonly inForeground: number;
  /** Those, and GETs that do not find the owner. */
  readonly counted: number;
}

/**
 * The GETs that the worker of the owner can still send; null if that is not known.
 *
 * The worker takes the owner from the queue, which holds it at most once, and sends a GET. If
 * nothing blocks the owner, more GETs follow, each with a patch after it. What puts the owner into
 * the queue can be counted: foreground deletion begins, a dependent leaves the graph or stops to
 * block, or a request of the worker itself fails. So an event that comes while the owner waits in
 * the queue is lost for the GETs that the log still has.
 *
 * A dependent whose event comes after the owner has left the graph makes a virtual node of it,
 * which is queued as well. A GET for such a node finds nothing.
 */
export function ownGetsLeft(
  context: TraceContext,
  state: TraceState,
  shared: SharedKey,
  index: number,
): OwnGets | null {
  const { uid, patches } = shared;
  const { graph, attemptToDelete, deleteWorkers } = state.cluster;
  const isOwn = (node: NodeId): boolean => identityOfNode(node).uid === uid;
  const inGraph = graph[uid];
  const isKnown = inGraph === undefined ? !mayComeBack(context, state, uid) : !inGraph.virtual;
  if (!shared.wakesAreKnown || !isKnown) return null;
  const node = Object.keys(deleteWorkers).find(isOwn);
  const worker = node === undefined ? undefined : deleteWorkers[node];
  const isWaiting = Object.keys(attemptToDelete).some(isOwn) ? 1 : 0;
  const more = inGraph === undefined ? 0 : wakes(context, state, shared, index);
  const runs = isWaiting + (worker?.at === 'getItem' ? 1 : 0) + more;
  const hasRead =
    worker?.at === 'patchFinalizer' && state.sent[deleteSender(worker.node)] === undefined;
  const patched = patches.filter(({ received }) => received >= index).length - (hasRead ? 1 : 0);
  const inForeground = runs + patched + shared.unpaired;
  const naming = eventsLeft(context, state).filter(
    ({ stays, owners }) => stays && owners.some((reference) => reference.uid === uid),
  );
  return { inForeground, counted: inForeground + naming.length };
}

/** Whether the graph may get a node of the owner again. */
function mayComeBack(context: TraceContext, state: TraceState, uid: Uid): boolean {
  if (isReferencedLater(context, state, uid)) return true;
  return eventsLeft(context, state).some((event) => event.stays && event.uid === uid);
}

/** How often the owner may still be put into the queue. */
function wakes(
  context: TraceContext,
  state: TraceState,
  { uid, failures, absentReads }: SharedKey,
  index: number,
): number {
  const pending = new Set(
    Object.values(state.pendingGets).flatMap((gets) => gets.map(({ request }) => request)),
  );
  const isLeft = ({ request, received }: LoggedGet): boolean =>
    received >= index || pending.has(request) || state.open[request] !== undefined;
  const answered = Object.entries(state.sent).flatMap(([sender, { answer }]) =>
    answer === null ? [] : [sender],
  );
  let count = failures.filter(isLeft).length + answered.length;
  const inserts = new Map<Uid, number>();
  const removals = new Map<Uid, number>();
  for (const { uid: about, stays, foreground, owners } of eventsLeft(context, state)) {
    if (about === uid) {
      if (stays && foreground) count++;
      continue;
    }
    if (!absentReads.has(about)) continue;
    const times = stays ? inserts : removals;
    times.set(about, (times.get(about) ?? 0) + 1);
    if (stays && !blocks(owners, uid)) count++;
  }
  for (const node of Object.keys(state.cluster.graphChanges)) {
    const { uid: about } = identityOfNode(node);
    removals.set(about, (removals.get(about) ?? 0) + 1);
  }
  for (const [dependent, reads] of absentReads) {
    const isThere = state.cluster.graph[dependent] !== undefined;
    const insertions = (isThere ? 1 : 0) + (inserts.get(dependent) ?? 0);
    if (insertions === 0) continue;
    const left = answered.length + reads.filter(isLeft).length;
    count += Math.min(insertions, (removals.get(dependent) ?? 0) + left);
  }
  return count;
}

function blocks(owners: readonly OwnerReference[], uid: Uid): boolean {
  const own = owners.filter((reference) => reference.uid === uid);
  return own.length > 0 && own.every(({ blockOwnerDeletion }) => blockOwnerDeletion === true);
}

interface EventLeft {
  readonly uid: Uid;
  /** False for a removal. */
  readonly stays: boolean;
  /** The object is in foreground deletion. */
  readonly foreground: boolean;
  readonly owners: readonly OwnerReference[];
}

/** The events that are not delivered yet, or not written yet. */
function eventsLeft({ timeline }: TraceContext, state: TraceState): readonly EventLeft[] {
  const found: EventLeft[] = [];
  for (const events of Object.values(state.cluster.watch)) {
    for (const { type, object } of events) {
      const { identity, deletion, ownerReferences: owners } = object;
      const foreground = deletion.beingDeleted && deletion.foreground;
      found.push({ uid: identity.uid, stays: type !== 'delete', foreground, owners });
    }
  }
  for (const { seen } of timeline.changes.slice(state.changes)) {
    const { uid, deletionTimestamp, finalizers, ownerReferences: owners } = seen.object;
    const foreground = deletionTimestamp !== null && finalizers.includes(FOREGROUND);
    found.push({ uid, stays: seen.type !== 'DELETED', foreground, owners });
  }
  return found;
}
