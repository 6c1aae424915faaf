import { definitionKey } from '../apiserver/definition.ts';
import type { Cluster, ClusterDraft } from '../state/cluster.ts';
import { isCustomResource, type Kind, resolveKind, servesVersion } from '../state/kinds.ts';
import { identityOfNode, type NodeId, nodeId } from '../state/nodes.ts';
import { type Identity, type ObjectKey, type OwnerReference, objectKey } from '../state/objects.ts';
import type { World } from '../state/world.ts';

/**
 * The target of a live GET of the collector.
 *
 * - `key`: a place in the store.
 * - `unmapped`: no REST mapping for the kind (`restMappingError`); the worker retries.
 * - `neverServed`: a namespaced kind, but no namespace is known, so it can never be resolved
 * (`namespacedOwnerOfClusterScopedObjectErr`).
 */
export type Lookup =
  | { readonly kind: 'key'; readonly key: ObjectKey }
  | { readonly kind: 'unmapped' }
  | { readonly kind: 'neverServed' };

/**
 * The kind that serves these coordinates now. A custom kind depends on its definition and versions.
 */
export function servedKind(
  world: World,
  cluster: Cluster | ClusterDraft | undefined,
  apiVersion: string,
  kind: string,
): Kind | null {
  const found = resolveKind(world.kinds, apiVersion, kind);
  if (found !== null && !isKnown(world, found)) return null;
  if (
    found !== null &&
    cluster !== undefined &&
    !servesVersion(found, cluster.served, apiVersion)
  ) {
    return null;
  }
  if (found === null || cluster === undefined || world.definitions === undefined) return found;
  const definition = definitionKey(world, found);
  if (definition === null || !world.definitions.includes(definition)) return found;
  return cluster.store[definition] === undefined ? null : found;
}

/** Whether the REST mapper of the collector can know this kind at all. */
function isKnown({ rules }: World, kind: Kind): boolean {
  return rules.customResources === 'watched' || !isCustomResource(kind);
}

function lookUp(
  world: World,
  cluster: Cluster | ClusterDraft | undefined,
  coordinates: { readonly apiVersion: string; readonly kind: string; readonly name: string },
  namespace: string,
): Lookup {
  const kind = servedKind(world, cluster, coordinates.apiVersion, coordinates.kind);
  if (kind === null) return { kind: 'unmapped' };
  if (kind.namespaced && namespace === '' && world.rules.missingNamespace === 'dropped') {
    return { kind: 'neverServed' };
  }
  // With a namespace in the path of a cluster-scoped kind, no object is ever found.
  const inNamespace = kind.namespaced || world.rules.collectorRequestNamespace === 'item';
  return { kind: 'key', key: objectKey(kind.name, inNamespace ? namespace : '', coordinates.name) };
}

/**
 * Mirrors the mapping part of `GarbageCollector.getObject` (1.20).
 *
 * @param cluster if absent, every kind of the table counts as served.
 */
export function lookUpItem(
  world: World,
  identity: Identity,
  cluster?: Cluster | ClusterDraft,
): Lookup {
  return lookUp(world, cluster, identity, identity.namespace);
}

/**
 * Mirrors the mapping part of `GarbageCollector.isDangling` (1.20), in the namespace of the
 * dependent.
 */
export function lookUpOwner(
  world: World,
  reference: OwnerReference,
  dependentNamespace: string,
  cluster?: Cluster | ClusterDraft,
): Lookup {
  return lookUp(world, cluster, reference, dependentNamespace);
}

/**
 * The coordinates under which a worker takes a queued item: "Update apiVersion/kind if node from
 * queue is outdated" of `attemptToDeleteWorker` (newest).
 */
export function refreshedNode(
  cluster: Cluster | ClusterDraft,
  { rules }: Pick<World, 'rules'>,
  id: NodeId,
): NodeId {
  const identity = identityOfNode(id);
  const inGraph = cluster.graph[identity.uid];
  if (inGraph === undefined || rules.nodeVersion === 'frozen') return id;
  const { apiVersion, kind } = inGraph.identity;
  return nodeId({ ...identity, apiVersion, kind });
}
