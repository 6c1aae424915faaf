import type { Rules } from '../../rules/rules.ts';
import { kindOf } from '../../state/keys.ts';
import type { KindTable } from '../../state/kinds.ts';
import {
  type ApiObject,
  isBeingDeleted,
  keyOf,
  type ObjectKey,
  type Uid,
} from '../../state/objects.ts';
import type { Workload } from '../../state/setup.ts';
import { candidates } from '../../state/workloads.ts';
import { claimTasks, isClaimStale, isInRange } from './claim-retention.ts';
import { type Look, NO_PLAN, type Plan, type Task } from './plan.ts';

/**
 * What the controllers of workloads decide from their caches (1.20): which objects are theirs
 * (`PodControllerRefManager.ClaimPods`, `ReplicaSetControllerRefManager.ClaimReplicaSets`), and
 * what is missing or surplus (`manageReplicas`, `getNewReplicaSet`, `updateStatefulSet`,
 * `manageJob`, `constructHistory`). Left out: what the pods run, rolling updates and failures.
 */

/** What the controller of a workload can see. */
export interface Sight {
  readonly rules: Rules;
  readonly kinds: KindTable;
  readonly look: Look;
  /** Whether a child of this uid can be created. */
  readonly isFree: (uid: Uid) => boolean;
  /** The controller has not yet seen the effects of its own requests (`SatisfiedExpectations`). */
  readonly awaits: boolean;
}

/** These kinds know their children by name. The others only count them. */
const NAMING: readonly string[] = ['Deployment.apps', 'StatefulSet.apps', 'DaemonSet.apps'];

/**
 * Whether the controller waits until it has seen what it has created (`ControllerExpectations`).
 */
export function hasExpectations({ parent, children }: Workload): boolean {
  if (kindOf(parent.key) !== 'DaemonSet.apps') return isCounting(parent.key);
  return children.some((child) => child.pod !== undefined);
}

function isCounting(parent: ObjectKey): boolean {
  return !NAMING.includes(kindOf(parent));
}

export function planWorkload(workload: Workload, sight: Sight): Plan {
  const parent = sight.look(workload.parent.key);
  if (parent === null || parent.uid !== workload.parent.uid) return NO_PLAN;
  const acts = !isBeingDeleted(parent) || sight.rules.controllersOfDeleted === 'act';
  if (!acts && !keepsHistory(workload, sight.rules)) return NO_PLAN;
  const claim = acts ? claimed(workload, sight) : { tasks: [], children: owned(workload, sight) };
  if (sight.awaits) return { tasks: claim.tasks, lacks: false };
  const manage = isCounting(workload.parent.key)
    ? manageNumber(workload, sight, parent, claim.children)
    : manageNames(workload, sight, parent, claim.children);
  return { tasks: [...claim.tasks, ...manage.tasks], lacks: manage.lacks };
}

/** A DaemonSet that is being deleted still gets the ControllerRevision that its status needs. */
function keepsHistory({ parent, children }: Workload, rules: Rules): boolean {
  if (rules.daemonSetHistoryOfDeleted === 'leftAlone') return false;
  if (kindOf(parent.key) !== 'DaemonSet.apps') return false;
  return children.some((child) => child.kind === 'ControllerRevision.apps');
}

function controllerOf(object: ApiObject): Uid | null {
  return object.ownerReferences.find(({ controller }) => controller === true)?.uid ?? null;
}

function owned(workload: Workload, { look }: Sight): readonly ApiObject[] {
  return candidates(workload).flatMap((key) => {
    const object = look(key);
    return object !== null && controllerOf(object) === workload.parent.uid ? [object] : [];
  });
}

interface Claim {
  readonly tasks: readonly Task[];
  readonly children: readonly ApiObject[];
}

/** Mirrors `BaseControllerRefManager.ClaimObject` (1.20) for each object in the cache. */
function claimed(workload: Workload, sight: Sight): Claim {
  const tasks: Task[] = [];
  const children: ApiObject[] = [];
  for (const key of candidates(workload)) {
    const object = sight.look(key);
    if (object === null || isPassedOver(workload, sight.rules, object)) continue;
    const { uid } = object;
    const controller = controllerOf(object);
    const matches = object.otherLabels !== true;
    if (controller === workload.parent.uid) {
      if (matches) children.push(object);
      else tasks.push({ do: 'release', key, uid });
    } else if (controller === null && matches && isAdoptable(sight.rules, object)) {
      tasks.push({ do: 'adopt', key, uid });
      children.push(object);
    }
  }
  return { tasks, children };
}

/** ReplicaSets and ReplicationControllers ignore pods that have ended or are being deleted. */
function isPassedOver({ parent }: Workload, rules: Rules, object: ApiObject): boolean {
  if (object.pod === undefined) return false;
  if (['Job.batch', 'StatefulSet.apps', 'DaemonSet.apps'].includes(kindOf(parent.key)))
    return false;
  return !isActive(rules, object);
}

/** Mirrors `IsPodActive` (1.20). */
function isActive({ terminatingPods }: Rules, object: ApiObject): boolean {
  if (object.pod?.finished === true) return false;
  return !isBeingDeleted(object) || terminatingPods === 'counted';
}

function isAdoptable({ adoptionOfDeleted }: Rules, object: ApiObject): boolean {
  return !isBeingDeleted(object) || adoptionOfDeleted === 'adopted';
}

/**
 * Mirrors `manageReplicas` and `manageJob` (1.20). The last surplus pods are deleted; Kubernetes
 * prefers those that run least.
 */
function manageNumber(
  workload: Workload,
  { rules, isFree }: Sight,
  parent: ApiObject,
  children: readonly ApiObject[],
): Plan {
  const number = wanted(workload, parent);
  const active = children.filter((object) => isActive(rules, object));
  const surplus = active.slice(number).filter((object) => !isBeingDeleted(object));
  if (surplus.length > 0) return { tasks: surplus.map(removal), lacks: false };
  const isJob = kindOf(workload.parent.key) === 'Job.batch';
  const done = isJob ? children.filter((object) => object.pod?.finished === true) : [];
  const missing = Math.max(0, number - active.length - done.length);
  const free = workload.children.filter((child) => isFree(child.uid)).slice(0, missing);
  return { tasks: free.map(creation), lacks: free.length < missing };
}

function wanted({ replicas }: Workload, parent: ApiObject): number {
  return parent.replicas ?? replicas;
}

/**
 * Mirrors `getNewReplicaSet`, `updateStatefulSet`, `podsShouldBeOnNode` and `constructHistory`
 * (1.20): each child has its own name, and a child that is being deleted keeps its place until it
 * is gone. A StatefulSet continues with the next ordinal once nothing is left to do for the earlier
 * ones, whether or not their pods are ready.
 */
function manageNames(
  workload: Workload,
  sight: Sight,
  parent: ApiObject,
  children: readonly ApiObject[],
): Plan {
  const { look, isFree } = sight;
  const inTurn = kindOf(workload.parent.key) === 'StatefulSet.apps';
  const names = [...new Set(workload.children.map(keyOf))];
  const number = wanted(workload, parent);
  const tasks: Task[] = [...retained(workload, sight, number, children)];
  let lacks = false;
  for (const key of names.slice(0, number)) {
    const child = children.find((object) => keyOf(object) === key);
    if (child === undefined && isClaimStale(workload, key, look)) {
      return { tasks, lacks };
    }
    if (child === undefined) {
      const next = workload.children.find((one) => keyOf(one) === key && isFree(one.uid));
      if (next === undefined) lacks = true;
      else tasks.push(creation(next));
    } else if (child.pod?.finished === true && !isBeingDeleted(child)) {
      tasks.push(removal(child));
    } else if (!isBeingDeleted(child)) {
      continue;
    }
    if (inTurn) return { tasks, lacks };
  }
  const surplus = names.slice(number).reverse();
  for (const key of inTurn ? surplus : []) {
    const child = look(key);
    if (child === null || controllerOf(child) !== workload.parent.uid) continue;
    return isBeingDeleted(child) ? { tasks, lacks } : { tasks: [...tasks, removal(child)], lacks };
  }
  return { tasks, lacks };
}

/**
 * Mirrors the part of `updateStatefulSet` that keeps the owner references of claims (1.27): of pods
 * that are not being deleted, and of surplus ones, before these are deleted.
 */
function retained(
  workload: Workload,
  sight: Sight,
  number: number,
  children: readonly ApiObject[],
): readonly Task[] {
  const { claims } = workload;
  if (claims === undefined) return [];
  return children
    .filter((pod) => !isBeingDeleted(pod) || !isInRange(claims, keyOf(pod), number))
    .flatMap((pod) => claimTasks(workload, pod, number, sight));
}

function creation({ uid }: ApiObject): Task {
  return { do: 'create', uid };
}

function removal(object: ApiObject): Task {
  return { do: 'delete', key: keyOf(object), uid: object.uid };
}
