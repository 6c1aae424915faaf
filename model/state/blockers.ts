import type { Cluster } from './cluster.ts';
import {
  type ApiObject,
  FOREGROUND,
  isBeingDeleted,
  type ObjectKey,
  thirdPartyFinalizers,
  type Uid,
} from './objects.ts';

/** What `isHeld` needs to know of a setup. */
export interface Holders {
  /** Whether this third-party finalizer on this object counts. */
  counts(finalizer: string, cluster: Cluster, key: ObjectKey): boolean;
  /** Whether the grace period of this pod counts: no actor will end it. */
  gracePeriods(cluster: Cluster, pod: ApiObject): boolean;
  /**
   * Keys that contents of a namespace can have: what holds them holds the namespace. Null: no actor
   * removes them, so that they hold it anyway.
   */
  readonly contentsOf: ((namespace: string) => readonly ObjectKey[]) | null;
  /** Keys that objects with an owner reference to this uid can have. */
  dependentKeys(owner: Uid): readonly ObjectKey[];
  /** Every dependent blocks its owner, whatever its reference says. */
  readonly allBlock: boolean;
}

/**
 * Whether something other than the collector is the reason why an object that is being deleted is
 * still stored: a third-party finalizer that counts, a grace period, the contents of a namespace, or,
 * in foreground deletion, a blocking dependent that is itself held. An object that is not held and
 * stays is stuck. Reads only the objects that matter.
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
