import {
  type ApiObject,
  type Cluster,
  FOREGROUND,
  type GraphNode,
  type Identity,
  identityIn,
  isBeingDeleted,
  isObserved,
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
import { hasRunQuiet, nameOf, nameOfNode, storedOwner, whichObjects } from '../relations.ts';
import { deletionText, ownersText } from '../values.ts';

/**
 * The references as a text in which their order does not count. The graph keeps the order that a
 * list had when the set last changed.
 */
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
    const stored = ownersText(object.ownerReferences);
    return `the graph has other owners for ${nameOf(object)} than the store (graph: ${ownersText(node.owners)}; stored: ${stored})`;
  }
  if (node.beingDeleted !== isBeingDeleted(object)) {
    return `the graph has not noticed that ${nameOf(object)} is being deleted (${deletionText(object)})`;
  }
  return null;
}

/** Whether the kind is served, and the namespace known if the kind has namespaces. */
function canBeLookedUp(
  setup: Setup,
  cluster: Cluster,
  { apiVersion, kind, namespace }: Identity,
): boolean {
  const served = resolveKind(setup.kinds, apiVersion, kind);
  if (served === null || !servesVersion(served, cluster.served, apiVersion)) return false;
  return !served.namespaced || namespace !== '';
}

/** Whether the collector receives no events of this kind, or receives them no longer. */
export function hasNoEvents(
  setup: Setup,
  cluster: Cluster,
  { apiVersion, kind }: Identity,
): boolean {
  const { name } = resolveKind(setup.kinds, apiVersion, kind) ?? {};
  return name !== undefined && !(isWatched(setup, name) && receivesEvents(cluster, name));
}

/** The differences between the collector's graph and the store, in sentences. */
function differences(setup: Setup, cluster: Cluster): readonly string[] {
  const watched = Object.values(cluster.store).filter(
    (object) =>
      isVisible(object) && isObserved(setup, object) && receivesEvents(cluster, object.kind),
  );
  const unknown = Object.entries(cluster.graph).flatMap(([uid, { identity, virtual }]) => {
    if (watched.some((object) => object.uid === uid)) return [];
    // Whether an object exists that cannot be looked up is unknown.
    if (virtual && !canBeLookedUp(setup, cluster, identity)) return [];
    if (hasNoEvents(setup, cluster, identity)) return [];
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
    'With no request in flight, no event undelivered and no item queued, the collector knows ' +
    'exactly the stored objects of the kinds that it watches, their owners, and which of them ' +
    'are being deleted.',
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

/** Edges of the graph on which only the dependent agrees, for one node as the dependent. */
function mismatchedOwners(setup: Setup, cluster: Cluster, uid: string): readonly string[] {
  const node = cluster.graph[uid];
  if (node === undefined) return [];
  const name = nameOfNode(node.identity);
  return node.owners.flatMap((reference) => {
    const owner = cluster.graph[reference.uid];
    if (owner === undefined || (cluster.dependents[reference.uid] ?? []).includes(uid)) return [];
    // The owner is gone. An old event has brought its node back, and the last event removes it.
    if (storedOwner(setup, cluster, node.identity, reference) === null) return [];
    return [`${name} has the owner ${nameOfNode(owner.identity)}, which does not list it`];
  });
}

/** Edges of the graph on which only the owner agrees, for one node as the owner. */
function mismatchedDependents(cluster: Cluster, uid: string): readonly string[] {
  return (cluster.dependents[uid] ?? []).flatMap((dependent) => {
    const owners = cluster.graph[dependent]?.owners ?? [];
    if (Object.hasOwn(cluster.graph, uid) && owners.some((owner) => owner.uid === uid)) return [];
    return [`the node with uid ${uid} lists a dependent with uid ${dependent}, which is none`];
  });
}

export const GRAPH_EDGES_CONSISTENT = defineProperty({
  id: 'graph-edges-consistent',
  group: "the collector's own bookkeeping",
  name: 'owners and dependents in the graph match',
  kind: 'invariant',
  judgesObjects: 'parameters',
  about:
    'If a node in the graph names a stored owner, and the graph has that owner, the owner ' +
    'lists the node as a dependent. Every dependent in such a list names the owner.',
  trigger: 'the graph has a node',
  source:
    'garbagecollector.go: "Add the node to its new owners\' dependent lists", "remove the node ' +
    'from the dependent list of node that are no longer in the node\'s owners list"',
  build: (setup) => ({
    parameters: possibleObjects(setup).map(({ uid }) => ({ uid })),
    trigger: (cluster, { uid }) => Object.hasOwn(cluster.graph, String(uid)),
    holds: (cluster, { uid }) =>
      mismatchedOwners(setup, cluster, String(uid)).length === 0 &&
      mismatchedDependents(cluster, String(uid)).length === 0,
    explain: (cluster, { uid }) => [
      ...mismatchedOwners(setup, cluster, String(uid)),
      ...mismatchedDependents(cluster, String(uid)),
    ],
  }),
});

/**
 * Whether all is quiet, and the graph does not know that this owner in foreground deletion waits.
 */
function unnoticed(setup: Setup, cluster: Cluster, uid: unknown, key: unknown): boolean {
  const object = cluster.store[String(key)];
  if (object === undefined || object.uid !== uid || !isBeingDeleted(object)) return false;
  if (!object.finalizers.includes(FOREGROUND)) return false;
  return cluster.graph[object.uid]?.deletingDependents === false && isQuiet(setup, cluster);
}

export const GRAPH_KNOWS_WAITING_OWNERS = defineProperty({
  id: 'graph-knows-waiting-owners',
  group: "the collector's own bookkeeping",
  name: 'the graph knows who waits for dependents',
  kind: 'invariant',
  judgesObjects: 'parameters',
  about:
    'With nothing left to do, the collector knows that every object in foreground deletion ' +
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

/** Whether the graph begins with this step to treat the object as waiting for its dependents. */
function beginsToWait(before: Cluster, after: Cluster, uid: string): boolean {
  if (after.graph[uid]?.deletingDependents !== true) return false;
  return before.graph[uid]?.deletingDependents !== true;
}

function isReported(before: Cluster, uid: string): boolean {
  return Object.values(before.watch).some((events) =>
    events.some(({ object }) => {
      const { beingDeleted, foreground } = object.deletion;
      return object.identity.uid === uid && beingDeleted && foreground;
    }),
  );
}

export const GRAPH_WAITING_WAS_OBSERVED = defineProperty({
  id: 'graph-waiting-was-observed',
  group: "the collector's own bookkeeping",
  name: 'the graph takes nobody for waiting who is not',
  kind: 'step',
  judgesObjects: 'parameters',
  about:
    'The collector begins to treat an owner as waiting for its dependents only when an event ' +
    'shows the owner in foreground deletion.',
  trigger: 'the collector begins to treat an owner as waiting',
  source:
    'graph_builder.go, processTransitions: a node waits from where its deletion starts with the ' +
    'finalizer foregroundDeletion',
  build: (setup) => ({
    parameters: [...new Set(possibleObjects(setup).map(({ uid }) => uid))].map((uid) => ({ uid })),
    trigger: (before, _action, after, { uid }) => beginsToWait(before, after, String(uid)),
    holds: (before, _action, after, { uid }) =>
      !beginsToWait(before, after, String(uid)) || isReported(before, String(uid)),
    explain: (_before, _action, after, { uid }) => {
      const node = after.graph[String(uid)];
      if (node === undefined) return [];
      return [`the graph takes ${nameOfNode(node.identity)} for waiting without having been told`];
    },
  }),
});
