import type { Failure } from '../state/calls.ts';
import type { Cluster, ClusterDraft } from '../state/cluster.ts';
import { isCustomResource, type Kind } from '../state/kinds.ts';
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

/** The key of the definition of a custom kind. Null for kinds without a definition. */
export function definitionKey(world: Pick<World, 'kinds'>, kind: Kind): ObjectKey | null {
  if (!isCustomResource(kind)) return null;
  const definitions = Object.values(world.kinds).find(
    (candidate) => candidate.storage === 'customResourceDefinition',
  );
  if (definitions === undefined) return null;
  const [group = ''] = (kind.apiVersions[0] ?? '').split('/');
  return objectKey(definitions.name, '', `${kind.resource}.${group}`);
}

/**
 * Mirrors the check of the Terminating condition in `crdHandler.serveResource` (1.20). A kind whose
 * definition is not an object of the model always counts as served. The controller of definitions
 * works on the storage directly, which never refuses.
 */
export function refusedByDefinition(
  cluster: Cluster | ClusterDraft,
  world: World,
  kind: Kind,
  verb: 'create' | 'update' | 'delete',
): Failure | null {
  const key = definitionKey(world, kind);
  const definition = key === null ? undefined : cluster.store[key];
  if (key !== null && definition === undefined && world.definitions?.includes(key) === true) {
    return { code: 404, reason: 'NotFound', message: 'the server could not find the resource' };
  }
  if (definition === undefined || definition.deletionTimestamp === null) return null;
  if (verb !== 'create' && world.rules.terminatingDefinition === 'rejectsCreates') return null;
  return {
    code: 405,
    reason: 'MethodNotAllowed',
    message: `${verb} not allowed while custom resource definition is terminating`,
  };
}
