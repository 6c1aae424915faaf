import type { CreateCall, Failure, Progress } from '../state/calls.ts';
import type { Cluster, ClusterDraft } from '../state/cluster.ts';
import { cached } from '../state/informers.ts';
import { formatKey } from '../state/keys.ts';
import { type Kind, kindNamed, namespaceKind } from '../state/kinds.ts';
import {
  type ApiObject,
  isBeingDeleted,
  keyOf,
  type ObjectKey,
  objectKey,
} from '../state/objects.ts';
import type { World } from '../state/world.ts';
import { admitOwnerReferences } from './admission.ts';
import { answered, forbidden, invalid, notFound } from './answers.ts';
import { withoutDuplicateOwners } from './changes.ts';
import { definitionKey, refusedByDefinition } from './definition.ts';
import { removalOfRejected, withInitializers } from './initializers.ts';
import { prepareNamespace } from './namespace.ts';
import { create } from './store.ts';
import { formatFieldError, validateMetadata } from './validation.ts';

/** Name of the informer in which admission looks up namespaces, if that cache can lag. */
export const NAMESPACE_CACHE = 'namespaces of admission';

/**
 * POST: admission (the namespace, the definition, the right to block owners), then `Store.Create`
 * (1.20). These are two steps if admission reads something that can change: a namespace or a
 * definition of the model. Otherwise admission reads only the request, so admission and write are
 * one step.
 */
export function stepCreate(cluster: ClusterDraft, world: World, call: CreateCall): Progress {
  if (call.at === 'write') return writeNew(cluster, world, call);
  const kind = kindNamed(world.kinds, call.object.kind);
  const refused =
    refusedByDefinition(cluster, world, kind, 'create') ??
    refusedByNamespace(cluster, world, kind, call.object);
  if (refused !== null) return answered(refused);
  const denied = admitOwnerReferences(world, call.client, kind, {
    operation: 'create',
    namespace: call.object.namespace,
    oldOwners: null,
    newOwners: call.object.ownerReferences,
  });
  if (denied !== null) return answered(forbidden(keyOf(call.object), denied.message));
  const definition = definitionKey(world, kind);
  const separate =
    isModelledNamespace(world, kind, call.object.namespace) ||
    (definition !== null && cluster.store[definition] !== undefined);
  if (separate) return { done: false, call: { ...call, at: 'write' } };
  return writeNew(cluster, world, call);
}

function isModelledNamespace(world: World, kind: Kind, namespace: string): boolean {
  if (!kind.namespaced) return false;
  return world.namespaces === 'all' || (world.namespaces ?? []).includes(namespace);
}

/**
 * Mirrors the admission plugin `NamespaceLifecycle` (1.20) for a CREATE: it reads the namespace
 * from its cache, and live if the cache lacks it. A cache that never lags represents a single API
 * server, which reads live what it has just deleted itself.
 */
export function refusedByNamespace(
  cluster: Cluster | ClusterDraft,
  world: World,
  kind: Kind,
  object: ApiObject,
): Failure | null {
  const found = admittedNamespace(cluster, world, kind, object.namespace);
  if (found === null) return null;
  const { key, namespace } = found;
  if (namespace === null) return notFound(key);
  if (namespace.deletionTimestamp === null && namespace.phase !== 'Terminating') return null;
  return forbidden(
    keyOf(object),
    `unable to create new content in namespace ${object.namespace} because it is being terminated`,
  );
}

/**
 * The same plugin for a CREATE, PUT or PATCH in a namespace that does not exist: 404. An object
 * that outlived its namespace cannot be changed, so nobody can take its finalizers off.
 */
export function missingNamespace(
  cluster: Cluster | ClusterDraft,
  world: World,
  kind: Kind,
  namespace: string,
): Failure | null {
  const found = admittedNamespace(cluster, world, kind, namespace);
  return found?.namespace === null ? notFound(found.key) : null;
}

/** The namespace as the plugin sees it, null if there is none; null: it does not look for one. */
function admittedNamespace(
  cluster: Cluster | ClusterDraft,
  world: World,
  kind: Kind,
  name: string,
): { readonly key: ObjectKey; readonly namespace: ApiObject | null } | null {
  if (!isModelledNamespace(world, kind, name)) return null;
  const namespaces = namespaceKind(world.kinds);
  if (namespaces === undefined) return null;
  const key = objectKey(namespaces.name, '', name);
  return { key, namespace: cached(cluster, NAMESPACE_CACHE, key) ?? cluster.store[key] ?? null };
}

/** Mirrors `rest.BeforeCreate` and `Store.Create` (1.20). */
function writeNew(cluster: ClusterDraft, world: World, call: CreateCall): Progress {
  const kind = kindNamed(world.kinds, call.object.kind);
  const object = withInitializers(world, prepared(world, kind, call.object));
  const key = keyOf(object);
  const names = kind.finalizerNames ?? 'standardOrPrefixed';
  const errors = validateMetadata(object, names);
  if (errors.length > 0) return answered(invalid(formatKey(key), errors.map(formatFieldError)));
  const present = cluster.store[key];
  if (present !== undefined) {
    const prefix = isBeingDeleted(present) ? 'object is being deleted: ' : '';
    const message = `${prefix}${formatKey(key)} already exists`;
    return answered({ code: 409, reason: 'AlreadyExists', message });
  }
  if (call.dryRun !== true) {
    create(cluster, world, call.client, object);
    if (object.initializers?.failed === true) {
      return { done: false, call: removalOfRejected(call.client, object) };
    }
  }
  return answered({ code: 201, deleted: false, object });
}

/** A new object is never in deletion and has no status. Kinds with a generation start it at 1. */
function prepared(world: World, kind: Kind, asked: ApiObject): ApiObject {
  const { observedGeneration: _, ...given } = asked;
  const references = given.ownerReferences.map((reference) => ({ ...reference }));
  const object: ApiObject = {
    ...given,
    finalizers: [...given.finalizers],
    ownerReferences:
      world.rules.duplicateOwnerReferences === 'kept'
        ? references
        : withoutDuplicateOwners(references),
    generation: kind.generation ? 1 : given.generation,
    deletionTimestamp: null,
    deletionGracePeriodSeconds: null,
  };
  return kind.storage === 'namespace' ? prepareNamespace(object) : object;
}
