import { identityIn, possibleObjects } from '../model/instances.ts';
import { FOREGROUND, isBeingDeleted } from '../model/objects.ts';
import { isQuiet } from '../model/settled.ts';
import type { Setup } from '../model/setup.ts';
import { type Cluster, identityOfNode, nodeId } from '../model/state.ts';
import type { CatalogueEntry } from './catalogue.ts';
import { nameOf, nameOfNode, whichObjects } from './relations.ts';

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
    const remembered = (cluster: Cluster, key: unknown, uid: unknown): boolean => {
      if (cluster.store[String(key)]?.uid !== uid) return false;
      const identity = identities.get(String(uid));
      if (identity === undefined) return false;
      const entry = setup.rules.absentOwnerKey === 'uid' ? identity.uid : nodeId(identity);
      return cluster.absentOwners[entry] !== undefined;
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
        return [`the collector takes ${nameOf(object)} for absent`];
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
