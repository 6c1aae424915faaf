import { type DeleteWorker, identityOfNode } from '../../../model/index.ts';
import type { TraceContext } from './context.ts';
import { isReferencedElsewhere, isReferencedLater } from './owner-references.ts';
import { everyGetHasSender, withLateness } from './pending-gets.ts';
import { certainSenders, takeAnswer } from './take-answer.ts';
import type { ModelAnswer, Sender, TraceState } from './trace-state.ts';
import { nextRequest, stepWorker, type WorkerSlot, workerSlots } from './workers.ts';

/**
 * Steps of workers that are taken as soon as they are possible, because waiting could explain
 * nothing more. There are two reasons:
 *
 * - The step reads and writes nothing but the worker's own record (what an answer that has arrived
 *   means to it), so that it commutes with every other step.
 * - The step ends the worker's work on its item. It frees the item and may put it back into its
 *   queue; both only add to what the collector can do, since nothing obliges anybody to take an item
 *   from a queue. If the item is added again later, the queue holds it once in either order.
 *
 * Everything else is left to the search: an answer that says that something is gone, where it goes
 * into memory that others may read; the looks at the graph; an answer to the first GET where the
 * node may yet be marked as deleting its dependents; and who has sent a GET, unless that is certainSenders.
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
 * The state after a step and the eager steps that follow it; null if a GET is left without a sender.
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
      if (get.done === null || !isLocal(context, candidate.state, slot, get.done)) continue;
      const heard = takeAnswer(context, state, key, candidate, get);
      if (heard !== null) return heard;
    }
  }
  return null;
}

/** The answer to a writing request has arrived, and handling it concerns the worker alone. */
function isReady(context: TraceContext, state: TraceState, slot: WorkerSlot): boolean {
  const answer = state.sent[slot.sender]?.answer ?? null;
  if (answer === null) return false;
  const worker = state.cluster.deleteWorkers[slot.node];
  if (slot.role === 'orphan' || worker?.at !== 'delete') return true;
  return answer.code !== 404 || context.world.rules.collectorDeleteNotFound === 'retried';
}

/**
 * A look into the memory of absent owners that finds something: what is there stays there. That the
 * worker may have looked before it was there is told by `checkedMemory`. An owner of a kind without a REST
 * mapping, or in no namespace, needs no look at all. And an orphan worker of whose patches one has
 * failed gives up.
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

/** Whether the answer to a GET says nothing that others could come to know of. */
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
 * The node's flag `deletingDependents` is set once and never cleared. It cannot change any more if
 * it is set, or if the object is never in foreground deletion as far as the log goes.
 */
function flagIsStable(context: TraceContext, state: TraceState, worker: DeleteWorker): boolean {
  const { uid } = identityOfNode(worker.node);
  if (!context.foreground.has(uid)) return true;
  return state.cluster.graph[uid]?.deletingDependents === true;
}
