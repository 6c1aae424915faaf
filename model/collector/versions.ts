import { receivesEvents } from '../apiserver/store.ts';
import type { ClusterDraft } from '../state/cluster.ts';
import type { World } from '../state/world.ts';
import { handOver } from './monitors.ts';

/**
 * A custom kind is now served in another version only: `spec.versions` of its definition has
 * changed, and `GarbageCollector.Sync` (1.20) has noticed, which has made a new REST mapper and a
 * new monitor. The new monitor reports every object again as added. The old one only stops, so
 * nothing is reported as deleted. Events that were sent to the old monitor are still delivered.
 *
 * Change and sync are one step. In between, requests through the old version are answered with 404
 * for a while; these are left out.
 */
export function serveVersion(
  cluster: ClusterDraft,
  world: World,
  kind: string,
  version: string,
): void {
  if (cluster.served[kind] === version) return;
  cluster.served[kind] = version;
  if (cluster.stopped.controllers !== undefined || !receivesEvents(cluster, kind)) return;
  handOver(cluster, world, kind);
}
