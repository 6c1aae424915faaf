import { isDeepStrictEqual } from 'node:util';
import type { HiddenStep } from '../../../checker/index.ts';
import { lookUpOwner } from '../../../model/collector/lookup.ts';
import type { ObjectKey, OwnerReference } from '../../../model/objects.ts';
import { identityOfNode, type NodeId, nodeId } from '../../../model/state.ts';
import { answersFor, hear } from './hear.ts';
import { keyOfNode, withEmptyQueue } from './items.ts';
import { memoised } from './memo.ts';
import { bears, concernsItemAlone, type Scope } from './neighbours.ts';
import { type Candidate, candidates, isCovered, withLateness } from './pools.ts';
import { isLocal, settled } from './settle.ts';
import type { Done, TraceState } from './trace-state.ts';
import type { Trial } from './trial.ts';
import { type Post, posts, stepPost } from './workers.ts';

/**
 * Steps of workers that are not taken by themselves: looks at the graph, and answers to GETs whose
 * sender has been left open. Most of them concern nobody else. Such a step is only offered
 *
 * - if the request to be explained may be the worker's next one, or one for an item that the step
 *   puts into the queue, or
 * - if an event that could be delivered now would change what the step finds.
 *
 * - if others could come to know of it whom the request concerns.
 *
 * In all other cases it can as well be taken later.
 */
export function lookingSteps(
  trial: Trial,
  state: TraceState,
  due: number | null,
  scope: Scope,
  deliveries: readonly HiddenStep<TraceState>[],
): readonly HiddenStep<TraceState>[] {
  const wanted = due === null ? null : (trial.keys[due] ?? null);
  const alone = due !== null && concernsItemAlone(trial, due);
  const needed = (node: NodeId): boolean => {
    if (wanted === null) return true;
    return alone ? keyOfNode(trial, node) === wanted : concerns(trial, state, node, wanted);
  };
  const steps: HiddenStep<TraceState>[] = [];
  for (const post of posts(state)) {
    const look = lookOf(trial, state, post);
    const step = look === null ? null : memoised(look);
    if (step !== null && (needed(post.node) || isDisturbed(state, step, deliveries))) {
      steps.push(step);
    }
  }
  for (const key of Object.keys(state.pools)) {
    for (const candidate of candidates(trial, state, key)) {
      for (const get of answersFor(state, key, candidate)) {
        const { post } = candidate;
        const step = memoised({
          label: `${post.role} worker hears`,
          take: (from) => hearAgain(trial, from, key, candidate, get.request),
        });
        if (
          needed(post.node) ||
          isTold(trial, candidate, get.done as Done, scope) ||
          isDisturbed(state, step, deliveries) ||
          leadsToDisturbedLook(trial, state, post, step, deliveries)
        ) {
          steps.push(step);
        }
      }
    }
  }
  return steps;
}

/** Others come to know of the answer, and some of them may be concerned by the request. */
function isTold(trial: Trial, candidate: Candidate, done: Done, scope: Scope): boolean {
  const { post, state } = candidate;
  if (isLocal(trial, state, post, done)) return false;
  const worker = state.cluster.deleteWorkers[post.node];
  const owner =
    worker?.at === 'getOwner' ? worker.live.ownerReferences[worker.classes.length] : undefined;
  return bears(scope, owner?.uid ?? identityOfNode(post.node).uid);
}

/** A look at the graph, or an answer that says that something is gone. */
function lookOf(trial: Trial, state: TraceState, post: Post): HiddenStep<TraceState> | null {
  if (!looks(state, post)) return null;
  return {
    label: `${post.role} worker looks`,
    take: (from) => {
      if (!looks(from, post)) return null;
      const stepped = stepPost(trial, from, post, from.sent[post.sender]?.answer ?? null);
      return ended(trial, from, stepped, post);
    },
  };
}

function ended(trial: Trial, from: TraceState, stepped: TraceState, post: Post): TraceState | null {
  const after = settled(trial, withLateness(trial, from, stepped, post.sender));
  return isCovered(trial, after) ? after : null;
}

function looks(state: TraceState, post: Post): boolean {
  const sent = state.sent[post.sender];
  if (sent !== undefined) return sent.answer !== null;
  if (post.role === 'orphan') return false;
  const worker = state.cluster.deleteWorkers[post.node];
  return worker?.at === 'readDependents' || worker?.at === 'readBlockingDependents';
}

function hearAgain(
  trial: Trial,
  state: TraceState,
  key: ObjectKey,
  like: Candidate,
  request: number,
): TraceState | null {
  const candidate = candidates(trial, state, key).find(({ sender }) => sender === like.sender);
  const get = (state.pools[key] ?? []).find((one) => one.request === request);
  if (candidate === undefined || get === undefined || get.done === null) return null;
  const heard = hear(trial, state, key, candidate, get);
  return heard === null ? null : settled(trial, heard);
}

/**
 * Whether the worker on this node may send a request for that key next, or bring about one: for its
 * item, for an owner of it, or (in foreground deletion) for a dependent.
 */
export function concerns(trial: Trial, state: TraceState, node: NodeId, key: ObjectKey): boolean {
  if (keyOfNode(trial, node) === key) return true;
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
  const owned = references.some((reference) => {
    const lookup = lookUpOwner(trial.world, reference, namespace);
    return lookup.kind === 'key' && lookup.key === key;
  });
  if (owned) return true;
  return (cluster.dependents[uid] ?? []).some((dependent) => {
    const identity = cluster.graph[dependent]?.identity;
    return identity !== undefined && keyOfNode(trial, nodeId(identity)) === key;
  });
}

/**
 * Whether it makes a difference if one of these events is delivered before the step or after it: to
 * the state that both lead to, or to the items that the step adds to the queue. The latter makes a
 * difference even if the event adds the same item: it may be taken in between.
 */
function isDisturbed(
  state: TraceState,
  step: HiddenStep<TraceState>,
  deliveries: readonly HiddenStep<TraceState>[],
): boolean {
  const now = step.take(state);
  const adds = addedBy(step, state);
  return deliveries.some((delivery) => {
    const moved = delivery.take(state);
    const last = moved === null ? null : step.take(moved);
    const first = now === null ? null : delivery.take(now);
    if (last === null || first === null || moved === null) return last !== first;
    if (!isDeepStrictEqual(first.cluster, last.cluster)) return true;
    return adds !== addedBy(step, moved);
  });
}

/** Names of the items that the step adds. */
function addedBy(step: HiddenStep<TraceState>, state: TraceState): string {
  const after = step.take(withEmptyQueue(state));
  return Object.keys(after?.cluster.attemptToDelete ?? {})
    .sort()
    .join();
}

/** The answer may lead to a look at the graph: then it is that look which may be disturbed. */
function leadsToDisturbedLook(
  trial: Trial,
  state: TraceState,
  post: Post,
  step: HiddenStep<TraceState>,
  deliveries: readonly HiddenStep<TraceState>[],
): boolean {
  const heard = step.take(state);
  const look = heard === null ? null : lookOf(trial, heard, post);
  return heard !== null && look !== null && isDisturbed(heard, memoised(look), deliveries);
}
