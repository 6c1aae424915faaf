import { spend } from '../../state/budget.ts';
import type { Answer, CreateCall } from '../../state/calls.ts';
import { controllerClient } from '../../state/client-names.ts';
import type { Cluster, ClusterDraft } from '../../state/cluster.ts';
import { trackingFinalizers } from '../../state/finalizers.ts';
import { formatKey } from '../../state/keys.ts';
import { type ApiObject, isBeingDeleted, isVisible, keyOf, ORPHAN } from '../../state/objects.ts';
import type { Setup, Workload } from '../../state/setup.ts';
import { surroundingsOf } from '../../state/surroundings.ts';
import type { World } from '../../state/world.ts';
import { nothingToDo } from '../../words/idle.ts';
import { type Actor, action, orNone } from '../actor.ts';
import { refusalsOf } from './refusals.ts';

/**
 * The Deployment and ReplicaSet controllers, as far as they create: `DeploymentController.sync`
 * with `getNewReplicaSet` and `ReplicaSetController.manageReplicas` (1.20).
 *
 * A controller decides on its informers' copies, which can be old. For the API server, an old
 * decision equals a POST that is sent long after the decision. So this actor reads the store;
 * decision and POST are two steps, and anything can happen between them. Left out: adoption of
 * children by their labels, removal of surplus children, and status updates, which change only
 * resourceVersions.
 */
export const WORKLOADS: Actor = {
  actions: {
    createChild: action<{ workload: number }>({
      fairness: 'weak',
      about: 'A Deployment or ReplicaSet controller decides to create a child that it wants.',
      parameters: ({ workloads = [] }) =>
        orNone(workloads.flatMap((entry, workload) => (isUncached(entry) ? [{ workload }] : []))),
      reducer:
        ({ workloads = [] }, world) =>
        (cluster, { workload }) => {
          const chosen = workloads[workload];
          if (chosen !== undefined) decideChild(cluster, world, chosen);
        },
      obstacle: nothingToDo,
      describe: ({ setup }, { workload: number }, before, after) => {
        const workload = setup.workloads?.[number];
        const created = Object.entries(after.calls).find(([client]) => !(client in before.calls));
        const child =
          created?.[1].verb === 'create' ? formatKey(keyOf(created[1].object)) : 'a child';
        const parent = workload === undefined ? 'its parent' : formatKey(workload.parent.key);
        return `controller of ${parent}: decides to create ${child}`;
      },
    }),
  },
  clients: (setup) =>
    uncached(setup).map((workload) => [
      workloadClient(workload),
      `controller of ${formatKey(workload.parent.key)}`,
    ]),
  isIdle: (setup, cluster) =>
    cluster.stopped.controllers !== undefined || workloadsAreServed(setup, cluster),
  budget: initialBudget,
  answered: (cluster, setup, client, call, answer) => {
    if (call.verb === 'create') regainChild(cluster, setup, client, answer);
  },
};

function isUncached({ caches, controller }: Workload): boolean {
  return caches === undefined && controller === undefined;
}

/** Other workloads decide on their caches (`RECONCILERS`), or have an actor of their own. */
function uncached({ workloads = [] }: Pick<Setup, 'workloads'>): readonly Workload[] {
  return workloads.filter(isUncached);
}

/** The client under which the controller works on one parent. */
function workloadClient({ parent }: Workload): string {
  return controllerClient(parent.key, parent.uid);
}

/** The entry of the budget: how many children can still be created. */
export function madeKey(workload: Workload): string {
  return `children of ${workload.parent.uid}`;
}

/** At the start every child can still be created. */
function initialBudget(setup: Pick<Setup, 'workloads'>): Readonly<Record<string, number>> {
  return Object.fromEntries(
    uncached(setup).map((workload) => [madeKey(workload), workload.children.length]),
  );
}

/** Whether the controller wants another child. */
function wantsChild(cluster: Cluster | ClusterDraft, workload: Workload): boolean {
  const { parent, replicas, children } = workload;
  const owner = cluster.store[parent.key];
  if (owner?.uid !== parent.uid || isBeingDeleted(owner) || !isVisible(owner)) return false;
  const counted = children.filter((child) => {
    const stored = cluster.store[keyOf(child)];
    return stored?.uid === child.uid && counts(stored as ApiObject, workload);
  });
  return counted.length < replicas;
}

/**
 * `FilterActivePods` leaves out pods that are being deleted. `getNewReplicaSet` still finds a
 * ReplicaSet that is being deleted, so no other one replaces it before it is gone.
 */
function counts(child: ApiObject, { parent }: Workload): boolean {
  if (child.pod !== undefined && isBeingDeleted(child)) return false;
  return child.ownerReferences.some((reference) => reference.uid === parent.uid);
}

/** The first child that has not been created yet. Undefined if none is left. */
function nextChild(cluster: Cluster | ClusterDraft, workload: Workload): ApiObject | undefined {
  const left = cluster.budget[madeKey(workload)] ?? 0;
  return workload.children[workload.children.length - left];
}

/** Whether the API server would refuse the POST, which then changes nothing and is retried. */
function isRefused(cluster: Cluster | ClusterDraft, world: World, child: ApiObject): boolean {
  return refusalsOf(cluster, world, { keys: [keyOf(child)], children: [child] }) !== '';
}

/**
 * The POST of a child has been answered with an error: the sync fails and is retried
 * (`processNextWorkItem` of `ReplicaSetController`, 1.20), so the child can still be created. If
 * its name is taken, `getNewReplicaSet` counts a collision and chooses another name: the next
 * child.
 */
function regainChild(
  cluster: ClusterDraft,
  setup: Pick<Setup, 'workloads'>,
  client: string,
  answer: Answer,
): void {
  if (!('reason' in answer) || answer.reason === 'AlreadyExists') return;
  const workload = uncached(setup).find((candidate) => workloadClient(candidate) === client);
  if (workload === undefined) return;
  cluster.budget[madeKey(workload)] = (cluster.budget[madeKey(workload)] ?? 0) + 1;
}

/** The controller decides to create the next child; `serve` then carries out the request. */
function decideChild(cluster: ClusterDraft, world: World, workload: Workload): void {
  const client = workloadClient(workload);
  if (cluster.stopped.controllers !== undefined || cluster.calls[client] !== undefined) return;
  if (!wantsChild(cluster, workload)) return;
  const child = nextChild(cluster, workload);
  if (child === undefined || isRefused(cluster, world, child)) return;
  spend(cluster, madeKey(workload));
  const call: CreateCall = { verb: 'create', client, object: childAsCreated(world, child) };
  cluster.calls[client] = call as ClusterDraft['calls'][string];
}

/**
 * The child as its controller creates it. With `createdChildren: withOrphan` the controller adds
 * `orphan` to children of kinds whose dependents are orphaned unless a DELETE names another policy.
 * The Job controller adds its own finalizer to pods (`jobTracking`).
 */
export function childAsCreated(
  { rules, kinds }: Pick<World, 'rules' | 'kinds'>,
  template: ApiObject,
): ApiObject {
  const tracking = trackingFinalizers(rules, template);
  const child =
    tracking.length === 0
      ? template
      : { ...template, finalizers: [...template.finalizers, ...tracking] };
  if (rules.createdChildren === 'plain' || child.finalizers.includes(ORPHAN)) return child;
  const kind = kinds[child.kind];
  const hasDependents =
    kind?.defaultPolicyByVersion !== undefined || kind?.defaultPolicy === 'orphanDependents';
  return hasDependents ? { ...child, finalizers: [...child.finalizers, ORPHAN] } : child;
}

/** No controller wants another child that it can create. */
function workloadsAreServed(setup: Setup, cluster: Cluster): boolean {
  return uncached(setup).every((workload) => {
    if (!wantsChild(cluster, workload)) return true;
    const child = nextChild(cluster, workload);
    return child !== undefined && isRefused(cluster, surroundingsOf(setup), child);
  });
}
