import type { ClusterDraft } from '../state/cluster.ts';
import type { Uid } from '../state/objects.ts';

/**
 * Dependents that are not objects of the model (`Setup.otherDependents`). An owner notices two
 * things of them: whether the graph still has one, and that one leaves the graph.
 */

export const DEPENDENTS = ['blocking', 'free'] as const;

/** The entry of the budget: present while the graph has such a dependent of the owner. */
export function othersKey(owner: Uid, which: (typeof DEPENDENTS)[number]): string {
  return `other dependents of ${owner}, ${which}`;
}

export function hasOtherDependents(cluster: ClusterDraft, owner: Uid): boolean {
  return DEPENDENTS.some((which) => cluster.budget[othersKey(owner, which)] !== undefined);
}

/** Whether such a dependent blocks the deletion of the owner. */
export function isBlockedByOthers(cluster: ClusterDraft, owner: Uid): boolean {
  return cluster.budget[othersKey(owner, 'blocking')] !== undefined;
}
