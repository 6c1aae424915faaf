import { type DeleteWorker, identityOfNode, nodeId } from '../../../model/index.ts';
import type { TraceContext } from './context.ts';
import { isGoneForGood } from './faded.ts';
import { isReferencedElsewhere, isReferencedLater } from './owner-references.ts';
import { everyGetHasSender, withLateness } from './pending-gets.ts';
import { certainSenders, takeAnswer } from './take-answer.ts';
import type { ModelAnswer, Sender, TraceState } from './trace-state.ts';
import { nextRequest, stepWorker, type WorkerSlot, workerSlots } from './workers.ts';

/**
 * Steps of workers that are taken as soon as they are possible, because nothing is gained by
 * waiting. There are two reasons:
 *
 * - The step reads and writes only the worker's own record (it handles an answer that has
 *   arrived), so it commutes with every other step.
 * - The step ends the worker's work on its item. It frees the item and may put it back into the
 *   queue. Both only add possible behaviours, since no worker has to take an item from a queue. If
 *   the item is added again later, the queue holds it once in either order.
 *
 * The search decides about all other steps: an answer that something is gone, if it goes into
 * memory that others may read; reads of the graph; an answer to the first GET while the node may
 * still be marked as deleting its dependents; and the sender of a GET, unless it is certain.
 */
export function withEagerSteps(context: TraceContext, state: TraceState): TraceState {
  let current = state;
  for (let next = nextEagerStep(context, current); next !== null; ) {
    current = next;
    next = nextEagerStep(context, current);
  }
  return current;
}

/**
 * The state after a step and the eager steps that follow it; null if a GET is left without a
 * sender.
 *
 * @param renewed the sender that took the step.
 */
export function afterEagerSteps(
  context: TraceContext,
  before: TraceState,
  after: TraceState,
  renewed: Sender | null,
): TraceState | null {
  const next = withEagerSteps(context, withLateness(context, before, after, renewed));
  return everyGetHasSender(context, next) ? next : null;
}

function nextEagerStep(context: TraceContext, state: TraceState): TraceState | null {
  for (const slot of workerSlots(state)) {
    const sent = state.sent[slot.sender];
    if (sent === undefined ? !isIdleStep(context, state, slot) : !isReady(context, state, slot)) {
      continue;
    }
    const stepped = stepWorker(context, state, slot, sent?.answer ?? null);
    return withLateness(context, state, stepped, slot.sender);
  }
  for (const key of Object.keys(state.pendingGets)) {
    for (const { candidate, get } of certainSenders(context, state, key)) {
      const { slot } = candidate;
      if (get.done === null) continue;
      if (
        !isLocal(context, candidate.state, slot, get.done) &&
        !isOnlyAnEvent(context, candidate.state, slot, get.done)
      ) {
        continue;
      }
      const warned = takeAnswer(context, state, key, candidate, get);
      if (warned !== null) return warned;
    }
  }
  return null;
}

/** The answer to a writing request has arrived, and handling it affects only this worker. */
function isReady(context: TraceContext, state: TraceState, slot: WorkerSlot): boolean {
  const answer = state.sent[slot.sender]?.answer ?? null;
  if (answer === null) return false;
  const worker = state.cluster.deleteWorkers[slot.node];
  if (slot.role === 'orphan' || worker?.at !== 'delete') return true;
  return answer.code !== 404 || context.world.rules.collectorDeleteNotFound === 'retried';
}

/**
 * Whether the slot has a step that needs no request and commutes with all others. An entry in the
 * memory of absent owners stays there, so finding one is such a step; `checkedMemory` covers a
 * worker that read the memory before the entry was there. An owner whose kind has no REST mapping,
 * or that is in no namespace, needs no GET. An orphan worker gives up when one of its patches has
 * failed.
 */
function isIdleStep(context: TraceContext, state: TraceState, slot: WorkerSlot): boolean {
  if (slot.role === 'orphan') {
    const orphaning = state.cluster.orphanWorkers[slot.node];
    return orphaning?.at === 'patchDependents' && Object.keys(orphaning.calls).length === 0;
  }
  const worker = state.cluster.deleteWorkers[slot.node];
  if (worker?.at !== 'getOwner' && worker?.at !== 'getItem') return false;
  return nextRequest(context, state, slot) === null;
}

/** Whether the answer to a GET reveals nothing to other workers. */
export function isLocal(
  context: TraceContext,
  state: TraceState,
  slot: WorkerSlot,
  done: ModelAnswer,
): boolean {
  if (slot.role === 'orphan') return true;
  const worker = state.cluster.deleteWorkers[slot.node];
  if (worker?.at === 'getItem') {
    const { uid } = identityOfNode(worker.node);
    if (done.object?.uid === uid) return flagIsStable(context, state, worker);
    return state.cluster.graph[uid] === undefined && !isReferencedLater(context, state, uid);
  }
  if (worker?.at !== 'getOwner') return true;
  const reference = worker.live.ownerReferences[worker.classes.length];
  if (reference === undefined || done.object?.uid === reference.uid) return true;
  return (
    !isReferencedElsewhere(state, reference.uid, worker.node) &&
    !isReferencedLater(context, state, reference.uid)
  );
}

/**
 * Whether the answer only adds an event of the collector's own: the item is gone for good. The
 * event can wait as long as the answer could, and a second one for the same node would find
 * nothing.
 */
function isOnlyAnEvent(
  context: TraceContext,
  state: TraceState,
  { role, node }: WorkerSlot,
  done: ModelAnswer,
): boolean {
  const worker = state.cluster.deleteWorkers[node];
  if (!context.reduced || context.partial || role === 'orphan' || worker?.at !== 'getItem') {
    return false;
  }
  const inGraph = state.cluster.graph[identityOfNode(worker.node).uid];
  if (inGraph === undefined || inGraph.virtual) return false;
  if (nodeId(inGraph.identity) !== worker.node || done.object !== null || done.code !== 404) {
    return false;
  }
  return isGoneForGood(context, state, worker.node);
}

/**
 * The node's flag `deletingDependents` is set once and never cleared. It cannot change any more if
 * it is set, or if the log never shows the object in foreground deletion.
 */
function flagIsStable(context: TraceContext, state: TraceState, worker: DeleteWorker): boolean {
  const { uid } = identityOfNode(worker.node);
  if (!context.foreground.has(uid)) return true;
  return state.cluster.graph[uid]?.deletingDependents === true;
}
