import type { ActionInstance } from '../checker/index.ts';
import {
  type Cluster,
  FOREGROUND,
  type Identity,
  identityIn,
  identityOfNode,
  isBeingDeleted,
  isQuiet,
  nodeId,
  possibleObjects,
  type Setup,
} from '../model/index.ts';
import type { CatalogueEntry } from './catalogue.ts';
import { comeAndGo } from './monitors.ts';
import { nameOf, nameOfNode, whichObjects } from './relations.ts';
import { standing } from './values.ts';

/** What the collector keeps in memory. */

export const ABSENT_IS_ABSENT: CatalogueEntry = {
  name: 'what the collector remembers as absent is absent',
  kind: 'invariant',
  about:
    'No stored object is in the memory of absent owners: what has been deleted does not come back ' +
    'under its uid.',
  trigger: 'an object is stored',
  source:
    'uid_cache.go: "ReferenceCache is an LRU cache for uid"; ' +
    'https://github.com/kubernetes/kubernetes/pull/92743',
  fairness: 'none',
  build: (setup) => {
    const identities = new Map(
      possibleObjects(setup).map((object) => [object.uid, identityIn(setup, object)]),
    );
    // A look at the memory is one for the coordinates without a namespace, too.
    const entries = (identity: Identity): readonly string[] =>
      setup.rules.absentOwnerKey === 'uid'
        ? [identity.uid]
        : [nodeId(identity), nodeId({ ...identity, namespace: '' })];
    const remembered = (cluster: Cluster, key: unknown, uid: unknown): boolean => {
      if (cluster.store[String(key)]?.uid !== uid) return false;
      const identity = identities.get(String(uid));
      if (identity === undefined) return false;
      return entries(identity).some((entry) => cluster.absentOwners[entry] !== undefined);
    };
    return {
      kind: 'invariant',
      name: ABSENT_IS_ABSENT.name,
      parameters: whichObjects(setup),
      trigger: (cluster, { key, uid }) => cluster.store[String(key)]?.uid === uid,
      holds: (cluster, { key, uid }) => !remembered(cluster, key, uid),
      explain: (cluster, { key, uid }) => {
        const object = cluster.store[String(key)];
        if (object === undefined || !remembered(cluster, key, uid)) return [];
        return [
          `the collector takes ${nameOf(object)} for absent (stored with ${standing(object)})`,
        ];
      },
    };
  },
};

/** How what is noted of items in work differs from what the workers are at. */
function looseItems(cluster: Cluster): readonly string[] {
  const busy = [
    ...Object.values(cluster.deleteWorkers).map(({ node, queuedAs = node }) => queuedAs),
  ];
  const orphaning = Object.values(cluster.orphanWorkers).map(({ node }) => node);
  const loose = (noted: readonly string[], held: readonly string[]): readonly string[] => [
    ...noted.filter((id) => !held.includes(id)),
    ...held.filter((id, index) => !noted.includes(id) || held.indexOf(id) !== index),
  ];
  return [
    ...loose(Object.keys(cluster.processing), busy),
    ...loose(Object.keys(cluster.orphaning), orphaning),
  ];
}

export const ONE_WORKER_EACH: CatalogueEntry = {
  name: 'each item in work has one worker',
  kind: 'invariant',
  about:
    'What has been taken from a work queue and not been given back is in the hands of one worker, ' +
    'and of no more than one.',
  trigger: 'a worker is busy, or an item counts as taken',
  source:
    'client-go, workqueue: "Stingy: a single item will not be processed multiple times concurrently"',
  fairness: 'none',
  build: () => ({
    kind: 'invariant',
    name: ONE_WORKER_EACH.name,
    trigger: (cluster) =>
      [cluster.processing, cluster.orphaning, cluster.deleteWorkers, cluster.orphanWorkers].some(
        (record) => Object.keys(record).length > 0,
      ),
    holds: (cluster) => looseItems(cluster).length === 0,
    explain: (cluster) =>
      looseItems(cluster).map(
        (id) => `${nameOfNode(identityOfNode(id))} is taken and has not just one worker`,
      ),
  }),
};

/** Owners in foreground deletion that the graph does not know to be waiting. */
function unnoticed(setup: Setup, cluster: Cluster, uid: unknown, key: unknown): boolean {
  const object = cluster.store[String(key)];
  if (object === undefined || object.uid !== uid || !isBeingDeleted(object)) return false;
  if (!object.finalizers.includes(FOREGROUND)) return false;
  return cluster.graph[object.uid]?.deletingDependents === false && isQuiet(setup, cluster);
}

export const FOREGROUND_NOTICED: CatalogueEntry = {
  name: 'the graph knows who waits for dependents',
  kind: 'invariant',
  about:
    'With nothing left to do, the collector knows of every object in foreground deletion that it ' +
    'waits for its dependents.',
  trigger: 'an object is in foreground deletion',
  source:
    'Synchronous Garbage Collection (proposal): "`processEvent()` manages GC’s internal ' +
    'owner-dependency relationship graph"',
  fairness: 'none',
  build: (setup) => ({
    kind: 'invariant',
    name: FOREGROUND_NOTICED.name,
    parameters: whichObjects(setup),
    trigger: (cluster, { key, uid }) => {
      const object = cluster.store[String(key)];
      if (object === undefined || object.uid !== uid) return false;
      return isBeingDeleted(object) && object.finalizers.includes(FOREGROUND);
    },
    holds: (cluster, { key, uid }) => !unnoticed(setup, cluster, uid, key),
    explain: (cluster, { key, uid }) => {
      const object = cluster.store[String(key)];
      if (object === undefined || !unnoticed(setup, cluster, uid, key)) return [];
      return [`the graph does not know that ${nameOf(object)} waits for its dependents`];
    },
  }),
};

/** The object whose node begins with this event to count as one that waits for its dependents. */
function beginsToWait(before: Cluster, after: Cluster, uid: string): boolean {
  if (after.graph[uid]?.deletingDependents !== true) return false;
  return before.graph[uid]?.deletingDependents !== true;
}

function isToldSo(before: Cluster, uid: string): boolean {
  return Object.values(before.watch).some((events) =>
    events.some(({ object }) => {
      const { beingDeleted, foreground } = object.deletion;
      return object.identity.uid === uid && beingDeleted && foreground;
    }),
  );
}

export const WAITS_ARE_TOLD: CatalogueEntry = {
  name: 'the graph takes nobody for waiting who is not',
  kind: 'step',
  about:
    'The collector begins to count an owner as one that waits for its dependents with an event that ' +
    'shows it in foreground deletion.',
  trigger: 'an owner begins to count as waiting',
  source:
    'graph_builder.go, processTransitions: a node waits from where its deletion starts with the ' +
    'finalizer foregroundDeletion',
  fairness: 'none',
  build: (setup) => ({
    kind: 'step',
    name: WAITS_ARE_TOLD.name,
    parameters: [...new Set(possibleObjects(setup).map(({ uid }) => uid))].map((uid) => ({ uid })),
    trigger: (before, _action, after, { uid }) => beginsToWait(before, after, String(uid)),
    holds: (before, _action, after, { uid }) =>
      !beginsToWait(before, after, String(uid)) || isToldSo(before, String(uid)),
    explain: (_before, _action, after, { uid }) => {
      const node = after.graph[String(uid)];
      if (node === undefined) return [];
      return [`the graph takes ${nameOfNode(node.identity)} for waiting without having been told`];
    },
  }),
};

/** What is too early about a step of a worker, or of a sync of the monitors, in words. */
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

export const MONITORS_FIRST: CatalogueEntry = {
  name: 'workers wait for the monitors',
  kind: 'step',
  about:
    'While a monitor has yet to list, no worker takes an item, as the graph does not show yet what it ' +
    'should; and monitors change only while no worker is busy. Where the workers go on during a ' +
    'sync, as they do since 1.32, nothing is asked.',
  trigger: 'a worker takes an item, or the monitors change, where monitors come and go',
  source:
    'garbagecollector.go, GarbageCollector.Sync, under the lock of the workers; ' +
    'https://github.com/kubernetes/kubernetes/pull/125796',
  fairness: 'none',
  build: (setup) => {
    const isJudged = comeAndGo(setup) && setup.rules.workersWhileUnsynced === 'paused';
    return {
      kind: 'step',
      name: MONITORS_FIRST.name,
      trigger: (before, action) => isJudged && tooEarly(before, action) !== null,
      holds: (before, action) => !isJudged || (tooEarly(before, action) ?? []).length === 0,
      explain: (before, action) => tooEarly(before, action) ?? [],
    };
  },
};
