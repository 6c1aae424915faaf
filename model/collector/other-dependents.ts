import type { ClusterDraft } from '../state/cluster.ts';
import type { Uid } from '../state/objects.ts';
import type { World } from '../state/world.ts';

/**
 * Dependents that are not objects of the model (`Setup.otherDependents`). An owner notices two
 * things of them: whether the graph still has one, and that one leaves the graph.
 */

/** The entry of the budget: present while the graph has such a dependent of the owner. */
export function othersKey(owner: Uid): string {
  return `other dependents of ${owner}`;
}

export function hasOtherDependents(cluster: ClusterDraft, owner: Uid): boolean {
  return cluster.budget[othersKey(owner)] !== undefined;
}

/** Whether such a dependent blocks the deletion of the owner. */
export function isBlockedByOthers(
  cluster: ClusterDraft,
  { otherDependents = {} }: World,
  owner: Uid,
): boolean {
  return otherDependents[owner]?.block === true && hasOtherDependents(cluster, owner);
}
