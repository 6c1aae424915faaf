import type { DeleteCall } from './apiserver/call.ts';
import { hasGraceToEnd, type ObjectKey } from './objects.ts';
import type { ClusterDraft } from './state.ts';
import { proceed } from './users.ts';
import type { World } from './world.ts';

/** The client under which a kubelet works on one pod. */
export function kubeletClient(key: ObjectKey): string {
  return `kubelet for ${key}`;
}

/** The DELETE with which the status manager (`syncPod`, 1.20) ends the life of a pod. */
export function podRemoval(key: ObjectKey, uid: string): DeleteCall {
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
export function endGracePeriod(cluster: ClusterDraft, world: World, key: ObjectKey): void {
  const object = cluster.store[key];
  const client = kubeletClient(key);
  if (object === undefined || !hasGraceToEnd(object) || cluster.calls[client] !== undefined) return;
  proceed(cluster, world, client, podRemoval(key, object.uid));
}
