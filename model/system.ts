import { action, type DeletionAction } from './actors/actor.ts';
import { ACTORS, isOwnedByActor } from './actors/index.ts';
import { finalizerClient } from './apiserver/client.ts';
import { streamOf } from './apiserver/store.ts';
import { stepDeleteWorker, takeForDelete } from './collector/delete-worker.ts';
import { areWorkersPaused, hasMonitors } from './collector/monitors.ts';
import { patchDependent, stepOrphanWorker, takeForOrphan } from './collector/orphan-worker.ts';
import { deliver, deliverListed, deliverVirtualDelete, relist } from './collector/watch.ts';
import { initialCluster } from './initial.ts';
import { type Cluster, type ClusterDraft, SLOTS } from './state/cluster.ts';
import { instancesOf } from './state/instances.ts';
import { isWatched } from './state/kinds.ts';
import type { Setup } from './state/setup.ts';
import { surroundingsOf } from './state/surroundings.ts';
import type { World } from './state/world.ts';
import { beginRequest, removeThirdPartyFinalizer, serve } from './users/users.ts';

export interface DeletionModel {
  readonly name: string;
  readonly slots: typeof SLOTS;
  readonly initial: readonly Cluster[];
  readonly actions: Readonly<Record<string, DeletionAction>>;
}

/** What is fixed while a model of this setup runs. */
export function worldOf(setup: Setup): World {
  const informers = ACTORS.flatMap((actor) => actor.informers?.(setup) ?? []);
  return { ...surroundingsOf(setup), ...(informers.length === 0 ? {} : { informers }) };
}

/** Unlike any other request it is bound to come: whatever runs the controller manager restarts it. */
function isStart(setup: Setup, cluster: ClusterDraft, user: string): boolean {
  return setup.users[user]?.[cluster.users[user] ?? 0]?.request.do === 'startControllers';
}

/** Names of the workers, in the order in which they are given work. */
export function workerNames(role: 'delete' | 'orphan', count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `${role}-${index + 1}`);
}

/**
 * Workers are interchangeable: only the first idle one takes an item. Every run with another choice
 * is this one with the workers renamed.
 */
function isFirstIdle(busy: Readonly<Record<string, unknown>>, worker: string): boolean {
  const [role, number] = worker.split('-');
  for (let index = 1; index < Number(number); index++) {
    if (busy[`${role}-${index}`] === undefined) return false;
  }
  return true;
}

/**
 * The deletion machinery of one cluster as a transition system.
 *
 * Fairness: what Kubernetes is bound to do is weakly fair (delivery, a worker's next step, a request
 * once begun, the owner of a finalizer). Taking an item is strongly fair: the real queue is first in
 * first out, so an item cannot be passed over for ever. Users and disturbances are bound to nothing.
 *
 * @param report told of the collector's warnings while the model is explored.
 */
export function deletionModel(setup: Setup, report?: World['report']): DeletionModel {
  const world = { ...worldOf(setup), ...(report === undefined ? {} : { report }) };
  const { uids, keys, nodes, kinds, finalizers } = instancesOf(setup);
  const users = Object.keys(setup.users);
  const deleteWorkers = workerNames('delete', setup.deleteWorkers);
  const orphanWorkers = workerNames('orphan', setup.orphanWorkers);
  const cooperative = finalizers.filter(
    ({ finalizer }) =>
      (setup.finalizers[finalizer] ?? 'cooperative') === 'cooperative' &&
      !isOwnedByActor(setup, finalizer),
  );
  const restarts = Object.values(setup.users).some((steps) =>
    steps.some(({ request }) => request.do === 'startControllers'),
  );
  const switches = Object.values(setup.users).some((steps) =>
    steps.some(({ request }) => request.do === 'serveVersion'),
  );
  // A controller has one name for all that it does.
  const clients = new Set([
    ...users,
    ...cooperative.map(({ finalizer, key }) => finalizerClient(finalizer, key)),
    ...ACTORS.flatMap((actor) => actor.clients(setup).map(([client]) => client)),
  ]);
  const watched = kinds.filter((kind) => isWatched(setup, kind));
  const paused = (cluster: ClusterDraft): boolean =>
    hasMonitors(world) && areWorkersPaused(cluster, world);
  const pairs = <Key extends string>(
    workers: readonly string[],
    name: Key,
    values: readonly string[],
  ) =>
    workers.flatMap((worker) =>
      values.map(
        (value) => ({ worker, [name]: value }) as { worker: string } & Record<Key, string>,
      ),
    );
  return {
    name: setup.name,
    slots: SLOTS,
    initial: [initialCluster(setup, world)],
    actions: {
      request: action(
        'none',
        users.map((user) => ({ user })),
        (cluster, { user }) => {
          if (!isStart(setup, cluster, user)) beginRequest(cluster, world, setup, user);
        },
      ),
      serve: action(
        'weak',
        Array.from(clients, (client) => ({ client })),
        (cluster, { client }) => serve(cluster, world, client, setup),
      ),
      removeThirdPartyFinalizer: action('weak', cooperative, (cluster, { finalizer, key }) =>
        removeThirdPartyFinalizer(cluster, world, finalizer, key),
      ),
      deliver: action(
        'weak',
        [...new Set(watched.map((kind) => streamOf(world, kind)))].map((kind) => ({ kind })),
        (cluster, { kind }) => deliver(cluster, world, kind),
      ),
      deliverVirtualDelete: action(
        'weak',
        nodes.map((node) => ({ node })),
        (cluster, { node }) => deliverVirtualDelete(cluster, world, node),
      ),
      takeForDelete: action(
        'strong',
        pairs(deleteWorkers, 'node', nodes),
        (cluster, { worker, node }) => {
          if (cluster.attemptToDelete[node] === undefined || paused(cluster)) return;
          if (isFirstIdle(cluster.deleteWorkers, worker))
            takeForDelete(cluster, world, worker, node);
        },
      ),
      attemptToDelete: action(
        'weak',
        deleteWorkers.map((worker) => ({ worker })),
        (cluster, { worker }) => stepDeleteWorker(cluster, world, worker),
      ),
      takeForOrphan: action(
        'strong',
        pairs(orphanWorkers, 'node', nodes),
        (cluster, { worker, node }) => {
          if (cluster.attemptToOrphan[node] === undefined || paused(cluster)) return;
          if (isFirstIdle(cluster.orphanWorkers, worker))
            takeForOrphan(cluster, world, worker, node);
        },
      ),
      orphanDependent: action(
        'weak',
        pairs(orphanWorkers, 'dependent', uids),
        (cluster, { worker, dependent }) => patchDependent(cluster, world, worker, dependent),
      ),
      attemptToOrphan: action(
        'weak',
        orphanWorkers.map((worker) => ({ worker })),
        (cluster, { worker }) => stepOrphanWorker(cluster, world, worker),
      ),
      ...Object.assign({}, ...ACTORS.map((actor) => actor.actions(setup, world))),
      ...(restarts
        ? {
            startControllers: action(
              'weak',
              users.map((user) => ({ user })),
              (cluster, { user }) => {
                if (isStart(setup, cluster, user)) beginRequest(cluster, world, setup, user);
              },
            ),
          }
        : {}),
      ...(restarts || switches || setup.discovery !== undefined
        ? {
            deliverListed: action(
              'weak',
              keys.flatMap((key) => {
                const kind = key.slice(0, key.indexOf('/'));
                return watched.includes(kind) ? [{ kind, key }] : [];
              }),
              (cluster, { kind, key }) => deliverListed(cluster, world, kind, key),
            ),
          }
        : {}),
      relist: action(
        'none',
        Object.keys(setup.relists).map((kind) => ({ kind })),
        (cluster, { kind }) => relist(cluster, world, kind),
      ),
    },
  };
}
