import { castDraft } from 'immer';
import type { Cluster, ClusterDraft } from './cluster.ts';
import { type ApiObject, isVisible, type ObjectKey } from './objects.ts';
import type { World } from './world.ts';

/**
 * Caches of others than the collector (client-go `sharedIndexInformer`): each is told of every
 * change to one kind, in order, after any delay. What a cache holds is what is stored, taken back
 * by the changes that have not reached it: so one that is up to date costs no state.
 *
 * Such a watch does not break. It begins up to date, and again after a restart of the controller
 * manager, as nobody starts before his caches have synchronised.
 */
export interface Informer {
  /** Unique. */
  readonly name: string;
  /** Who has it, in the words of a trace. */
  readonly words: string;
  /** Name in the table of kinds. */
  readonly kind: string;
  /** Whether it ends with the controller manager. */
  readonly inManager: boolean;
  /** Clients under which controllers sync whenever something reaches this cache. */
  readonly readers?: readonly string[];
}

/** The informer that the controllers of workloads share, where they have caches: one for each kind. */
export function managerInformer(kind: string): string {
  return `controllers: ${kind}`;
}

/** A change that has not reached a cache: what stood under the key before it; null: nothing. */
export interface Unseen {
  readonly key: ObjectKey;
  readonly before: ApiObject | null;
}

/** Something is stored, changed or removed: every cache of its kind is to be told. */
export function tellInformers(
  cluster: ClusterDraft,
  world: World,
  key: ObjectKey,
  before: ApiObject | null,
): void {
  for (const { name, kind, inManager } of world.informers ?? []) {
    if (!key.startsWith(`${kind}/`)) continue;
    if (inManager && cluster.stopped.controllers !== undefined) continue;
    cluster.unseen[name]?.push(castDraft({ key, before }));
  }
}

/** The oldest change that has not reached this cache reaches it. */
export function deliverToInformer(cluster: ClusterDraft, name: string): void {
  if ((cluster.unseen[name]?.length ?? 0) > 0) cluster.unseen[name]?.shift();
}

/** What the cache holds under this key. */
export function cached(
  cluster: Cluster | ClusterDraft,
  name: string,
  key: ObjectKey,
): ApiObject | null {
  const first = cluster.unseen[name]?.find((unseen) => unseen.key === key);
  const object = first === undefined ? cluster.store[key] : first.before;
  return object === undefined || object === null || !isVisible(object) ? null : object;
}

/** The caches of the controller manager forget what they have yet to be told. */
export function forgetUnseen(cluster: ClusterDraft, world: World): void {
  for (const { name, inManager } of world.informers ?? []) {
    if (inManager) cluster.unseen[name] = [];
  }
}
