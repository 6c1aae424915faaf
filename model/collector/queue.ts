import { castDraft } from 'immer';
import type { ClusterDraft, GraphNode, QueuedNode } from '../state/cluster.ts';
import { identityOfNode, type NodeId, nodeId } from '../state/nodes.ts';
import type { Uid } from '../state/objects.ts';
import type { World } from '../state/world.ts';

/**
 * The collector's work queues. Kubernetes: `workqueue.RateLimitingInterface`. A queue holds an item
 * at most once. An item that is added while a worker holds it waits until that worker is done. The
 * interleaving covers delays (`AddRateLimited`): a waiting item can be taken at any time. The order
 * in which items are taken is also open, because Kubernetes runs twenty workers and each can stall
 * right after it has taken its item.
 */

/** The node object in the graph with this name. Null if it has left the graph. */
export function currentNode(cluster: ClusterDraft, id: NodeId): GraphNode | null {
  const node = cluster.graph[identityOfNode(id).uid];
  return node !== undefined && nodeId(node.identity) === id ? node : null;
}

/** `attemptToDelete.Add(node)` for the node with this uid, if the graph has one. */
export function enqueueForDelete(cluster: ClusterDraft, uid: Uid): void {
  const node = cluster.graph[uid];
  if (node !== undefined) cluster.attemptToDelete[nodeId(node.identity)] = 'current';
}

/** `attemptToDelete.Add(node)` for a node that has just left the graph. */
export function enqueueDetached(cluster: ClusterDraft, node: GraphNode): void {
  cluster.attemptToDelete[nodeId(node.identity)] = detachedFlags(node);
}

type Flags = Pick<GraphNode, 'virtual' | 'beingDeleted' | 'deletingDependents'>;

/**
 * The flags that a worker reads of a node object that has left the graph, once it takes that object
 * from the queue. The worker does not read whether the node was deleting its dependents: the object
 * is gone by then.
 */
export function detachedFlags(node: Flags): QueuedNode {
  if (node.virtual) return 'detachedVirtual';
  return node.beingDeleted && !node.deletingDependents ? 'detachedDeleting' : 'detached';
}

/** Like `detachedFlags`, if a clone has replaced the node, so the object may still exist. */
export function replacedFlags(node: Flags): QueuedNode {
  return node.deletingDependents ? 'detachedDeletingDependents' : detachedFlags(node);
}

type Limiter = 'deleteFailures' | 'orphanFailures';

/** The rate limiter's part of `AddRateLimited`. */
export function countFailure(
  cluster: ClusterDraft,
  world: World,
  limiter: Limiter,
  id: NodeId,
): void {
  if (world.rateLimiter === true) cluster[limiter][id] = true;
}

/** The worker is done with the item: `Forget`, in versions that call it. */
export function forgetFailures(
  cluster: ClusterDraft,
  world: World,
  limiter: Limiter,
  id: NodeId,
): void {
  if (world.rules.finishedItem === 'forgotten' && cluster[limiter][id] !== undefined) {
    delete cluster[limiter][id];
  }
}

/** `attemptToOrphan.Add(node)`. */
export function enqueueForOrphan(cluster: ClusterDraft, uid: Uid): void {
  const node = cluster.graph[uid];
  if (node !== undefined) cluster.attemptToOrphan[nodeId(node.identity)] = 'current';
}

/** Adds to the queue of foreground deletions, in versions that have a separate queue. */
export function enqueueForSynchronousDeletion(cluster: ClusterDraft, uid: Uid): void {
  const node = cluster.graph[uid];
  if (node !== undefined) cluster.synchronousDeletion[nodeId(node.identity)] = true;
}

/** `enqueueVirtualDeleteEvent`. */
export function enqueueVirtualDelete(cluster: ClusterDraft, id: NodeId): void {
  cluster.graphChanges[id] = true;
}

/**
 * Queues and workers keep pointing to a node object that leaves the graph or is replaced in it.
 * Records its state at that moment, because later steps read nothing else of it.
 */
export function detach(cluster: ClusterDraft, uid: Uid, node: GraphNode): void {
  const id = nodeId(node.identity);
  if (cluster.attemptToDelete[id] !== undefined) {
    cluster.attemptToDelete[id] = detachedFlags(node);
  }
  if (cluster.processing[id] === 'current') {
    cluster.processing[id] = castDraft({
      virtual: node.virtual,
      beingDeleted: node.beingDeleted,
      deletingDependents: node.deletingDependents,
      owners: [...node.owners],
      dependents: [...(cluster.dependents[uid] ?? [])],
    });
  }
  for (const queue of [cluster.attemptToOrphan, cluster.orphaning]) {
    if (queue[id] === 'current')
      queue[id] = castDraft({ dependents: dependentNodes(cluster, uid) });
  }
}

/** Names of the node objects that list this uid as an owner, in the order of their uids. */
export function dependentNodes(cluster: ClusterDraft, uid: Uid): readonly NodeId[] {
  const names: NodeId[] = [];
  for (const dependent of cluster.dependents[uid] ?? []) {
    const node = cluster.graph[dependent];
    if (node !== undefined) names.push(nodeId(node.identity));
  }
  return names;
}
