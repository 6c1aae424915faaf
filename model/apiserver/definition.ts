import type { Failure } from '../state/calls.ts';
import type { Cluster, ClusterDraft } from '../state/cluster.ts';
import { isCustomResource, type Kind } from '../state/kinds.ts';
import { type ApiObject, type ObjectKey, objectKey } from '../state/objects.ts';
import type { World } from '../state/world.ts';

/** CustomResourceDefinitions and what they mean for their instances (`apiextensions-apiserver`, 1.20). */

/** Behind this finalizer the definition's controller removes the instances. */
export const CLEANUP_FINALIZER = 'customresourcecleanup.apiextensions.k8s.io';

/**
 * Mirrors the transaction of `customresourcedefinition REST.Delete` (1.20) for a definition that was
 * not being deleted yet. The policy of the request plays no part; no grace period is set.
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

/** Where the definition of a custom kind is stored; null for kinds that need none. */
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
 * definition is none of the model's always counts as served. The controller of definitions works on
 * the storage itself, which is never refused.
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
