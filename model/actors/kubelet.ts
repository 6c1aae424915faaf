import type { DeleteCall } from '../apiserver/call.ts';
import { possibleObjects } from '../instances.ts';
import { hasGraceToEnd, keyOf, type ObjectKey } from '../objects.ts';
import type { Setup } from '../setup.ts';
import type { ClusterDraft } from '../state.ts';
import { proceed } from '../users.ts';
import type { World } from '../world.ts';
import { type Actor, action, parameter } from './actor.ts';

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
    kubelets !== true || !Object.values(cluster.store).some(hasGraceToEnd),
  acting: (_setup, before, step) => {
    const key = parameter(step, 'key');
    return podRemoval(key, before.store[key]?.uid ?? '');
  },
  continued: (after, step) => after.calls[kubeletClient(parameter(step, 'key'))] ?? null,
  describe: () => 'kubelet: waits',
};

/** Keys at which a pod that is bound to a node can ever stand; none without kubelets. */
function scheduledPods(setup: Setup): readonly ObjectKey[] {
  if (setup.kubelets !== true) return [];
  const pods = possibleObjects(setup).filter((object) => object.pod?.scheduled === true);
  return [...new Set(pods.map(keyOf))];
}

/** The client under which a kubelet works on one pod. */
function kubeletClient(key: ObjectKey): string {
  return `kubelet for ${key}`;
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
  proceed(cluster, world, client, podRemoval(key, object.uid));
}
