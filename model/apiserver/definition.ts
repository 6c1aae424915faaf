import type { Failure } from '../state/calls.ts';
import type { Cluster, ClusterDraft } from '../state/cluster.ts';
import { cached } from '../state/informers.ts';
import { isCustomResource, type Kind, type KindTable } from '../state/kinds.ts';
import { type ApiObject, type ObjectKey, objectKey } from '../state/objects.ts';
import type { World } from '../state/world.ts';

/**
 * CustomResourceDefinitions and their effect on their instances (`apiextensions-apiserver`, 1.20).
 */

/** While a definition has this finalizer, its controller removes the instances. */
export const CLEANUP_FINALIZER = 'customresourcecleanup.apiextensions.k8s.io';

/**
 * Mirrors the transaction of `customresourcedefinition REST.Delete` (1.20) for a definition that
 * was not in deletion yet. It ignores the policy of the request and sets no grace period.
 */
export function terminateDefinition(definition: ApiObject): ApiObject {
  const { finalizers } = definition;
  return {
    ...definition,
    deletionTimestamp: definition.deletionTimestamp ?? 0,
    finalizers: finalizers.includes(CLEANUP_FINALIZER)
      ? finalizers
      : [...finalizers, CLEANUP_FINALIZER],
  };
}

/**
 * Name of the informer in which requests for custom resources find their definition (`crdLister`).
 */
export const DEFINITION_CACHE = 'definitions of the handler';

export function definitionKind(kinds: KindTable): Kind | undefined {
  return Object.values(kinds).find(({ storage }) => storage === 'customResourceDefinition');
}

/** The key of the definition of a custom kind. Null for kinds without a definition. */
export function definitionKey(world: Pick<World, 'kinds'>, kind: Kind): ObjectKey | null {
  if (!isCustomResource(kind)) return null;
  const definitions = definitionKind(world.kinds);
  if (definitions === undefined) return null;
  const [group = ''] = (kind.apiVersions[0] ?? '').split('/');
  return objectKey(definitions.name, '', `${kind.resource}.${group}`);
}

/**
 * Mirrors the check of the Terminating condition in `crdHandler.serveResource` (1.20). In every
 * release up to 1.36 it reads the definition from a lister, once, at the start of the request
 * (kubernetes/kubernetes#99181; the second look of kubernetes/kubernetes#140618 is not merged). The
 * lister lags if the setup says so. A kind whose definition is not an object of the model always
 * counts as served. The controller of definitions works on the storage directly, which never
 * refuses.
 */
export function refusedByDefinition(
  cluster: Cluster | ClusterDraft,
  world: World,
  kind: Kind,
  verb: 'create' | 'update' | 'delete',
): Failure | null {
  const key = definitionKey(world, kind);
  const definition = key === null ? null : cached(cluster, DEFINITION_CACHE, key);
  if (key !== null && definition === null && world.definitions?.includes(key) === true) {
    return { code: 404, reason: 'NotFound', message: 'the server could not find the resource' };
  }
  if (definition === null || definition.deletionTimestamp === null) return null;
  if (verb !== 'create' && world.rules.terminatingDefinition === 'rejectsCreates') return null;
  return {
    code: 405,
    reason: 'MethodNotAllowed',
    message: `${verb} not allowed while custom resource definition is terminating`,
  };
}
