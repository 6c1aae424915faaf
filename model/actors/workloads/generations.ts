import { proceed } from '../../apiserver/client.ts';
import type { UpdateCall } from '../../state/calls.ts';
import { controllerClient } from '../../state/client-names.ts';
import type { Cluster, ClusterDraft } from '../../state/cluster.ts';
import { cached, managerInformer } from '../../state/informers.ts';
import { possibleObjects } from '../../state/instances.ts';
import { formatKey, kindOf } from '../../state/keys.ts';
import { type ApiObject, isVisible, keyOf, type ObjectKey, type Uid } from '../../state/objects.ts';
import type { Setup } from '../../state/setup.ts';
import type { World } from '../../state/world.ts';
import { type Actor, action, orNone } from '../actor.ts';
import { reconcilingOf } from './reconciling.ts';

/**
 * The controllers of workloads, as far as they acknowledge what they have seen: mirrors the status
 * update at the end of `DeploymentController.sync` and similar functions (1.20), which writes into
 * observedGeneration the generation that the controller has acted on. They do so if the collector
 * waits for it (rule `observedGeneration`).
 */
export const GENERATIONS: Actor = {
  actions: {
    observeGeneration: action<Observed>({
      fairness: 'weak',
      about: 'A controller acknowledges the generation of an object in its status.',
      parameters: (setup) => orNone(observedObjects(setup)),
      reducer:
        (_setup, world) =>
        (cluster, { key, uid }) =>
          observeGeneration(cluster, world, key, uid),
      request: (_setup, before, { key, uid }) =>
        acknowledgement(key, uid, unobservedGeneration(before, key, uid) ?? 0),
      obstacle: (_context, _parameters, _cluster, { path }, words) =>
        path.at(-1) === 'generation' ? `${words}, which has been observed` : words,
      describe: ({ names }, { key, uid }) => `${names.client(controllerClient(key, uid))}: waits`,
    }),
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
};

interface Observed {
  readonly [name: string]: string;
  readonly key: ObjectKey;
  readonly uid: Uid;
}

/** Every object whose controller acknowledges generations. Empty if the collector ignores them. */
function observedObjects(setup: Setup): readonly Observed[] {
  if (setup.rules.observedGeneration !== 'awaited' || setup.silentControllers === true) return [];
  const seen = new Map<Uid, Observed>();
  for (const object of possibleObjects(setup)) {
    if (setup.kinds[object.kind]?.observesGeneration !== true) continue;
    seen.set(object.uid, { key: keyOf(object), uid: object.uid });
  }
  return [...seen.values()];
}

/** The generation that is not acknowledged yet. Null if there is none. */
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
 * The controller has acted on the object as it sees it, possibly in its cache, and reports that in
 * the status. The controller does one thing at a time: a child that it has decided on is created
 * before it can acknowledge the deletion of the parent.
 */
function observeGeneration(cluster: ClusterDraft, world: World, key: ObjectKey, uid: Uid): void {
  if (cluster.stopped.controllers !== undefined) return;
  const client = controllerClient(key, uid);
  if (cluster.calls[client] !== undefined) return;
  const generation = unobservedGeneration(cluster, key, uid);
  if (generation === null) return;
  if (reconcilingOf(cluster, { client })?.tasks !== undefined) return;
  const seen = cached(cluster, managerInformer(kindOf(key)), key);
  if (seen?.generation === generation)
    proceed(cluster, world, client, acknowledgement(key, uid, generation));
}

/** The object as it is stored: without observedGeneration if the collector ignores it. */
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
