import type { ActionInstance } from '../../checker/index.ts';
import {
  type Cluster,
  definitionKey,
  instancesOf,
  isWatched,
  monitorsComeAndGo,
  type Setup,
} from '../../model/index.ts';
import { defineProperty } from '../catalogue.ts';

/** Why a step of a worker, or of a sync of the monitors, is too early. Null for other steps. */
function tooEarly(before: Cluster, { name }: ActionInstance): readonly string[] | null {
  if (name === 'resyncMonitors') {
    return [...Object.keys(before.deleteWorkers), ...Object.keys(before.orphanWorkers)].map(
      (worker) => `the monitors change while ${worker} is at work`,
    );
  }
  if (name !== 'takeForDelete' && name !== 'takeForOrphan') return null;
  return Object.keys(before.monitors)
    .filter((kind) => before.monitors[kind] === 'unsynced')
    .map((kind) => `a worker takes an item, and ${kind} has not been listed`);
}

export const WORKERS_WAIT_FOR_MONITORS = defineProperty({
  id: 'workers-wait-for-monitors',
  group: "the collector's own bookkeeping",
  name: 'workers wait for the monitors',
  kind: 'step',
  about:
    'While a monitor has yet to list, no worker takes an item, because the graph is ' +
    'incomplete. Monitors change only while no worker is busy. Not judged where the workers ' +
    'continue during a sync, as they do since 1.32.',
  trigger:
    'a worker takes an item, or the monitors change, in a setup in which monitors come and go',
  source:
    'garbagecollector.go, GarbageCollector.Sync, under the lock of the workers; ' +
    'https://github.com/kubernetes/kubernetes/pull/125796',
  build: (setup) => {
    const isJudged = monitorsComeAndGo(setup) && setup.rules.workersWhileUnsynced === 'paused';
    return {
      trigger: (before, action) => isJudged && tooEarly(before, action) !== null,
      holds: (before, action) => !isJudged || (tooEarly(before, action) ?? []).length === 0,
      explain: (before, action) => tooEarly(before, action) ?? [],
    };
  },
});

function watchedKinds(setup: Setup): readonly string[] {
  return instancesOf(setup).kinds.filter((kind) => isWatched(setup, kind));
}

/** Whether the API server answers a list of this kind. */
function isServed(setup: Setup, cluster: Cluster, kind: string): boolean {
  if (setup.neverSyncs?.includes(kind) || cluster.notInstalled[kind] !== undefined) return false;
  return isDefined(setup, cluster, kind);
}

/** Whether the kind has a definition, or needs none. */
function isDefined(setup: Setup, cluster: Cluster, kind: string): boolean {
  const served = setup.kinds[kind];
  if (served === undefined) return false;
  const definition = definitionKey(setup, served);
  if (definition === null || !setup.definitions?.includes(definition)) return true;
  return cluster.store[definition] !== undefined;
}

/**
 * Kinds whose monitor has listed in this step, or that count as listed because the collector began.
 */
function newlyListed(setup: Setup, before: Cluster, after: Cluster): readonly string[] {
  const begins =
    before.stopped.controllers !== undefined && after.stopped.controllers === undefined;
  return watchedKinds(setup).filter((kind) => {
    // The informer of a dropped monitor has continued: it has listed and need not list again.
    if (after.monitors[kind] !== undefined && after.monitors[kind] !== 'dropped') return false;
    return begins || before.monitors[kind] === 'unsynced' || before.monitors[kind] === 'stopped';
  });
}

export const MONITOR_LISTS_ONLY_SERVED = defineProperty({
  id: 'monitor-lists-only-served',
  group: "the collector's own bookkeeping",
  name: 'a monitor has listed only what is served',
  kind: 'step',
  about:
    'A monitor counts as synchronised only if the API server can have answered its list: the ' +
    'kind is installed, and its definition exists.',
  trigger: 'a monitor has listed, in a setup in which monitors come and go',
  source:
    'graph_builder.go, GraphBuilder.IsSynced; https://github.com/kubernetes/kubernetes/pull/61057',
  build: (setup) => {
    const unserved = (before: Cluster, after: Cluster): readonly string[] =>
      newlyListed(setup, before, after).filter((kind) => !isServed(setup, after, kind));
    return {
      trigger: (before, _action, after) =>
        monitorsComeAndGo(setup) && newlyListed(setup, before, after).length > 0,
      holds: (before, _action, after) =>
        !monitorsComeAndGo(setup) || unserved(before, after).length === 0,
      explain: (before, _action, after) =>
        unserved(before, after).map((kind) => `${kind} counts as listed and is not served`),
    };
  },
});

/** Whether a collector that asks discovery what to watch begins with this step. */
function starts(setup: Setup, before: Cluster, after: Cluster): boolean {
  return (
    setup.discovery !== undefined &&
    before.stopped.controllers !== undefined &&
    after.stopped.controllers === undefined
  );
}

export const START_WAITS_ONLY_FOR_SERVED_KINDS = defineProperty({
  id: 'start-waits-only-for-served-kinds',
  group: "the collector's own bookkeeping",
  name: 'a collector that starts waits for no kind that is not served',
  kind: 'step',
  about:
    'When a collector that asks discovery what to watch starts, none of its monitors waits ' +
    'for the list of a kind that is not defined: the workers would wait for that list, too.',
  trigger: 'a collector that asks discovery starts',
  source:
    'garbagecollector.go, NewGarbageCollector: monitors for the resources that discovery has given; ' +
    'https://github.com/kubernetes/kubernetes/issues/60037',
  build: (setup) => {
    const awaited = (after: Cluster): readonly string[] =>
      watchedKinds(setup).filter(
        (kind) => after.monitors[kind] === 'unsynced' && !isDefined(setup, after, kind),
      );
    return {
      trigger: (before, _action, after) => starts(setup, before, after),
      holds: (before, _action, after) =>
        !starts(setup, before, after) || awaited(after).length === 0,
      explain: (_before, _action, after) =>
        awaited(after).map((kind) => `the monitor of ${kind} waits, and ${kind} is not defined`),
    };
  },
});

/** Whether the collector runs and does not watch a kind that it could watch. */
function isUnwatched(setup: Setup, cluster: Cluster, kind: string): boolean {
  return (
    setup.discovery !== undefined &&
    cluster.stopped.controllers === undefined &&
    cluster.monitors[kind] !== undefined &&
    isServed(setup, cluster, kind)
  );
}

export const SERVED_KINDS_ARE_WATCHED = defineProperty({
  id: 'served-kinds-are-watched',
  group: "the collector's own bookkeeping",
  name: 'what is served is watched in the end',
  kind: 'eventually',
  about:
    'If a kind is served and the collector does not watch it, because the kind is new or ' +
    'because discovery has failed, the collector watches it sooner or later, unless the kind ' +
    'goes or the collector ends.',
  trigger: 'a kind is served and has no monitor that has listed',
  source:
    'garbagecollector.go, GarbageCollector.Sync; https://github.com/kubernetes/kubernetes/pull/61057',
  build: (setup) => ({
    parameters: watchedKinds(setup).map((kind) => ({ kind })),
    trigger: (cluster, { kind }) => isUnwatched(setup, cluster, String(kind)),
    goal: (cluster, { kind }) => !isUnwatched(setup, cluster, String(kind)),
    explain: (cluster, { kind }) => [
      `${kind} is served, and its monitor is ${cluster.monitors[String(kind)]}`,
    ],
  }),
});

/** Why no round of the sync may begin in this state. */
function notYet(cluster: Cluster): readonly string[] {
  const { round } = cluster.syncing;
  return [
    ...(cluster.stopped.controllers === undefined ? [] : ['the controller manager does not run']),
    ...(round?.at === 'resync'
      ? ['the monitors have yet to be set up as the last round wants']
      : []),
    ...(round?.at === 'wait' && !Object.values(cluster.monitors).includes('unsynced')
      ? ['every monitor has listed, and the workers have yet to be released']
      : []),
  ];
}

export const ONE_MONITOR_SYNC_AT_A_TIME = defineProperty({
  id: 'one-monitor-sync-at-a-time',
  group: "the collector's own bookkeeping",
  name: 'one sync of the monitors at a time',
  kind: 'step',
  about:
    'A round of the sync of the monitors begins only after the previous round has ended, or ' +
    'while the previous round waits for a monitor that does not list.',
  trigger: 'a round of the sync begins',
  source:
    'garbagecollector.go, GarbageCollector.Sync; https://github.com/kubernetes/kubernetes/pull/64235',
  build: () => {
    const begins = (action: { readonly name: string }): boolean =>
      action.name === 'discover' || action.name === 'failDiscovery';
    return {
      trigger: (_before, action) => begins(action),
      holds: (before, action) => !begins(action) || notYet(before).length === 0,
      explain: (before) => notYet(before),
    };
  },
});
