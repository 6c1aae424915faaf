import type { Step } from '../../actions.ts';
import type { Cluster, ClusterDraft } from '../../state/cluster.ts';
import { formatKey } from '../../state/keys.ts';
import { keyOf } from '../../state/objects.ts';
import type { Setup } from '../../state/setup.ts';
import { surroundingsOf } from '../../state/surroundings.ts';
import type { World } from '../../state/world.ts';
import { nothingToDo } from '../../words/idle.ts';
import { type Actor, action, parameter } from '../actor.ts';
import { operatorInformers, operatorReconcilers } from './operator-reconciler.ts';
import type { Task } from './plan.ts';
import {
  childKey,
  isToCheckOwner,
  isTriedInVain,
  planOf,
  type Reconciler,
  reconcile,
  reconcilingOf,
} from './reconciling.ts';
import { managerInformers, workloadReconcilers } from './workload-reconciler.ts';

/**
 * Controllers that look after one object each: those of workloads that decide on caches of their own
 * (`setup.workloads` with `caches: own`), and those that a scenario describes (`setup.operators`).
 */
export const RECONCILERS: Actor = {
  actionNames: ['reconcile', 'reconcileAtWill'],
  actions: (setup, world) => ({
    ...actionOf(setup, world, 'reconcile', 'weak'),
    ...actionOf(setup, world, 'reconcileAtWill', 'none'),
  }),
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
  ownsFinalizer: ({ operators = [] }, finalizer) =>
    operators.some((operator) => operator.finalizer === finalizer),
  keepsFinalizer: ({ operators = [] }, cluster, key, finalizer) => {
    const owners = operators.filter((operator) => operator.finalizer === finalizer);
    return (
      owners.length > 0 &&
      !owners.some(
        ({ parent, fairness }) =>
          parent.key === key && parent.uid === cluster.store[key]?.uid && fairness === 'weak',
      )
    );
  },
  acting: (setup, before, step) => {
    const reconciler = reconcilerOf(setup, step);
    const now = reconciler === undefined ? null : reconcilingOf(before, reconciler);
    const task = now?.tasks?.[0];
    if (reconciler === undefined || now === null || task === undefined) return null;
    return isToCheckOwner(setup, now, task) ? null : (now.call ?? reconciler.callFor(task));
  },
  continued: (after, step) =>
    reconcilingOf(after, { client: parameter(step, 'controller') })?.call ?? null,
  obstacle: nothingToDo,
  describe: (context, step, before, after) => {
    const reconciler = reconcilerOf(context.setup, step);
    if (reconciler === undefined) return `${parameter(step, 'controller')}: waits`;
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
};

/** They say nothing that the setup does not, but take their time to be made. */
const KNOWN = new WeakMap<Setup, readonly Reconciler[]>();

function reconcilersOf(setup: Setup): readonly Reconciler[] {
  const known = KNOWN.get(setup);
  if (known !== undefined) return known;
  const made = [...workloadReconcilers(setup), ...operatorReconcilers(setup)];
  KNOWN.set(setup, made);
  return made;
}

function reconcilerOf(setup: Setup, step: Step): Reconciler | undefined {
  const client = parameter(step, 'controller');
  return reconcilersOf(setup).find((reconciler) => reconciler.client === client);
}

function actionOf(setup: Setup, world: World, name: string, fairness: Reconciler['fairness']) {
  // Whoever is bound to nothing may stop between two requests: one once begun is served.
  const chosen = reconcilersOf(setup).filter(
    (reconciler) => fairness === 'weak' || reconciler.fairness === 'none',
  );
  if (chosen.length === 0) return {};
  const byClient = new Map(chosen.map((reconciler) => [reconciler.client, reconciler]));
  return {
    [name]: action(
      fairness,
      chosen.map(({ client }) => ({ controller: client })),
      (cluster, { controller }) => {
        const reconciler = byClient.get(controller);
        if (reconciler === undefined) return;
        if (fairnessOfNext(cluster, reconciler) === fairness) reconcile(cluster, world, reconciler);
      },
    ),
  };
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
  return tasks.length === 0 || isTriedInVain(cluster, surroundingsOf(setup), reconciler);
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
    case 'addFinalizer':
      return `put its finalizer on ${formatKey(parent.key)}`;
    case 'removeFinalizer':
      return `take its finalizer off ${formatKey(parent.key)}`;
    default:
      throw new Error(`unknown task ${JSON.stringify(task satisfies never)}`);
  }
}
