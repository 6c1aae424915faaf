import type { ClusterDraft } from './cluster.ts';

/**
 * Uses up one occurrence of something that may happen a bounded number of times (`Cluster.budget`).
 *
 * @returns false if no occurrence is left.
 */
export function spend(cluster: ClusterDraft, key: string): boolean {
  const left = cluster.budget[key] ?? 0;
  if (left === 0) return false;
  if (left === 1) delete cluster.budget[key];
  else cluster.budget[key] = left - 1;
  return true;
}
