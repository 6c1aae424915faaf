import type { Cluster, ClusterDraft } from '../../state/cluster.ts';
import { formatKey } from '../../state/keys.ts';
import { keyOf } from '../../state/objects.ts';
import type { Setup } from '../../state/setup.ts';
import { surroundingsOf } from '../../state/surroundings.ts';
import { nothingToDo } from '../../words/idle.ts';
import type { ActionDefinition } from '../actor.ts';
import { type Actor, action, orNone } from '../actor.ts';
import {
  ofReconcilers,
  operatorInformers,
  operatorReconcilers,
  removalsBy,
} from './operator-reconciler.ts';
import type { Task } from './plan.ts';
import {
  childKey,
  hasNothingNew,
  isToCheckOwner,
  OPERATOR_SYNC,
  planOf,
  type Reconciler,
  reconcile,
  reconcilingOf,
  WORKLOAD_SYNC,
} from './reconciling.ts';
import { managerInformers, workloadReconcilers } from './workload-reconciler.ts';

/**
 * Controllers that each manage one object: those of workloads that decide on caches of their own
 * (`setup.workloads` with `caches: own`), and those that a scenario describes (`setup.operators`).
 */
export const RECONCILERS: Actor = {
  actions: {
    reconcile: reconciliation(
      'weak',
      'A controller that looks after one object does its next step: a look at its caches, or a request (`caches: own` in `environment.workloads`, `environment.controllers`).',
    ),
    reconcileAtWill: reconciliation(
      'none',
      'The same, of a controller that may stop for good (`fairness: none`).',
    ),
  },
  roles: [WORKLOAD_SYNC, OPERATOR_SYNC],
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
  informers: (setup) => [...managerInformers(setup), ...operatorInformers(setup)],
  removals: (setup) => ofReconcilers(setup).flatMap((one) => removalsBy(setup, one)),
  keepsFinalizer: (setup, cluster, key, finalizer) => {
    const owners = ofReconcilers(setup).filter(
      ({ parent, ...operator }) =>
        (operator.finalizer === finalizer &&
          parent.key === key &&
          parent.uid === cluster.store[key]?.uid) ||
        operator.childFinalizer === finalizer,
    );
    return owners.length > 0 && owners.every(({ fairness }) => fairness === 'none');
  },
};

/** The steps of controllers with this fairness. */
function reconciliation(fairness: Reconciler['fairness'], about: string): ActionDefinition {
  // A controller that may stop can stop between two requests. A request that has begun is always
  // served.
  const chosen = (setup: Setup): readonly Reconciler[] =>
    reconcilersOf(setup).filter(
      (reconciler) => fairness === 'weak' || reconciler.fairness === 'none',
    );
  return action<{ controller: string }>({
    fairness,
    about,
    parameters: (setup) => orNone(chosen(setup).map(({ client }) => ({ controller: client }))),
    reducer: (setup, world) => {
      const byClient = new Map(chosen(setup).map((reconciler) => [reconciler.client, reconciler]));
      return (cluster, { controller }) => {
        const reconciler = byClient.get(controller);
        if (reconciler === undefined) return;
        if (fairnessOfNext(cluster, reconciler) === fairness) reconcile(cluster, world, reconciler);
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
  });
}

/** Memoized, because the reconcilers depend on the setup only. */
const MEMO = new WeakMap<Setup, readonly Reconciler[]>();

function reconcilersOf(setup: Setup): readonly Reconciler[] {
  const known = MEMO.get(setup);
  if (known !== undefined) return known;
  const made = [...workloadReconcilers(setup), ...operatorReconcilers(setup)];
  MEMO.set(setup, made);
  return made;
}

function reconcilerOf(setup: Setup, client: string): Reconciler | undefined {
  return reconcilersOf(setup).find((reconciler) => reconciler.client === client);
}

function fairnessOfNext(
  cluster: Cluster | ClusterDraft,
  reconciler: Reconciler,
): Reconciler['fairness'] {
  const { fairness } = reconciler;
  return reconcilingOf(cluster, reconciler)?.call === undefined ? fairness : 'weak';
}

function isIdle(setup: Setup, cluster: Cluster, reconciler: Reconciler): boolean {
  if (reconciler.role === 'workload' && cluster.stopped.controllers !== undefined) return true;
  if (fairnessOfNext(cluster, reconciler) === 'none') return true;
  if (reconcilingOf(cluster, reconciler)?.tasks !== undefined) return false;
  const { tasks, lacks } = planOf(cluster, reconciler);
  if (lacks) return false;
  return tasks.length === 0 || hasNothingNew(cluster, surroundingsOf(setup), reconciler);
}

function taskWords({ children, parent }: Reconciler, task: Task): string {
  switch (task.do) {
    case 'create': {
      const child = children.find(({ uid }) => uid === task.uid);
      return `create ${child === undefined ? task.uid : formatKey(keyOf(child))}`;
    }
    case 'adopt':
    case 'release':
    case 'delete':
      return `${task.do} ${formatKey(task.key)}`;
    case 'removeChildFinalizer':
      return `take its finalizer off ${formatKey(task.key)}`;
    case 'addFinalizer':
      return `put its finalizer on ${formatKey(parent.key)}`;
    case 'removeFinalizer':
      return `take its finalizer off ${formatKey(parent.key)}`;
    default:
      throw new Error(`unknown task ${JSON.stringify(task satisfies never)}`);
  }
}
