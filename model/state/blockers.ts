import type { Cluster } from './cluster.ts';
import {
  type ApiObject,
  FOREGROUND,
  isBeingDeleted,
  NAMESPACE_TOKEN,
  type ObjectKey,
  otherSpecFinalizers,
  thirdPartyFinalizers,
  type Uid,
} from './objects.ts';

/** What `isHeld` needs to know about a setup. */
export interface Holders {
  /** Whether this third-party finalizer on this object counts. */
  counts(finalizer: string, cluster: Cluster, key: ObjectKey): boolean;
  /** Whether the grace period of this pod counts: no actor will end it. */
  gracePeriods(cluster: Cluster, pod: ApiObject): boolean;
  /**
   * Keys that the contents of a namespace can have: anything that holds them also holds the
   * namespace. Null: no actor removes the contents, so they always hold the namespace.
   */
  readonly contentsOf: ((namespace: string) => readonly ObjectKey[]) | null;
  /** Keys that objects with an owner reference to this uid can have. */
  dependentKeys(owner: Uid): readonly ObjectKey[];
  /** Every dependent blocks its owner, whatever its reference says. */
  readonly allBlock: boolean;
}

/**
 * Whether something other than the collector keeps an object stored that is being deleted: a
 * third-party finalizer that counts, a grace period, the contents of a namespace, or, in foreground
 * deletion, a blocking dependent that is itself held. An object that stays without being held is
 * stuck. Reads only the objects that matter.
 */
export function isHeld(cluster: Cluster, holders: Holders, key: ObjectKey): boolean {
  const reached = new Set([key]);
  for (const candidate of reached) {
    const object = cluster.store[candidate];
    if (object === undefined || !isBeingDeleted(object)) continue;
    const finalizers = [...thirdPartyFinalizers(object), ...otherSpecFinalizers(object)];
    if (finalizers.some((name) => holders.counts(name, cluster, candidate))) return true;
    const grace = object.deletionGracePeriodSeconds ?? 0;
    if (grace > 0 && holders.gracePeriods(cluster, object)) return true;
    if (object.specFinalizers?.includes(NAMESPACE_TOKEN) === true) {
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
