import type { Parameters } from '../../checker/index.ts';
import {
  type Cluster,
  dependentKeys,
  equalJson,
  type Identity,
  identityIn,
  identityOfNode,
  instancesOf,
  isInManager,
  isObserved,
  isVisible,
  keyOf,
  mayHaveLived,
  nodeId,
  possibleObjects,
  receivesEvents,
  type Setup,
  worldOf,
} from '../../model/index.ts';
import { defineProperty } from '../catalogue.ts';
import { hasRunQuiet, nameOf, nameOfNode, whichObjects } from '../relations.ts';
import { deletionText } from '../values.ts';
import { hasNoEvents } from './graph.ts';

export const ABSENT_OWNER_CACHE_CORRECT = defineProperty({
  id: 'absent-owner-cache-correct',
  group: "the collector's own bookkeeping",
  name: 'what the collector remembers as absent is absent',
  kind: 'invariant',
  judgesObjects: 'parameters',
  about:
    "No stored object is in the collector's memory of absent owners: a deleted object does " +
    'not come back with the same uid.',
  trigger: 'an object is stored',
  source:
    'uid_cache.go: "ReferenceCache is an LRU cache for uid"; ' +
    'https://github.com/kubernetes/kubernetes/pull/92743',
  build: (setup) => {
    const identities = new Map(
      possibleObjects(setup).map((object) => [object.uid, identityIn(setup, object)]),
    );
    // The collector also looks for the coordinates without a namespace.
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
      parameters: whichObjects(setup),
      trigger: (cluster, { key, uid }) => cluster.store[String(key)]?.uid === uid,
      holds: (cluster, { key, uid }) => !remembered(cluster, key, uid),
      explain: (cluster, { key, uid }) => {
        const object = cluster.store[String(key)];
        if (object === undefined || !remembered(cluster, key, uid)) return [];
        return [
          `the collector takes ${nameOf(object)} for absent (stored with ${deletionText(object)})`,
        ];
      },
    };
  },
});

/** Everything that the collector has in memory. */
const MEMORY = [
  'graph',
  'dependents',
  'graphChanges',
  'attemptToDelete',
  'attemptToOrphan',
  'processing',
  'orphaning',
  'synchronousDeletion',
  'deleteFailures',
  'orphanFailures',
  'absentOwners',
  'deleteWorkers',
  'orphanWorkers',
  'synchronousWorkers',
] as const satisfies readonly (keyof Cluster)[];

function runs({ stopped }: Cluster): boolean {
  return stopped.controllers === undefined;
}

/** Whether a user stops the controller manager in this setup. */
function restarts({ users }: Setup): boolean {
  const steps = Object.values(users).flat();
  return steps.some(({ request: { do: what } }) => what === 'stopControllers');
}

/** Controllers outside of the controller manager that have lost what they were doing. */
function takenAlong(before: Cluster, after: Cluster): readonly string[] {
  return Object.entries(before.controllers).flatMap(([client, controller]) => {
    if (isInManager(controller) || equalJson(controller, after.controllers[client])) return [];
    return [`${client} has lost what it was doing`];
  });
}

/** The events in a sentence, unless they are one for each object that a list shows. */
function notListed(setup: Setup, cluster: Cluster): readonly string[] {
  const listed = Object.keys(cluster.store).filter((key) => {
    const object = cluster.store[key];
    if (object === undefined || !isVisible(object)) return false;
    return isObserved(setup, object) && receivesEvents(cluster, object.kind);
  });
  const told = Object.values(cluster.watch).flat();
  const wanted = listed.map((key) => `add ${key}`).sort();
  const found = told.map(({ type, key }) => `${type} ${key}`).sort();
  return equalJson(wanted, found) ? [] : [`its lists show ${found.join(', ')}`];
}

export const RESTART_FORGETS_EVERYTHING = defineProperty({
  id: 'restart-forgets-everything',
  group: "the collector's own bookkeeping",
  name: 'a restart forgets everything and takes nobody along',
  kind: 'step',
  about:
    'When the controller manager ends or begins, its collector knows nothing: no graph, no ' +
    'queues, no absent owners. It begins with the objects that its lists show, with one event ' +
    'for each. Other processes continue what they were doing.',
  trigger: 'the controller manager ends or begins',
  source: 'garbagecollector.go, NewGarbageCollector: graph, queues and caches are made anew',
  build: (setup) => {
    const faults = (before: Cluster, after: Cluster): readonly string[] => [
      ...MEMORY.filter((part) => Object.keys(after[part]).length > 0).map(
        (part) => `the collector still knows its ${part}`,
      ),
      ...takenAlong(before, after),
      ...(runs(after) ? notListed(setup, after) : []),
    ];
    return {
      parameters: restarts(setup) ? [{}] : [],
      trigger: (before, _action, after) => runs(before) !== runs(after),
      holds: (before, _action, after) =>
        runs(before) === runs(after) || faults(before, after).length === 0,
      explain: (before, _action, after) => faults(before, after),
    };
  },
});

export const WATCH_BREAKS_LIMITED = defineProperty({
  id: 'watch-breaks-limited',
  group: "the collector's own bookkeeping",
  name: 'watches break no more often than the setup says',
  kind: 'step',
  about:
    'Each break of the watch of a kind, by the collector or by another actor, uses up one of ' +
    'the breaks that the setup allows, so that a verdict is about that number of breaks and no ' +
    'more.',
  trigger: 'the watch of a kind breaks',
  source: 'docs/scenarios.md, environment: relists',
  build: (setup) => {
    const { relists } = setup;
    const others = (worldOf(setup).informers ?? []).some(({ kind }) => (relists[kind] ?? 0) > 0);
    const keyOfWatch = ({ informer, kind }: Parameters): string =>
      informer === undefined ? `relist ${kind}` : `relist of ${informer}`;
    const left = ({ budget }: Cluster, watch: Parameters): number => budget[keyOfWatch(watch)] ?? 0;
    return {
      actions: [
        ...(Object.keys(relists).length === 0 ? [] : ['relist']),
        ...(others ? ['relistInformer'] : []),
      ],
      holds: (before, { parameters }, after) =>
        left(after, parameters) === left(before, parameters) - 1,
      explain: (before, { parameters }, after) => [
        `the watch of ${parameters.informer ?? parameters.kind} may break ${left(after, parameters)} times after it could ${left(before, parameters)} times`,
      ],
    };
  },
});

/** The memories of the rate limiters. */
const LIMITERS = ['deleteFailures', 'orphanFailures'] as const;

export const DEAD_UIDS_FORGOTTEN = defineProperty({
  id: 'dead-uids-forgotten',
  group: "the collector's own bookkeeping",
  name: 'the collector forgets what is gone',
  kind: 'invariant',
  judgesObjects: 'parameters',
  about:
    'With nothing left to do, the collector remembers nothing of an object that is gone and that ' +
    'no stored object names as an owner: no node in the graph, no list of dependents and, in ' +
    'scenarios that include it (`environment.rateLimiter`), no entry of a rate limiter. The ' +
    'memory of absent owners is not judged: it has a fixed size, and its purpose is to remember ' +
    'what is gone. Nor are kinds of which the collector receives no events.',
  trigger: 'all is quiet, and an object is gone',
  source:
    'garbagecollector.go: "otherwise a virtual node for an item added AND removed during watch ' +
    'reestablishment can get stuck in the graph and never removed"; ' +
    'https://github.com/kubernetes/kubernetes/pull/106029',
  build: (setup) => {
    const keys = new Map<string, string[]>();
    for (const object of possibleObjects(setup)) {
      keys.set(object.uid, [...(keys.get(object.uid) ?? []), keyOf(object)]);
    }
    const dependents = dependentKeys(setup);
    const { nodes } = instancesOf(setup);
    const isDead = (cluster: Cluster, uid: string): boolean =>
      (keys.get(uid) ?? []).every((key) => cluster.store[key]?.uid !== uid) &&
      mayHaveLived(setup, cluster, uid) &&
      !(dependents.get(uid) ?? []).some((key) =>
        cluster.store[key]?.ownerReferences.some((reference) => reference.uid === uid),
      );
    const remembered = (cluster: Cluster, uid: string): readonly string[] => {
      const node = cluster.graph[uid];
      const listed = cluster.dependents[uid] ?? [];
      const inGraph = node !== undefined && !hasNoEvents(setup, cluster, node.identity);
      return [
        ...(inGraph ? [`the graph has ${nameOfNode(node.identity)} (uid ${uid})`] : []),
        ...(node === undefined && listed.length > 0
          ? [`the graph lists dependents of uid ${uid}`]
          : []),
        ...nodes
          .filter((id) => identityOfNode(id).uid === uid)
          .filter((id) => LIMITERS.some((limiter) => cluster[limiter][id] !== undefined))
          .map((id) => `a rate limiter remembers ${nameOfNode(identityOfNode(id))} (uid ${uid})`),
      ];
    };
    return {
      parameters: [...keys.keys()].map((uid) => ({ uid })),
      trigger: (cluster, { uid }) => isDead(cluster, String(uid)) && hasRunQuiet(setup, cluster),
      holds: (cluster, { uid }) =>
        !isDead(cluster, String(uid)) ||
        remembered(cluster, String(uid)).length === 0 ||
        !hasRunQuiet(setup, cluster),
      explain: (cluster, { uid }) =>
        remembered(cluster, String(uid)).map((what) => `${what}, and the object is gone`),
    };
  },
});
