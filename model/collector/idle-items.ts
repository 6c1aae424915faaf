import { produce } from 'immer';
import type { Cluster } from '../state/cluster.ts';
import { equalJson } from '../state/equal.ts';
import { identityOfNode, type NodeId } from '../state/nodes.ts';
import type { World } from '../state/world.ts';
import { stepDeleteWorker, takeForDelete } from './delete-worker.ts';

/**
 * Removes the items from the delete queue whose handling changes nothing else. Those of an owner
 * that waits for dependents outside of the model stay: its worker would queue these.
 */
export function withoutIdleItems(cluster: Cluster, world: World, look: () => void): Cluster {
  const { attemptToDelete: queue, ...rest } = cluster;
  const kept = new Map(Object.entries(queue));
  for (const [id, item] of [...kept]) {
    look();
    const { uid } = identityOfNode(id);
    const isWaiting = cluster.graph[uid]?.deletingDependents === true;
    if (isWaiting && world.otherDependents?.[uid] !== undefined) continue;
    // With this item only: to copy a long queue for each of its items takes very long.
    const { attemptToDelete: added, ...left } = handleAlone(
      { ...rest, attemptToDelete: { [id]: item } },
      world,
      id,
    );
    const isIdle =
      added[id] === undefined &&
      Object.entries(added).every(([other, value]) => kept.get(other) === value) &&
      equalJson(rest, left);
    if (isIdle) kept.delete(id);
  }
  return { ...rest, attemptToDelete: Object.fromEntries(kept) };
}

/** Lets one worker handle one item while nothing else happens. */
export function handleAlone(cluster: Cluster, world: World, id: NodeId): Cluster {
  const worker = 'delete-1';
  let now = produce(cluster, (draft) => takeForDelete(draft, world, worker, id));
  while (now.deleteWorkers[worker] !== undefined) {
    now = produce(now, (draft) => stepDeleteWorker(draft, world, worker));
    // The worker writes, so the item has an effect.
    if (now.store !== cluster.store) return now;
  }
  return now;
}
