import { proceed } from '../../apiserver/client.ts';
import type { UpdateCall } from '../../state/calls.ts';
import type { Cluster, ClusterDraft } from '../../state/cluster.ts';
import type { Controller } from '../../state/controllers.ts';
import { cached, managerInformer } from '../../state/informers.ts';
import { possibleObjects } from '../../state/instances.ts';
import { formatKey } from '../../state/keys.ts';
import { type ApiObject, isVisible, keyOf, type ObjectKey, type Uid } from '../../state/objects.ts';
import type { Setup } from '../../state/setup.ts';
import type { World } from '../../state/world.ts';
import { type Actor, action, parameter } from '../actor.ts';

/**
 * The controllers of workloads, as far as they acknowledge what they have seen: mirrors the status
 * update at the end of `DeploymentController.sync` and of its like (1.20), which says in
 * observedGeneration which generation has been acted on. They do so wherever somebody waits for it
 * (rule `observedGeneration`).
 */
export const GENERATIONS: Actor = {
  actionNames: ['observeGeneration'],
  actions: (setup, world) => {
    const observed = observedObjects(setup);
    if (observed.length === 0) return {};
    return {
      observeGeneration: action('weak', observed, (cluster, { key, uid }) =>
        observeGeneration(cluster, world, key, uid),
      ),
    };
  },
  clients: (setup) =>
    observedObjects(setup).map(({ key, uid }) => [
      controllerClient(key, uid),
      `controller of ${formatKey(key)}`,
    ]),
  isIdle: (setup, cluster) =>
    cluster.stopped.controllers !== undefined ||
    observedObjects(setup).every(
      ({ key, uid }) => unobservedGeneration(cluster, key, uid) === null,
    ),
  acting: (_setup, before, step) => {
    const [key, uid] = [parameter(step, 'key'), parameter(step, 'uid')];
    return acknowledgement(key, uid, unobservedGeneration(before, key, uid) ?? 0);
  },
  continued: () => null,
  obstacle: (_step, { path }, words) =>
    path.at(-1) === 'generation' ? `${words}, which has been observed` : words,
  describe: ({ names }, step) =>
    `${names.client(controllerClient(parameter(step, 'key'), parameter(step, 'uid')))}: waits`,
};

/** The client under which the controller of a kind works on one object of it, one request at a time. */
export function controllerClient(key: ObjectKey, uid: Uid): string {
  return `controller of ${key} (${uid})`;
}

/** Whether this is such a client, of the object with this uid. */
export function belongsToController(client: string, uid: Uid): boolean {
  return client.startsWith('controller of ') && client.includes(` (${uid})`);
}

interface Observed {
  readonly [name: string]: string;
  readonly key: ObjectKey;
  readonly uid: Uid;
}

/** Every object whose controller ever acknowledges a generation; none where nobody waits for it. */
function observedObjects(setup: Setup): readonly Observed[] {
  if (setup.rules.observedGeneration !== 'awaited' || setup.silentControllers === true) return [];
  const seen = new Map<Uid, Observed>();
  for (const object of possibleObjects(setup)) {
    if (setup.kinds[object.kind]?.observesGeneration !== true) continue;
    seen.set(object.uid, { key: keyOf(object), uid: object.uid });
  }
  return [...seen.values()];
}

/** The generation that is still to be acknowledged; null if there is none. */
function unobservedGeneration(
  cluster: Cluster | ClusterDraft,
  key: ObjectKey,
  uid: Uid,
): number | null {
  const object = cluster.store[key];
  if (object === undefined || object.uid !== uid || !isVisible(object)) return null;
  return (object.observedGeneration ?? 0) < object.generation ? object.generation : null;
}

function acknowledgement(key: ObjectKey, uid: Uid, generation: number): UpdateCall {
  return {
    verb: 'update',
    client: controllerClient(key, uid),
    key,
    change: { do: 'observeGeneration', generation },
    uid,
    put: true,
    resourceVersion: false,
    at: 'update',
  };
}

/**
 * The controller does what it sees in the object and says so; what it sees may be its cache. It does
 * one thing after the other: a child that it has decided to create is created before it can
 * acknowledge that its parent goes.
 */
function observeGeneration(cluster: ClusterDraft, world: World, key: ObjectKey, uid: Uid): void {
  if (cluster.stopped.controllers !== undefined) return;
  const client = controllerClient(key, uid);
  if (cluster.calls[client] !== undefined) return;
  const generation = unobservedGeneration(cluster, key, uid);
  if (generation === null) return;
  const atWork = cluster.controllers[client] as Controller | undefined;
  if (atWork !== undefined && 'tasks' in atWork) return;
  const seen = cached(cluster, managerInformer(key.slice(0, key.indexOf('/'))), key);
  if (seen?.generation === generation)
    proceed(cluster, world, client, acknowledgement(key, uid, generation));
}

/** What the store keeps of observedGeneration: nothing, unless somebody waits for it. */
export function withObservedGeneration(
  { kinds, rules }: Pick<World, 'kinds' | 'rules'>,
  object: ApiObject,
): ApiObject {
  const { observedGeneration, ...rest } = object;
  if (rules.observedGeneration !== 'awaited' || kinds[object.kind]?.observesGeneration !== true) {
    return observedGeneration === undefined ? object : rest;
  }
  return { ...rest, observedGeneration: observedGeneration ?? object.generation };
}
