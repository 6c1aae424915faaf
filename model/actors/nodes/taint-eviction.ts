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
 * not answer gets a taint, and the pods that do not tolerate it are deleted after some minutes, with
 * their grace period; `setup.taintEviction`. No kubelet ends that grace period.
 *
 * Left out: tolerations. Only pods of DaemonSets are taken to tolerate the taint for ever.
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
        decidedRequest(cluster, evictionClient(key)) === null && !isToBeEvicted(cluster, key),
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

function isToBeEvicted(cluster: Cluster | ClusterDraft, key: ObjectKey): boolean {
  const pod = cluster.store[key] as ApiObject | undefined;
  if (pod === undefined || isBeingDeleted(pod) || !isOnLostNode(cluster, pod)) return false;
  return !pod.ownerReferences.some(
    ({ kind, controller }) => kind === 'DaemonSet' && controller === true,
  );
}

function evictPod(cluster: ClusterDraft, key: ObjectKey): void {
  if (!isToBeEvicted(cluster, key)) return;
  const client = evictionClient(key);
  decide(cluster, client, { verb: 'delete', client, key, options: {}, at: 'get' });
}
