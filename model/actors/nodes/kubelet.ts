import { proceed } from '../../apiserver/client.ts';
import type { DeleteCall } from '../../state/calls.ts';
import type { Cluster, ClusterDraft } from '../../state/cluster.ts';
import type { ControllerRole } from '../../state/controllers.ts';
import { stateOf } from '../../state/controllers.ts';
import { possibleObjects } from '../../state/instances.ts';
import type { Uid } from '../../state/objects.ts';
import { type ApiObject, hasGraceToEnd, keyOf, type ObjectKey } from '../../state/objects.ts';
import type { Setup } from '../../state/setup.ts';
import type { World } from '../../state/world.ts';
import { type Actor, action, orNone } from '../actor.ts';

/** Kubelets that end the grace periods of scheduled pods: `setup.kubelets`. */
export const KUBELETS: Actor = {
  actions: {
    endGracePeriod: action<{ key: ObjectKey }>({
      fairness: 'weak',
      about: 'A kubelet removes a pod whose deletion has a grace period (`environment.kubelets`).',
      parameters: (setup) => orNone(scheduledPods(setup).map((key) => ({ key }))),
      candidates: ({ kubelets }, _world, _cluster, { stored }) =>
        kubelets === true ? [...stored('Pod', hasGraceToEnd)].map((key) => ({ key })) : [],
      reducer:
        (_setup, world) =>
        (cluster, { key }) =>
          endGracePeriod(cluster, world, key),
      request: (_setup, before, { key }) => podRemoval(key, before.store[key]?.uid ?? ''),
      continued: (after, { key }) => after.calls[kubeletClient(key)] ?? null,
      describe: () => 'kubelet: waits',
    }),
  },
  clients: (setup) => scheduledPods(setup).map((key) => [kubeletClient(key), 'kubelet']),
  isIdle: ({ kubelets }, cluster) =>
    kubelets !== true ||
    !Object.values(cluster.store).some(
      (object) => hasGraceToEnd(object) && !isOnLostNode(cluster, object),
    ),
  endsGracePeriod: (setup, cluster, pod) => setup.kubelets === true && !isOnLostNode(cluster, pod),
};

/** Keys that pods bound to a node can have. Empty without kubelets. */
export function scheduledPods(setup: Setup): readonly ObjectKey[] {
  if (setup.kubelets !== true) return [];
  const pods = possibleObjects(setup).filter((object) => object.pod?.scheduled === true);
  return [...new Set(pods.map(keyOf))];
}

/** The client under which a kubelet works on one pod. */
export function kubeletClient(key: ObjectKey): string {
  return `kubelet for ${key}`;
}

/**
 * A pod that its kubelet runs (`setup.containers`). The kubelet starts the pod once its claims
 * exist. The pod runs until it is being deleted or gone. Then the kubelet tells its containers to
 * end, they end, and the kubelet reports the phase. Only then does the kubelet remove the pod
 * (`endGracePeriod`).
 */
export interface RunningPod {
  readonly role: 'pod';
  readonly uid: Uid;
  readonly containers: 'starting' | 'running' | 'terminating' | 'ended';
  /** While the pod starts: how many of its claims the kubelet has found. */
  readonly found?: number;
}

export const RUNNING_POD: ControllerRole<RunningPod> = {
  role: 'pod',
  inManager: false,
  next: ({ containers }) => `containers ${containers}`,
  clause: ({ containers }) => `the containers of the pod are ${containers}`,
};

/** What the kubelet runs of the pod at this key. Null: nothing. */
export function runningPod(cluster: Cluster | ClusterDraft, key: ObjectKey): RunningPod | null {
  return stateOf(cluster, kubeletClient(key), RUNNING_POD);
}

/** The entry of `Cluster.stopped` for the machine of a node. */
export function lostNodeKey(node: string): string {
  return `node ${node}`;
}

/** Whether the machine of this node is gone, together with its kubelet. */
export function isLost(cluster: Cluster | ClusterDraft, node: string): boolean {
  return cluster.stopped[lostNodeKey(node)] !== undefined;
}

export function isOnLostNode(
  cluster: Cluster | ClusterDraft,
  { pod }: Pick<ApiObject, 'pod'>,
): boolean {
  return pod?.node !== undefined && isLost(cluster, pod.node);
}

/**
 * The machine of a node disappears, with its kubelet and everything that ran there.
 *
 * @returns false if the machine is gone already.
 */
export function loseNode(cluster: ClusterDraft, setup: Setup, node: string): boolean {
  if (isLost(cluster, node)) return false;
  cluster.stopped[lostNodeKey(node)] = true;
  for (const object of possibleObjects(setup)) {
    const client = kubeletClient(keyOf(object));
    if (object.pod?.node !== node) continue;
    const running = runningPod(cluster, keyOf(object));
    if (running?.uid === object.uid) delete cluster.controllers[client];
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
 * The containers of a pod that is being deleted have ended, and its kubelet removes the pod:
 * mirrors `manager.syncPod` of `pkg/kubelet/status/status_manager.go` (1.20). The containers can
 * end at any time, which represents the grace period. The model does not measure its length.
 */
function endGracePeriod(cluster: ClusterDraft, world: World, key: ObjectKey): void {
  const object = cluster.store[key];
  const client = kubeletClient(key);
  if (object === undefined || !hasGraceToEnd(object) || cluster.calls[client] !== undefined) return;
  // Containers run, or their end is not reported yet.
  if (cluster.controllers[client] !== undefined || isOnLostNode(cluster, object)) return;
  proceed(cluster, world, client, podRemoval(key, object.uid));
}
