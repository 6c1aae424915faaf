import type { ClusterDraft } from '../state/cluster.ts';
import type { Uid } from '../state/objects.ts';

/**
 * The search of the proposal of synchronous garbage collection ("Handling circular dependencies",
 * `processItem`): whether the graph shows a cycle through this object in which every object is in
 * foreground deletion. The object itself need not be marked yet: whoever asks has just read it.
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
