import { type Draft, produce } from 'immer';
import {
  type Answer,
  type ApiServer,
  type Call,
  type Cluster,
  type CollectorRequest,
  identityOfNode,
  type NodeId,
  patchDependent,
  requestOf,
  stepDeleteWorker,
  stepOrphanWorker,
  type Uid,
} from '../../../model/index.ts';
import { keyOfDependent } from '../logs/keys.ts';
import { recorded, type Trial } from './context.ts';
import type { ModelStep } from './history.ts';
import { isMentionedLater } from './owner-references.ts';
import {
  type Done,
  deleteSender,
  orphanSender,
  type Sender,
  type TraceState,
} from './trace-state.ts';

/**
 * The collector's workers. A worker is named after the node that it has taken: no two workers hold
 * the same node, and which of the twenty it is makes no difference.
 */

/** One place from which a request can be sent: a worker, or one of the patches of an orphan worker. */
export interface Post {
  readonly sender: Sender;
  readonly role: 'delete' | 'orphan';
  readonly node: NodeId;
  /** Of the parallel patches of an orphan worker: the dependent. */
  readonly dependent: Uid | null;
}

export function deletePost(node: NodeId): Post {
  return { sender: deleteSender(node), role: 'delete', node, dependent: null };
}

export function orphanPost(node: NodeId, dependent: Uid | null): Post {
  return { sender: orphanSender(node, dependent), role: 'orphan', node, dependent };
}

/** Everything that a busy worker may be sending or waiting for. */
export function posts(state: TraceState): readonly Post[] {
  const found: Post[] = [];
  for (const node of Object.keys(state.cluster.deleteWorkers)) {
    found.push(deletePost(node));
  }
  for (const [node, worker] of Object.entries(state.cluster.orphanWorkers)) {
    const dependents = worker.at === 'patchDependents' ? Object.keys(worker.calls) : [];
    if (dependents.length === 0) found.push(orphanPost(node, null));
    for (const dependent of dependents) found.push(orphanPost(node, dependent));
  }
  return found;
}

/** The request before which a worker stands; null if it has sent it, or has something else to do. */
export function nextRequest(trial: Trial, state: TraceState, post: Post): CollectorRequest | null {
  if (state.sent[post.sender] !== undefined) return null;
  const { cluster } = state;
  const busy = post.role === 'delete' ? cluster.deleteWorkers : cluster.orphanWorkers;
  const worker = busy[post.node];
  if (worker === undefined) return null;
  // A worker that has looked into the memory of absent owners does not look again.
  const memory = state.bound[post.node] === true ? { ...cluster, absentOwners: {} } : cluster;
  return requestOf(trial.world, memory, worker, post.dependent ?? undefined);
}

/** The worker is about to look for an owner in the memory, and does not find it there. */
export function readsMemory(trial: Trial, state: TraceState, post: Post): boolean {
  if (post.role !== 'delete' || state.bound[post.node] === true) return false;
  return (
    state.cluster.deleteWorkers[post.node]?.at === 'getOwner' &&
    nextRequest(trial, state, post) !== null
  );
}

/** The call that goes with a writing request of a worker. */
export function callOfPost(state: TraceState, post: Post): Call | null {
  if (post.role === 'delete') {
    const worker = state.cluster.deleteWorkers[post.node];
    return worker !== undefined && 'call' in worker ? worker.call : null;
  }
  const worker = state.cluster.orphanWorkers[post.node];
  if (worker?.at === 'patchDependents') return worker.calls[post.dependent ?? ''] ?? null;
  return worker?.at === 'patchFinalizer' ? worker.call : null;
}

/** The worker takes its next step: it handles an answer, or (without one) looks into its memory. */
export function stepPost(
  trial: Trial,
  state: TraceState,
  post: Post,
  answer: Done | null,
): TraceState {
  const heard: string[] = [];
  const world = {
    ...trial.world,
    ...(answer === null ? {} : { api: answering(answer) }),
    report: (warning: Parameters<NonNullable<typeof trial.world.report>>[0]) =>
      heard.push(keyOfDependent(trial.world, warning)),
  };
  const asked = answer !== null && state.cluster.deleteWorkers[post.node]?.at === 'getOwner';
  const take = (draft: Draft<TraceState>): void => {
    const { cluster } = draft;
    // Who has sent a GET for an owner had found nothing in the memory, and does not look again.
    if (asked) cluster.absentOwners = {};
    if (post.role === 'delete') stepDeleteWorker(cluster, world, post.node);
    else if (post.dependent !== null) patchDependent(cluster, world, post.node, post.dependent);
    else stepOrphanWorker(cluster, world, post.node);
    cluster.unchangedSince = {};
    delete draft.sent[post.sender];
    delete draft.bound[post.node];
    delete draft.lastRead[post.sender];
    if (asked) cluster.absentOwners = joined(state.cluster.absentOwners, cluster.absentOwners);
    dropFutileEvents(trial, state, cluster.graphChanges);
    for (const key of heard) draft.warnings[key] = true;
  };
  return recorded(trial, state, stepOf(state, post), () => produce(state, take));
}

/** The memory of absent owners with what is new; the very same record if nothing is. */
function joined(
  memory: Readonly<Record<string, true>>,
  added: Readonly<Record<string, true>>,
): Record<string, true> {
  const isNew = Object.keys(added).some((key) => memory[key] === undefined);
  return isNew ? { ...memory, ...added } : memory;
}

/** A worker that has read an object in order to patch its finalizers insists on this version. */
export function withRead(state: TraceState, post: Post, version: string | null): TraceState {
  const { deleteWorkers, orphanWorkers } = state.cluster;
  const worker = (post.role === 'delete' ? deleteWorkers : orphanWorkers)[post.node];
  if (worker?.at !== 'patchFinalizer' || version === null) return state;
  return { ...state, lastRead: { ...state.lastRead, [post.sender]: version } };
}

function stepOf({ cluster }: TraceState, post: Post): ModelStep {
  const { kind, name } = identityOfNode(post.node);
  const subject = `${kind}/${name}`;
  if (post.role === 'delete') {
    const step = cluster.deleteWorkers[post.node]?.at ?? '';
    return { action: 'attemptToDelete', step, subject };
  }
  if (post.dependent !== null) return { action: 'orphanDependent', step: '', subject };
  const step = cluster.orphanWorkers[post.node]?.at ?? '';
  return { action: 'attemptToOrphan', step, subject };
}

/** A delete event for a node that is not in the graph and cannot come back into it does nothing. */
function dropFutileEvents(
  trial: Trial,
  state: TraceState,
  events: Draft<Cluster['graphChanges']>,
): void {
  for (const node of Object.keys(events)) {
    const { uid } = identityOfNode(node);
    if (state.cluster.graph[uid] !== undefined || isMentionedLater(trial, state, uid)) continue;
    delete events[node];
  }
}

/** The API server as the worker hears it: what was answered. */
function answering(done: Done): ApiServer {
  const failed: Answer = { code: 500, reason: 'InternalError', message: `answered ${done.code}` };
  return {
    get: () =>
      done.object !== null
        ? { code: 200, object: done.object }
        : { ...failed, code: done.code === 404 ? 404 : 500 },
    advance: () => ({ done: true, answer: answerOf(done, failed) }),
  };
}

function answerOf(done: Done, failed: Answer): Answer {
  switch (done.code) {
    case 200:
    case 201:
    case 202:
      return { code: done.code, deleted: false, object: done.object };
    case 404:
      return { code: 404, reason: 'NotFound', message: '' };
    case 409:
      return { code: 409, reason: 'Conflict', message: '' };
    case 415:
      return { code: 415, reason: 'UnsupportedMediaType', message: '' };
    case 422:
      return { code: 422, reason: 'Invalid', message: '' };
    default:
      return failed;
  }
}
