import { proceed } from '../../apiserver/client.ts';
import { isLeaving, objectOf } from '../../collector/leaving.ts';
import { enqueueForDelete } from '../../collector/queue.ts';
import { spend } from '../../state/budget.ts';
import type { DeleteCall } from '../../state/calls.ts';
import type { ClusterDraft } from '../../state/cluster.ts';
import { requestsOf } from '../../state/instances.ts';
import { keyOf, type Uid } from '../../state/objects.ts';
import type { Propagation, Setup } from '../../state/setup.ts';

import type { World } from '../../state/world.ts';
import { type ActionDefinition, type Actor, action, orNone } from '../actor.ts';

interface Deletion {
  readonly [name: string]: string;
  readonly object: Uid;
  readonly policy: Propagation;
}

/** How the DELETE goes on. */
const SENDING = {
  request: (setup, _before, asked) => deletion(setup, asked),
  continued: ({ calls }, { object }) => calls[clientFor(object)] ?? null,
  describe: () => 'gc worker: waits',
} as const satisfies Partial<ActionDefinition<Deletion>>;

/**
 * Owners that are not objects of the model: `setup.otherOwners`. A worker of the collector looks
 * them up, finds that they are gone or wait, and deletes the object. Mirrors the DELETEs of
 * `attemptToDeleteItem` (1.20).
 *
 * Such a DELETE adds `foregroundDeletion` at most once, and once more after each request of a user,
 * which may take it off. Before the graph shows the finalizer, another DELETE finds it stored and
 * keeps it (`policyFor`). Afterwards the item is never deleted again. A worker that has read
 * `orphan` may add it once more after an orphan worker has taken it off.
 */
export const OTHER_OWNERS: Actor = {
  actions: {
    deleteForOtherOwners: action<Deletion>({
      fairness: 'weak',
      about:
        'A gc worker deletes an object because of owners that are not objects of the model. It does so sooner or later.',
      parameters: ({ otherOwners = {} }) =>
        orNone(
          Object.entries(otherOwners).flatMap(([object, policies]) =>
            policies.map((policy) => ({ object, policy })),
          ),
        ),
      reducer: (setup, world) => (cluster, asked) => {
        if (!isLeaving(cluster, setup, asked.object)) begin(cluster, setup, world, asked);
      },
      ...SENDING,
    }),
    waitForOtherOwners: action<Deletion>({
      fairness: 'none',
      about:
        'The same in the foreground, or to orphan, for an object that is being deleted already, which the worker has not seen.',
      parameters: ({ otherOwners = {} }) =>
        orNone(
          Object.entries(otherOwners).flatMap(([object, policies]) =>
            policies.flatMap((policy) => (policy === 'Background' ? [] : [{ object, policy }])),
          ),
        ),
      reducer: (setup, world) => (cluster, asked) => {
        if (isLeaving(cluster, setup, asked.object)) begin(cluster, setup, world, asked);
      },
      ...SENDING,
    }),
    queueForOtherOwners: action<{ object: Uid }>({
      fairness: 'none',
      about:
        'The graph builder queues an object because of owners that are not objects of the model: one waits now, or is gone.',
      parameters: ({ otherOwners = {} }) =>
        orNone(Object.keys(otherOwners).map((object) => ({ object }))),
      reducer:
        () =>
        (cluster, { object }) =>
          enqueueForDelete(cluster, object),
      describe: ({ names }, { object }) =>
        `graph builder: an owner of ${names.uid(object)} waits or is gone`,
    }),
  },
  clients: ({ otherOwners = {} }) =>
    Object.keys(otherOwners).map((uid) => [clientFor(uid), 'gc worker']),
  budget: (setup) =>
    Object.fromEntries(
      Object.entries(setup.otherOwners ?? {}).flatMap(([uid, policies]) =>
        [
          ...(policies.includes('Foreground') ? [foregroundKey(uid)] : []),
          ...(policies.includes('Orphan') ? [orphanKey(uid)] : []),
        ].map((key) => [key, 1 + requestsFor(setup, uid)]),
      ),
    ),
  isIdle: (setup, cluster) =>
    Object.keys(setup.otherOwners ?? {}).every((uid) => isLeaving(cluster, setup, uid)),
};

/** Requests of users for the object: each can take a finalizer of the collector off once. */
function requestsFor(setup: Setup, uid: Uid): number {
  const key = keyOf(objectOf(setup, uid));
  return requestsOf(setup).filter((request) => 'key' in request && request.key === key).length;
}

/** The entry of the budget: how many DELETEs in the foreground are left. */
function foregroundKey(uid: Uid): string {
  return `foreground deletion of ${uid}`;
}

/**
 * The entry of the budget: how many DELETEs that orphan are left, once the object is being deleted.
 */
function orphanKey(uid: Uid): string {
  return `orphaning deletion of ${uid}`;
}

/** A worker holds an item until its DELETE is answered, so there is one at a time. */
function clientFor(uid: Uid): string {
  return `gc worker for the owners of ${uid}`;
}

function deletion(setup: Setup, { object: uid, policy }: Deletion): DeleteCall {
  return {
    verb: 'delete',
    client: clientFor(uid),
    key: keyOf(objectOf(setup, uid)),
    options: { propagationPolicy: policy, preconditions: { uid } },
    at: 'get',
  };
}

function begin(cluster: ClusterDraft, setup: Setup, world: World, asked: Deletion): void {
  const client = clientFor(asked.object);
  if (cluster.calls[client] !== undefined) return;
  const { object, policy } = asked;
  if (policy === 'Foreground' && !spend(cluster, foregroundKey(object))) return;
  const isAgain = isLeaving(cluster, setup, object);
  if (policy === 'Orphan' && isAgain && !spend(cluster, orphanKey(object))) return;
  proceed(cluster, world, client, deletion(setup, asked));
}
