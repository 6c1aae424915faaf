import { castDraft } from 'immer';
import { rememberShown } from '../apiserver/lag.ts';
import { apiOf } from '../apiserver/port.ts';
import type { ClusterDraft } from '../state/cluster.ts';
import { identityOfNode, type NodeId } from '../state/nodes.ts';
import { FOREGROUND, type Identity, ORPHAN } from '../state/objects.ts';
import type { DeleteWorker } from '../state/workers.ts';
import type { World } from '../state/world.ts';
import { decide, getOwner, readOwners } from './classification.ts';
import { advancePatch, remembersVersion } from './delete-requests.ts';
import { removeFinalizerStep } from './finalizer.ts';
import { heldDependents, heldNode } from './held.ts';
import {
  deleteItem,
  getAfterConflict,
  type Outcome,
  readDependents,
  searchCycle,
  unblockOwners,
} from './item-deletion.ts';
import { lookUpItem, refreshedNode } from './lookup.ts';
import { isBlockedByOthers } from './other-dependents.ts';
import { isInForegroundCycle } from './owners.ts';
import {
  countFailure,
  currentNode,
  detachedFlags,
  enqueueForDelete,
  enqueueVirtualDelete,
  forgetFailures,
  replacedFlags,
} from './queue.ts';

/**
 * The delete workers: `attemptToDeleteWorker` and `attemptToDeleteItem` of `garbagecollector.go`
 * (1.20 unless a rule says otherwise), one API call or one in-memory read of the graph at a time.
 */

/**
 * A worker takes an item: the start of `attemptToDeleteWorker`, and the check of the node's flags
 * in `attemptToDeleteItem` before any API call.
 */
export function takeForDelete(
  cluster: ClusterDraft,
  world: World,
  workerName: string,
  id: NodeId,
): void {
  const queued = cluster.attemptToDelete[id];
  if (queued === undefined) return;
  // Only whether: a view for each step of the worker, and for all that is held, would be many.
  if (Object.hasOwn(cluster.processing, id) || Object.hasOwn(cluster.deleteWorkers, workerName)) {
    return;
  }
  delete cluster.attemptToDelete[id];
  const node = queued === 'current' ? currentNode(cluster, id) : null;
  const virtual = node === null ? queued === 'detachedVirtual' : node.virtual;
  const { uid } = identityOfNode(id);
  if (virtual && world.rules.dequeuedVirtualNode === 'skippedWhenObserved') {
    const inGraph = cluster.graph[uid];
    if (inGraph === undefined || !inGraph.virtual) {
      forgetFailures(cluster, world, 'deleteFailures', id);
      return;
    }
  }
  const leaving =
    node === null ? queued === 'detachedDeleting' : node.beingDeleted && !node.deletingDependents;
  if (leaving && world.rules.itemsBeingDeleted === 'skipped') {
    forgetFailures(cluster, world, 'deleteFailures', id);
    return;
  }
  if (node !== null) {
    cluster.processing[id] = 'current';
    cluster.deleteWorkers[workerName] = { at: 'getItem', node: id };
    return;
  }
  const refreshed = refreshedNode(cluster, world, id);
  // The node object had left the graph before the worker took it. Its dependents are those of the
  // node that replaced it, which is a copy of it. Without such a node no step reads them.
  cluster.processing[id] = {
    virtual,
    beingDeleted: queued !== 'detached' && !virtual,
    deletingDependents: queued === 'detachedDeletingDependents',
    owners: refreshed === id ? [] : [...(cluster.graph[uid]?.owners ?? [])],
    dependents: [...(cluster.dependents[uid] ?? [])],
  };
  cluster.deleteWorkers[workerName] = {
    at: 'getItem',
    node: refreshed,
    ...(refreshed === id ? {} : { queuedAs: id }),
  };
}

/** The next atomic step of a busy worker. */
export function stepDeleteWorker(cluster: ClusterDraft, world: World, workerName: string): void {
  runDeleteStep(cluster, world, workerName);
}

/** Like `stepDeleteWorker`. @returns the outcome of the step; null for an idle worker. */
export function runDeleteStep(
  cluster: ClusterDraft,
  world: World,
  workerName: string,
): Outcome | null {
  const worker = cluster.deleteWorkers[workerName] as DeleteWorker | undefined;
  if (worker === undefined) return null;
  const outcome = step(cluster, world, workerName, worker);
  if (typeof outcome === 'object') {
    const { queuedAs } = worker;
    cluster.deleteWorkers[workerName] = castDraft(
      queuedAs === undefined ? outcome : { ...outcome, queuedAs },
    );
    return outcome;
  }
  if (remembersVersion(world) && cluster.unchangedSince[workerName] !== undefined) {
    delete cluster.unchangedSince[workerName];
  }
  release(cluster, world, worker, outcome);
  delete cluster.deleteWorkers[workerName];
  return outcome;
}

/**
 * The end of `attemptToDeleteWorker`: an error, or a node that no event has shown yet, puts the
 * item back (`AddRateLimited`). After the outcome `dropped` the item is not tried again.
 */
function release(
  cluster: ClusterDraft,
  world: World,
  worker: DeleteWorker,
  outcome: 'finished' | 'failed' | 'dropped',
): void {
  const { node, queuedAs = node } = worker;
  const held = cluster.processing[queuedAs];
  const { virtual } = heldNode(cluster, worker);
  delete cluster.processing[queuedAs];
  const polled = virtual && world.rules.unobservedItem === 'requeued';
  if (held === undefined || outcome === 'dropped' || (outcome === 'finished' && !polled)) {
    forgetFailures(cluster, world, 'deleteFailures', queuedAs);
    return;
  }
  countFailure(cluster, world, 'deleteFailures', queuedAs);
  // The item was added again in the meantime and keeps its place.
  if (cluster.attemptToDelete[queuedAs] !== undefined) return;
  const flags = world.rules.nodeVersion === 'refreshed' ? replacedFlags : detachedFlags;
  cluster.attemptToDelete[queuedAs] = held === 'current' ? 'current' : flags(held);
}

function step(
  cluster: ClusterDraft,
  world: World,
  workerName: string,
  worker: DeleteWorker,
): Outcome {
  const identity = identityOfNode(worker.node);
  switch (worker.at) {
    case 'getItem':
      return getItem(cluster, world, workerName, worker, identity);
    case 'getOwner': {
      const classified = getOwner(cluster, world, worker, identity);
      if (typeof classified === 'string') return classified;
      const done = classified.classes.length === classified.live.ownerReferences.length;
      return done ? decide(world, workerName, classified) : classified;
    }
    case 'readOwners':
      return readOwners(cluster, world, workerName, worker);
    case 'searchCycle':
      return searchCycle(cluster, world, workerName, worker);
    case 'readDependents':
      return readDependents(cluster, world, workerName, worker);
    case 'readBlockingDependents':
      return readBlockingDependents(cluster, world, worker, identity);
    case 'patchOwners': {
      const owners = () => heldNode(cluster, worker).owners;
      const progress = advancePatch(cluster, world, worker.call, owners);
      if (progress.next !== undefined) return { ...worker, call: progress.next };
      return progress.done && progress.answer.code < 400 ? 'finished' : 'failed';
    }
    case 'unblockOwners':
      return unblockOwners(cluster, world, workerName, worker);
    case 'delete':
      return deleteItem(cluster, world, worker);
    case 'getAfterConflict':
      return getAfterConflict(cluster, world, workerName, worker, identity);
    case 'getForFinalizer':
    case 'patchFinalizer': {
      const outcome = removeFinalizerStep(cluster, world, workerName, identity, FOREGROUND, worker);
      if (typeof outcome === 'string') return outcome;
      return { node: worker.node, ...outcome };
    }
    default:
      throw new Error(`unknown worker state ${JSON.stringify(worker satisfies never)}`);
  }
}

type At<Step extends DeleteWorker['at']> = Extract<DeleteWorker, { at: Step }>;

/**
 * GET of the item. The flag `deletingDependents` is read in the same step: its branch uses the
 * answer only to see that the object exists, so a later read of the flag would equal a later GET.
 */
function getItem(
  cluster: ClusterDraft,
  world: World,
  workerName: string,
  worker: At<'getItem'>,
  identity: Identity,
): Outcome {
  const lookup = lookUpItem(world, identity, cluster);
  if (lookup.kind === 'unmapped') return 'failed';
  if (lookup.kind === 'neverServed') return 'dropped';
  const answer = apiOf(world).get(cluster, world, lookup.key);
  if (answer.code === 404 || (answer.code === 200 && answer.object.uid !== identity.uid)) {
    if (world.rules.unknownOwner === 'virtualNode') enqueueVirtualDelete(cluster, worker.node);
    return 'dropped';
  }
  if (answer.code !== 200) return 'failed';
  const live = answer.object;
  if (
    world.rules.foregroundDeletion === 'deleteWorkers' &&
    heldNode(cluster, worker).deletingDependents
  ) {
    return { node: worker.node, at: 'readBlockingDependents' };
  }
  if (live.ownerReferences.length === 0) return 'finished';
  if (remembersVersion(world)) rememberShown(cluster, world, workerName, lookup.key);
  const { node } = worker;
  const item = {
    ownerReferences: live.ownerReferences,
    orphan: live.finalizers.includes(ORPHAN),
    foreground: live.finalizers.includes(FOREGROUND),
  };
  return world.rules.absenceProof === 'graph'
    ? { node, at: 'readOwners', live: item }
    : { node, at: 'getOwner', live: item, classes: [] };
}

/**
 * `processDeletingDependentsItem`: queues blocking dependents that are not being deleted yet. If
 * nothing blocks, the finalizer is removed.
 */
function readBlockingDependents(
  cluster: ClusterDraft,
  world: World,
  worker: At<'readBlockingDependents'>,
  item: Identity,
): Outcome {
  let blocked = isBlockedByOthers(cluster, item.uid);
  for (const uid of heldDependents(cluster, worker)) {
    const dependent = cluster.graph[uid];
    const blocking = dependent?.owners.some(
      (reference) => reference.uid === item.uid && reference.blockOwnerDeletion === true,
    );
    if (dependent === undefined || blocking !== true) continue;
    blocked = true;
    if (!dependent.deletingDependents) enqueueForDelete(cluster, uid);
  }
  const cycle =
    world.rules.cycleBreaking === 'searchCycle' && isInForegroundCycle(cluster, item.uid);
  if (blocked && !cycle) return 'finished';
  return { node: worker.node, at: 'getForFinalizer', attempt: 1 };
}
