import { ACTORS } from './actors/index.ts';
import { hearsOf } from './apiserver/store.ts';
import { knowsAbsent } from './collector/absent-owners.ts';
import { lookUpOwner, refreshedNode, servedKind } from './collector/lookup.ts';
import { type Cluster, identityOfNode, type NodeId } from './state/cluster.ts';
import { isWatched } from './state/kinds.ts';
import {
  type ApiObject,
  FOREGROUND,
  isBeingDeleted,
  type ObjectKey,
  objectKey,
  thirdPartyFinalizers,
  type Uid,
} from './state/objects.ts';
import type { Setup } from './state/setup.ts';

/** Predicates on what is left to do. */

/**
 * No request in flight, no event undelivered, no worker busy, and nothing queued but what the
 * collector tries again and again in vain.
 *
 * A collector whose workers stand still for good is quiet as long as nothing waits for them. Once
 * something does, all is never quiet again: that is work which nobody does.
 */
export function isQuiet(setup: Setup, cluster: Cluster): boolean {
  return (
    Object.keys(cluster.calls).length === 0 &&
    Object.keys(cluster.deleteWorkers).length === 0 &&
    Object.keys(cluster.orphanWorkers).length === 0 &&
    Object.keys(cluster.attemptToOrphan).length === 0 &&
    (cluster.stopped.controllers !== undefined ||
      Object.values(cluster.watch).every((queue) => queue.length === 0)) &&
    Object.keys(cluster.graphChanges).length === 0 &&
    Object.keys(cluster.attemptToDelete).every((id) => isTriedInVain(setup, cluster, id)) &&
    ACTORS.every((actor) => actor.isIdle(setup, cluster))
  );
}

/** Every user has come to the end of its program, and all is quiet. */
export function isOver(setup: Setup, cluster: Cluster): boolean {
  const done = Object.entries(setup.users).every(
    ([user, steps]) => (cluster.users[user] ?? 0) === steps.length,
  );
  return done && isQuiet(setup, cluster);
}

/**
 * An item that is queued again without a change for as long as discovery does not know a kind: its
 * own, or that of an owner before which every other one is there or known to be absent. Or for as long
 * as the collector hears nothing of its kind: a virtual node that no event will ever confirm.
 */
function isTriedInVain(setup: Setup, cluster: Cluster, id: NodeId): boolean {
  const { apiVersion, kind, namespace, name, uid } = identityOfNode(
    refreshedNode(cluster, setup, id),
  );
  const world = { ...setup, absentOwnerCapacity: Number.POSITIVE_INFINITY };
  const served = servedKind(world, cluster, apiVersion, kind);
  if (served === null) return true;
  const object = cluster.store[objectKey(served.name, served.namespaced ? namespace : '', name)];
  const node = cluster.graph[uid];
  if (object?.uid !== uid || node === undefined || node.beingDeleted) return false;
  let dangling = false;
  for (const reference of object.ownerReferences) {
    if (knowsAbsent(cluster, world, reference, namespace)) {
      dangling = true;
      continue;
    }
    const owner = lookUpOwner(world, reference, namespace, cluster);
    if (owner.kind === 'unmapped') return true;
    if (owner.kind !== 'key' || cluster.store[owner.key]?.uid !== reference.uid) return false;
    if (waitsForDependents(cluster.store[owner.key])) return false;
  }
  if (dangling || !node.virtual) return false;
  return !(isWatched(setup, served.name) && hearsOf(cluster, served.name));
}

function waitsForDependents(owner: ApiObject | undefined): boolean {
  return owner !== undefined && isBeingDeleted(owner) && owner.finalizers.includes(FOREGROUND);
}

/** What `isHeld` has to know of a setup. */
export interface Holders {
  /** Whether this third-party finalizer on this object counts. */
  counts(finalizer: string, cluster: Cluster, key: ObjectKey): boolean;
  /** Whether the grace period of this pod counts: nobody is bound to end it. */
  gracePeriods(cluster: Cluster, pod: ApiObject): boolean;
  /**
   * Keys at which contents of a namespace can ever stand: what holds them holds the namespace. Null:
   * nobody is bound to clear them, so that they hold it anyway.
   */
  readonly contentsOf: ((namespace: string) => readonly ObjectKey[]) | null;
  /** Keys under which objects that name this uid as an owner can ever stand. */
  dependentKeys(owner: Uid): readonly ObjectKey[];
  /** Every dependent blocks its owner, whatever its reference says. */
  readonly allBlock: boolean;
}

/**
 * Whether somebody other than the collector is the reason why an object that is being deleted is
 * still there: a third-party finalizer that counts, a grace period, the contents of a namespace, or,
 * in foreground deletion, a blocking dependent that is itself held. What is not held and stays is
 * stuck. Reads the objects that matter, not the whole store.
 */
export function isHeld(cluster: Cluster, holders: Holders, key: ObjectKey): boolean {
  const reached = new Set([key]);
  for (const candidate of reached) {
    const object = cluster.store[candidate];
    if (object === undefined || !isBeingDeleted(object)) continue;
    const finalizers = thirdPartyFinalizers(object);
    if (finalizers.some((name) => holders.counts(name, cluster, candidate))) return true;
    const grace = object.deletionGracePeriodSeconds ?? 0;
    if (grace > 0 && holders.gracePeriods(cluster, object)) return true;
    if ((object.specFinalizers ?? []).length > 0) {
      if (holders.contentsOf === null) return true;
      for (const content of holders.contentsOf(object.name)) reached.add(content);
    }
    if (!object.finalizers.includes(FOREGROUND)) continue;
    for (const dependent of blockingDependents(cluster, holders, object.uid)) {
      reached.add(dependent);
    }
  }
  return false;
}

/** Keys of the stored objects that block the deletion of the owner with this uid. */
export function blockingDependents(
  cluster: Cluster,
  holders: Pick<Holders, 'dependentKeys' | 'allBlock'>,
  owner: Uid,
): readonly ObjectKey[] {
  return holders
    .dependentKeys(owner)
    .filter((key) =>
      cluster.store[key]?.ownerReferences.some(
        (reference) =>
          reference.uid === owner && (holders.allBlock || reference.blockOwnerDeletion === true),
      ),
    );
}
