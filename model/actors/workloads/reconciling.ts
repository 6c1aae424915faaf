import { promiseOrphans } from '../../apiserver/client.ts';
import { advanceCall } from '../../apiserver/handle.ts';
import type { Answer, ItemCall } from '../../state/calls.ts';
import type { Cluster, ClusterDraft } from '../../state/cluster.ts';
import type { ControllerRole } from '../../state/controllers.ts';
import { setState, stateOf } from '../../state/controllers.ts';
import { equalJson } from '../../state/equal.ts';
import { formatKey } from '../../state/keys.ts';
import { isKnown } from '../../state/known-uids.ts';
import { type ApiObject, isBeingDeleted, type ObjectKey, type Uid } from '../../state/objects.ts';
import type { World } from '../../state/world.ts';
import type { Plan, Task } from './plan.ts';
import { refusalsOf } from './refusals.ts';

/**
 * The sync loop that controllers share (`ReplicaSetController.syncReplicaSet` and similar
 * functions, 1.20). One read of the caches makes a list of requests,
 * which are then sent one after the other. The next sync begins only after a change has reached the
 * caches. Before that, a failed request would only fail again, because the cause of the failure is
 * either still on its way to the caches or never reaches them. Causes that never appear in the
 * caches are recorded (`refused`).
 */

/** A sync of one parent. Absent: the controller waits for a change that concerns the parent. */
export interface Reconciling {
  readonly role: 'workload';
  /** What this sync still has to do. */
  readonly tasks?: readonly Task[];
  /** The request of the first task, if it has begun. */
  readonly call?: ItemCall;
  /** This sync has read the parent again, and the parent was not being deleted. */
  readonly ownerChecked?: true;
  /** A change has reached the caches since this sync read them. */
  readonly again?: true;
  /** The controller has done everything that it can with the objects in the caches. */
  readonly synced?: true;
  /**
   * With `synced`: why requests were refused. The sync begins again once these reasons change
   * (`refusalsOf`).
   */
  readonly refused?: string;
}

/** The fixed properties of the controller of one parent. */
export interface Reconciler {
  /** The client under which it sends requests. */
  readonly client: string;
  readonly words: string;
  readonly parent: { readonly key: ObjectKey; readonly uid: Uid };
  /** Every object that the controller can create. */
  readonly children: readonly ApiObject[];
  /**
   * Whether a child can be created again once nothing refers to its uid: a new object each time.
   */
  readonly uidsReturn: boolean;
  /** Every object that the controller reads. */
  readonly keys: readonly ObjectKey[];
  plan(cluster: Cluster | ClusterDraft, isFree: (uid: Uid) => boolean): Plan;
  callFor(task: Task): ItemCall;
}

export const WORKLOAD_SYNC: ControllerRole<Reconciling> = {
  role: 'workload',
  inManager: true,
  next: ({ call, tasks = [] }) => {
    if (call !== undefined) return call;
    const [task] = tasks;
    if (task === undefined) return null;
    if (task.do === 'setOwners') return `is to set the owners of ${formatKey(task.key)}`;
    return `is to ${task.do} ${'key' in task ? formatKey(task.key) : ''}`.trim();
  },
  clause: ({ synced }, name) =>
    synced === undefined ? null : `${name} has done what it can and waits for a change`,
};

/** The next step of a sync: reads the caches or the parent, or advances a request. */
export function reconcile(cluster: ClusterDraft, world: World, reconciler: Reconciler): void {
  if (cluster.stopped.controllers !== undefined) return;
  const now = reconcilingOf(cluster, reconciler);
  const task = now?.tasks?.[0];
  if (now === null || task === undefined) begin(cluster, world, reconciler, now);
  else if (isToCheckOwner(world, now, task)) checkOwner(cluster, world, reconciler, now);
  else send(cluster, world, reconciler, now, task);
}

export function reconcilingOf(
  cluster: Cluster | ClusterDraft,
  { client }: Pick<Reconciler, 'client'>,
): Reconciling | null {
  return stateOf(cluster, client, WORKLOAD_SYNC);
}

/** What the controller decides on if it syncs now, if every uid that can return has returned. */
export function planOf(cluster: Cluster | ClusterDraft, reconciler: Reconciler): Plan {
  return reconciler.plan(
    cluster,
    (uid) => reconciler.uidsReturn || cluster.budget[childKey(uid)] !== undefined,
  );
}

/** What the controller decides on if it syncs now, with what it can create at this moment. */
function planAtOnce(cluster: ClusterDraft, reconciler: Reconciler): Plan {
  if (!reconciler.uidsReturn) return planOf(cluster, reconciler);
  return reconciler.plan(cluster, (uid) => !isKnown(cluster, uid));
}

/** The entry of the budget for a child that has not been created yet. */
export function childKey(uid: Uid): string {
  return `child ${uid}`;
}

function begin(
  cluster: ClusterDraft,
  world: World,
  reconciler: Reconciler,
  now: Reconciling | null,
): void {
  if (now !== null && hasNothingNew(cluster, world, reconciler)) return;
  const { tasks } = planAtOnce(cluster, reconciler);
  if (tasks.length === 0) return;
  set(cluster, reconciler, { role: 'workload', tasks });
}

/** Whether another sync would end like the last one. */
export function hasNothingNew(
  cluster: Cluster | ClusterDraft,
  world: World,
  reconciler: Reconciler,
): boolean {
  const { synced, refused } = reconcilingOf(cluster, reconciler) ?? {};
  if (refused !== undefined) return refused === refusalsOf(cluster, world, reconciler);
  return synced === true;
}

/** Whether the next step of the sync is a GET of the parent. */
export function isToCheckOwner(
  { rules }: Pick<World, 'rules'>,
  now: Reconciling,
  task: Task,
): boolean {
  return (
    task.do === 'adopt' && rules.adoptionOwnerCheck === 'live' && now.ownerChecked === undefined
  );
}

/**
 * Mirrors `RecheckDeletionTimestamp` (1.20): one live GET of the parent in each sync, after the
 * list of its children.
 */
function checkOwner(
  cluster: ClusterDraft,
  world: World,
  reconciler: Reconciler,
  now: Reconciling,
): void {
  const owner = cluster.store[reconciler.parent.key];
  const alive = owner?.uid === reconciler.parent.uid && !isBeingDeleted(owner);
  if (alive) set(cluster, reconciler, { ...now, ownerChecked: true });
  else finish(cluster, world, reconciler, now);
}

function send(
  cluster: ClusterDraft,
  world: World,
  reconciler: Reconciler,
  now: Reconciling,
  task: Task,
): void {
  if (task.do === 'setOwners' && isOutdated(cluster, task)) {
    finish(cluster, world, reconciler, now);
    return;
  }
  const call = now.call ?? reconciler.callFor(task);
  const progress = advanceCall(cluster, world, call);
  if (!progress.done) {
    set(cluster, reconciler, { ...now, call: progress.call as ItemCall });
    return;
  }
  const { answer } = progress;
  if (call.verb === 'delete' && 'object' in answer && !answer.deleted) {
    promiseOrphans(cluster, answer.object);
  }
  if (!isDone(task, answer)) {
    finish(cluster, world, reconciler, now);
    return;
  }
  if (task.do === 'create') {
    delete cluster.budget[childKey(task.uid)];
    // The promise concerned the object that had this uid before.
    delete cluster.promisedOrphans[task.uid];
  }
  const { call: _, ownerChecked, tasks = [], ...rest } = now;
  const left = tasks.slice(1);
  const adopts = left.some((next) => next.do === 'adopt');
  const checked = adopts && ownerChecked === true ? { ownerChecked } : {};
  if (left.length === 0) finish(cluster, world, reconciler, now);
  else set(cluster, reconciler, { ...rest, ...checked, tasks: left });
}

/**
 * A PUT demands the resourceVersion of the cached object, so it is refused if the object has
 * changed since.
 */
function isOutdated(cluster: ClusterDraft, { key, seen }: Extract<Task, { do: 'setOwners' }>) {
  return !equalJson(cluster.store[key] ?? null, seen);
}

/**
 * An object that is gone needs no more adopting, releasing or deleting. Another object under its
 * name needs no releasing.
 */
function isDone(task: Task, answer: Answer): boolean {
  if (!('reason' in answer)) return true;
  if (task.do === 'release' && answer.reason === 'Invalid') return true;
  return answer.reason === 'NotFound' && 'key' in task;
}

function finish(
  cluster: ClusterDraft,
  world: World,
  reconciler: Reconciler,
  { role, again }: Reconciling,
): void {
  delete cluster.controllers[reconciler.client];
  if (again === true) return;
  const { tasks, lacks } = planOf(cluster, reconciler);
  if (tasks.length === 0 && !lacks) return;
  const refused = refusalsOf(cluster, world, reconciler);
  set(cluster, reconciler, { role, synced: true, ...(refused === '' ? {} : { refused }) });
}

function set(cluster: ClusterDraft, { client }: Reconciler, next: Reconciling): void {
  setState(cluster, client, next);
}

/**
 * A change has reached the caches of these controllers, so they put their parent into the work
 * queue.
 */
export function requeue(cluster: ClusterDraft, clients: readonly string[]): void {
  for (const client of clients) {
    const now = reconcilingOf(cluster, { client });
    if (now?.synced === true) delete cluster.controllers[client];
    else if (now?.tasks !== undefined && now.again === undefined) {
      setState(cluster, client, { ...now, again: true as const });
    }
  }
}
