import { castDraft } from 'immer';
import type { ClusterDraft, DeletionMarks, GraphNode, Observed } from '../state/cluster.ts';
import { nodeId } from '../state/nodes.ts';
import { type Identity, type OwnerReference, sameIdentity, type Uid } from '../state/objects.ts';
import type { World } from '../state/world.ts';
import { rememberAbsent } from './absent-owners.ts';
import {
  addDependentToOwners,
  alternateOwnerIdentity,
  dependentsOf,
  partitionDependents,
  removeDependentFromOwners,
  removeNode,
  replaceIdentity,
  reportInvalidNamespace,
} from './owners.ts';
import {
  enqueueDetached,
  enqueueForDelete,
  enqueueForOrphan,
  enqueueForSynchronousDeletion,
  replacedFlags,
} from './queue.ts';
import { type ChangedReference, referencesDiffs } from './reference-diffs.ts';

/** An item of the graph builder's event queue. */
export type GraphChange =
  | {
      readonly type: 'add' | 'update';
      readonly object: Observed;
      /** The informer's copy from before. Null if it had none. */
      readonly old: DeletionMarks | null;
    }
  | { readonly type: 'delete'; readonly identity: Identity }
  | { readonly type: 'virtualDelete'; readonly identity: Identity };

/**
 * Handles one event. Mirrors `GraphBuilder.processGraphChanges` (1.20; rules name the differences).
 *
 * In Kubernetes the streams of the informers meet in one queue. Here each stream is handled from
 * its own head. Every delivery can be delayed at will and nothing reads the common queue in
 * between, so merging the streams when events are handled gives the same orders.
 */
export function processGraphChange(cluster: ClusterDraft, world: World, event: GraphChange): void {
  switch (event.type) {
    case 'add':
    case 'update':
      markObserved(cluster, world, event.object.identity);
      if (cluster.graph[event.object.identity.uid] === undefined) insertNode(cluster, world, event);
      else updateNode(cluster, world, event);
      return;
    case 'delete':
      markObserved(cluster, world, event.identity);
      deleteNode(cluster, world, event.identity);
      return;
    case 'virtualDelete':
      virtualDelete(cluster, world, event.identity);
      return;
    default:
      throw new Error(`unknown graph change ${JSON.stringify(event satisfies never)}`);
  }
}

/**
 * The first part of `processGraphChanges`: a real event for a virtual node shows that the object
 * exists. Since 1.20, dependents that know the node by other coordinates are queued, and the node
 * takes over the observed coordinates.
 */
function markObserved(cluster: ClusterDraft, world: World, observed: Identity): void {
  const node = cluster.graph[observed.uid];
  if (node === undefined || !node.virtual) return;
  if (
    world.rules.virtualNodeIdentity === 'corrected' &&
    !sameIdentity(node.identity as Identity, observed)
  ) {
    const { nonmatching } = partitionDependents(dependentsOf(cluster, observed.uid), observed);
    for (const dependent of nonmatching) {
      if (observed.namespace !== '' && dependent.namespace !== observed.namespace) {
        reportInvalidNamespace(cluster, world, dependent.uid, observed.uid);
      }
      enqueueForDelete(cluster, dependent.uid);
    }
    replaceIdentity(cluster, observed.uid, node as GraphNode, observed);
  }
  const current = cluster.graph[observed.uid];
  if (current !== undefined) current.virtual = false;
}

type Upsert = Extract<GraphChange, { type: 'add' | 'update' }>;

/** Handles an add or update of an unknown uid: `insertNode`, then the transitions. */
function insertNode(cluster: ClusterDraft, world: World, event: Upsert): void {
  const { identity, ownerReferences, deletion } = event.object;
  cluster.graph[identity.uid] = castDraft({
    identity,
    virtual: false,
    beingDeleted: deletion.beingDeleted,
    deletingDependents:
      world.rules.foregroundDeletion !== 'none' && deletion.beingDeleted && deletion.foreground,
    owners: ownerReferences,
  });
  addDependentToOwners(cluster, world, identity, ownerReferences);
  processTransitions(cluster, world, event);
}

/** Handles an add or update of a known uid. */
function updateNode(cluster: ClusterDraft, world: World, event: Upsert): void {
  const { identity, ownerReferences, deletion } = event.object;
  refreshVersion(cluster, world, identity);
  const node = cluster.graph[identity.uid];
  if (node === undefined) return;
  const { added, removed, changed } = referencesDiffs(node.owners, ownerReferences);
  if (added.length > 0 || removed.length > 0 || changed.length > 0) {
    if (world.rules.unblockedOwners === 'enqueued') {
      addUnblockedOwnersToDeleteQueue(cluster, world, removed, changed);
    }
    node.owners = castDraft([...ownerReferences]);
    addDependentToOwners(cluster, world, node.identity as Identity, added);
    removeDependentFromOwners(cluster, identity.uid, removed);
  }
  if (deletion.beingDeleted) node.beingDeleted = true;
  processTransitions(cluster, world, event);
}

/**
 * "Handle changes in apiVersion/kind" of `processGraphChanges`: a clone replaces the node in the
 * graph and among the dependents of its owners.
 */
function refreshVersion(cluster: ClusterDraft, world: World, observed: Identity): void {
  const node = cluster.graph[observed.uid];
  if (node === undefined || world.rules.nodeVersion === 'frozen') return;
  const { apiVersion, kind } = observed;
  if (node.identity.apiVersion === apiVersion && node.identity.kind === kind) return;
  const id = nodeId(node.identity);
  const identity = { ...node.identity, apiVersion, kind };
  replaceIdentity(cluster, observed.uid, node as GraphNode, identity);
  if (cluster.attemptToDelete[id] !== undefined) cluster.attemptToDelete[id] = replacedFlags(node);
}

/**
 * Mirrors `addUnblockedOwnersToDeleteQueue`: the owners of blocking references that were removed or
 * no longer block. The proposal of synchronous garbage collection lacks it; there it would use the
 * queue in which owners wait.
 */
function addUnblockedOwnersToDeleteQueue(
  cluster: ClusterDraft,
  { rules }: World,
  removed: readonly OwnerReference[],
  changed: readonly ChangedReference[],
): void {
  const enqueue =
    rules.foregroundDeletion === 'synchronousQueue'
      ? enqueueForSynchronousDeletion
      : enqueueForDelete;
  for (const reference of removed) {
    if (reference.blockOwnerDeletion === true) enqueue(cluster, reference.uid);
  }
  for (const { before, after } of changed) {
    if (before.blockOwnerDeletion === true && after.blockOwnerDeletion !== true) {
      enqueue(cluster, after.uid);
    }
  }
}

/** Mirrors `deletionStartsWithFinalizer` (1.16; before, only deletionTimestamp was compared). */
function deletionStartsWith(
  world: World,
  old: DeletionMarks | null,
  marks: DeletionMarks,
  finalizer: 'orphan' | 'foreground',
): boolean {
  if (!marks.beingDeleted || !marks[finalizer]) return false;
  if (world.rules.deletionStart === 'everyEvent') return true;
  if (old === null) return world.rules.deletionStart !== 'deletionTimestampInUpdate';
  if (!old.beingDeleted) return true;
  return world.rules.deletionStart === 'deletionTimestampAndFinalizer' && !old[finalizer];
}

/**
 * Mirrors `GraphBuilder.processTransitions`. It is edge-triggered: a missed edge is never made up
 * for.
 */
function processTransitions(cluster: ClusterDraft, world: World, event: Upsert): void {
  const { uid } = event.object.identity;
  const { deletion, generation } = event.object;
  if (deletionStartsWith(world, event.old, deletion, 'orphan')) {
    const node = cluster.graph[uid];
    if (node !== undefined && generation !== undefined) node.notedGeneration = generation;
    enqueueForOrphan(cluster, uid);
    return;
  }
  switch (world.rules.foregroundDeletion) {
    case 'none':
      return;
    case 'synchronousQueue':
      if (deletion.beingDeleted && deletion.foreground) continueSynchronously(cluster, uid);
      return;
    case 'deleteWorkers':
      if (deletionStartsWith(world, event.old, deletion, 'foreground'))
        startForeground(cluster, uid);
      return;
    default:
      throw new Error(`unknown rule ${world.rules.foregroundDeletion satisfies never}`);
  }
}

function startForeground(cluster: ClusterDraft, uid: Uid): void {
  const node = cluster.graph[uid];
  if (node !== undefined) node.deletingDependents = true;
  for (const dependent of cluster.dependents[uid] ?? []) enqueueForDelete(cluster, dependent);
  enqueueForDelete(cluster, uid);
}

/**
 * `processEvent` of the proposal of synchronous garbage collection. It ignores what the object was
 * before.
 */
function continueSynchronously(cluster: ClusterDraft, uid: Uid): void {
  const node = cluster.graph[uid];
  if (node !== undefined) node.deletingDependents = true;
  enqueueForSynchronousDeletion(cluster, uid);
}

/**
 * The delete branch: removes the node, and queues its dependents and its waiting owners for another
 * check.
 */
function deleteNode(cluster: ClusterDraft, world: World, identity: Identity): void {
  const { uid } = identity;
  const node = cluster.graph[uid];
  if (node === undefined) return;
  const dependents = removeNode(cluster, uid, node as GraphNode);
  if (dependents.length > 0) rememberAbsent(cluster, world, identity);
  for (const dependent of dependents) {
    // A node that owns itself is among its dependents. It has left the graph by now.
    if (dependent === uid) enqueueDetached(cluster, node as GraphNode);
    else enqueueForDelete(cluster, dependent);
  }
  for (const owner of node.owners) lookAtOwner(cluster, world, owner.uid);
}

/** A dependent is gone, and its owner may have waited for that. */
function lookAtOwner(cluster: ClusterDraft, world: World, owner: Uid): void {
  switch (world.rules.foregroundDeletion) {
    case 'none':
      return;
    case 'synchronousQueue':
      enqueueForSynchronousDeletion(cluster, owner);
      return;
    case 'deleteWorkers':
      if (cluster.graph[owner]?.deletingDependents) enqueueForDelete(cluster, owner);
      return;
    default:
      throw new Error(`unknown rule ${world.rules.foregroundDeletion satisfies never}`);
  }
}

/**
 * The delete branch for an event that the collector made itself after it had found nothing under
 * these coordinates. Since 1.20 the event proves only the absence of these coordinates.
 */
function virtualDelete(cluster: ClusterDraft, world: World, deleted: Identity): void {
  const uid: Uid = deleted.uid;
  const node = cluster.graph[uid];
  if (node === undefined) return;
  if (world.rules.virtualDelete === 'removes') {
    deleteNode(cluster, world, deleted);
    return;
  }
  const known = sameIdentity(node.identity as Identity, deleted);
  const dependents = dependentsOf(cluster, uid);
  const { matching, nonmatching } = partitionDependents(dependents, deleted);
  if (node.virtual ? nonmatching.length === 0 : known) {
    deleteNode(cluster, world, deleted);
    return;
  }
  if (matching.length > 0) {
    rememberAbsent(cluster, world, deleted);
    for (const dependent of matching) enqueueForDelete(cluster, dependent.uid);
  }
  if (!node.virtual || !known) return;
  const alternate = alternateOwnerIdentity(nonmatching, deleted);
  if (alternate === null) return;
  replaceIdentity(cluster, uid, node as GraphNode, alternate);
  enqueueForDelete(cluster, uid);
}
