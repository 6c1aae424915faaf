import type { OwnerReference, Uid } from '../objects.ts';
import { type ClusterDraft, identityOfNode, type NodeId } from '../state.ts';
import { currentNode } from './queue.ts';

/**
 * The node object that a delete worker holds, as `attemptToDeleteItem` reads it: the graph's, or
 * one that has left the graph and stays as it was then.
 */
export interface HeldItem {
  readonly virtual: boolean;
  readonly deletingDependents: boolean;
  readonly owners: readonly OwnerReference[];
}

const NOTHING: HeldItem = { virtual: false, deletingDependents: false, owners: [] };

export function heldNode(cluster: ClusterDraft, id: NodeId): HeldItem {
  const held = cluster.processing[id];
  if (held !== undefined && held !== 'current') return held;
  return currentNode(cluster, id) ?? NOTHING;
}

export function heldDependents(cluster: ClusterDraft, id: NodeId): readonly Uid[] {
  const held = cluster.processing[id];
  if (held !== undefined && held !== 'current') return held.dependents;
  const { uid } = identityOfNode(id);
  return currentNode(cluster, id) === null ? [] : (cluster.dependents[uid] ?? []);
}
