import { castDraft } from 'immer';
import { isInManager } from '../actors/index.ts';
import { observe, receivesEvents } from '../apiserver/store.ts';
import { endMonitors, startMonitors } from '../collector/monitors.ts';
import type { ClusterDraft, WatchEvent } from '../state/cluster.ts';
import { forgetUnseen } from '../state/informers.ts';
import { isWatched } from '../state/kinds.ts';
import { type ApiObject, isVisible } from '../state/objects.ts';
import type { World } from '../state/world.ts';

/**
 * The controller manager ends and starts again: mirrors `NewGarbageCollector` with
 * `GraphBuilder.syncMonitors` (1.20). Graph, queues, memory of absent owners and workers are new;
 * the informers list the store and hand every object over as added. Requests that were under way
 * are answered to nobody.
 *
 * The lists come from the API server's watch cache, a map: within a kind their order is any. Here
 * they are in the order of keys; `bringForward` makes another one of it.
 *
 * That workers only start once every informer has its list is only to be seen where one never gets it
 * (`startMonitors`): the graph builder may lag behind the informers as far as it likes, and an idle
 * worker takes nothing.
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

/** An event of the first list comes before those that precede it there. */
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
    // A worker has versions in hand under its name, and under longer ones for its patches.
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
  cluster.synchronousWorkers = {};
  cluster.absentOwners = {};
  cluster.deleteWorkers = {};
  cluster.orphanWorkers = {};
  for (const kind of Object.keys(cluster.watch)) cluster.watch[kind] = [];
}

/**
 * The controller manager ends. A request that its collector or one of its controllers has in flight
 * is given up with it: runs in which the API server still carries it out are those in which it was
 * done before the end.
 *
 * @returns false where it has ended already.
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
 * The controller manager starts: the informers list, and the objects of a list may be handled in any
 * order (`deliverListed`), before all that happens to their kind later on.
 *
 * @returns false where it runs already.
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
