import { proceed } from '../../apiserver/client.ts';
import type { DeleteCall } from '../../state/calls.ts';
import type { Cluster, ClusterDraft } from '../../state/cluster.ts';
import { possibleObjects } from '../../state/instances.ts';
import { type ApiObject, hasGraceToEnd, keyOf, type ObjectKey } from '../../state/objects.ts';
import type { Setup } from '../../state/setup.ts';
import type { World } from '../../state/world.ts';
import { type Actor, action, parameter } from '../actor.ts';

/** Kubelets that end the grace periods of scheduled pods: `setup.kubelets`. */
export const KUBELETS: Actor = {
  actionNames: ['endGracePeriod'],
  actions: (setup, world) => {
    const pods = scheduledPods(setup);
    if (pods.length === 0) return {};
    return {
      endGracePeriod: action(
        'weak',
        pods.map((key) => ({ key })),
        (cluster, { key }) => endGracePeriod(cluster, world, key),
      ),
    };
  },
  clients: (setup) => scheduledPods(setup).map((key) => [kubeletClient(key), 'kubelet']),
  isIdle: ({ kubelets }, cluster) =>
    kubelets !== true ||
    !Object.values(cluster.store).some(
      (object) => hasGraceToEnd(object) && !isOnLostNode(cluster, object),
    ),
  endsGracePeriod: (setup, cluster, pod) => setup.kubelets === true && !isOnLostNode(cluster, pod),
  acting: (_setup, before, step) => {
    const key = parameter(step, 'key');
    return podRemoval(key, before.store[key]?.uid ?? '');
  },
  continued: (after, step) => after.calls[kubeletClient(parameter(step, 'key'))] ?? null,
  describe: () => 'kubelet: waits',
};

/** Keys at which a pod that is bound to a node can ever stand; none without kubelets. */
export function scheduledPods(setup: Setup): readonly ObjectKey[] {
  if (setup.kubelets !== true) return [];
  const pods = possibleObjects(setup).filter((object) => object.pod?.scheduled === true);
  return [...new Set(pods.map(keyOf))];
}

/** The client under which a kubelet works on one pod. */
export function kubeletClient(key: ObjectKey): string {
  return `kubelet for ${key}`;
}

/** Whether the machine of this node is gone, and its kubelet with it. */
export function isLost(cluster: Cluster | ClusterDraft, node: string): boolean {
  return cluster.stopped[`node ${node}`] !== undefined;
}

export function isOnLostNode(
  cluster: Cluster | ClusterDraft,
  { pod }: Pick<ApiObject, 'pod'>,
): boolean {
  return pod?.node !== undefined && isLost(cluster, pod.node);
}

/**
 * The machine of a node is gone, with its kubelet and whatever ran there.
 *
 * @returns false where it is gone already.
 */
export function loseNode(cluster: ClusterDraft, setup: Setup, node: string): boolean {
  if (isLost(cluster, node)) return false;
  cluster.stopped[`node ${node}`] = true;
  for (const object of possibleObjects(setup)) {
    const client = kubeletClient(keyOf(object));
    if (object.pod?.node !== node) continue;
    const running = cluster.controllers[client];
    if (running?.role === 'pod' && running.uid === object.uid) delete cluster.controllers[client];
  }
  return true;
}

/** The DELETE with which the status manager (`syncPod`, 1.20) ends the life of a pod. */
function podRemoval(key: ObjectKey, uid: string): DeleteCall {
  return {
    verb: 'delete',
    client: kubeletClient(key),
    key,
    options: { gracePeriodSeconds: 0, preconditions: { uid } },
    at: 'get',
  };
}

/**
 * The containers of a pod that is being deleted have ended, and its kubelet removes it: mirrors
 * `manager.syncPod` of `pkg/kubelet/status/status_manager.go` (1.20). They may end at any time, which
 * stands for the grace period: its length is not measured.
 */
function endGracePeriod(cluster: ClusterDraft, world: World, key: ObjectKey): void {
  const object = cluster.store[key];
  const client = kubeletClient(key);
  if (object === undefined || !hasGraceToEnd(object) || cluster.calls[client] !== undefined) return;
  // While containers run, or their end has yet to be reported.
  if (cluster.controllers[client] !== undefined || isOnLostNode(cluster, object)) return;
  proceed(cluster, world, client, podRemoval(key, object.uid));
}
