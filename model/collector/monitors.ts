import { castDraft } from 'immer';
import { definitionKey } from '../apiserver/definition.ts';
import { observe } from '../apiserver/store.ts';
import { spend } from '../state/budget.ts';
import type { Cluster, ClusterDraft, WatchEvent } from '../state/cluster.ts';
import { isCustomResource, isWatched, kindNamed } from '../state/kinds.ts';
import { type ApiObject, isVisible } from '../state/objects.ts';
import type { World } from '../state/world.ts';
import {
  type DiscoveredResource,
  type Discovery,
  deletableResources,
  type GroupVersionResource,
  monitorName,
  resourcesToWatch,
} from './discovery.ts';

/**
 * The monitors of the graph builder while the model runs, and `GarbageCollector.Sync`, which adapts
 * them to the answer of discovery. Sync asks discovery, pauses the workers and changes the
 * monitors, waits until each monitor has listed, and resumes the workers. Each of these is a step.
 */

type State = Cluster | ClusterDraft;

/** Whether monitors can start and stop in this model. Otherwise each kind has a synced monitor. */
export function hasMonitors({ monitored }: World): boolean {
  return monitored !== undefined;
}

/** `monitor.controller.HasSynced` of an existing monitor. */
function hasSynced(cluster: State, kind: string): boolean {
  return cluster.monitors[kind] === undefined;
}

/** `GraphBuilder.IsSynced` (1.20): there are monitors, and each of them has synced. */
export function areMonitorsSynced(cluster: State, world: World): boolean {
  const kinds = world.monitored ?? [];
  return (
    kinds.some((kind) => hasSynced(cluster, kind)) &&
    kinds.every((kind) => cluster.monitors[kind] !== 'unsynced')
  );
}

/**
 * Whether Sync holds the lock of the workers (`GarbageCollector.workerLock`, 1.20), or they have
 * not started.
 */
export function areWorkersPaused(cluster: State, { rules }: Pick<World, 'rules'>): boolean {
  if (cluster.stopped.workers !== undefined) return true;
  return cluster.syncing.round !== undefined && rules.workersWhileUnsynced === 'paused';
}

function isServed(cluster: State, world: World, kind: string): boolean {
  const served = world.kinds[kind];
  if (served === undefined) return false;
  const definition = definitionKey(world, served);
  if (definition === null || !world.definitions?.includes(definition)) return true;
  return cluster.store[definition] !== undefined;
}

/** Whether a list by the reflector of this kind gets an answer. */
export function canList(cluster: State, world: World, kind: string): boolean {
  return (
    world.neverSyncs?.includes(kind) !== true &&
    cluster.notInstalled[kind] === undefined &&
    isServed(cluster, world, kind)
  );
}

/**
 * The monitors of a new collector (`NewGarbageCollector`, `GraphBuilder.Run`).
 * `GarbageCollector.Run` starts the workers once each of them has synced. Monitors that can list
 * have already done so here, unless the setup says that they list late.
 */
export function startMonitors(cluster: ClusterDraft, world: World): void {
  if (!hasMonitors(world)) return;
  cluster.monitors = {};
  delete cluster.syncing.round;
  for (const kind of world.monitored ?? []) {
    const isLate = world.syncsLate?.includes(kind) === true;
    if (canList(cluster, world, kind) && !isLate) continue;
    const asked = isServed(cluster, world, kind) || world.discovery === undefined;
    cluster.monitors[kind] = asked ? 'unsynced' : 'stopped';
  }
  if (areMonitorsSynced(cluster, world)) delete cluster.stopped.workers;
  else cluster.stopped.workers = true;
}

/** The collector ends and loses all of its monitors. */
export function endMonitors(cluster: ClusterDraft): void {
  if (Object.keys(cluster.monitors).length > 0) cluster.monitors = {};
  delete cluster.syncing.round;
  delete cluster.stopped.workers;
}

/** What discovery can answer: the truth, nothing at all, or an error for one version of a group. */
export type DiscoveryAnswer = 'complete' | 'empty' | { readonly failedGroup: string };

function resourceOf(world: World, kind: string): GroupVersionResource {
  const { apiVersions, resource } = kindNamed(world.kinds, kind);
  const [first = '', second] = (apiVersions[0] ?? '').split('/');
  return second === undefined
    ? { group: '', version: first, resource }
    : { group: first, version: second, resource };
}

const VERBS: DiscoveredResource['verbs'] = ['delete', 'list', 'watch'];

/** Kinds that are not installed are missing. Their absence is an error if the server reports it. */
function discovered(cluster: State, world: World, answer: DiscoveryAnswer): Discovery {
  if (answer === 'empty') return { lists: null, error: 'other' };
  const kinds = (world.monitored ?? []).filter((kind) => isServed(cluster, world, kind));
  const missing = kinds.filter((kind) => cluster.notInstalled[kind] !== undefined);
  const versionOf = (kind: string): string => kindNamed(world.kinds, kind).apiVersions[0] ?? '';
  const failedGroups = [
    ...(world.rules.notInstalledKinds === 'unavailable' ? missing.map(versionOf) : []),
    ...(answer === 'complete' ? [] : [answer.failedGroup]),
  ];
  const lists = kinds
    .filter((kind) => !missing.includes(kind) && !failedGroups.includes(versionOf(kind)))
    .map((kind) => ({
      groupVersion: versionOf(kind),
      resources: [{ name: kindNamed(world.kinds, kind).resource, verbs: VERBS }],
    }));
  return { lists, error: failedGroups.length > 0 ? { failedGroups } : null };
}

/** The kinds that Sync watches after this answer. Null if the round ends at once. */
function kindsToWatch(
  cluster: State,
  world: World,
  answer: DiscoveryAnswer,
): readonly string[] | null {
  const kinds = world.monitored ?? [];
  const discovery = discovered(cluster, world, answer);
  const known = kinds.filter((kind) => ['unsynced', undefined].includes(cluster.monitors[kind]));
  const names = new Map(kinds.map((kind) => [monitorName(resourceOf(world, kind)), kind]));
  const wanted = resourcesToWatch(
    known.map((kind) => resourceOf(world, kind)),
    deletableResources(discovery),
    world.rules,
    discovery.error,
    (resource) => hasSynced(cluster, names.get(monitorName(resource)) ?? ''),
  );
  if (wanted === null) return null;
  const found = new Set(wanted.map(monitorName));
  return kinds.filter((kind) => found.has(monitorName(resourceOf(world, kind))));
}

/** Sync is between two rounds, or has waited long enough to ask again. */
function mayDiscover(cluster: State, world: World): boolean {
  if (world.discovery === undefined || cluster.stopped.controllers !== undefined) return false;
  const { round } = cluster.syncing;
  if (round === undefined) return true;
  if (round.at !== 'wait' || world.rules.syncRetry === 'never') return false;
  return !areMonitorsSynced(cluster, world);
}

/** Whether a correct answer of discovery would change the monitors. */
export function isDiscoveryDue(cluster: State, world: World): boolean {
  return mayDiscover(cluster, world) && kindsToWatch(cluster, world, 'complete') !== null;
}

/**
 * A round of Sync asks discovery (`GetDeletableResources`) and compares the answer with the known
 * resources.
 */
export function discover(cluster: ClusterDraft, world: World, answer: DiscoveryAnswer): void {
  if (!mayDiscover(cluster, world)) return;
  if (answer !== 'complete' && !spend(cluster, budgetKey(answer))) return;
  const kinds = kindsToWatch(cluster, world, answer);
  if (kinds !== null) cluster.syncing.round = { at: 'resync', kinds: [...kinds] };
}

/** The key in the budget for answers of this type. */
export function budgetKey(answer: Exclude<DiscoveryAnswer, 'complete'>): string {
  return answer === 'empty' ? 'empty discovery' : `failed discovery ${answer.failedGroup}`;
}

/**
 * `GarbageCollector.resyncMonitors`, under the write lock of the workers in versions that pause
 * them. Each worker has finished its item by then.
 */
export function resyncMonitors(cluster: ClusterDraft, world: World): void {
  const { round } = cluster.syncing;
  if (round?.at !== 'resync') return;
  const paused = world.rules.workersWhileUnsynced === 'paused';
  if (paused && isAnyWorkerBusy(cluster)) return;
  for (const kind of world.monitored ?? []) {
    if (round.kinds.includes(kind)) startMonitor(cluster, world, kind);
    else dropMonitor(cluster, world, kind);
  }
  if (paused) cluster.syncing.round = { at: 'wait' };
  else delete cluster.syncing.round;
}

function isAnyWorkerBusy(cluster: ClusterDraft): boolean {
  const { deleteWorkers, orphanWorkers, synchronousWorkers } = cluster;
  return [deleteWorkers, orphanWorkers, synchronousWorkers].some(
    (busy) => Object.keys(busy).length > 0,
  );
}

/**
 * `GraphBuilder.controllerFor`: a handler that joins an informer receives every object that the
 * informer holds.
 */
function startMonitor(cluster: ClusterDraft, world: World, kind: string): void {
  const monitor = cluster.monitors[kind];
  if (monitor === 'stopped') cluster.monitors[kind] = 'unsynced';
  if (monitor !== 'dropped') return;
  delete cluster.monitors[kind];
  handOver(cluster, world, kind);
}

/** Events on their way still arrive. The nodes in the graph stay as well. */
function dropMonitor(cluster: ClusterDraft, world: World, kind: string): void {
  const monitor = cluster.monitors[kind];
  if (monitor === 'stopped' || monitor === 'dropped') return;
  const goesOn = monitor === undefined && hasSharedInformer(world, kind);
  cluster.monitors[kind] = goesOn ? 'dropped' : 'stopped';
}

function hasSharedInformer(world: World, kind: string): boolean {
  const { sharedInformers } = world.rules;
  if (sharedInformers === 'none') return false;
  return sharedInformers === 'allKinds' || !isCustomResource(kindNamed(world.kinds, kind));
}

/** The reflector of a monitor lists, and hands over every object as added. */
export function listMonitored(cluster: ClusterDraft, world: World, kind: string): void {
  if (cluster.stopped.controllers !== undefined || cluster.monitors[kind] !== 'unsynced') return;
  if (!canList(cluster, world, kind)) return;
  delete cluster.monitors[kind];
  handOver(cluster, world, kind);
}

/**
 * Hands over the stored objects of a kind as events of a first list, after the events that are
 * already on their way.
 */
export function handOver(cluster: ClusterDraft, world: World, kind: string): void {
  if (!isWatched(world, kind)) return;
  const waiting = cluster.watch[kind] ?? [];
  const events = Object.keys(cluster.store)
    .filter((key) => key.startsWith(`${kind}/`) && isVisible(cluster.store[key] as ApiObject))
    .sort()
    .map((key): WatchEvent => {
      const object = observe(cluster.store[key] as ApiObject, world, cluster.served);
      return { type: 'add', key, object };
    });
  cluster.watch[kind] = castDraft([...waiting, ...events]);
  if (waiting.length === 0 && events.length > 1) cluster.listing[kind] = events.length;
}

/** Whether paused workers may start or resume now. */
export function mayRelease(cluster: State, world: World): boolean {
  if (cluster.stopped.controllers !== undefined) return false;
  if (cluster.stopped.workers !== undefined) {
    return world.rules.workersWhileUnsynced === 'running' || areMonitorsSynced(cluster, world);
  }
  return cluster.syncing.round?.at === 'wait' && areMonitorsSynced(cluster, world);
}

/** The end of the wait in `GarbageCollector.Run`, or in a round of Sync. */
export function releaseWorkers(cluster: ClusterDraft, world: World): void {
  if (!mayRelease(cluster, world)) return;
  if (cluster.stopped.workers !== undefined) delete cluster.stopped.workers;
  else delete cluster.syncing.round;
}
