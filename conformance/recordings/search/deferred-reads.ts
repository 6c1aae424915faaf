import { isDeepStrictEqual } from 'node:util';
import type { HiddenStep } from '../../../checker/index.ts';
import {
  identityOfNode,
  lookUpOwner,
  type NodeId,
  nodeId,
  type ObjectKey,
  type OwnerReference,
  type Uid,
} from '../../../model/index.ts';
import type { TraceContext } from './context.ts';
import { afterEagerSteps, isLocal, withEagerSteps } from './eager-steps.ts';
import { memoised } from './hidden-step.ts';
import { type Candidate, candidates } from './pending-gets.ts';
import { keyOfNode, withEmptyQueue } from './queue-items.ts';
import { isAboutItemAlone, isInScope, type Scope } from './scope.ts';
import { possibleAnswers, takeAnswer } from './take-answer.ts';
import type { ModelAnswer, TraceState } from './trace-state.ts';
import { readsMemory, stepWorker, type WorkerSlot, workerSlots } from './workers.ts';

/**
 * Reads of workers that are deferred until they matter: reads of the graph, and answers to GETs
 * whose sender is still open. Most of these steps affect no other worker. A step is offered only
 *
 * - if the request to be explained may be the worker's next one, or one for an item that the step
 *   adds to the queue, or
 * - if the step reveals something to others that the request may depend on, or
 * - if another step that is offered now would change what this step reads, or what the worker
 *   reads soon after it.
 *
 * In all other cases the step can be taken later as well.
 */
export function deferredReadSteps(
  context: TraceContext,
  state: TraceState,
  due: number | null,
  scope: Scope,
  deliveries: readonly HiddenStep<TraceState>[],
): readonly HiddenStep<TraceState>[] {
  const wanted = due === null ? null : (context.keys[due] ?? null);
  const alone = due !== null && isAboutItemAlone(context, due);
  const needed = ({ slot, step }: DeferredRead): boolean => {
    if (wanted === null || keyOfNode(context, slot.node) === wanted) return true;
    if (alone) return false;
    if (context.partial) return mayLeadToRequest(context, state, slot.node, wanted);
    return (
      leadsToKey(context, step.take(state), slot, wanted) ||
      itemsAddedBy(step, state).some((node) => keyOfNode(context, node) === wanted)
    );
  };
  const offered: HiddenStep<TraceState>[] = [];
  const left = new Set<DeferredRead>();
  for (const own of deferredReads(context, state)) {
    if (needed(own) || (own.reveals !== null && isInScope(scope, own.reveals))) {
      offered.push(own.step);
    } else left.add(own);
  }
  for (let size = -1; size !== offered.length; ) {
    size = offered.length;
    const others = { deliveries, memory: [...deliveries, ...offered] };
    for (const own of left) {
      if (!isDisturbed(context, state, own, others)) continue;
      left.delete(own);
      offered.push(own.step);
    }
  }
  return offered;
}

/** A read of the graph, or an answer that a worker may take. */
interface DeferredRead {
  readonly slot: WorkerSlot;
  readonly step: HiddenStep<TraceState>;
  /** Uid of the object about which others learn something by the step; null if they do not. */
  readonly reveals: Uid | null;
}

/** The deferred reads of all workers, or of one slot. */
function deferredReads(
  context: TraceContext,
  state: TraceState,
  only?: WorkerSlot,
): readonly DeferredRead[] {
  const isMeant = ({ role, node, dependent }: WorkerSlot): boolean =>
    only === undefined ||
    (role === only.role && node === only.node && dependent === only.dependent);
  const found: DeferredRead[] = [];
  for (const slot of workerSlots(state)) {
    const look = isMeant(slot) ? readOf(context, state, slot) : null;
    if (look === null) continue;
    const reveals = state.sent[slot.sender] === undefined ? null : identityOfNode(slot.node).uid;
    found.push({ slot, step: memoised(look), reveals });
  }
  for (const key of Object.keys(state.pendingGets)) {
    for (const candidate of candidates(context, state, key)) {
      if (!isMeant(candidate.slot)) continue;
      for (const get of possibleAnswers(state, key, candidate)) {
        const step = memoised({
          label: `${candidate.slot.role} worker takes an answer`,
          take: (from) => retakeAnswer(context, from, key, candidate, get.request),
        });
        found.push({
          slot: candidate.slot,
          step,
          reveals: revealedBy(context, candidate, get.done as ModelAnswer),
        });
      }
    }
  }
  return found;
}

/** Uid of the object about which others learn something by the answer; null if they do not. */
function revealedBy(
  context: TraceContext,
  { slot, state }: Candidate,
  done: ModelAnswer,
): Uid | null {
  if (isLocal(context, state, slot, done)) return null;
  const worker = state.cluster.deleteWorkers[slot.node];
  const owner =
    worker?.at === 'getOwner' ? worker.live.ownerReferences[worker.classes.length] : undefined;
  return owner?.uid ?? identityOfNode(slot.node).uid;
}

/** A read of the graph, or handling an answer of 404 to a write. */
function readOf(
  context: TraceContext,
  state: TraceState,
  slot: WorkerSlot,
): HiddenStep<TraceState> | null {
  if (!hasDeferredRead(state, slot)) return null;
  return {
    label: `${slot.role} worker reads`,
    take: (from) => {
      if (!hasDeferredRead(from, slot)) return null;
      const stepped = stepWorker(context, from, slot, from.sent[slot.sender]?.answer ?? null);
      return afterEagerSteps(context, from, stepped, slot.sender);
    },
  };
}

function hasDeferredRead(state: TraceState, slot: WorkerSlot): boolean {
  const sent = state.sent[slot.sender];
  if (sent !== undefined) return sent.answer !== null;
  if (slot.role === 'orphan') return false;
  const worker = state.cluster.deleteWorkers[slot.node];
  return worker?.at === 'readDependents' || worker?.at === 'readBlockingDependents';
}

function retakeAnswer(
  context: TraceContext,
  state: TraceState,
  key: ObjectKey,
  like: Candidate,
  request: number,
): TraceState | null {
  const candidate = candidates(context, state, key).find(({ sender }) => sender === like.sender);
  const get = (state.pendingGets[key] ?? []).find((one) => one.request === request);
  if (candidate === undefined || get === undefined || get.done === null) return null;
  const warned = takeAnswer(context, state, key, candidate, get);
  return warned === null ? null : withEagerSteps(context, warned);
}

/**
 * Whether the worker, after its step, looks up an owner at that key before it sends a request for
 * its own item, or is about to queue a dependent there.
 */
function leadsToKey(
  context: TraceContext,
  after: TraceState | null,
  slot: WorkerSlot,
  key: ObjectKey,
): boolean {
  if (after === null) return true;
  const worker = slot.role === 'delete' ? after.cluster.deleteWorkers[slot.node] : undefined;
  const { uid, namespace } = identityOfNode(slot.node);
  switch (worker?.at) {
    case 'getOwner':
      return worker.live.ownerReferences
        .slice(worker.classes.length)
        .some((reference) => isLookedUpAt(context, reference, namespace, key));
    case 'readBlockingDependents':
      return hasDependentAt(context, after, uid, key);
    default:
      return false;
  }
}

function isLookedUpAt(
  context: TraceContext,
  reference: OwnerReference,
  namespace: string,
  key: ObjectKey,
): boolean {
  const lookup = lookUpOwner(context.world, reference, namespace);
  return lookup.kind === 'key' && lookup.key === key;
}

function hasDependentAt(
  context: TraceContext,
  { cluster }: TraceState,
  uid: Uid,
  key: ObjectKey,
): boolean {
  return (cluster.dependents[uid] ?? []).some((dependent) => {
    const identity = cluster.graph[dependent]?.identity;
    return identity !== undefined && keyOfNode(context, nodeId(identity)) === key;
  });
}

/**
 * Whether the worker on this node may send a request for that key next, or cause one: for its
 * item, for an owner of the item, or (in foreground deletion) for a dependent.
 */
export function mayLeadToRequest(
  context: TraceContext,
  state: TraceState,
  node: NodeId,
  key: ObjectKey,
): boolean {
  if (keyOfNode(context, node) === key) return true;
  const { uid, namespace } = identityOfNode(node);
  const { cluster } = state;
  const worker = cluster.deleteWorkers[node];
  const references: readonly OwnerReference[] = [
    ...(cluster.graph[uid]?.owners ?? []),
    ...(worker?.at === 'getOwner' ? worker.live.ownerReferences : []),
    ...Object.values(cluster.store).flatMap((object) =>
      object.uid === uid ? object.ownerReferences : [],
    ),
  ];
  return (
    references.some((reference) => isLookedUpAt(context, reference, namespace, key)) ||
    hasDependentAt(context, state, uid, key)
  );
}

interface Others {
  /** Steps that may change what a read of the graph finds. */
  readonly deliveries: readonly HiddenStep<TraceState>[];
  /** Steps that may add to the memory of absent owners. */
  readonly memory: readonly HiddenStep<TraceState>[];
}

/**
 * Whether the step, or a later step of the same worker, has another result after the other steps.
 */
function isDisturbed(
  context: TraceContext,
  state: TraceState,
  own: DeferredRead,
  others: Others,
): boolean {
  const { slot, step } = own;
  const after = step.take(state);
  if (after === null) return false;
  if (isOvertaken(state, after, step, others.deliveries)) return true;
  if (readsMemory(context, after, slot)) {
    const { absentOwners } = after.cluster;
    const fills = ({ take }: HiddenStep<TraceState>): boolean =>
      (take(after)?.cluster.absentOwners ?? absentOwners) !== absentOwners;
    if (others.memory.some(fills)) return true;
  }
  return deferredReads(context, after, slot).some((next) =>
    isDisturbed(context, after, next, others),
  );
}

/**
 * Whether the order of the step and one of these events matters: for the state after both, or for
 * the items that the step adds to the queue. The latter matters even if the event adds the same
 * item, because a worker may take it in between. An event that cannot be delivered now, because it
 * would leave a GET without a sender, may be waiting for this step.
 */
function isOvertaken(
  state: TraceState,
  after: TraceState,
  step: HiddenStep<TraceState>,
  deliveries: readonly HiddenStep<TraceState>[],
): boolean {
  const adds = addedBy(step, state);
  return deliveries.some((delivery) => {
    const moved = delivery.take(state);
    const last = moved === null ? null : step.take(moved);
    const first = delivery.take(after);
    if (moved === null || last === null || first === null) return true;
    if (!isDeepStrictEqual(first.cluster, last.cluster)) return true;
    return adds !== addedBy(step, moved);
  });
}

function addedBy(step: HiddenStep<TraceState>, state: TraceState): string {
  return [...itemsAddedBy(step, state)].sort().join();
}

function itemsAddedBy(step: HiddenStep<TraceState>, state: TraceState): readonly NodeId[] {
  return Object.keys(step.take(withEmptyQueue(state))?.cluster.attemptToDelete ?? {});
}
