import {
  type DeleteWorker,
  identityOfNode,
  lookUpOwner,
  type NodeId,
  type ObjectKey,
  type OrphanWorker,
} from '../../../model/index.ts';
import { requestAt, type TraceContext } from './context.ts';
import { keyOfNode, takeItem, takeOrphan } from './queue-items.ts';
import { type PendingGet, queuedSender, type Sender, type TraceState } from './trace-state.ts';
import { deleteSlot, nextRequest, orphanSlot, type WorkerSlot, workerSlots } from './workers.ts';

/**
 * Which worker sent a GET? Several workers often request the same object at the same time, and the
 * log does not distinguish their requests. So the sender stays open until it matters: a worker
 * takes the answer of one of these GETs when its next request is seen. Until then each GET must
 * have a possible sender of its own: a worker, or a queued item that a worker may have taken,
 * which could have sent the GET since before it was received.
 */

/** A worker or queued item that may have sent a GET. */
export interface Candidate {
  readonly sender: Sender;
  readonly slot: WorkerSlot;
  /** The state in which the slot exists: for a queued item, the state after it was taken. */
  readonly state: TraceState;
}

const known = new WeakMap<TraceState, Map<ObjectKey, readonly Candidate[]>>();

/** All candidates for a GET of this key now. */
export function candidates(
  context: TraceContext,
  state: TraceState,
  key: ObjectKey,
): readonly Candidate[] {
  let byKey = known.get(state);
  if (byKey === undefined) {
    byKey = new Map();
    known.set(state, byKey);
  }
  const before = byKey.get(key);
  if (before !== undefined) return before;
  const found = findCandidates(context, state, key);
  byKey.set(key, found);
  return found;
}

function findCandidates(
  context: TraceContext,
  state: TraceState,
  key: ObjectKey,
): readonly Candidate[] {
  const found: Candidate[] = [];
  for (const slot of workerSlots(state)) {
    if (isAboutToGet(context, state, slot, key)) found.push({ sender: slot.sender, slot, state });
  }
  for (const node of waitingNodes(context, state.cluster.attemptToDelete, key)) {
    const taken = takeItem(context, state, node);
    if (taken === null) continue;
    found.push({ sender: queuedSender('delete', node), slot: deleteSlot(node), state: taken });
  }
  for (const node of waitingNodes(context, state.cluster.attemptToOrphan, key)) {
    const taken = takeOrphan(context, state, node);
    const slot = orphanSlot(node, null);
    if (taken === null || !isAboutToGet(context, taken, slot, key)) continue;
    found.push({ sender: queuedSender('orphan', node), slot, state: taken });
  }
  return found;
}

function waitingNodes(
  context: TraceContext,
  queue: Readonly<Record<NodeId, unknown>>,
  key: ObjectKey,
): readonly NodeId[] {
  return Object.keys(queue).filter((node) => keyOfNode(context, node) === key);
}

const keysOfWorkers = new WeakMap<object, ObjectKey | null>();

/**
 * The key of the next GET of a worker, if its next request is a GET; most workers are ruled out by
 * it.
 */
function keyOfNextGet(
  context: TraceContext,
  { cluster }: TraceState,
  slot: WorkerSlot,
): ObjectKey | null {
  const worker =
    slot.role === 'delete' ? cluster.deleteWorkers[slot.node] : cluster.orphanWorkers[slot.node];
  if (worker === undefined) return null;
  const known = keysOfWorkers.get(worker);
  if (known !== undefined) return known;
  const found = keyWhereGet(context, worker);
  keysOfWorkers.set(worker, found);
  return found;
}

function keyWhereGet(context: TraceContext, worker: DeleteWorker | OrphanWorker): ObjectKey | null {
  if (worker.at !== 'getOwner') return keyOfNode(context, worker.node);
  const reference = worker.live.ownerReferences[worker.classes.length];
  if (reference === undefined) return null;
  const { namespace } = identityOfNode(worker.node);
  const lookup = lookUpOwner(context.world, reference, namespace);
  return lookup.kind === 'key' ? lookup.key : null;
}

function isAboutToGet(
  context: TraceContext,
  state: TraceState,
  slot: WorkerSlot,
  key: ObjectKey,
): boolean {
  if (keyOfNextGet(context, state, slot) !== key) return false;
  const request = nextRequest(context, state, slot);
  return request !== null && request.verb === 'get' && request.key === key;
}

/**
 * The last GET that was received before this candidate could have sent one; -1 if there is none.
 */
export function lateness(state: TraceState, key: ObjectKey, sender: Sender): number {
  return state.late[key]?.[sender] ?? -1;
}

/**
 * Whether each pending GET can have a sender of its own. The GETs of a key are in the order in
 * which they were received, and a candidate for one GET is a candidate for all later ones. So
 * counting is enough.
 */
export function everyGetHasSender(context: TraceContext, state: TraceState): boolean {
  return Object.entries(state.pendingGets).every(([key, gets]) => {
    const from = candidates(context, state, key).map(({ sender }) => lateness(state, key, sender));
    return gets.every(
      ({ received }, index) => from.filter((late) => late < received).length > index,
    );
  });
}

/**
 * Records which candidates are too late for the GETs received so far.
 *
 * @param renewed a sender that took a step: it starts anew, even if it requests the same object.
 */
export function withLateness(
  context: TraceContext,
  before: TraceState,
  after: TraceState,
  renewed: Sender | null,
): TraceState {
  if (Object.keys(after.pendingGets).length === 0) {
    return Object.keys(after.late).length === 0 ? after : { ...after, late: {} };
  }
  const late: Record<ObjectKey, Readonly<Record<Sender, number>>> = {};
  for (const [key, gets] of Object.entries(after.pendingGets)) {
    const last = gets.at(-1)?.received ?? -1;
    const earlier = new Set(candidates(context, before, key).map(({ sender }) => sender));
    const own: Record<Sender, number> = {};
    for (const { sender, slot } of candidates(context, after, key)) {
      const queued = queuedSender(slot.role, slot.node);
      // A candidate that was taken from a queue continues the queued item.
      const was = sender === renewed ? null : earlier.has(sender) ? sender : queued;
      const from = was !== null && earlier.has(was) ? lateness(before, key, was) : last;
      if (from >= 0) own[sender] = from;
    }
    if (Object.keys(own).length > 0) late[key] = own;
  }
  return { ...after, late };
}

/**
 * If there are no more candidates than GETs, each candidate has sent one: their items are taken by
 * now.
 */
export function withCertainlyTaken(
  context: TraceContext,
  state: TraceState,
  key: ObjectKey,
): TraceState {
  const all = candidates(context, state, key);
  if (all.length > (state.pendingGets[key] ?? []).length) return state;
  const queued = all.find((candidate) => candidate.state !== state);
  if (queued === undefined) return state;
  return withCertainlyTaken(context, withLateness(context, state, queued.state, null), key);
}

/**
 * Number of the collector's GETs for a key that are still to come or have no certain sender yet.
 */
export function getsFor(
  context: TraceContext,
  state: TraceState,
  key: ObjectKey,
  index: number,
): number {
  const all = context.timeline.collectorGets.get(key) ?? [];
  const coming = all.filter((at) => at >= index);
  return coming.length + (state.pendingGets[key] ?? []).length;
}

/** Whether none of the GETs of a key that are left finds an object. */
export function findNothing(
  context: TraceContext,
  state: TraceState,
  key: ObjectKey,
  index: number,
): boolean {
  const coming = (context.timeline.collectorGets.get(key) ?? []).flatMap((at) => {
    const instant = context.timeline.instants[at];
    return at >= index && instant?.at === 'received' ? [instant.request] : [];
  });
  const pending = (state.pendingGets[key] ?? []).map(({ request }) => request);
  return [...coming, ...pending].every((request) => requestAt(context, request).code === 404);
}

/** Whether the log has no GET left that a worker of the node could have sent. */
export function hasNoGetLeft(
  context: TraceContext,
  state: TraceState,
  node: NodeId,
  index: number,
): boolean {
  const key = keyOfNode(context, node);
  return key !== null && getsFor(context, state, key, index) === 0;
}

export function withoutGet(state: TraceState, key: ObjectKey, get: PendingGet): TraceState {
  const rest = (state.pendingGets[key] ?? []).filter(({ request }) => request !== get.request);
  const { [key]: _, ...others } = state.pendingGets;
  return { ...state, pendingGets: rest.length === 0 ? others : { ...others, [key]: rest } };
}
