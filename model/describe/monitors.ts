import type { Cluster } from '../state/cluster.ts';
import { formatKey } from '../state/keys.ts';

/** Words for kinds that the collector does not watch as usual. */

const MONITOR_WORDS = {
  unsynced: 'has yet to list',
  stopped: 'there is none',
  dropped: 'dropped, its informer goes on telling',
} as const;

/** A line for each kind that is not watched as usual, and for workers that have not started. */
export function describeMonitors(cluster: Cluster): readonly string[] {
  return [
    ...Object.entries(cluster.monitors)
      .sort()
      .map(([kind, monitor]) => `monitor of ${kind}: ${MONITOR_WORDS[monitor]}`),
    ...(cluster.stopped.workers === undefined ? [] : ['the workers have not started']),
    ...Object.keys(cluster.lagging)
      .sort()
      .map((key) => `the etcd member of the collector lags on ${formatKey(key)}`),
    ...Object.keys(cluster.notInstalled)
      .sort()
      .map((kind) => `the API server has not installed ${kind}`),
  ];
}

/** How the monitors have changed after a step. */
export function monitorChanges(before: Cluster, after: Cluster): readonly string[] {
  if (before.monitors === after.monitors) return [];
  const kinds = new Set([...Object.keys(before.monitors), ...Object.keys(after.monitors)]);
  return [...kinds].sort().flatMap((kind) => {
    const now = after.monitors[kind];
    if (now === before.monitors[kind]) return [];
    return [`monitor of ${kind}: ${now === undefined ? 'in place' : MONITOR_WORDS[now]}`];
  });
}
