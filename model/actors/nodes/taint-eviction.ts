import type { Cluster, ClusterDraft } from '../../state/cluster.ts';
import { possibleObjects } from '../../state/instances.ts';
import { formatKey } from '../../state/keys.ts';
import { type ApiObject, isBeingDeleted, keyOf, type ObjectKey } from '../../state/objects.ts';
import type { Setup } from '../../state/setup.ts';
import { nothingToDo } from '../../words/idle.ts';
import type { Actor } from '../actor.ts';
import { DECIDED_REQUESTS, decide, decidedRequest, syncAction } from '../requests.ts';
import { isOnLostNode } from './kubelet.ts';

/**
 * Taint eviction, `Controller.deletePod` of `pkg/controller/tainteviction` (1.29): a node that does
 * not answer gets a taint, and the pods that do not tolerate it are deleted after some minutes,
 * with their grace period; `setup.taintEviction`. No kubelet ends that grace period.
 *
 * A pod says of itself whether it tolerates the taints of its node for ever. Those of a DaemonSet
 * do, but for the taint `node.kubernetes.io/out-of-service`.
 */
export const TAINT_EVICTION: Actor = {
  actions: {
    evictPod: syncAction({
      about: 'Taint eviction does its next step for a pod on a node whose machine is gone.',
      keys: podsOf,
      client: evictionClient,
      sync: evictPod,
      obstacle: nothingToDo,
      describe: (_context, { key }) =>
        `taint eviction: finds ${formatKey(key)} on a node that does not answer`,
    }),
  },
  roles: [DECIDED_REQUESTS],
  clients: (setup) => podsOf(setup).map((key) => [evictionClient(key), 'taint eviction']),
  isIdle: (setup, cluster) =>
    cluster.stopped.controllers !== undefined ||
    podsOf(setup).every(
      (key) =>
        decidedRequest(cluster, evictionClient(key)) === null &&
        !isToBeEvicted(setup, cluster, key),
    ),
};

function evictionClient(key: ObjectKey): string {
  return `taint eviction for ${key}`;
}

function podsOf(setup: Setup): readonly ObjectKey[] {
  if (setup.taintEviction !== true) return [];
  const pods = possibleObjects(setup).filter(({ pod }) => pod?.node !== undefined);
  return [...new Set(pods.map(keyOf))];
}

function isToBeEvicted({ podGc }: Setup, cluster: Cluster | ClusterDraft, key: ObjectKey): boolean {
  const pod = cluster.store[key] as ApiObject | undefined;
  if (pod === undefined || isBeingDeleted(pod) || !isOnLostNode(cluster, pod)) return false;
  const outOfService = podGc?.outOfService?.includes(pod.pod?.node ?? '') === true;
  return !toleratesLoss(pod, outOfService);
}

/**
 * Whether a pod tolerates for ever what its node is tainted with once it is lost. The DaemonSet
 * controller gives its pods such tolerations (`AddOrUpdateDaemonPodTolerations`).
 */
export function toleratesLoss(
  { pod, ownerReferences }: Pick<ApiObject, 'pod' | 'ownerReferences'>,
  outOfService: boolean,
): boolean {
  if (outOfService) return pod?.tolerates === 'out of service';
  const isDaemon = ownerReferences.some(
    ({ kind, controller }) => kind === 'DaemonSet' && controller === true,
  );
  return isDaemon || pod?.tolerates !== undefined;
}

function evictPod(cluster: ClusterDraft, key: ObjectKey, setup: Setup): void {
  if (!isToBeEvicted(setup, cluster, key)) return;
  const client = evictionClient(key);
  decide(cluster, client, { verb: 'delete', client, key, options: {}, at: 'get' });
}
