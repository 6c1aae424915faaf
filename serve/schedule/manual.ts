import type { ServedCluster } from '../cluster/cluster.ts';
import { atOnce, type Schedule, serveClients } from './schedule.ts';

/** Requests are answered at once. Every other step comes only when a person takes it. */
export function manualSchedule(cluster: ServedCluster): Schedule {
  return {
    words: 'manual: controllers act only when a step is taken at /reapcheck/steps',
    manual: true,
    wake: () => serveClients(cluster),
    watch: atOnce,
    stop: () => {},
  };
}
