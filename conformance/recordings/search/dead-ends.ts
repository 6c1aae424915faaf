import {
  type DeleteWorker,
  identityOfNode,
  type NodeId,
  type ObjectKey,
  type Uid,
} from '../../../model/index.ts';
import { requestAt, type TraceContext } from './context.ts';
import { keyOfNode } from './queue-items.ts';
import { dueChanges, isAboutItemAlone } from './scope.ts';
import { mayListAgain, type TraceState } from './trace-state.ts';

/**
 * Whether no steps of the collector can lead to the request, so that the search need not try them.
 *
 * A worker sends a GET before every other request, and all GETs up to the next observation are in
 * the log. So an item that is queued from now on can send nothing but the request itself, and a
 * worker goes on only as far as the answers go that have arrived. What is left to cause the request
 * is counted too generously here, never too sparingly: an event of an owner or dependent, a read of
 * an owner's node, or a worker that has an answer.
 */
export function isDeadEnd(
  context: TraceContext,
  state: TraceState,
  index: number,
  due: number,
): boolean {
  const key = context.keys[due] ?? null;
  if (key === null || context.partial || mayListAgain(state)) return false;
  if (context.world.rules.foregroundDeletion !== 'deleteWorkers') return false;
  const { verb } = requestAt(context, due);
  if (verb === 'get') return !canCauseGet(context, state, index, key);
  if (!isAboutItemAlone(context, due)) return false;
  return !mayBeSent(context, state, key, verb === 'delete' ? 'delete' : 'patch');
}

/** The writing requests that a worker sends for its own item. */
type OwnRequest = 'delete' | 'patch';

/**
 * How many GETs of its item a worker sends until it sends the request. What is absent does not send
 * it any more. A worker that looks for the dependents of its item removes the finalizer or does
 * nothing.
 */
const GETS_BEFORE: Readonly<
  Record<OwnRequest, Readonly<Partial<Record<DeleteWorker['at'], number>>>>
> = {
  delete: {
    getItem: 1,
    getOwner: 0,
    readOwners: 0,
    searchCycle: 0,
    readDependents: 0,
    unblockOwners: 0,
    delete: 0,
    getAfterConflict: 1,
  },
  patch: {
    getItem: 2,
    getOwner: 1,
    readOwners: 1,
    searchCycle: 1,
    readBlockingDependents: 1,
    getForFinalizer: 1,
    patchFinalizer: 0,
  },
};

/** Whether a worker has an item of the key, or may have taken one, with all GETs that it needs. */
function mayBeSent(
  context: TraceContext,
  state: TraceState,
  key: ObjectKey,
  request: OwnRequest,
): boolean {
  if (isToBeOrphaned(context, state, key)) return true;
  const gets = (state.pendingGets[key] ?? []).filter(({ done }) => done !== null).length;
  const { attemptToDelete, deleteWorkers } = state.cluster;
  const isReady = (node: NodeId, at: DeleteWorker['at']): boolean =>
    keyOfNode(context, node) === key &&
    (GETS_BEFORE[request][at] ?? Number.POSITIVE_INFINITY) <= gets;
  return (
    Object.keys(attemptToDelete).some((node) => isReady(node, 'getItem')) ||
    Object.entries(deleteWorkers).some(([node, { at }]) => isReady(node, at))
  );
}

/** Whether an orphan worker has an item of the key, or will take one. */
function isToBeOrphaned(context: TraceContext, { cluster }: TraceState, key: ObjectKey): boolean {
  const nodes = Object.keys({ ...cluster.orphanWorkers, ...cluster.attemptToOrphan });
  return nodes.some((node) => keyOfNode(context, node) === key);
}

function canCauseGet(
  context: TraceContext,
  state: TraceState,
  index: number,
  key: ObjectKey,
): boolean {
  if (isToBeOrphaned(context, state, key)) return true;
  const near = nearestOf(context, key);
  return (
    mayBeQueuedByEvent(context, state, index, near) ||
    mayBeReachedByWorker(context, state, key, near)
  );
}

/** The objects of a key, and those from which the collector gets to them. */
interface Near {
  readonly uids: ReadonlySet<Uid>;
  readonly owners: ReadonlySet<Uid>;
  readonly dependents: ReadonlySet<Uid>;
}

function nearestOf({ relations }: TraceContext, key: ObjectKey): Near {
  const uids = relations.uidsUnder(key);
  return {
    uids,
    owners: new Set([...uids].flatMap((uid) => [...relations.ownersOf(uid)])),
    dependents: new Set([...uids].flatMap((uid) => [...relations.dependentsOf(uid)])),
  };
}

/**
 * Whether an event that can still be delivered may queue an item of the key: one of an owner or a
 * dependent, or a write of the object itself. The graph builder queues nothing else.
 */
function mayBeQueuedByEvent(
  context: TraceContext,
  state: TraceState,
  index: number,
  { uids, owners, dependents }: Near,
): boolean {
  const { relations } = context;
  const { cluster } = state;
  const isNear = (uid: Uid): boolean => owners.has(uid) || dependents.has(uid);
  const written = [
    ...Object.values(cluster.watch).flatMap((events) =>
      events.map(({ type, object }) => ({ uid: object.identity.uid, stays: type !== 'delete' })),
    ),
    ...dueChanges(context, state, index).map(({ seen }) => ({
      uid: seen.object.uid,
      stays: seen.type !== 'DELETED',
    })),
  ];
  if (written.some(({ uid, stays }) => isNear(uid) || (stays && uids.has(uid)))) return true;
  const absent = [
    ...Object.keys(cluster.graphChanges).map((node) => identityOfNode(node).uid),
    ...Object.keys(state.pendingGets).flatMap((one) => foundAbsent(context, state, one)),
    ...workersWithAnswer(state),
  ];
  // The place of such a node can change, and then the node is queued again.
  const isDisputed = [...uids].some((uid) => relations.isDisputed(uid));
  return absent.some(
    (uid) => isNear(uid) || (uids.has(uid) && (isDisputed || isVirtual(state, uid))),
  );
}

/** The objects that a worker may find absent by the answers that have arrived. */
function foundAbsent(
  { relations }: TraceContext,
  { pendingGets }: TraceState,
  key: ObjectKey,
): readonly Uid[] {
  const answers = (pendingGets[key] ?? []).flatMap(({ done }) => (done === null ? [] : [done]));
  return [...relations.uidsUnder(key)].filter((uid) =>
    answers.some(({ object }) => object?.uid !== uid),
  );
}

/** Items whose worker has the answer to a writing request: it may find the object gone. */
function workersWithAnswer({ cluster, sent }: TraceState): readonly Uid[] {
  if (Object.values(sent).every(({ answer }) => answer === null)) return [];
  return Object.keys(cluster.deleteWorkers).map((node) => identityOfNode(node).uid);
}

/** Whether the graph has a virtual node of the object, which is queued until it is observed. */
function isVirtual({ cluster }: TraceState, uid: Uid): boolean {
  return cluster.graph[uid]?.virtual === true;
}

/**
 * Whether a worker may queue an item of the key, or send the GET itself after another step: the
 * worker of an owner that will read its dependents, the worker of a dependent that will look up its
 * owner, or a worker of the key.
 */
function mayBeReachedByWorker(
  context: TraceContext,
  state: TraceState,
  key: ObjectKey,
  { uids, owners, dependents }: Near,
): boolean {
  const { deleteWorkers, attemptToDelete, graph } = state.cluster;
  for (const [node, worker] of Object.entries(deleteWorkers)) {
    const { uid } = identityOfNode(node);
    const own = uids.has(uid) || keyOfNode(context, node) === key;
    const goesOn = worker.at !== 'getItem' || nodeHasAnswer(context, state, node);
    if (owners.has(uid) && goesOn) return true;
    if (dependents.has(uid) && goesOn) return true;
    if (!own) continue;
    if (worker.at !== 'getItem') return true;
    // A worker that finds its object gone drops the item. It may have been queued again meanwhile.
    const again = attemptToDelete[node] !== undefined || graph[uid]?.virtual === true;
    if (hasAnswer(state, key) && (again || !isAnsweredAbsent(state, key, uid))) return true;
  }
  return Object.keys(attemptToDelete).some((node) => {
    const { uid } = identityOfNode(node);
    if (!nodeHasAnswer(context, state, node)) return false;
    return uids.has(uid) || owners.has(uid) || dependents.has(uid);
  });
}

function nodeHasAnswer(context: TraceContext, state: TraceState, node: NodeId): boolean {
  const key = keyOfNode(context, node);
  return key === null || hasAnswer(state, key);
}

/** Whether a GET of the key is answered that no worker has taken for certain. */
function hasAnswer({ pendingGets }: TraceState, key: ObjectKey): boolean {
  return (pendingGets[key] ?? []).some(({ done }) => done !== null);
}

/** Whether all answers show that the object is gone. */
function isAnsweredAbsent({ pendingGets }: TraceState, key: ObjectKey, uid: Uid): boolean {
  return (pendingGets[key] ?? []).every(
    ({ done }) =>
      done === null || (done.object === null ? done.code === 404 : done.object.uid !== uid),
  );
}
