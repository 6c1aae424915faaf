import { castDraft, castImmutable } from 'immer';
import { isNotInstalled } from '../apiserver/installed.ts';
import { observe } from '../apiserver/store.ts';
import { spend } from '../state/budget.ts';
import type { ClusterDraft, DeletionMarks, Observed, WatchEvent } from '../state/cluster.ts';
import { identityOfNode, type NodeId } from '../state/nodes.ts';
import { type ApiObject, isVisible, type ObjectKey, type Uid } from '../state/objects.ts';
import type { World } from '../state/world.ts';
import { processGraphChange } from './graph-builder.ts';

/**
 * Delivery of watch events to the collector (client-go `Reflector`, `DeltaFIFO`,
 * `sharedIndexInformer`).
 */

/** The oldest undelivered event of one kind reaches the graph builder and is handled. */
export function deliver(cluster: ClusterDraft, world: World, kind: string): void {
  if (cluster.stopped.controllers !== undefined || cluster.listing[kind] !== undefined) return;
  const next = nextEvent((cluster.watch[kind] ?? []) as readonly WatchEvent[]);
  if (next === null) return;
  cluster.watch[kind] = castDraft([...next.rest]);
  if (next.event !== null) handle(cluster, world, next.event);
}

/**
 * The event that a watch delivers next, and what is left then. An informer that has lost earlier
 * events of the name compares with what it still has, so it reports the difference since then. Null
 * event: it reports nothing, because an object that it never had is gone (`DeltaFIFO.Delete`).
 * Null: the watch has nothing to deliver.
 */
export function nextEvent(
  pending: readonly WatchEvent[],
): { readonly event: WatchEvent | null; readonly rest: readonly WatchEvent[] } | null {
  const at = pending.findIndex(({ lost }) => lost === undefined);
  const event = pending[at];
  if (event === undefined) return null;
  const missed = pending.slice(0, at).find(({ key }) => key === event.key);
  const rest = pending.filter(
    ({ key }, index) => index !== at && (index > at || key !== event.key),
  );
  if (missed === undefined) return { event, rest };
  const cached = cachedBefore(missed);
  if (event.type === 'delete') return { event: cached === null ? null : event, rest };
  return { event: changeFrom(cached, event.key, event.object), rest };
}

/** How often the watch of a kind can lose an event. */
export function lossKey(kind: string): string {
  return `loss ${kind}`;
}

/** The watch loses the event that it would deliver next. */
export function loseEvent(cluster: ClusterDraft, kind: string): void {
  if (cluster.stopped.controllers !== undefined || cluster.listing[kind] !== undefined) return;
  const event = cluster.watch[kind]?.find(({ lost }) => lost === undefined);
  if (event !== undefined && spend(cluster, lossKey(kind))) event.lost = true;
}

/**
 * Some time after a loss, the watch ends and the reflector lists again, as it does now and then.
 */
export function relistAfterLoss(cluster: ClusterDraft, world: World, kind: string): void {
  if (cluster.watch[kind]?.some(({ lost }) => lost === true) !== true) return;
  if (cluster.stopped.controllers !== undefined || isNotInstalled(cluster, world, kind)) return;
  listDifference(cluster, world, kind);
}

/** Any one of the objects of a first list reaches the graph builder. */
export function deliverListed(
  cluster: ClusterDraft,
  world: World,
  kind: string,
  key: ObjectKey,
): void {
  const listed = cluster.listing[kind];
  const stream = cluster.watch[kind];
  if (listed === undefined || stream === undefined) return;
  const position = stream.slice(0, listed).findIndex((event) => event.key === key);
  if (position < 0) return;
  const [event] = stream.splice(position, 1);
  // When one event of a list is left, there is no other to order it against.
  if (listed <= 2) delete cluster.listing[kind];
  else cluster.listing[kind] = listed - 1;
  if (event !== undefined) handle(cluster, world, castImmutable(event));
}

function handle(cluster: ClusterDraft, world: World, event: WatchEvent): void {
  switch (event.type) {
    case 'add':
      processGraphChange(cluster, world, { type: 'add', object: event.object, old: null });
      return;
    case 'update':
      if (world.rules.replacedObject === 'deletedAndAdded' && isReplaced(event)) {
        const identity = { ...event.object.identity, uid: event.old.uid };
        processGraphChange(cluster, world, { type: 'delete', identity });
        processGraphChange(cluster, world, { type: 'add', object: event.object, old: null });
        return;
      }
      processGraphChange(cluster, world, { type: 'update', object: event.object, old: event.old });
      return;
    case 'delete':
      processGraphChange(cluster, world, { type: 'delete', identity: event.object.identity });
      return;
    default:
      throw new Error(`unknown watch event ${JSON.stringify(event satisfies never)}`);
  }
}

/** Whether the event shows another object of the same name. */
function isReplaced({ object, old }: Extract<WatchEvent, { type: 'update' }>): boolean {
  return old.uid !== object.identity.uid;
}

/**
 * The delete event that the collector has made itself for this node object is handled (1.20: an
 * item of `enqueueVirtualDeleteEvent` reaches `processGraphChanges`).
 */
export function deliverVirtualDelete(cluster: ClusterDraft, world: World, node: NodeId): void {
  if (cluster.graphChanges[node] === undefined) return;
  delete cluster.graphChanges[node];
  processGraphChange(cluster, world, { type: 'virtualDelete', identity: identityOfNode(node) });
}

/** What the informer holds for a key, derived from the first event that has not reached it. */
type Cached = (DeletionMarks & { readonly uid: Uid }) | null;

/**
 * The watch of one kind breaks and the reflector lists again: the difference between the informer's
 * copy and the store replaces the undelivered events. Several updates become one update. A create
 * with its delete becomes nothing. A delete with a create of the same name becomes one update that
 * changes the uid.
 */
export function relist(cluster: ClusterDraft, world: World, kind: string): void {
  const left = cluster.budget[`relist ${kind}`] ?? 0;
  if (left <= 0) return;
  if (cluster.listing[kind] !== undefined || isNotInstalled(cluster, world, kind)) return;
  const pending = cluster.watch[kind] ?? [];
  if (pending.length === 0) return;
  listDifference(cluster, world, kind);
  spend(cluster, `relist ${kind}`);
}

/** The difference between the informer's copy and the store replaces the undelivered events. */
export function listDifference(cluster: ClusterDraft, world: World, kind: string): void {
  const pending = (cluster.watch[kind] ?? []) as readonly WatchEvent[];
  const events: WatchEvent[] = [];
  const seen = new Set<ObjectKey>();
  for (const event of pending) {
    if (seen.has(event.key)) continue;
    seen.add(event.key);
    const stored = cluster.store[event.key] as ApiObject | undefined;
    const difference = compare(
      event,
      stored === undefined || !isVisible(stored) ? null : observe(stored, world, cluster.served),
    );
    if (difference !== null) events.push(difference);
  }
  cluster.watch[kind] = castDraft(events);
}

function compare(first: WatchEvent, object: Observed | null): WatchEvent | null {
  const cached = cachedBefore(first);
  const { key } = first;
  if (object === null) {
    if (cached === null) return null;
    const identity = { ...first.object.identity, uid: cached.uid };
    return { type: 'delete', key, object: { ...first.object, identity } };
  }
  return changeFrom(cached, key, object);
}

function changeFrom(cached: Cached, key: ObjectKey, object: Observed): WatchEvent {
  if (cached === null) return { type: 'add', key, object };
  return { type: 'update', key, object, old: cached };
}

function cachedBefore(first: WatchEvent): Cached {
  switch (first.type) {
    case 'add':
      return null;
    case 'update':
      return first.old;
    case 'delete':
      return { ...first.object.deletion, uid: first.object.identity.uid };
    default:
      throw new Error(`unknown watch event ${JSON.stringify(first satisfies never)}`);
  }
}
