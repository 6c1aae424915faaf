import { castDraft, type Draft } from 'immer';
import { spend } from './budget.ts';
import type { Cluster, ClusterDraft, Losable, Unseen } from './cluster.ts';
import { type ApiObject, isVisible, type ObjectKey } from './objects.ts';
import { noteChange } from './programs/process.ts';
import type { Informer, World } from './world.ts';

/** Changes on their way to the caches of controllers (client-go `sharedIndexInformer`). */

/** The informer of a kind that the controllers of workloads share, if they have caches. */
export function managerInformer(kind: string): string {
  return `controllers: ${kind}`;
}

/**
 * An object is stored, changed or removed: the change is now on its way to every cache of its kind.
 */
export function tellInformers(
  cluster: ClusterDraft,
  world: World,
  key: ObjectKey,
  before: ApiObject | null,
): void {
  noteChange(cluster, world);
  for (const { name, kind, inManager } of world.informers ?? []) {
    if (!key.startsWith(`${kind}/`)) continue;
    if (inManager && cluster.stopped.controllers !== undefined) continue;
    cluster.unseen[name]?.push(castDraft({ key, before }));
  }
}

/** The oldest undelivered change reaches this cache, and its handler sees the event. */
export function deliverToInformer(cluster: ClusterDraft, world: World, informer: Informer): void {
  const { name, handle } = informer;
  const pending = cluster.unseen[name] ?? [];
  const at = nextUnseen(pending);
  const key = pending[at]?.key;
  if (key === undefined) return;
  const before = cached(cluster, name, key);
  // A later event makes up for those of the name that were lost.
  cluster.unseen[name] = pending.filter(
    (change, index) => index > at || (index < at && change.key !== key),
  );
  const after = cached(cluster, name, key);
  if (before !== null || after !== null) handle?.(cluster, world, { before, after });
}

/** The position of the change that reaches the cache next; -1: none. */
export function nextUnseen(pending: readonly Losable[]): number {
  return pending.findIndex(({ lost }) => lost === undefined);
}

/** The entry of the budget for the events that the watch of this informer loses. */
export function informerLossKey({ name }: Pick<Informer, 'name'>): string {
  return `loss of ${name}`;
}

/** The watch of this informer loses the change that it would deliver next. */
export function loseInformerEvent(cluster: ClusterDraft, informer: Informer): void {
  const pending = cluster.unseen[informer.name] ?? [];
  const change = pending[nextUnseen(pending)];
  if (change !== undefined && spend(cluster, informerLossKey(informer))) change.lost = true;
}

/** Whether the watch of this informer has lost a change that no list has shown. */
export function hasLostEvent(cluster: Cluster | ClusterDraft, { name }: Informer): boolean {
  return cluster.unseen[name]?.some(({ lost }) => lost === true) === true;
}

/** The entry of the budget for the relists of this informer. */
export function relistKey({ name }: Pick<Informer, 'name'>): string {
  return `relist of ${name}`;
}

/**
 * The watch of this informer breaks and its reflector lists again (client-go `Reflector`,
 * `DeltaFIFO.Replace`): the difference between its cache and the store replaces the undelivered
 * changes. Several changes of one name become one. What was created and removed again becomes
 * nothing. A removal and a creation under the same name become one update to another uid.
 *
 * @returns false if the list shows the same changes, or the watch may not break.
 */
export function relistInformer(cluster: ClusterDraft, informer: Informer): boolean {
  const kept = listedDifference(cluster, informer);
  const { length } = cluster.unseen[informer.name] ?? [];
  const same = kept.length === length && !hasLostEvent(cluster, informer);
  if (same || !spend(cluster, relistKey(informer))) return false;
  cluster.unseen[informer.name] = kept;
  return true;
}

/** Some time after a loss, the watch ends and its reflector lists again. */
export function relistInformerAfterLoss(cluster: ClusterDraft, informer: Informer): boolean {
  if (!hasLostEvent(cluster, informer)) return false;
  cluster.unseen[informer.name] = listedDifference(cluster, informer);
  return true;
}

function listedDifference(cluster: ClusterDraft, informer: Informer): Draft<Unseen>[] {
  const pending = cluster.unseen[informer.name] ?? [];
  const firsts = pending.filter(
    ({ key }, index) => pending.findIndex((change) => change.key === key) === index,
  );
  const isHeld = (object: object | null | undefined): boolean =>
    object !== null && object !== undefined && isVisible(object as ApiObject);
  return firsts
    .filter(({ key, before }) => isHeld(before) || isHeld(cluster.store[key]))
    .map(({ key, before }) => ({ key, before }));
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

/** The caches of the controller manager list again, so no change is on its way to them. */
export function forgetUnseen(cluster: ClusterDraft, world: World): void {
  for (const { name, inManager } of world.informers ?? []) {
    if (inManager) cluster.unseen[name] = [];
  }
}

/** A cache of one kind that a controller of the controller manager bases its decisions on. */
export interface ManagerCache {
  readonly informer: Informer;
  /** The object that the cache holds under this key. */
  get(cluster: Cluster | ClusterDraft, key: ObjectKey): ApiObject | null;
  /** The objects that the cache holds in this namespace. */
  list(cluster: Cluster | ClusterDraft, namespace: string): readonly ApiObject[];
}

export function managerCache(informer: Omit<Informer, 'inManager'>): ManagerCache {
  const { name, kind } = informer;
  const get: ManagerCache['get'] = (cluster, key) => cached(cluster, name, key);
  return {
    informer: { ...informer, inManager: true },
    get,
    list: (cluster, namespace) => {
      const unseen = (cluster.unseen[name] ?? []).map(({ key }) => key);
      const keys = new Set([...Object.keys(cluster.store), ...unseen]);
      return [...keys]
        .filter((key) => key.startsWith(`${kind}/${namespace}/`))
        .flatMap((key) => get(cluster, key) ?? []);
    },
  };
}
