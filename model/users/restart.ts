import { castDraft } from 'immer';
import { isInManager } from '../actors/registry.ts';
import { observe, receivesEvents } from '../apiserver/store.ts';
import { endMonitors, startMonitors } from '../collector/monitors.ts';
import type { ClusterDraft, WatchEvent } from '../state/cluster.ts';
import { forgetUnseen } from '../state/informers.ts';
import { isWatched } from '../state/kinds.ts';
import { type ApiObject, isVisible } from '../state/objects.ts';
import type { World } from '../state/world.ts';

/**
 * The controller manager ends and starts again: mirrors `NewGarbageCollector` with
 * `GraphBuilder.syncMonitors` (1.20). Graph, queues, memory of absent owners and workers are new.
 * The informers list the store and hand every object over as added. The answers to requests in
 * flight are lost.
 *
 * The lists come from the API server's watch cache, which is a map: within a kind they can have any
 * order. Here they are in the order of keys; `bringForward` changes the order.
 *
 * Workers start only once every informer has its list. This makes a difference only if an informer
 * never gets its list (`startMonitors`): the graph builder can lag behind the informers for any
 * time anyway, and until then the queues are empty.
 */
export function restartCollector(cluster: ClusterDraft, world: World): void {
  forgetEverything(cluster);
  for (const key of Object.keys(cluster.store).sort()) {
    const object = cluster.store[key] as ApiObject;
    if (!isWatched(world, object.kind) || !receivesEvents(cluster, object.kind)) continue;
    if (!isVisible(object)) continue;
    const event: WatchEvent = castDraft({
      type: 'add',
      key,
      object: observe(object, world, cluster.served),
    });
    const stream = cluster.watch[object.kind];
    if (stream === undefined) cluster.watch[object.kind] = [castDraft(event)];
    else stream.push(castDraft(event));
  }
}

/** Moves an event of the first list to the front of the stream. */
export function bringForward(cluster: ClusterDraft, kind: string, position: number): void {
  const stream = cluster.watch[kind];
  const event = stream?.splice(position, 1)[0];
  if (stream !== undefined && event !== undefined) stream.unshift(event);
}

function forgetEverything(cluster: ClusterDraft): void {
  const workers = [
    ...Object.keys(cluster.deleteWorkers),
    ...Object.keys(cluster.orphanWorkers),
    ...Object.keys(cluster.synchronousWorkers),
  ];
  for (const reader of Object.keys(cluster.unchangedSince)) {
    // A worker records the versions that it has read under its name, and under longer names for its
    // patches.
    const [name = ''] = reader.split(' ');
    if (workers.includes(name)) delete cluster.unchangedSince[reader];
  }
  cluster.graph = {};
  cluster.dependents = {};
  cluster.graphChanges = {};
  cluster.attemptToDelete = {};
  cluster.attemptToOrphan = {};
  cluster.processing = {};
  cluster.orphaning = {};
  cluster.synchronousDeletion = {};
  cluster.deleteFailures = {};
  cluster.orphanFailures = {};
  cluster.synchronousWorkers = {};
  cluster.absentOwners = {};
  cluster.deleteWorkers = {};
  cluster.orphanWorkers = {};
  for (const kind of Object.keys(cluster.watch)) cluster.watch[kind] = [];
}

/**
 * The controller manager ends. It abandons the requests that its collector and its controllers have
 * in flight. A run in which the API server still carries out such a request equals a run in which
 * that happened before the end.
 *
 * @returns false if it has already ended.
 */
export function stopControllers(cluster: ClusterDraft, world: World): boolean {
  if (cluster.stopped.controllers !== undefined) return false;
  forgetEverything(cluster);
  cluster.listing = {};
  if (world.monitored !== undefined) endMonitors(cluster);
  for (const [client, controller] of Object.entries(cluster.controllers)) {
    if (!isInManager(controller)) continue;
    delete cluster.controllers[client];
    delete cluster.unchangedSince[client];
  }
  cluster.stopped.controllers = true;
  return true;
}

/**
 * The controller manager starts: the informers list, and the objects of a list can be handled in
 * any order (`deliverListed`), before all later events of their kind.
 *
 * @returns false if it already runs.
 */
export function startControllers(cluster: ClusterDraft, world: World): boolean {
  if (cluster.stopped.controllers === undefined) return false;
  delete cluster.stopped.controllers;
  forgetUnseen(cluster, world);
  startMonitors(cluster, world);
  restartCollector(cluster, world);
  for (const [kind, events] of Object.entries(cluster.watch)) {
    if (events.length > 1) cluster.listing[kind] = events.length;
  }
  return true;
}
