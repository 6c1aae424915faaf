import { proceed } from '../apiserver/client.ts';
import type { UpdateCall } from '../state/calls.ts';
import type { Cluster, ClusterDraft } from '../state/cluster.ts';
import { possibleObjects } from '../state/instances.ts';
import { formatKey } from '../state/keys.ts';
import { keyOf, type ObjectKey, type Uid } from '../state/objects.ts';
import type { Setup } from '../state/setup.ts';
import type { World } from '../state/world.ts';
import { type Actor, action, orNone } from './actor.ts';

/**
 * The initializers of new objects (`metav1.Initializers`, 1.7). Each works on an object when its
 * turn comes.
 */
export const INITIALIZERS: Actor = {
  actions: {
    initialize: action<Turn>({
      fairness: 'weak',
      about: 'The initializer whose turn it is finishes its work on a new object, or rejects it.',
      parameters: (setup) => orNone(turnsOf(setup)),
      reducer: (setup, world) => (cluster, turn) => initialize(cluster, world, setup, turn),
      request: (setup, _before, turn) => result(setup, turn),
      continued: (after, { initializer, key }) =>
        after.calls[initializerClient(initializer, key)] ?? null,
      describe: (_context, { initializer, key }) =>
        `initializer ${initializer}: looks at ${formatKey(key)}`,
    }),
  },
  clients: (setup) =>
    turnsOf(setup).map(({ initializer, key }) => [
      initializerClient(initializer, key),
      `initializer ${initializer}`,
    ]),
  isIdle: (setup, cluster) => turnsOf(setup).every((turn) => !isDue(cluster, turn)),
};

interface Turn {
  readonly [name: string]: string;
  readonly initializer: string;
  readonly key: ObjectKey;
  readonly uid: Uid;
}

/** Every pair of an initializer and an object that it works on. Stuck initializers never work. */
function turnsOf(setup: Setup): readonly Turn[] {
  if (setup.rules.initializers === 'ignored') return [];
  return possibleObjects(setup).flatMap((object) =>
    [...new Set(object.initializers?.pending ?? [])]
      .filter((initializer) => setup.initializers?.[initializer] !== 'stuck')
      .map((initializer) => ({ initializer, key: keyOf(object), uid: object.uid })),
  );
}

/** The client under which an initializer works on one object. */
function initializerClient(initializer: string, key: ObjectKey): string {
  return `initializer ${initializer} on ${key}`;
}

/** Only the first pending initializer may work. */
function isDue(cluster: Cluster | ClusterDraft, { initializer, key, uid }: Turn): boolean {
  const object = cluster.store[key];
  if (object === undefined || object.uid !== uid || object.initializers?.failed === true) {
    return false;
  }
  return object.initializers?.pending[0] === initializer;
}

function result(setup: Setup, { initializer, key, uid }: Turn): UpdateCall {
  const failed = setup.initializers?.[initializer] === 'rejecting';
  return {
    verb: 'update',
    client: initializerClient(initializer, key),
    key,
    change: { do: 'initialize', initializer, failed },
    uid,
    put: true,
    resourceVersion: false,
    at: 'update',
  };
}

/** The initializer has done its work: it removes itself from the list, or rejects the object. */
function initialize(cluster: ClusterDraft, world: World, setup: Setup, turn: Turn): void {
  if (!isDue(cluster, turn)) return;
  const call = result(setup, turn);
  if (cluster.calls[call.client] === undefined) proceed(cluster, world, call.client, call);
}
