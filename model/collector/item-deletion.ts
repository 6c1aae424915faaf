import { rememberShown } from '../apiserver/lag.ts';
import { apiOf } from '../apiserver/port.ts';
import { isAsRead } from '../apiserver/store.ts';
import type { ClusterDraft } from '../state/cluster.ts';
import { equalJson } from '../state/equal.ts';
import { identityOfNode } from '../state/nodes.ts';
import type { Identity, OwnerReference } from '../state/objects.ts';
import type { DeleteWorker, Policy } from '../state/workers.ts';
import type { World } from '../state/world.ts';
import {
  advancePatch,
  deleteCall,
  demandsVersion,
  policyOfFinalizers,
  unblockPatch,
  unblocksAsRead,
} from './delete-requests.ts';
import { heldDependents, heldNode } from './held.ts';
import { lookUpItem } from './lookup.ts';
import { hasOtherDependents } from './other-dependents.ts';
import { isInForegroundCycle } from './owners.ts';
import { enqueueVirtualDelete } from './queue.ts';

/** The end of `attemptToDeleteItem` for an item without a solid owner: `deleteObject` (1.20). */

type At<Step extends DeleteWorker['at']> = Extract<DeleteWorker, { at: Step }>;

/** The outcome of a step: the next state of the worker, or how it has finished its item. */
export type Outcome = DeleteWorker | 'finished' | 'failed' | 'dropped';

/**
 * Some owner waits and none is solid: the dependents of the item in the graph decide the policy.
 */
export function readDependents(
  cluster: ClusterDraft,
  world: World,
  workerName: string,
  worker: At<'readDependents'>,
): Outcome {
  const dependents = heldDependents(cluster, worker);
  const hasOthers = hasOtherDependents(cluster, identityOfNode(worker.node).uid);
  if (dependents.length === 0 && !hasOthers) {
    return beginDelete(world, workerName, worker, worker.policy);
  }
  const cycle =
    world.rules.cycleBreaking === 'unblockOwners' &&
    dependents.some((uid) => cluster.graph[uid]?.deletingDependents === true);
  return cycle
    ? beginUnblocking(cluster, world, workerName, worker)
    : beginDelete(world, workerName, worker, 'Foreground');
}

/**
 * A dependent of the item waits for its own dependents: the item is to stop blocking its owners.
 */
export function beginUnblocking(
  cluster: ClusterDraft,
  world: World,
  workerName: string,
  worker: At<'readDependents'>,
): At<'unblockOwners'> {
  const owners = ownersToUnblock(cluster, world, worker);
  return {
    node: worker.node,
    at: 'unblockOwners',
    call: unblockPatch(world, workerName, identityOfNode(worker.node), owners),
    ...(worker.owners === undefined ? {} : { owners: worker.owners }),
  };
}

function ownersToUnblock(
  cluster: ClusterDraft,
  world: World,
  worker: At<'readDependents' | 'unblockOwners'>,
): readonly OwnerReference[] {
  const read = unblocksAsRead(world) ? worker.owners : undefined;
  return read ?? heldNode(cluster, worker).owners;
}

/** To break a cycle, the item loses its own finalizer. An item without the finalizer is deleted. */
export function searchCycle(
  cluster: ClusterDraft,
  world: World,
  workerName: string,
  worker: At<'searchCycle'>,
): Outcome {
  if (isInForegroundCycle(cluster, identityOfNode(worker.node).uid)) {
    return { node: worker.node, at: 'getForFinalizer', attempt: 1 };
  }
  return beginDelete(world, workerName, { node: worker.node }, worker.policy);
}

/** The item stops blocking its owners, and is deleted afterwards. */
export function unblockOwners(
  cluster: ClusterDraft,
  world: World,
  workerName: string,
  worker: At<'unblockOwners'>,
): Outcome {
  const owners = () => ownersToUnblock(cluster, world, worker);
  const progress = advancePatch(cluster, world, worker.call, owners);
  if (progress.next !== undefined) return { ...worker, call: progress.next };
  if (!progress.done || progress.answer.code >= 400) return 'failed';
  return beginDelete(world, workerName, worker, 'Foreground');
}

/** @param from its `owners` are the references of the version that the DELETE demands. */
export function beginDelete(
  world: World,
  workerName: string,
  from: Pick<DeleteWorker, 'node'> & { readonly owners?: readonly OwnerReference[] },
  policy: Policy,
): At<'delete'> {
  const { node, owners } = from;
  const version = demandsVersion(world) && owners !== undefined;
  return {
    node,
    at: 'delete',
    call: deleteCall(world, workerName, identityOfNode(node), policy, version),
    ...(version ? { owners } : {}),
  };
}

/** Before `collectorDeleteNotFound: virtualDelete` a 404 is an error like any other. */
export function deleteItem(cluster: ClusterDraft, world: World, worker: At<'delete'>): Outcome {
  const progress = apiOf(world).advance(cluster, world, worker.call);
  if (!progress.done) {
    if (progress.call.verb !== 'delete') throw new Error('a DELETE continued as another request');
    return { ...worker, call: progress.call };
  }
  const { code } = progress.answer;
  if (code < 400) return 'finished';
  if (code === 404) return notFound(cluster, world, worker);
  if (code !== 409 || worker.owners === undefined) return 'failed';
  const { propagationPolicy = 'Background' } = worker.call.options;
  const { node, owners } = worker;
  return { node, at: 'getAfterConflict', policy: propagationPolicy, owners };
}

function notFound(cluster: ClusterDraft, world: World, { node }: DeleteWorker): Outcome {
  if (world.rules.collectorDeleteNotFound === 'retried') return 'failed';
  enqueueVirtualDelete(cluster, node);
  return 'dropped';
}

/**
 * Mirrors what `deleteObject` does after a conflict over the resourceVersion (1.34): if the new
 * version has the owners that were looked up, it deletes the item in that version. Otherwise the
 * whole item is tried again. An item that is gone now is as good as deleted; since 1.36 it is
 * handled as after a 404 to the DELETE.
 */
export function getAfterConflict(
  cluster: ClusterDraft,
  world: World,
  workerName: string,
  worker: At<'getAfterConflict'>,
  item: Identity,
): Outcome {
  const lookup = lookUpItem(world, item, cluster);
  if (lookup.kind !== 'key') return 'failed';
  const answer = apiOf(world).get(cluster, world, lookup.key);
  if (answer.code === 404) {
    const isDone = world.rules.collectorDeleteNotFound === 'retried';
    return isDone ? 'finished' : notFound(cluster, world, worker);
  }
  if (answer.code !== 200 || answer.object.uid !== item.uid) return 'failed';
  if (isAsRead(cluster, workerName, lookup.key)) return 'failed';
  if (!equalJson(answer.object.ownerReferences, worker.owners)) return 'failed';
  const { node, owners, policy } = worker;
  if (world.rules.policyAfterConflict === 'kept') {
    return beginDelete(world, workerName, { node }, policy);
  }
  // A policy that rests on what was read holds for that version only.
  rememberShown(cluster, world, workerName, lookup.key);
  const asked = policyOfFinalizers(answer.object.finalizers);
  return beginDelete(world, workerName, { node, owners }, asked ?? policy);
}
