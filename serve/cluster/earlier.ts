import { type ObjectKey, splitKey } from '../../model/index.ts';
import type { ServedCluster } from './cluster.ts';
import type { View } from './views.ts';

/** An object as clients see it. */
export type Seen = readonly [key: ObjectKey, view: View];

/**
 * The objects of a kind at this revision, sorted as in etcd: those of now, with every later change
 * undone.
 *
 * @param namespace empty: all of them.
 * @returns null if the history has forgotten a change since then, or the revision is to come.
 */
export function viewsAt(
  cluster: ServedCluster,
  kind: string,
  namespace: string,
  revision: number,
): readonly Seen[] | null {
  const now = cluster.keys(kind, namespace).flatMap((key): readonly Seen[] => {
    const view = cluster.get(key)?.view;
    return view === undefined ? [] : [[key, view]];
  });
  if (revision === cluster.revision) return now;
  const later = revision > cluster.revision ? null : cluster.history.since(revision);
  if (later === null) return null;
  const views = new Map(now);
  for (const { key, before, kind: changed } of later.toReversed()) {
    if (changed !== kind || (namespace !== '' && splitKey(key)[1] !== namespace)) continue;
    if (before === null) views.delete(key);
    else views.set(key, before);
  }
  return [...views].sort(([one], [other]) => (one < other ? -1 : 1));
}
