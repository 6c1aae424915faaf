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
import type { Trial } from './context.ts';
import { isLocal, settled } from './eager-steps.ts';
import { memoised } from './hidden-step.ts';
import { type Candidate, candidates, isCovered, withLateness } from './pending-gets.ts';
import { keyOfNode, withEmptyQueue } from './queue-items.ts';
import { bears, concernsItemAlone, type Scope } from './scope.ts';
import { answersFor, hear } from './take-answer.ts';
import type { Done, TraceState } from './trace-state.ts';
import { type Post, posts, readsMemory, stepPost } from './workers.ts';

/**
 * Steps of workers that are not taken by themselves: looks at the graph, and answers to GETs whose
 * sender has been left open. Most of them concern nobody else. Such a step is only offered
 *
 * - if the request to be explained may be the worker's next one, or one for an item that the step
 *   puts into the queue, or
 * - if others could come to know of it whom the request concerns, or
 * - if another step that is offered now would change what the step finds, or what the worker finds
 *   soon after it.
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
  const needed = ({ node }: Post): boolean => {
    if (wanted === null) return true;
    return alone ? keyOfNode(trial, node) === wanted : concerns(trial, state, node, wanted);
  };
  const offered: HiddenStep<TraceState>[] = [];
  const left = new Set<OwnStep>();
  for (const own of ownSteps(trial, state)) {
    if (needed(own.post) || (own.tells !== null && bears(scope, own.tells))) {
      offered.push(own.step);
    } else left.add(own);
  }
  for (let size = -1; size !== offered.length; ) {
    size = offered.length;
    const others = { deliveries, memory: [...deliveries, ...offered] };
    for (const own of left) {
      if (!isDisturbed(trial, state, own, others)) continue;
      left.delete(own);
      offered.push(own.step);
    }
  }
  return offered;
}

/** A look of a worker, or an answer that it may take. */
interface OwnStep {
  readonly post: Post;
  readonly step: HiddenStep<TraceState>;
  /** What others come to know of by it. */
  readonly tells: Uid | null;
}

/** @param only of this post alone. */
function ownSteps(trial: Trial, state: TraceState, only?: Post): readonly OwnStep[] {
  const isMeant = ({ role, node, dependent }: Post): boolean =>
    only === undefined ||
    (role === only.role && node === only.node && dependent === only.dependent);
  const found: OwnStep[] = [];
  for (const post of posts(state)) {
    const look = isMeant(post) ? lookOf(trial, state, post) : null;
    if (look === null) continue;
    const tells = state.sent[post.sender] === undefined ? null : identityOfNode(post.node).uid;
    found.push({ post, step: memoised(look), tells });
  }
  for (const key of Object.keys(state.pools)) {
    for (const candidate of candidates(trial, state, key)) {
      if (!isMeant(candidate.post)) continue;
      for (const get of answersFor(state, key, candidate)) {
        const step = memoised({
          label: `${candidate.post.role} worker hears`,
          take: (from) => hearAgain(trial, from, key, candidate, get.request),
        });
        found.push({ post: candidate.post, step, tells: told(trial, candidate, get.done as Done) });
      }
    }
  }
  return found;
}

/** Of what others come to know by the answer, if they do. */
function told(trial: Trial, { post, state }: Candidate, done: Done): Uid | null {
  if (isLocal(trial, state, post, done)) return null;
  const worker = state.cluster.deleteWorkers[post.node];
  const owner =
    worker?.at === 'getOwner' ? worker.live.ownerReferences[worker.classes.length] : undefined;
  return owner?.uid ?? identityOfNode(post.node).uid;
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

interface Others {
  /** Steps that may change what a look at the graph finds. */
  readonly deliveries: readonly HiddenStep<TraceState>[];
  /** Steps that may add to the memory of absent owners. */
  readonly memory: readonly HiddenStep<TraceState>[];
}

/** Whether the step, or one that the same worker can take after it, comes too late after the others. */
function isDisturbed(trial: Trial, state: TraceState, own: OwnStep, others: Others): boolean {
  const { post, step } = own;
  const after = step.take(state);
  if (after === null) return false;
  if (isOvertaken(state, after, step, others.deliveries)) return true;
  if (readsMemory(trial, after, post)) {
    const { absentOwners } = after.cluster;
    const fills = ({ take }: HiddenStep<TraceState>): boolean =>
      (take(after)?.cluster.absentOwners ?? absentOwners) !== absentOwners;
    if (others.memory.some(fills)) return true;
  }
  return ownSteps(trial, after, post).some((next) => isDisturbed(trial, after, next, others));
}

/**
 * Whether it makes a difference if one of these events is delivered before the step or after it: to
 * the state that both lead to, or to the items that the step adds to the queue. The latter makes a
 * difference even if the event adds the same item: it may be taken in between. An event that cannot
 * be delivered now, because that would leave a GET without a sender, may wait for just this step.
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

/** Names of the items that the step adds. */
function addedBy(step: HiddenStep<TraceState>, state: TraceState): string {
  const after = step.take(withEmptyQueue(state));
  return Object.keys(after?.cluster.attemptToDelete ?? {})
    .sort()
    .join();
}
