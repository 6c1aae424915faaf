import { castDraft, current, type Draft, isDraft } from 'immer';
import type {
  Cluster,
  ClusterDraft,
  DeletionMarks,
  Observed,
  WatchEvent,
} from '../state/cluster.ts';
import { equalJson } from '../state/equal.ts';
import { tellInformers } from '../state/informers.ts';
import { kindOf } from '../state/keys.ts';
import { isWatched, kindNamed, watchedVersion } from '../state/kinds.ts';
import {
  type ApiObject,
  FOREGROUND,
  isBeingDeleted,
  isVisible,
  keyOf,
  type ObjectKey,
  ORPHAN,
  type OwnerReference,
  type PodGrace,
} from '../state/objects.ts';
import type { World } from '../state/world.ts';

/**
 * etcd as the API server uses it (`storage/etcd3/store.go`, 1.20). Nothing else writes
 * `cluster.store`. Each write moves the object's resourceVersion. Here that means: every other
 * client that has read the object no longer holds the current version. The writer's own read, if it
 * has one, stays current, because the answer contains the new version.
 */

/** A plain copy of the stored object, or null. */
export function readObject(cluster: ClusterDraft, key: ObjectKey): ApiObject | null {
  const stored = cluster.store[key];
  return stored === undefined ? null : plainCopy(stored);
}

/**
 * Detached from the draft, so that an answer can outlive the step and no draft leaks. Of a draft
 * without changes it is the object itself, which is frozen.
 */
export function plainCopy(stored: Draft<ApiObject>): ApiObject {
  if (isDraft(stored)) return current(stored) as ApiObject;
  const { finalizers, ownerReferences, specFinalizers, conditions, pod, volume, ...others } =
    stored;
  const { initializers, ...rest } = others;
  return {
    ...rest,
    finalizers: [...finalizers],
    ownerReferences: ownerReferences.map((reference) => ({ ...reference })),
    ...(initializers === undefined
      ? {}
      : { initializers: { ...initializers, pending: [...initializers.pending] } }),
    ...(specFinalizers === undefined ? {} : { specFinalizers: [...specFinalizers] }),
    ...(conditions === undefined
      ? {}
      : { conditions: conditions.map((condition) => ({ ...condition })) }),
    ...(pod === undefined ? {} : { pod: plainPod(pod) }),
    ...(volume === undefined ? {} : { volume: { ...volume } }),
  };
}

function plainPod({ claims, ...pod }: Draft<PodGrace>): PodGrace {
  return claims === undefined ? pod : { ...pod, claims: [...claims] };
}

/**
 * The keys of one kind in one namespace, in etcd's order. An empty namespace means all namespaces.
 */
export function listKeys(cluster: ClusterDraft, kind: string, namespace: string): ObjectKey[] {
  const prefix = namespace === '' ? `${kind}/` : `${kind}/${namespace}/`;
  return Object.keys(cluster.store)
    .filter((key) => key.startsWith(prefix))
    .sort();
}

/** The part of an object that the graph builder reads, under the watched version of its kind. */
export function observe(object: ApiObject, world: World, served: Cluster['served'] = {}): Observed {
  const kind = kindNamed(world.kinds, object.kind);
  return {
    identity: {
      apiVersion: watchedVersion(kind, served),
      kind: kind.kind,
      namespace: object.namespace,
      name: object.name,
      uid: object.uid,
    },
    ownerReferences: object.ownerReferences as readonly OwnerReference[],
    deletion: deletionMarks(object),
    ...(world.rules.observedGeneration === 'awaited' && kind.observesGeneration === true
      ? { generation: object.generation }
      : {}),
  };
}

function deletionMarks(object: ApiObject): DeletionMarks {
  return {
    beingDeleted: isBeingDeleted(object),
    orphan: object.finalizers.includes(ORPHAN),
    foreground: object.finalizers.includes(FOREGROUND),
  };
}

/** Mirrors `store.Create`; the caller has made sure that the key is free. */
export function create(
  cluster: ClusterDraft,
  world: World,
  client: string,
  object: ApiObject,
): void {
  const key = keyOf(object);
  cluster.store[key] = castDraft(object);
  outdateReads(cluster, key, client);
  tellInformers(cluster, world, key, null);
  notifyOfAdded(cluster, world, object);
}

/** No watch shows an object that only its initializers see. */
function notifyOfAdded(cluster: ClusterDraft, world: World, object: ApiObject): void {
  if (!isVisible(object)) return;
  const event = observe(object, world, cluster.served);
  notify(cluster, world, { type: 'add', key: keyOf(object), object: event });
}

/**
 * Mirrors the write of `store.GuaranteedUpdate`. An equal object is not written: the
 * resourceVersion does not move and there is no event.
 *
 * An update of fields that the graph builder does not read moves the resourceVersion but makes no
 * event for the collector. An update event without a difference would change neither graph nor
 * queues, and the next event's `old` is the same with and without it.
 *
 * @returns whether the object was written.
 */
export function write(
  cluster: ClusterDraft,
  world: World,
  client: string,
  object: ApiObject,
): boolean {
  const key = keyOf(object);
  const before = readObject(cluster, key);
  if (before === null) throw new Error(`${key} is written but not in the store`);
  if (equalJson(before, object)) return false;
  cluster.store[key] = castDraft(object);
  outdateReads(cluster, key, client);
  tellInformers(cluster, world, key, before);
  if (!isVisible(before)) {
    notifyOfAdded(cluster, world, object);
    return true;
  }
  const old = observe(before, world, cluster.served);
  const observed = observe(object, world, cluster.served);
  if (equalJson(old, observed)) return true;
  const marks = { ...old.deletion, uid: before.uid };
  notify(cluster, world, { type: 'update', key, object: observed, old: marks });
  return true;
}

/** Writes something that the model does not keep, so only the resourceVersion moves. */
export function touch(cluster: ClusterDraft, client: string, key: ObjectKey): void {
  outdateReads(cluster, key, client);
}

/**
 * Mirrors the transaction of `store.conditionalDelete`. The event carries the last stored object.
 */
export function remove(cluster: ClusterDraft, world: World, key: ObjectKey): void {
  const object = readObject(cluster, key);
  if (object === null) throw new Error(`${key} is removed but not in the store`);
  delete cluster.store[key];
  outdateReads(cluster, key, null);
  tellInformers(cluster, world, key, object);
  if (!isVisible(object)) return;
  notify(cluster, world, { type: 'delete', key, object: observe(object, world, cluster.served) });
}

/** The client now holds the object's current resourceVersion, from a GET or a list. */
export function rememberRead(cluster: ClusterDraft, client: string, key: ObjectKey): void {
  cluster.unchangedSince[client] = key;
}

/** Whether no other client has written the object since this one read it. */
export function isAsRead(cluster: ClusterDraft, client: string, key: ObjectKey): boolean {
  return cluster.unchangedSince[client] === key;
}

function outdateReads(cluster: ClusterDraft, key: ObjectKey, writer: string | null): void {
  for (const reader of Object.keys(cluster.unchangedSince)) {
    if (reader !== writer && cluster.unchangedSince[reader] === key) {
      delete cluster.unchangedSince[reader];
    }
  }
}

/** Whether events of this kind reach the collector: not before its informer has listed. */
export function receivesEvents(cluster: Pick<Cluster, 'monitors'>, kind: string): boolean {
  const monitor = cluster.monitors[kind];
  return monitor === undefined || monitor === 'dropped';
}

/**
 * The stream of events of a kind for the collector: one for each kind, or one ordered stream for
 * all kinds.
 */
export function streamOf(world: Pick<World, 'orderedDelivery'>, kind: string): string {
  return world.orderedDelivery === true ? 'every kind' : kind;
}

function notify(cluster: ClusterDraft, world: World, event: WatchEvent): void {
  const kind = kindOf(event.key);
  if (!isWatched(world, kind)) return;
  if (world.unobserved?.includes(event.object.identity.uid) === true) return;
  if (world.monitored !== undefined && !receivesEvents(cluster, kind)) return;
  const stream = streamOf(world, kind);
  const queue = cluster.watch[stream];
  if (queue === undefined) cluster.watch[stream] = [castDraft(event)];
  else queue.push(castDraft(event));
}
