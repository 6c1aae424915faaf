import type { Rules } from '../../rules/rules.ts';
import type { Call } from '../../state/calls.ts';
import { patchCall } from '../../state/calls.ts';
import type { Cluster, ClusterDraft } from '../../state/cluster.ts';
import type { ControllerRole } from '../../state/controllers.ts';
import { setState, stateOf } from '../../state/controllers.ts';
import { managerCache } from '../../state/informers.ts';
import { possibleObjects } from '../../state/instances.ts';
import { formatKey } from '../../state/keys.ts';
import { type ApiObject, isBeingDeleted, keyOf, type ObjectKey } from '../../state/objects.ts';
import type { PodGc, Setup } from '../../state/setup.ts';
import type { World } from '../../state/world.ts';
import { nothingToDo } from '../../words/idle.ts';
import type { Actor } from '../actor.ts';
import { DECIDED_REQUESTS, decide, decidedRequest, syncAction } from '../requests.ts';
import { isLost } from './kubelet.ts';
import { forcedRemoval, nodeKey } from './node-controller.ts';

/** Before the live GET of a node that the cache lacks. */
interface NodeCheck {
  readonly role: 'nodeCheck';
  readonly node: string;
}

const NODE_CHECK: ControllerRole<NodeCheck> = {
  role: 'nodeCheck',
  inManager: true,
  next: ({ node }) => `is to read Node/${node} once more`,
};

const NODES = managerCache({ name: 'nodes of pod gc', words: 'pod gc', kind: 'Node' });

/**
 * The pod garbage collector, `PodGCController.gc` (1.20): `setup.podGc`. It removes, by force and
 * by name, surplus terminated pods, pods bound to a node that does not exist, and pods that are
 * being deleted and were never bound to a node, or to one that is out of service (1.24).
 *
 * It repeats its DELETE while something else holds a pod. Such a DELETE changes nothing, so the
 * model does not repeat it. Which surplus pods it takes depends on their age, which the model does
 * not keep, so it can take any of them. Its cache of pods is left out: a decision on an old copy
 * equals a DELETE that is sent late.
 */
export const POD_GC: Actor = {
  actions: {
    collectPod: syncAction({
      about: 'Pod gc does its next step for a pod.',
      keys: podsOf,
      client: podGcClient,
      sync: (cluster, key, { podGc }, world) => collectPod(cluster, world, podGc, key),
      obstacle: nothingToDo,
      describe: ({ setup }, { key }, before, after) => {
        const name = formatKey(key);
        const node = formatKey(nodeKey(before.store[key]?.pod?.node ?? ''));
        if (stateOf(before, podGcClient(key), NODE_CHECK) !== null) {
          const gone = decidedRequest(after, podGcClient(key)) !== null;
          return `pod gc: GET ${node} -> ${gone ? `404, ${name} is to go` : '200'}`;
        }
        switch (reasonFor(before, setup, key)) {
          case 'terminated':
            return `pod gc: finds too many terminated pods, ${name} is to go`;
          case 'outOfService':
            return `pod gc: finds ${name} being deleted on ${node}, which is out of service`;
          case 'unscheduled':
            return `pod gc: finds ${name} unscheduled and being deleted`;
          default:
            return `pod gc: finds no ${node} of ${name} in its cache`;
        }
      },
    }),
  },
  roles: [NODE_CHECK, DECIDED_REQUESTS],
  clients: (setup) => podsOf(setup).map((key) => [podGcClient(key), 'pod gc']),
  informers: (setup) => (setup.podGc === undefined ? [] : [NODES.informer]),
  isIdle: (setup, cluster) =>
    cluster.stopped.controllers !== undefined ||
    podsOf(setup).every(
      (key) =>
        cluster.controllers[podGcClient(key)] === undefined &&
        reasonFor(cluster, setup, key) === null,
    ),
  endsGracePeriod: (setup, cluster, { pod }) => {
    if (setup.podGc === undefined || pod === undefined) return false;
    if (pod.node === undefined) return !pod.scheduled;
    return (
      cluster.store[nodeKey(pod.node)] === undefined ||
      isOutOfService(cluster, setup.rules, setup.podGc, pod.node) ||
      (setup.nodeController === true && isLost(cluster, pod.node))
    );
  },
};

function podsOf(setup: Setup): readonly ObjectKey[] {
  if (setup.podGc === undefined) return [];
  const pods = possibleObjects(setup).filter(({ pod }) => pod !== undefined);
  return [...new Set(pods.map(keyOf))];
}

function podGcClient(key: ObjectKey): string {
  return `pod gc for ${key}`;
}

type Reason = 'terminated' | 'orphaned' | 'unscheduled' | 'outOfService';

/** Why this pod must be removed, judged from a cache of nodes. Null: it stays. */
function reasonFor(
  cluster: Cluster | ClusterDraft,
  { podGc, rules }: Pick<Setup, 'podGc' | 'rules'>,
  key: ObjectKey,
): Reason | null {
  const object = cluster.store[key] as ApiObject | undefined;
  if (podGc === undefined || object?.pod === undefined) return null;
  const { pod } = object;
  // The pod is already marked with grace period 0 and held, so another DELETE would change nothing.
  const marked = isBeingDeleted(object) && (object.deletionGracePeriodSeconds ?? 0) === 0;
  const held = object.finalizers.length > 0 && rules.podGcFinalizers === 'left';
  if (marked && held) return null;
  if (pod.node !== undefined && NODES.get(cluster, nodeKey(pod.node)) === null) {
    return 'orphaned';
  }
  if (!pod.scheduled && isBeingDeleted(object)) return 'unscheduled';
  if (isBeingDeleted(object) && isOutOfService(cluster, rules, podGc, pod.node)) {
    return 'outOfService';
  }
  if (!pod.finished || podGc.terminatedPods === 0) return null;
  const finished = Object.values(cluster.store).filter((other) => other.pod?.finished === true);
  return finished.length > podGc.terminatedPods ? 'terminated' : null;
}

/**
 * Mirrors the conditions of `gcTerminating` (1.26) on the node: not ready, with the taint.
 * Tolerations do not count: they only keep taint eviction from marking the pod.
 */
function isOutOfService(
  cluster: Cluster | ClusterDraft,
  { outOfServicePods }: Rules,
  { outOfService = [] }: PodGc,
  node: string | undefined,
): boolean {
  if (outOfServicePods === 'left') return false;
  return node !== undefined && outOfService.includes(node) && isLost(cluster, node);
}

/**
 * `gc` (1.20) reads one pod in its cache. If the cache lacks the node of the pod, a live GET of the
 * node follows (1.17; a live list of all nodes since 1.6). Then comes the DELETE. Each is a step.
 * The quarantine of nodes is a delay.
 */
function collectPod(
  cluster: ClusterDraft,
  world: World,
  podGc: PodGc | undefined,
  key: ObjectKey,
): void {
  const client = podGcClient(key);
  const check = stateOf(cluster, client, NODE_CHECK);
  if (check !== null) {
    delete cluster.controllers[client];
    if (cluster.store[nodeKey(check.node)] === undefined) {
      decide(cluster, client, ...removal(cluster, world, client, key));
    }
    return;
  }
  const reason = reasonFor(
    cluster,
    { rules: world.rules, ...(podGc === undefined ? {} : { podGc }) },
    key,
  );
  const node = cluster.store[key]?.pod?.node;
  if (reason === null) return;
  if (reason === 'orphaned' && world.rules.absentNode === 'liveGet' && node !== undefined) {
    setState<NodeCheck>(cluster, client, { role: 'nodeCheck', node });
  } else {
    decide(cluster, client, ...removal(cluster, world, client, key));
  }
}

/**
 * The DELETE by force. In a design that asked for it, the finalizers are removed first. Since 1.26
 * a pod that has not ended is first marked as failed, with its uid; if that fails, nothing is
 * deleted.
 */
function removal(
  cluster: ClusterDraft,
  world: World,
  client: string,
  key: ObjectKey,
): readonly Call[] {
  const { podGcFinalizers, podGcPhase } = world.rules;
  const object = cluster.store[key];
  const freed = podGcFinalizers === 'removed' && (object?.finalizers.length ?? 0) > 0;
  const marked = podGcPhase === 'failedFirst' && object?.pod?.finished === false;
  return [
    ...(freed ? [patchCall(client, key, { do: 'setFinalizers', finalizers: [] })] : []),
    ...(marked ? [patchCall(client, key, { do: 'finishPod' }, object.uid)] : []),
    forcedRemoval(client, key),
  ];
}
