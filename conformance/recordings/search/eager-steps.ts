import { type DeleteWorker, identityOfNode } from '../../../model/index.ts';
import type { Trial } from './context.ts';
import { isMentionedElsewhere, isMentionedLater } from './owner-references.ts';
import { withLateness } from './pending-gets.ts';
import { certain, hear } from './take-answer.ts';
import type { Done, TraceState } from './trace-state.ts';
import { nextRequest, type Post, posts, stepPost } from './workers.ts';

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
 * node may yet be marked as deleting its dependents; and who has sent a GET, unless that is certain.
 */
export function settled(trial: Trial, state: TraceState): TraceState {
  let current = state;
  for (let next = stepByItself(trial, current); next !== null; ) {
    current = next;
    next = stepByItself(trial, current);
  }
  return current;
}

function stepByItself(trial: Trial, state: TraceState): TraceState | null {
  for (const post of posts(state)) {
    const sent = state.sent[post.sender];
    if (sent === undefined ? !isIdleStep(trial, state, post) : !isReady(trial, state, post)) {
      continue;
    }
    const stepped = stepPost(trial, state, post, sent?.answer ?? null);
    return withLateness(trial, state, stepped, post.sender);
  }
  for (const key of Object.keys(state.pools)) {
    for (const { candidate, get } of certain(trial, state, key)) {
      const { post } = candidate;
      if (get.done === null || !isLocal(trial, candidate.state, post, get.done)) continue;
      const heard = hear(trial, state, key, candidate, get);
      if (heard !== null) return heard;
    }
  }
  return null;
}

/** The answer to a writing request has arrived, and handling it concerns the worker alone. */
function isReady(trial: Trial, state: TraceState, post: Post): boolean {
  const answer = state.sent[post.sender]?.answer ?? null;
  if (answer === null) return false;
  const worker = state.cluster.deleteWorkers[post.node];
  if (post.role === 'orphan' || worker?.at !== 'delete') return true;
  return answer.code !== 404 || trial.world.rules.collectorDeleteNotFound === 'retried';
}

/**
 * A look into the memory of absent owners that finds something: what is there stays there. That the
 * worker may have looked before it was there is told by `bound`. An owner of a kind without a REST
 * mapping, or in no namespace, needs no look at all. And an orphan worker of whose patches one has
 * failed gives up.
 */
function isIdleStep(trial: Trial, state: TraceState, post: Post): boolean {
  if (post.role === 'orphan') {
    const orphaning = state.cluster.orphanWorkers[post.node];
    return orphaning?.at === 'patchDependents' && Object.keys(orphaning.calls).length === 0;
  }
  const worker = state.cluster.deleteWorkers[post.node];
  if (worker?.at !== 'getOwner' && worker?.at !== 'getItem') return false;
  return nextRequest(trial, state, post) === null;
}

/** Whether the answer to a GET says nothing that others could come to know of. */
export function isLocal(trial: Trial, state: TraceState, post: Post, done: Done): boolean {
  if (post.role === 'orphan') return true;
  const worker = state.cluster.deleteWorkers[post.node];
  if (worker?.at === 'getItem') {
    const { uid } = identityOfNode(worker.node);
    if (done.object?.uid === uid) return flagIsStable(trial, state, worker);
    return state.cluster.graph[uid] === undefined && !isMentionedLater(trial, state, uid);
  }
  if (worker?.at !== 'getOwner') return true;
  const reference = worker.live.ownerReferences[worker.classes.length];
  if (reference === undefined || done.object?.uid === reference.uid) return true;
  return (
    !isMentionedElsewhere(state, reference.uid, worker.node) &&
    !isMentionedLater(trial, state, reference.uid)
  );
}

/**
 * The node's flag `deletingDependents` is set once and never cleared. It cannot change any more if
 * it is set, or if the object is never in foreground deletion as far as the log goes.
 */
function flagIsStable(trial: Trial, state: TraceState, worker: DeleteWorker): boolean {
  const { uid } = identityOfNode(worker.node);
  if (!trial.foreground.has(uid)) return true;
  return state.cluster.graph[uid]?.deletingDependents === true;
}
