import type { Cluster } from '../../state/cluster.ts';
import { formatKey } from '../../state/keys.ts';
import { keyOf } from '../../state/objects.ts';
import type { Setup } from '../../state/setup.ts';
import { surroundingsOf } from '../../state/surroundings.ts';
import { nothingToDo } from '../../words/idle.ts';
import { type Actor, action, orNone } from '../actor.ts';
import type { Task } from './plan.ts';
import {
  childKey,
  hasNothingNew,
  isToCheckOwner,
  planOf,
  type Reconciler,
  reconcile,
  reconcilingOf,
  WORKLOAD_SYNC,
} from './reconciling.ts';
import { managerInformers, workloadReconcilers } from './workload-reconciler.ts';

/** Controllers of workloads that decide on caches of their own (`caches: own`). */
export const RECONCILERS: Actor = {
  actions: {
    reconcile: action<{ controller: string }>({
      fairness: 'weak',
      about:
        'The controller of a workload does its next step: a look at its caches, or a request (`caches: own` in `environment.workloads`).',
      parameters: (setup) =>
        orNone(reconcilersOf(setup).map(({ client }) => ({ controller: client }))),
      reducer: (setup, world) => {
        const byClient = new Map(
          reconcilersOf(setup).map((reconciler) => [reconciler.client, reconciler]),
        );
        return (cluster, { controller }) => {
          const reconciler = byClient.get(controller);
          if (reconciler !== undefined) reconcile(cluster, world, reconciler);
        };
      },
      request: (setup, before, { controller }) => {
        const reconciler = reconcilerOf(setup, controller);
        const now = reconciler === undefined ? null : reconcilingOf(before, reconciler);
        const task = now?.tasks?.[0];
        if (reconciler === undefined || now === null || task === undefined) return null;
        return isToCheckOwner(setup, now, task) ? null : (now.call ?? reconciler.callFor(task));
      },
      continued: (after, { controller }) =>
        reconcilingOf(after, { client: controller })?.call ?? null,
      obstacle: nothingToDo,
      describe: (context, { controller }, before, after) => {
        const reconciler = reconcilerOf(context.setup, controller);
        if (reconciler === undefined) return `${controller}: waits`;
        const actor = context.names.client(reconciler.client);
        const now = reconcilingOf(before, reconciler);
        if (now?.tasks !== undefined) {
          const checked = reconcilingOf(after, reconciler)?.ownerChecked === true;
          const found = checked ? 'it is not being deleted' : 'it is gone or being deleted';
          return `${actor}: GET ${formatKey(reconciler.parent.key)} -> ${found}`;
        }
        const tasks = reconcilingOf(after, reconciler)?.tasks ?? [];
        return `${actor}: decides to ${tasks.map((task) => taskWords(reconciler, task)).join(', ')}`;
      },
    }),
  },
  roles: [WORKLOAD_SYNC],
  clients: (setup) =>
    reconcilersOf(setup).map(({ client, words }) => [
      client,
      words.includes('/') ? words.replace(/\S+\/\S*/, formatKey) : words,
    ]),
  isIdle: (setup, cluster) =>
    reconcilersOf(setup).every((reconciler) => isIdle(setup, cluster, reconciler)),
  budget: (setup) =>
    Object.fromEntries(
      reconcilersOf(setup)
        .filter(({ uidsReturn }) => !uidsReturn)
        .flatMap(({ children }) => children.map(({ uid }) => [childKey(uid), 1])),
    ),
  informers: managerInformers,
};

/** Memoized, because the reconcilers depend on the setup only. */
const MEMO = new WeakMap<Setup, readonly Reconciler[]>();

function reconcilersOf(setup: Setup): readonly Reconciler[] {
  const known = MEMO.get(setup);
  if (known !== undefined) return known;
  const made = workloadReconcilers(setup);
  MEMO.set(setup, made);
  return made;
}

function reconcilerOf(setup: Setup, client: string): Reconciler | undefined {
  return reconcilersOf(setup).find((reconciler) => reconciler.client === client);
}

function isIdle(setup: Setup, cluster: Cluster, reconciler: Reconciler): boolean {
  if (cluster.stopped.controllers !== undefined) return true;
  if (reconcilingOf(cluster, reconciler)?.tasks !== undefined) return false;
  const { tasks, lacks } = planOf(cluster, reconciler);
  if (lacks) return false;
  return tasks.length === 0 || hasNothingNew(cluster, surroundingsOf(setup), reconciler);
}

function taskWords({ children }: Reconciler, task: Task): string {
  switch (task.do) {
    case 'create': {
      const child = children.find(({ uid }) => uid === task.uid);
      return `create ${child === undefined ? task.uid : formatKey(keyOf(child))}`;
    }
    case 'adopt':
    case 'release':
    case 'delete':
      return `${task.do} ${formatKey(task.key)}`;
    case 'setOwners':
      return `set the owners of ${formatKey(task.key)}`;
    default:
      throw new Error(`unknown task ${JSON.stringify(task satisfies never)}`);
  }
}
