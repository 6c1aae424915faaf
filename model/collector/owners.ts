import { castDraft } from 'immer';
import type { ClusterDraft, GraphNode } from '../state/cluster.ts';
import { nodeId } from '../state/nodes.ts';
import {
  coordinatesOf,
  type Identity,
  matchesCoordinates,
  type OwnerReference,
  sameIdentity,
  type Uid,
} from '../state/objects.ts';
import type { World } from '../state/world.ts';
import { detach, enqueueForDelete } from './queue.ts';

/** Edges of the collector's graph (`graph_builder.go`, 1.20 unless a rule says otherwise). */

/** In order. An owner can have thousands, so the list is neither copied nor read as a whole. */
function addDependent(cluster: ClusterDraft, owner: Uid, dependent: Uid): void {
  const known = cluster.dependents[owner];
  if (known === undefined) {
    cluster.dependents[owner] = [dependent];
    return;
  }
  let place = 0;
  let end = known.length;
  while (place < end) {
    const middle = (place + end) >> 1;
    if (known[middle]! < dependent) place = middle + 1;
    else end = middle;
  }
  if (known[place] !== dependent) known.splice(place, 0, dependent);
}

function removeDependent(cluster: ClusterDraft, owner: Uid, dependent: Uid): void {
  const rest = (cluster.dependents[owner] ?? []).filter((uid) => uid !== dependent);
  if (rest.length === 0) delete cluster.dependents[owner];
  else cluster.dependents[owner] = rest;
}

/**
 * Mirrors `GraphBuilder.addDependentToOwners`: attaches a node to its owners, creates virtual nodes
 * for unknown owners, and queues the node once if one of its references cannot be right.
 */
export function addDependentToOwners(
  cluster: ClusterDraft,
  world: World,
  dependent: Identity,
  references: readonly OwnerReference[],
): void {
  let suspect = false;
  for (const reference of references) {
    const owner = cluster.graph[reference.uid];
    addDependent(cluster, reference.uid, dependent.uid);
    if (owner === undefined && world.rules.unknownOwner !== 'virtualNode') {
      if (world.rules.unknownOwner === 'enqueueDependent') suspect = true;
    } else if (owner === undefined) {
      cluster.graph[reference.uid] = castDraft({
        identity: coordinatesOf(reference, dependent.namespace),
        virtual: true,
        beingDeleted: false,
        deletingDependents: false,
        owners: [],
      });
      enqueueForDelete(cluster, reference.uid);
    } else if (!suspect && world.rules.ownerMismatch === 'enqueueDependent') {
      const { namespace } = owner.identity;
      if (namespace !== '' && namespace !== dependent.namespace) {
        if (!owner.virtual) {
          reportInvalidNamespace(cluster, world, dependent.uid, reference.uid);
        }
        suspect = true;
      } else if (!matchesCoordinates(reference, owner.identity)) {
        suspect = true;
      } else if (
        world.rules.virtualOwnerNamespace === 'checked' &&
        namespace === '' &&
        dependent.namespace !== '' &&
        owner.virtual
      ) {
        suspect = true;
      }
    }
  }
  if (suspect) enqueueForDelete(cluster, dependent.uid);
}

/** Mirrors `GraphBuilder.reportInvalidNamespaceOwnerRef`: the first reference with that uid. */
export function reportInvalidNamespace(
  cluster: ClusterDraft,
  world: World,
  dependent: Uid,
  owner: Uid,
): void {
  if (world.report === undefined) return;
  const node = cluster.graph[dependent];
  const reference = node?.owners.find(({ uid }) => uid === owner);
  if (node === undefined || reference === undefined) return;
  const identity: Identity = { ...node.identity };
  world.report({
    reason: 'OwnerRefInvalidNamespace',
    dependent: identity,
    owner: coordinatesOf(reference, identity.namespace),
  });
}

/**
 * Mirrors `GraphBuilder.removeDependentFromOwners`. Owners that have left the graph have no list.
 */
export function removeDependentFromOwners(
  cluster: ClusterDraft,
  dependent: Uid,
  references: readonly OwnerReference[],
): void {
  for (const reference of references) removeDependent(cluster, reference.uid, dependent);
}

/** Mirrors `GraphBuilder.removeNode`. Returns the removed node's own list of dependents. */
export function removeNode(cluster: ClusterDraft, uid: Uid, node: GraphNode): readonly Uid[] {
  detach(cluster, uid, node);
  const dependents = [...(cluster.dependents[uid] ?? [])];
  delete cluster.graph[uid];
  delete cluster.dependents[uid];
  removeDependentFromOwners(cluster, uid, node.owners);
  return dependents;
}

/** Replaces a node with a clone that has other coordinates (`node.clone`, 1.20). */
export function replaceIdentity(
  cluster: ClusterDraft,
  uid: Uid,
  node: GraphNode,
  identity: Identity,
): void {
  if (nodeId(node.identity) === nodeId(identity)) return;
  detach(cluster, uid, node);
  cluster.graph[uid] = castDraft({
    identity,
    virtual: node.virtual,
    beingDeleted: node.beingDeleted,
    deletingDependents: node.deletingDependents,
    owners: [...node.owners],
  });
}

/** The fields of a dependent that the functions below read. */
export interface Dependent {
  readonly uid: Uid;
  readonly namespace: string;
  readonly owners: readonly OwnerReference[];
}

/** The dependents of a node, each with the references of its last event. */
export function dependentsOf(cluster: ClusterDraft, uid: Uid): readonly Dependent[] {
  const found: Dependent[] = [];
  for (const dependent of cluster.dependents[uid] ?? []) {
    const node = cluster.graph[dependent];
    if (node !== undefined) {
      found.push({ uid: dependent, namespace: node.identity.namespace, owners: node.owners });
    }
  }
  return found;
}

/**
 * Mirrors `partitionDependents` (1.20): dependents that refer to the owner by exactly these
 * coordinates, and dependents that do not. A dependent with several references to the same uid can
 * be in both groups.
 */
export function partitionDependents(
  dependents: readonly Dependent[],
  owner: Identity,
): { readonly matching: readonly Dependent[]; readonly nonmatching: readonly Dependent[] } {
  const matching: Dependent[] = [];
  const nonmatching: Dependent[] = [];
  for (const dependent of dependents) {
    if (owner.namespace !== '' && owner.namespace !== dependent.namespace) {
      nonmatching.push(dependent);
      continue;
    }
    const own = dependent.owners.filter((reference) => reference.uid === owner.uid);
    if (own.some((reference) => matchesCoordinates(reference, owner))) matching.push(dependent);
    if (own.some((reference) => !matchesCoordinates(reference, owner))) nonmatching.push(dependent);
  }
  return { matching, nonmatching };
}

function compareIdentities(a: Identity, b: Identity): number {
  const order = (identity: Identity): readonly string[] => [
    identity.kind,
    identity.apiVersion,
    identity.namespace,
    identity.name,
  ];
  const left = order(a);
  const right = order(b);
  for (let index = 0; index < left.length; index++) {
    const x = left[index] ?? '';
    const y = right[index] ?? '';
    if (x !== y) return x < y ? -1 : 1;
  }
  return 0;
}

/**
 * Mirrors `getAlternateOwnerIdentity` (1.20): the coordinates that a virtual owner takes after one
 * set of coordinates was found absent. They are ordered by kind, apiVersion, namespace, name. The
 * result is the next set after the absent one, else the first. Null if the dependents know no other
 * coordinates.
 */
export function alternateOwnerIdentity(
  dependents: readonly Dependent[],
  absent: Identity,
): Identity | null {
  let first: Identity | null = null;
  let following: Identity | null = null;
  for (const dependent of dependents) {
    for (const reference of dependent.owners) {
      if (reference.uid !== absent.uid) continue;
      // The scope depends on apiVersion and kind, so other names under them have no namespace
      // either.
      const clusterScoped =
        absent.namespace === '' &&
        reference.apiVersion === absent.apiVersion &&
        reference.kind === absent.kind;
      const candidate = coordinatesOf(reference, clusterScoped ? '' : dependent.namespace);
      if (sameIdentity(candidate, absent)) continue;
      if (first === null || compareIdentities(candidate, first) < 0) first = candidate;
      if (
        compareIdentities(candidate, absent) > 0 &&
        (following === null || compareIdentities(candidate, following) < 0)
      ) {
        following = candidate;
      }
    }
  }
  return following ?? first;
}

/**
 * The search of the proposal of synchronous garbage collection ("Handling circular dependencies",
 * `processItem`): whether the graph shows a cycle through this object in which every object is in
 * foreground deletion. The graph need not show this for the object itself: the caller has just read
 * it.
 */
export function isInForegroundCycle(cluster: ClusterDraft, uid: Uid): boolean {
  const reached = new Set<Uid>([uid]);
  for (const candidate of reached) {
    for (const owner of cluster.graph[candidate]?.owners ?? []) {
      if (owner.uid === uid) return true;
      if (cluster.graph[owner.uid]?.deletingDependents === true) reached.add(owner.uid);
    }
  }
  return false;
}
