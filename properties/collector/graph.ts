import {
  type ApiObject,
  type Cluster,
  FOREGROUND,
  type GraphNode,
  type Identity,
  identityIn,
  isBeingDeleted,
  isQuiet,
  isVisible,
  isWatched,
  type OwnerReference,
  possibleObjects,
  receivesEvents,
  resolveKind,
  type Setup,
  sameIdentity,
  servesVersion,
} from '../../model/index.ts';
import { defineProperty } from '../catalogue.ts';
import { nameOf, nameOfNode, storedOwner, whichObjects } from '../relations.ts';
import { owned, standing } from '../values.ts';

/** Order does not count: the graph keeps the list that it had when the set last changed. */
function references(list: readonly OwnerReference[]): string {
  return list
    .map(({ apiVersion, kind, name, uid, controller, blockOwnerDeletion }) =>
      [apiVersion, kind, name, uid, controller === true, blockOwnerDeletion === true].join(' '),
    )
    .sort()
    .join();
}

function difference(setup: Setup, cluster: Cluster, object: ApiObject): string | null {
  const node: GraphNode | undefined = cluster.graph[object.uid];
  if (node === undefined) return `${nameOf(object)} is stored, the graph does not know it`;
  const identity = identityIn(setup, object, cluster.served);
  if (!node.virtual && node.identity.apiVersion !== identity.apiVersion) {
    return `the graph knows ${nameOf(object)} as ${node.identity.apiVersion}, which is not served`;
  }
  if (node.virtual || !sameIdentity(node.identity, identity)) {
    return `the graph knows ${nameOf(object)} by a reference only`;
  }
  if (references(node.owners) !== references(object.ownerReferences)) {
    const stored = owned(object.ownerReferences);
    return `the graph has other owners for ${nameOf(object)} than the store (graph: ${owned(node.owners)}; stored: ${stored})`;
  }
  if (node.beingDeleted !== isBeingDeleted(object)) {
    return `the graph has not noticed that ${nameOf(object)} is being deleted (${standing(object)})`;
  }
  return null;
}

/** Its kind is served, and its namespace known if it has to have one. */
function canBeLookedUp(
  setup: Setup,
  cluster: Cluster,
  { apiVersion, kind, namespace }: Identity,
): boolean {
  const served = resolveKind(setup.kinds, apiVersion, kind);
  if (served === null || !servesVersion(served, cluster.served, apiVersion)) return false;
  return !served.namespaced || namespace !== '';
}

/** Stored or once stored under a kind of which the collector hears nothing (any more). */
function isUnheardOf(setup: Setup, cluster: Cluster, { apiVersion, kind }: Identity): boolean {
  const { name } = resolveKind(setup.kinds, apiVersion, kind) ?? {};
  return name !== undefined && !(isWatched(setup, name) && receivesEvents(cluster, name));
}

/** What the collector's graph and the store disagree on, in sentences. */
function differences(setup: Setup, cluster: Cluster): readonly string[] {
  const watched = Object.values(cluster.store).filter(
    (object) =>
      isVisible(object) && isWatched(setup, object.kind) && receivesEvents(cluster, object.kind),
  );
  const unknown = Object.entries(cluster.graph).flatMap(([uid, { identity, virtual }]) => {
    if (watched.some((object) => object.uid === uid)) return [];
    // Nobody can tell whether what cannot be looked up exists.
    if (virtual && !canBeLookedUp(setup, cluster, identity)) return [];
    if (isUnheardOf(setup, cluster, identity)) return [];
    return [`the graph has ${nameOfNode(identity)} (uid ${uid}), which is not stored`];
  });
  return [...watched.flatMap((object) => difference(setup, cluster, object) ?? []), ...unknown];
}

export const GRAPH_MIRRORS_STORE = defineProperty({
  id: 'graph-mirrors-store',
  group: "the collector's own bookkeeping",
  name: 'the graph mirrors the store when all is quiet',
  kind: 'invariant',
  about:
    'With no request in flight, no event undelivered and no item queued, the collector knows just ' +
    'the stored objects of the kinds that it watches, with the owners that they have, and which of ' +
    'them are being deleted.',
  trigger: 'all is quiet',
  source:
    'Synchronous Garbage Collection (proposal): "`processEvent()` manages GC’s internal ' +
    'owner-dependency relationship graph, `uidToNode`. It updates `uidToNode` according to the ' +
    'Add/Update/Delete events in the cluster"; ' +
    'https://github.com/kubernetes/kubernetes/issues/56121',
  build: (setup) => ({
    trigger: (cluster) => hasRunQuiet(setup, cluster),
    holds: (cluster) => !hasRunQuiet(setup, cluster) || differences(setup, cluster).length === 0,
    explain: (cluster) => differences(setup, cluster),
  }),
});

/** All is quiet, and not for the reason that the collector does not run. */
function hasRunQuiet(setup: Setup, cluster: Cluster): boolean {
  return isQuiet(setup, cluster) && cluster.stopped.controllers === undefined;
}

/** How the two directions of an edge of the graph disagree, for one node as the dependent. */
function crookedEdges(setup: Setup, cluster: Cluster, uid: string): readonly string[] {
  const node = cluster.graph[uid];
  if (node === undefined) return [];
  const name = nameOfNode(node.identity);
  return node.owners.flatMap((reference) => {
    const owner = cluster.graph[reference.uid];
    if (owner === undefined || (cluster.dependents[reference.uid] ?? []).includes(uid)) return [];
    // The owner has gone; an old event has brought its node back until the last one takes it away.
    if (storedOwner(setup, cluster, node.identity, reference) === null) return [];
    return [`${name} has the owner ${nameOfNode(owner.identity)}, which does not list it`];
  });
}

/** The same for the node as the owner. */
function crookedDependents(cluster: Cluster, uid: string): readonly string[] {
  return (cluster.dependents[uid] ?? []).flatMap((dependent) => {
    const owners = cluster.graph[dependent]?.owners ?? [];
    if (cluster.graph[uid] !== undefined && owners.some((owner) => owner.uid === uid)) return [];
    return [`the node with uid ${uid} lists a dependent with uid ${dependent}, which is none`];
  });
}

export const DEPENDENTS_MATCH_OWNERS = defineProperty({
  id: 'graph-edges-consistent',
  group: "the collector's own bookkeeping",
  name: 'owners and dependents in the graph match',
  kind: 'invariant',
  about:
    'A node in the graph that names a stored owner is in the list of dependents of that owner, if ' +
    'the graph knows it; what is in such a list names that owner.',
  trigger: 'the graph has a node',
  source:
    'garbagecollector.go: "Add the node to its new owners\' dependent lists", "remove the node ' +
    'from the dependent list of node that are no longer in the node\'s owners list"',
  build: (setup) => ({
    parameters: possibleObjects(setup).map(({ uid }) => ({ uid })),
    trigger: (cluster, { uid }) => cluster.graph[String(uid)] !== undefined,
    holds: (cluster, { uid }) =>
      crookedEdges(setup, cluster, String(uid)).length === 0 &&
      crookedDependents(cluster, String(uid)).length === 0,
    explain: (cluster, { uid }) => [
      ...crookedEdges(setup, cluster, String(uid)),
      ...crookedDependents(cluster, String(uid)),
    ],
  }),
});

/** Owners in foreground deletion that the graph does not know to be waiting. */
function unnoticed(setup: Setup, cluster: Cluster, uid: unknown, key: unknown): boolean {
  const object = cluster.store[String(key)];
  if (object === undefined || object.uid !== uid || !isBeingDeleted(object)) return false;
  if (!object.finalizers.includes(FOREGROUND)) return false;
  return cluster.graph[object.uid]?.deletingDependents === false && isQuiet(setup, cluster);
}

export const FOREGROUND_NOTICED = defineProperty({
  id: 'graph-knows-waiting-owners',
  group: "the collector's own bookkeeping",
  name: 'the graph knows who waits for dependents',
  kind: 'invariant',
  about:
    'With nothing left to do, the collector knows of every object in foreground deletion that it ' +
    'waits for its dependents.',
  trigger: 'an object is in foreground deletion',
  source:
    'Synchronous Garbage Collection (proposal): "`processEvent()` manages GC’s internal ' +
    'owner-dependency relationship graph"',
  build: (setup) => ({
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
});

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

export const WAITS_ARE_TOLD = defineProperty({
  id: 'graph-waiting-was-observed',
  group: "the collector's own bookkeeping",
  name: 'the graph takes nobody for waiting who is not',
  kind: 'step',
  about:
    'The collector begins to count an owner as one that waits for its dependents with an event that ' +
    'shows it in foreground deletion.',
  trigger: 'an owner begins to count as waiting',
  source:
    'graph_builder.go, processTransitions: a node waits from where its deletion starts with the ' +
    'finalizer foregroundDeletion',
  build: (setup) => ({
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
});
