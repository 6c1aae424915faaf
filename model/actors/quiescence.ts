import type { Cluster } from '../state/cluster.ts';
import { isLetGo, JOB_TRACKING, plainFinalizer } from '../state/finalizers.ts';
import { instancesOf } from '../state/instances.ts';
import { isBeingDeleted } from '../state/objects.ts';
import type { Setup } from '../state/setup.ts';
import { ACTORS } from './registry.ts';

/**
 * No request is in flight, no event is undelivered, no worker is busy, and the work queues hold
 * only items that fail again until something changes.
 *
 * A collector whose workers are paused for good is quiet if its queues are empty. With an item in a
 * queue the cluster never becomes quiet again, because no worker does the work.
 */
export function isQuiet(setup: Setup, cluster: Cluster): boolean {
  return (
    Object.keys(cluster.calls).length === 0 &&
    ACTORS.every((actor) => actor.isIdle(setup, cluster)) &&
    !hasUntrackedPod(setup, cluster)
  );
}

/**
 * Whether the Job controller is about to let a pod go that nobody deletes. Of objects that are
 * being deleted the properties themselves say what holds them.
 */
function hasUntrackedPod(setup: Setup, cluster: Cluster): boolean {
  return instancesOf(setup).finalizers.some(({ finalizer, key }) => {
    if (plainFinalizer(finalizer) !== JOB_TRACKING) return false;
    if ((setup.finalizers[finalizer] ?? 'cooperative') !== 'cooperative') return false;
    const object = cluster.store[key];
    return (
      object?.finalizers.includes(finalizer) === true &&
      !isBeingDeleted(object) &&
      isLetGo(cluster, setup, finalizer, object)
    );
  });
}

/** Every user has finished its program, and the cluster is quiet. */
export function isOver(setup: Setup, cluster: Cluster): boolean {
  const done = Object.entries(setup.users).every(
    ([user, steps]) => (cluster.users[user] ?? 0) === steps.length,
  );
  return done && isQuiet(setup, cluster);
}
