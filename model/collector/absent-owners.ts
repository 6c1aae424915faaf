import type { Cluster, ClusterDraft } from '../state/cluster.ts';
import { nodeId } from '../state/nodes.ts';
import { coordinatesOf, type Identity, type OwnerReference } from '../state/objects.ts';
import type { World } from '../state/world.ts';

/**
 * `absentOwnerCache` (`ReferenceCache`; before 1.20 `UIDCache`): a bounded memory of owners that
 * were found absent.
 */

function cacheKey(world: World, identity: Identity): string {
  return world.rules.absentOwnerKey === 'uid' ? identity.uid : nodeId(identity);
}

/** Mirrors `ReferenceCache.Add` (1.20). Does nothing in versions without this cache. */
export function rememberAbsent(cluster: ClusterDraft, world: World, identity: Identity): void {
  if (world.rules.absentOwnerKey === 'none') return;
  const key = cacheKey(world, identity);
  if (world.absentOwnerCapacity === Number.POSITIVE_INFINITY) {
    cluster.absentOwners[key] = true;
    return;
  }
  delete cluster.absentOwners[key];
  cluster.absentOwners[key] = true;
  const keys = Object.keys(cluster.absentOwners);
  for (const oldest of keys.slice(0, Math.max(0, keys.length - world.absentOwnerCapacity))) {
    delete cluster.absentOwners[oldest];
  }
}

function has(cluster: ClusterDraft, world: World, key: string): boolean {
  if (cluster.absentOwners[key] === undefined) return false;
  if (world.absentOwnerCapacity !== Number.POSITIVE_INFINITY) {
    delete cluster.absentOwners[key];
    cluster.absentOwners[key] = true;
  }
  return true;
}

/**
 * Mirrors the two lookups at the start of `GarbageCollector.isDangling` (1.20): the coordinates of
 * the reference without a namespace, then with the namespace of the dependent.
 */
export function isKnownAbsent(
  cluster: ClusterDraft,
  world: World,
  reference: OwnerReference,
  dependentNamespace: string,
): boolean {
  if (has(cluster, world, cacheKey(world, coordinatesOf(reference, '')))) return true;
  return has(cluster, world, cacheKey(world, coordinatesOf(reference, dependentNamespace)));
}

/** Like `isKnownAbsent`, for observers: the lookup does not refresh the age of the entry. */
export function knowsAbsent(
  cluster: Cluster,
  world: World,
  reference: OwnerReference,
  dependentNamespace: string,
): boolean {
  return ['', dependentNamespace].some(
    (namespace) =>
      cluster.absentOwners[cacheKey(world, coordinatesOf(reference, namespace))] !== undefined,
  );
}
