import {
  type ApiObject,
  type Cluster,
  type GraphNode,
  type Identity,
  identityIn,
  identityOfNode,
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
} from '../model/index.ts';
import { ACTORS_ARE_FAIR, type CatalogueEntry } from './catalogue.ts';
import { nameOf, nameOfNode, storedOwner } from './relations.ts';
import { owned, standing } from './values.ts';

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

export const GRAPH_MIRRORS_STORE: CatalogueEntry = {
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
  fairness: 'none',
  build: (setup) => ({
    kind: 'invariant',
    name: GRAPH_MIRRORS_STORE.name,
    trigger: (cluster) => hasRunQuiet(setup, cluster),
    holds: (cluster) => !hasRunQuiet(setup, cluster) || differences(setup, cluster).length === 0,
    explain: (cluster) => differences(setup, cluster),
  }),
};

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

export const DEPENDENTS_MATCH_OWNERS: CatalogueEntry = {
  name: 'owners and dependents in the graph match',
  kind: 'invariant',
  about:
    'A node in the graph that names a stored owner is in the list of dependents of that owner, if ' +
    'the graph knows it; what is in such a list names that owner.',
  trigger: 'the graph has a node',
  source:
    'garbagecollector.go: "Add the node to its new owners\' dependent lists", "remove the node ' +
    'from the dependent list of node that are no longer in the node\'s owners list"',
  fairness: 'none',
  build: (setup) => ({
    kind: 'invariant',
    name: DEPENDENTS_MATCH_OWNERS.name,
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
};

export const QUEUES_DRAIN: CatalogueEntry = {
  name: 'the collector comes to rest',
  kind: 'eventually',
  about:
    'Events, queues and requests in flight all run dry: the collector does not work in circles.',
  trigger: 'something is left to do',
  source:
    'garbagecollector.go: "otherwise a virtual node for an item added AND removed during watch ' +
    'reestablishment can get stuck in the graph and never removed"; ' +
    'https://github.com/kubernetes/kubernetes/issues/56121',
  fairness: ACTORS_ARE_FAIR,
  build: (setup) => {
    const node = (id: string): string => nameOfNode(identityOfNode(id));
    return {
      kind: 'eventually',
      name: QUEUES_DRAIN.name,
      trigger: (cluster) => !isQuiet(setup, cluster),
      goal: (cluster) => isQuiet(setup, cluster),
      explain: (cluster) => [
        ...Object.keys(cluster.calls).map((client) => `a request of ${client} is under way`),
        ...Object.entries(cluster.watch).flatMap(([kind, events]) =>
          events.length === 0 ? [] : [`${events.length} undelivered events of ${kind}`],
        ),
        ...Object.keys(cluster.attemptToDelete).map(
          (id) => `${node(id)} waits for a delete worker`,
        ),
        ...Object.keys(cluster.processing).map((id) => `a delete worker holds ${node(id)}`),
        ...Object.keys(cluster.attemptToOrphan).map(
          (id) => `${node(id)} waits for an orphan worker`,
        ),
        ...Object.keys(cluster.orphaning).map((id) => `an orphan worker holds ${node(id)}`),
      ],
    };
  },
};
