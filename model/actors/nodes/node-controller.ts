import { listKeys } from '../../apiserver/store.ts';
import type { DeleteCall } from '../../state/calls.ts';
import type { Cluster, ClusterDraft } from '../../state/cluster.ts';
import { possibleObjects } from '../../state/instances.ts';
import { formatKey } from '../../state/keys.ts';
import { keyOf, type ObjectKey } from '../../state/objects.ts';
import type { Setup } from '../../state/setup.ts';
import type { World } from '../../state/world.ts';
import type { Actor } from '../actor.ts';
import { DECIDED_REQUESTS, decide, syncAction } from '../requests.ts';
import { isLost } from './kubelet.ts';

/**
 * The node controller, as far as it deletes nodes: `setup.nodeController`. The eviction of pods
 * from nodes that exist but do not answer is an actor of its own (`TAINT_EVICTION`).
 */
export const NODES: Actor = {
  actions: {
    removeNode: syncAction({
      about: 'The node controller does its next step for a node whose machine is gone.',
      keys: nodesOf,
      client: nodeClient,
      sync: (cluster, key, _setup, world) => removeNode(cluster, world, key),
      describe: ({ world }, { key }) => {
        const found = `node controller: finds the machine of ${formatKey(key)} gone`;
        return world.rules.vanishedNode === 'podsThenNode' ? `${found}, LIST its pods` : found;
      },
    }),
  },
  roles: [DECIDED_REQUESTS],
  clients: (setup) => nodesOf(setup).map((key) => [nodeClient(key), 'node controller']),
  isIdle: (setup, cluster) =>
    cluster.stopped.controllers !== undefined ||
    nodesOf(setup).every(
      (key) => cluster.controllers[nodeClient(key)] === undefined && !isDue(cluster, key),
    ),
  endsGracePeriod: (setup, cluster, { pod }) =>
    setup.nodeController === true &&
    setup.rules.vanishedNode === 'podsThenNode' &&
    pod?.node !== undefined &&
    isDue(cluster, nodeKey(pod.node)),
};

function nodesOf(setup: Setup): readonly ObjectKey[] {
  if (setup.nodeController !== true) return [];
  const nodes = possibleObjects(setup).filter(({ kind }) => kind === 'Node');
  return [...new Set(nodes.map(keyOf))];
}

export function nodeKey(name: string): ObjectKey {
  return `Node//${name}`;
}

function nodeClient(key: ObjectKey): string {
  return `node controller for ${key}`;
}

function isDue(cluster: Cluster | ClusterDraft, key: ObjectKey): boolean {
  const node = cluster.store[key];
  return node !== undefined && node.deletionTimestamp === null && isLost(cluster, node.name);
}

/** The DELETE that removes a pod by force: grace period 0, by name only. */
export function forcedRemoval(client: string, key: ObjectKey): DeleteCall {
  return { verb: 'delete', client, key, options: { gracePeriodSeconds: 0 }, at: 'get' };
}

/**
 * The machine of a node is gone, and the controller deletes the node: mirrors
 * `forcefullyDeleteNode` (until 1.4 after its pods, each by force; later without them). An error
 * ends the sync, and the next sync begins.
 */
function removeNode(cluster: ClusterDraft, world: World, key: ObjectKey): void {
  if (!isDue(cluster, key)) return;
  const client = nodeClient(key);
  const [, , name] = key.split('/');
  const pods = world.rules.vanishedNode === 'podsThenNode' ? podsOn(cluster, name ?? '') : [];
  decide(cluster, client, ...pods.map((pod) => forcedRemoval(client, pod)), {
    verb: 'delete',
    client,
    key,
    options: {},
    at: 'get',
  });
}

function podsOn(cluster: ClusterDraft, node: string): readonly ObjectKey[] {
  return listKeys(cluster, 'Pod', '').filter((key) => cluster.store[key]?.pod?.node === node);
}
