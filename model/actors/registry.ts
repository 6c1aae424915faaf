import type { Call } from '../state/calls.ts';
import type { Cluster, ControllerState } from '../state/cluster.ts';
import type { ControllerRole } from '../state/controllers.ts';
import { grouped } from '../state/instances.ts';
import type { ApiObject, ObjectKey, Uid } from '../state/objects.ts';
import type { Setup } from '../state/setup.ts';
import type { Actor, FinalizerRemoval } from './actor.ts';
import { DISCOVERY } from './collector/discovery.ts';
import { GARBAGE_COLLECTOR } from './collector/garbage-collector.ts';
import { INSTALLATION } from './collector/installation.ts';
import { LAG } from './collector/lag.ts';
import { OTHER_DEPENDENTS } from './collector/other-dependents.ts';
import { OTHER_OWNERS } from './collector/other-owners.ts';
import { SYNCHRONOUS_COLLECTION } from './collector/synchronous.ts';
import { CRON_JOBS } from './cron-jobs.ts';
import { DEFINITIONS } from './definitions.ts';
import { INFORMERS } from './informers.ts';
import { INITIALIZERS } from './initializers.ts';
import { KUBECTL } from './kubectl.ts';
import { NAMESPACES } from './namespaces/actor.ts';
import { CONTAINERS } from './nodes/containers.ts';
import { KUBELETS } from './nodes/kubelet.ts';
import { NODES } from './nodes/node-controller.ts';
import { POD_GC } from './nodes/pod-gc.ts';
import { TAINT_EVICTION } from './nodes/taint-eviction.ts';
import { OTHER_USERS } from './other-users.ts';
import { PROGRAMS } from './programs/actor.ts';
import { STORAGE_PROTECTION } from './storage-protection.ts';
import { WORKLOADS } from './workloads/creation.ts';
import { GENERATIONS } from './workloads/generations.ts';
import { RECONCILERS } from './workloads/reconcilers.ts';

/**
 * All actors besides users and the API server. An actor is registered here and nowhere else. A
 * search explores their steps in this order.
 */
export const ACTORS: readonly Actor[] = [
  GARBAGE_COLLECTOR,
  NAMESPACES,
  DEFINITIONS,
  KUBELETS,
  WORKLOADS,
  RECONCILERS,
  DISCOVERY,
  INSTALLATION,
  LAG,
  GENERATIONS,
  INFORMERS,
  CONTAINERS,
  STORAGE_PROTECTION,
  NODES,
  POD_GC,
  TAINT_EVICTION,
  KUBECTL,
  SYNCHRONOUS_COLLECTION,
  INITIALIZERS,
  CRON_JOBS,
  PROGRAMS,
  OTHER_DEPENDENTS,
  OTHER_OWNERS,
  OTHER_USERS,
];

/** Names of the actors that manage workloads of their own kind. */
export const WORKLOAD_CONTROLLERS: readonly string[] = ACTORS.flatMap(
  ({ workloadController = [] }) => workloadController,
);

const ROLES: ReadonlyMap<string, ControllerRole> = new Map(
  ACTORS.flatMap(({ roles = [] }) => roles.map((role) => [role.role, role])),
);

/** The role of a state in `Cluster.controllers`. */
export function roleOf({ role }: ControllerState): ControllerRole {
  const known = ROLES.get(role);
  if (known === undefined) throw new Error(`no actor declares the role ${role}`);
  return known;
}

/** Whether the state ends with the controller manager. */
export function isInManager(state: ControllerState): boolean {
  return roleOf(state).inManager;
}

/**
 * What a controller does next: the request in flight, or a phrase. Null if the state is only a
 * memory.
 */
export function controllerWork(state: ControllerState): Call | string | null {
  return roleOf(state).next(state);
}

/** Whether an actor will end the grace period of this pod as things are. */
export function endsGracePeriod(setup: Setup, cluster: Cluster, pod: ApiObject): boolean {
  return ACTORS.some((actor) => actor.endsGracePeriod?.(setup, cluster, pod) === true);
}

/** The finalizers that actors remove, and from which objects. */
export function finalizerRemovals(setup: Setup): readonly FinalizerRemoval[] {
  return removalsIn(setup).all;
}

interface Removals {
  readonly all: readonly FinalizerRemoval[];
  readonly finalizers: ReadonlySet<string>;
  readonly byKey: ReadonlyMap<ObjectKey, readonly FinalizerRemoval[]>;
}

function removalsIn(setup: Setup): Removals {
  const known = REMOVALS.get(setup);
  if (known !== undefined) return known;
  const all = ACTORS.flatMap((actor) => actor.removals?.(setup) ?? []);
  const finalizers = new Set(all.map(({ finalizer }) => finalizer));
  const made = { all, finalizers, byKey: grouped(all, ({ key }) => key) };
  REMOVALS.set(setup, made);
  return made;
}

/** Properties ask in every state, and setups never change. */
const REMOVALS = new WeakMap<Setup, Removals>();

/**
 * Whether an actor owns this finalizer. Then the finalizer has no other owner, also on objects from
 * which the actor does not remove it.
 */
export function isOwnedByActor(setup: Setup, finalizer: string): boolean {
  return (
    removalsIn(setup).finalizers.has(finalizer) ||
    ACTORS.some((actor) => actor.owns?.(setup, finalizer) === true)
  );
}

/** Whether an actor removes this finalizer from this object once it is being deleted. */
export function isRemovedByActor(
  setup: Setup,
  finalizer: string,
  key: ObjectKey,
  uid: Uid,
): boolean {
  const here = removalsIn(setup).byKey.get(key) ?? [];
  return here.some(
    (removal) =>
      removal.finalizer === finalizer && (removal.uid === undefined || removal.uid === uid),
  );
}

/**
 * Whether no actor removes this finalizer from this object, because its owner is an actor that
 * removes it from other objects only.
 */
export function isRemovedByNone(
  setup: Setup,
  finalizer: string,
  key: ObjectKey,
  uid: Uid,
): boolean {
  return isOwnedByActor(setup, finalizer) && !isRemovedByActor(setup, finalizer, key, uid);
}

/** Whether this finalizer belongs to an actor that will not remove it as things are. */
export function isKeptByActor(
  setup: Setup,
  cluster: Cluster,
  key: ObjectKey,
  finalizer: string,
): boolean {
  return ACTORS.some((actor) => actor.keepsFinalizer?.(setup, cluster, key, finalizer) === true);
}
