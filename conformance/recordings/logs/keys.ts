import {
  type CollectorWarning,
  type ObjectKey,
  objectKey,
  resolveKind,
  type World,
} from '../../../model/index.ts';
import type { SeenChange, SeenFinal, SeenRequest, SeenWarning } from './observations.ts';

/** The keys in the model's store of the objects that a log is about. */

export function keyOfChange({
  kind,
  namespace,
  name,
}: Pick<SeenChange | SeenFinal, 'kind' | 'namespace' | 'name'>): ObjectKey {
  return objectKey(kind.name, namespace, name);
}

/** Null for a collection, and for a name chosen by the API server that the log does not show. */
export function keyOfRequest({ kind, namespace, name }: SeenRequest): ObjectKey | null {
  return name === null ? null : objectKey(kind.name, namespace, name);
}

/** The object that a warning of the collector in the log is about. */
export function keyOfWarning({ kind, namespace, name }: SeenWarning): ObjectKey {
  return objectKey(kind, namespace, name);
}

/** The object that a warning of the model's collector is about. */
export function keyOfDependent(world: World, { dependent }: CollectorWarning): ObjectKey {
  const kind = resolveKind(world.kinds, dependent.apiVersion, dependent.kind);
  return objectKey(kind?.name ?? dependent.kind, dependent.namespace, dependent.name);
}

/** A server-side apply creates an object that is not there. */
export function mayCreate({ verb, subresource, code }: SeenRequest): boolean {
  return subresource === '' && (verb === 'create' || code === 201);
}

/** The options of a DELETE are in its body, if it has one. */
export function isDryRun({ query, body }: SeenRequest): boolean {
  const value = body.is === 'value' ? (body.value as { readonly dryRun?: unknown } | null) : null;
  return query.dryRun === 'All' || (Array.isArray(value?.dryRun) && value.dryRun.includes('All'));
}
