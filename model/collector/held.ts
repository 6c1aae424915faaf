import type { ClusterDraft } from '../state/cluster.ts';
import { identityOfNode } from '../state/nodes.ts';
import type { OwnerReference, Uid } from '../state/objects.ts';
import type { DeleteWorker } from '../state/workers.ts';
import { currentNode } from './queue.ts';

/**
 * The node object that a delete worker holds, as `attemptToDeleteItem` reads it: the node of the
 * graph, or one that has left the graph and no longer changes.
 */
export interface HeldItem {
  readonly virtual: boolean;
  readonly deletingDependents: boolean;
  readonly owners: readonly OwnerReference[];
}

const NOTHING: HeldItem = { virtual: false, deletingDependents: false, owners: [] };

type Holder = Pick<DeleteWorker, 'node' | 'queuedAs'>;

export function heldNode(cluster: ClusterDraft, { node, queuedAs = node }: Holder): HeldItem {
  const held = cluster.processing[queuedAs];
  if (held !== undefined && held !== 'current') return held;
  return currentNode(cluster, node) ?? NOTHING;
}

export function heldDependents(
  cluster: ClusterDraft,
  { node, queuedAs = node }: Holder,
): readonly Uid[] {
  const held = cluster.processing[queuedAs];
  if (held !== undefined && held !== 'current') return held.dependents;
  const { uid } = identityOfNode(node);
  return currentNode(cluster, node) === null ? [] : (cluster.dependents[uid] ?? []);
}
