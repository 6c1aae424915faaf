import { type Draft, produce } from 'immer';
import {
  type Answer,
  type ApiServer,
  type Call,
  type Cluster,
  type CollectorRequest,
  type DeleteWorker,
  identityOfNode,
  type NodeId,
  patchDependent,
  requestOf,
  stepDeleteWorker,
  stepOrphanWorker,
  type Uid,
} from '../../../model/index.ts';
import { keyOfDependent } from '../logs/keys.ts';
import type { TraceContext } from './context.ts';
import { recorded } from './hidden-step.ts';
import type { ModelStep } from './history.ts';
import { isReferencedLater } from './owner-references.ts';
import {
  deleteSender,
  type ModelAnswer,
  orphanSender,
  type Sender,
  type TraceState,
} from './trace-state.ts';

/**
 * The collector's workers. A worker is named after the node that it has taken: no two workers hold
 * the same node, and it makes no difference which of the twenty workers it is.
 */

/** A place that sends requests: a worker, or one of the parallel patches of an orphan worker. */
export interface WorkerSlot {
  readonly sender: Sender;
  readonly role: 'delete' | 'orphan';
  readonly node: NodeId;
  /** For one of the parallel patches of an orphan worker: the dependent. */
  readonly dependent: Uid | null;
}

export function deleteSlot(node: NodeId): WorkerSlot {
  return { sender: deleteSender(node), role: 'delete', node, dependent: null };
}

export function orphanSlot(node: NodeId, dependent: Uid | null): WorkerSlot {
  return { sender: orphanSender(node, dependent), role: 'orphan', node, dependent };
}

/** The slots of all busy workers. */
export function workerSlots(state: TraceState): readonly WorkerSlot[] {
  const found: WorkerSlot[] = [];
  for (const node of Object.keys(state.cluster.deleteWorkers)) {
    found.push(deleteSlot(node));
  }
  for (const [node, worker] of Object.entries(state.cluster.orphanWorkers)) {
    const dependents = worker.at === 'patchDependents' ? Object.keys(worker.calls) : [];
    if (dependents.length === 0) found.push(orphanSlot(node, null));
    for (const dependent of dependents) found.push(orphanSlot(node, dependent));
  }
  return found;
}

/**
 * The request that the slot is about to send; null if it has sent it, or has something else to do.
 */
export function nextRequest(
  context: TraceContext,
  state: TraceState,
  slot: WorkerSlot,
): CollectorRequest | null {
  if (state.sent[slot.sender] !== undefined) return null;
  const { cluster } = state;
  const busy = slot.role === 'delete' ? cluster.deleteWorkers : cluster.orphanWorkers;
  const worker = busy[slot.node];
  if (worker === undefined) return null;
  // A worker that has read the memory of absent owners does not read it again.
  const memory =
    state.checkedMemory[slot.node] === true ? { ...cluster, absentOwners: {} } : cluster;
  return requestOf(context.world, memory, worker, slot.dependent ?? undefined);
}

/** Whether the worker is about to look up an owner in the memory and will not find it there. */
export function readsMemory(context: TraceContext, state: TraceState, slot: WorkerSlot): boolean {
  if (slot.role !== 'delete' || state.checkedMemory[slot.node] === true) return false;
  return (
    state.cluster.deleteWorkers[slot.node]?.at === 'getOwner' &&
    nextRequest(context, state, slot) !== null
  );
}

/** The model's call for a writing request of a worker. */
export function callOfSlot(state: TraceState, slot: WorkerSlot): Call | null {
  if (slot.role === 'delete') {
    const worker = state.cluster.deleteWorkers[slot.node];
    return worker !== undefined && 'call' in worker ? worker.call : null;
  }
  const worker = state.cluster.orphanWorkers[slot.node];
  if (worker?.at === 'patchDependents') return worker.calls[slot.dependent ?? ''] ?? null;
  return worker?.at === 'patchFinalizer' ? worker.call : null;
}

/**
 * The worker takes its next step: it handles an answer, or (without one) reads the graph or the
 * memory.
 */
export function stepWorker(
  context: TraceContext,
  state: TraceState,
  slot: WorkerSlot,
  answer: ModelAnswer | null,
): TraceState {
  const warned: string[] = [];
  const world = {
    ...context.world,
    ...(answer === null ? {} : { api: answeringWith(answer) }),
    report: (warning: Parameters<NonNullable<typeof context.world.report>>[0]) =>
      warned.push(keyOfDependent(context.world, warning)),
  };
  const asked = answer !== null && state.cluster.deleteWorkers[slot.node]?.at === 'getOwner';
  const take = (draft: Draft<TraceState>): void => {
    const { cluster } = draft;
    // A worker that sent a GET for an owner did not find it in the memory, and does not look again.
    if (asked) cluster.absentOwners = {};
    if (slot.role === 'delete') stepDeleteWorker(cluster, world, slot.node);
    else if (slot.dependent !== null) patchDependent(cluster, world, slot.node, slot.dependent);
    else stepOrphanWorker(cluster, world, slot.node);
    cluster.unchangedSince = {};
    delete draft.sent[slot.sender];
    delete draft.checkedMemory[slot.node];
    if (!demandsWhatWasRead(context, draft, slot)) delete draft.lastRead[slot.sender];
    if (asked) cluster.absentOwners = joined(state.cluster.absentOwners, cluster.absentOwners);
    dropFutileEvents(context, state, cluster.graphChanges);
    for (const key of warned) draft.warnings[key] = true;
  };
  return recorded(context, state, stepOf(state, slot), () => produce(state, take));
}

/** The memory of absent owners with the new entries; the same object if there are none. */
function joined(
  memory: Readonly<Record<string, true>>,
  added: Readonly<Record<string, true>>,
): Record<string, true> {
  const isNew = Object.keys(added).some((key) => memory[key] === undefined);
  return isNew ? { ...memory, ...added } : memory;
}

/** The steps from the GET of an item to its DELETE. */
const BEFORE_DELETE: readonly DeleteWorker['at'][] = [
  'getOwner',
  'readOwners',
  'searchCycle',
  'readDependents',
  'unblockOwners',
  'delete',
];

/** Whether a DELETE that this worker may send demands the version that it has read (1.34). */
function demandsWhatWasRead(
  { world }: TraceContext,
  { cluster }: Pick<TraceState, 'cluster'>,
  { role, node }: WorkerSlot,
): boolean {
  const worker = role === 'delete' ? cluster.deleteWorkers[node] : undefined;
  if (worker === undefined || !BEFORE_DELETE.includes(worker.at)) return false;
  return world.rules.collectorDeletePrecondition === 'uidAndResourceVersion';
}

/**
 * The worker handles the answer to its GET. Records the version that it has read, if a later
 * request of this worker demands it.
 */
export function stepWithRead(
  context: TraceContext,
  state: TraceState,
  slot: WorkerSlot,
  done: ModelAnswer | null,
  version: string | null,
): TraceState {
  const before = state.cluster.deleteWorkers[slot.node]?.at;
  const stepped = stepWorker(context, state, slot, done);
  const { deleteWorkers, orphanWorkers } = stepped.cluster;
  const worker = (slot.role === 'delete' ? deleteWorkers : orphanWorkers)[slot.node];
  const isDemanded =
    worker?.at === 'patchFinalizer' ||
    (before === 'getItem' && demandsWhatWasRead(context, stepped, slot));
  if (!isDemanded || version === null) return stepped;
  return { ...stepped, lastRead: { ...stepped.lastRead, [slot.sender]: version } };
}

function stepOf({ cluster }: TraceState, slot: WorkerSlot): ModelStep {
  const { kind, name } = identityOfNode(slot.node);
  const subject = `${kind}/${name}`;
  if (slot.role === 'delete') {
    const step = cluster.deleteWorkers[slot.node]?.at ?? '';
    return { action: 'attemptToDelete', step, subject };
  }
  if (slot.dependent !== null) return { action: 'orphanDependent', step: '', subject };
  const step = cluster.orphanWorkers[slot.node]?.at ?? '';
  return { action: 'attemptToOrphan', step, subject };
}

/**
 * Drops virtual delete events for nodes that are not in the graph and cannot come back: they do
 * nothing.
 */
function dropFutileEvents(
  context: TraceContext,
  state: TraceState,
  events: Draft<Cluster['graphChanges']>,
): void {
  for (const node of Object.keys(events)) {
    const { uid } = identityOfNode(node);
    if (state.cluster.graph[uid] !== undefined || isReferencedLater(context, state, uid)) continue;
    delete events[node];
  }
}

/** An API server that gives the recorded answer. */
function answeringWith(done: ModelAnswer): ApiServer {
  const failed: Answer = { code: 500, reason: 'InternalError', message: `answered ${done.code}` };
  return {
    get: () =>
      done.object !== null
        ? { code: 200, object: done.object }
        : { ...failed, code: done.code === 404 ? 404 : 500 },
    advance: () => ({ done: true, answer: answerOf(done, failed) }),
  };
}

function answerOf(done: ModelAnswer, failed: Answer): Answer {
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
