import type { ActionInstance, Parameters } from '../checker/index.ts';
import {
  type ApiObject,
  actingItemCall,
  blockingDependents,
  type Cluster,
  dependentKeys,
  endsGracePeriod,
  FOREGROUND,
  formatKey,
  type Holders,
  type Identity,
  isBeingDeleted,
  isHeld,
  isKeptByActor,
  isQuiet,
  isRemovedByActor,
  isRemovedByNone,
  keyOf,
  type ObjectKey,
  type OwnerReference,
  objectKey,
  possibleObjects,
  resolveKind,
  type Setup,
} from '../model/index.ts';

/**
 * Relations between objects. Predicates look up objects by the keys that the setup can ever have. A
 * predicate that goes through the whole store reads every object, so that the explorer has to
 * evaluate it again for each combination of objects.
 */

/** An object that can be stored at some time. */
export interface Which extends Parameters {
  readonly key: ObjectKey;
  readonly uid: string;
}

export function whichObjects(setup: Setup): readonly Which[] {
  return possibleObjects(setup).map((object) => ({ key: keyOf(object), uid: object.uid }));
}

/** Keys of all objects that can be stored at some time, as parameters. */
export function whichKeys(setup: Setup): readonly { readonly key: ObjectKey }[] {
  const keys = possibleObjects(setup).map(keyOf);
  return [...new Set(keys)].map((key) => ({ key }));
}

export function stored(cluster: Cluster, { key, uid }: Parameters): ApiObject | null {
  const object = cluster.store[String(key)];
  return object !== undefined && object.uid === uid ? object : null;
}

export function deleting(cluster: Cluster, which: Parameters): ApiObject | null {
  const object = stored(cluster, which);
  return object !== null && isBeingDeleted(object) ? object : null;
}

/**
 * The stored owner that a reference names: it has that kind, name and uid, in the namespace of the
 * dependent. Null if there is none.
 */
export function storedOwner(
  setup: Pick<Setup, 'kinds'>,
  cluster: Cluster,
  dependent: Pick<ApiObject, 'namespace'>,
  reference: OwnerReference,
): ApiObject | null {
  const owner = namesakeOf(setup, cluster, dependent, reference);
  return owner !== null && owner.uid === reference.uid ? owner : null;
}

/** The stored object that a reference names by kind, namespace and name, with any uid. */
export function namesakeOf(
  setup: Pick<Setup, 'kinds'>,
  cluster: Cluster,
  dependent: Pick<ApiObject, 'namespace'>,
  reference: OwnerReference,
): ApiObject | null {
  const kind = resolveKind(setup.kinds, reference.apiVersion, reference.kind);
  if (kind === null) return null;
  const namespace = kind.namespaced ? dependent.namespace : '';
  return cluster.store[objectKey(kind.name, namespace, reference.name)] ?? null;
}

/** All is quiet, and the collector runs. */
export function hasRunQuiet(setup: Setup, cluster: Cluster): boolean {
  return isQuiet(setup, cluster) && cluster.stopped.controllers === undefined;
}

/**
 * Whether the owner that a reference names is gone. Some references cannot be looked up, because
 * their kind is not served or the dependent has no namespace. Such a reference names any object
 * with its uid.
 */
export function isOwnerGone(
  setup: Setup,
  cluster: Cluster,
  dependent: Pick<ApiObject, 'namespace'>,
  reference: OwnerReference,
): boolean {
  if (canLookUp(setup, dependent, reference)) {
    return storedOwner(setup, cluster, dependent, reference) === null;
  }
  return !possibleObjects(setup)
    .filter(({ uid }) => uid === reference.uid)
    .some((object) => cluster.store[keyOf(object)]?.uid === reference.uid);
}

export function canLookUp(
  setup: Pick<Setup, 'kinds'>,
  dependent: Pick<ApiObject, 'namespace'>,
  reference: OwnerReference,
): boolean {
  const kind = resolveKind(setup.kinds, reference.apiVersion, reference.kind);
  return kind !== null && (!kind.namespaced || dependent.namespace !== '');
}

/** Which dependents block their owners, and which objects are held. */
export interface Relations {
  /** Stored objects that block the deletion of the owner. The owner may block itself. */
  blockers(cluster: Cluster, owner: Pick<ApiObject, 'uid'>): readonly ApiObject[];
  /**
   * Whether a finalizer whose owner is stuck, or anything else that no actor must end, holds it.
   */
  isHeldForGood(cluster: Cluster, key: ObjectKey): boolean;
  /** Whether any third-party finalizer, or anything else but the collector, holds it. */
  isHeld(cluster: Cluster, key: ObjectKey): boolean;
  /** Why no actor can remove this finalizer from this object, as a clause; empty: one can. */
  whyNotRemoved(object: ApiObject, finalizer: string): string;
}

export function relationsOf(setup: Setup): Relations {
  const keys = dependentKeys(setup);
  const all: Holders = {
    counts: (name, cluster, key) =>
      !isRemovedByActor(setup, name, key, cluster.store[key]?.uid ?? '') ||
      isKeptByActor(setup, cluster, key, name),
    gracePeriods: (cluster, pod) => !endsGracePeriod(setup, cluster, pod),
    contentsOf: contentsOf(setup),
    dependentKeys: (owner) => keys.get(owner) ?? [],
    allBlock: setup.rules.foregroundDeletion === 'synchronousQueue',
  };
  const forGood: Holders = {
    ...all,
    counts: (name, cluster, key) =>
      ['stuck', 'unknown'].includes(setup.finalizers[name] ?? 'cooperative') ||
      isKeptByActor(setup, cluster, key, name),
  };
  return {
    blockers: (cluster, owner) =>
      blockingDependents(cluster, all, owner.uid).flatMap((key) => {
        const dependent = cluster.store[key];
        return dependent === undefined ? [] : [dependent];
      }),
    isHeldForGood: (cluster, key) => isHeld(cluster, forGood, key),
    isHeld: (cluster, key) => isHeld(cluster, all, key),
    whyNotRemoved: (object, finalizer) => {
      if (setup.refusesUpdates?.includes(object.kind)) return ', whose removal validation refuses';
      const byNone = isRemovedByNone(setup, finalizer, keyOf(object), object.uid);
      return byNone ? ', which nobody removes' : '';
    },
  };
}

/** Null where no namespace controller empties namespaces. */
function contentsOf(setup: Setup): Holders['contentsOf'] {
  if (setup.emptiedNamespaces === undefined) return null;
  const objects = possibleObjects(setup);
  return (namespace) => objects.filter((object) => object.namespace === namespace).map(keyOf);
}

/** `Kind/name`, and the namespace if it is not the default one. */
export function nameOf(object: Pick<ApiObject, 'kind' | 'namespace' | 'name'>): string {
  return formatKey(keyOf(object));
}

/** The name of a node in the collector's graph, in the form of `nameOf`. */
export function nameOfNode({ kind, namespace, name }: Identity): string {
  return formatKey(`${kind}/${namespace}/${name}`);
}

/**
 * The object, as stored before the step, whose deletion a DELETE begins or completes with this
 * step. Null for an object that was being deleted already: an earlier request has asked for that.
 */
export function deletedInStep(
  setup: Setup,
  before: Cluster,
  action: ActionInstance,
  after: Cluster,
): ApiObject | null {
  const call = actingItemCall(setup, before, action);
  if (call?.verb !== 'delete') return null;
  const old = before.store[call.key];
  if (old === undefined || isBeingDeleted(old)) return null;
  const now = after.store[call.key];
  return now === undefined || isBeingDeleted(now) ? old : null;
}

/** The object before and after a step that changes it and does not remove it; null otherwise. */
export function changed(
  before: Cluster,
  after: Cluster,
  key: string,
): { readonly old: ApiObject; readonly now: ApiObject } | null {
  const old = before.store[key];
  const now = after.store[key];
  return old === undefined || now === undefined || old.uid !== now.uid ? null : { old, now };
}

/** Why an object that is being deleted is still stored, one line for each reason. */
export function whyStillThere(
  relations: Relations,
  cluster: Cluster,
  object: ApiObject | null,
): readonly string[] {
  if (object === null) return [];
  const name = nameOf(object);
  const grace = object.deletionGracePeriodSeconds ?? 0;
  const blockers = object.finalizers.includes(FOREGROUND)
    ? relations.blockers(cluster, object)
    : [];
  return [
    ...object.finalizers.map(
      (finalizer) =>
        `${name} is blocked by: finalizer ${finalizer}${relations.whyNotRemoved(object, finalizer)}`,
    ),
    ...blockers.map((dependent) =>
      dependent.uid === object.uid
        ? `${name} is blocked by: itself, as its own dependent`
        : `${name} is blocked by: dependent ${nameOf(dependent)}`,
    ),
    ...(grace > 0 ? [`${name} is in its grace period`] : []),
  ];
}
