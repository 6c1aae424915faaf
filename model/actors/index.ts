import type { Cluster } from '../state/cluster.ts';
import type { ApiObject, ObjectKey } from '../state/objects.ts';
import type { Setup } from '../state/setup.ts';
import type { Actor } from './actor.ts';
import { DISCOVERY } from './collector/discovery.ts';
import { INSTALLATION } from './collector/installation.ts';
import { LAG } from './collector/lag.ts';
import { SYNCHRONOUS_COLLECTION } from './collector/synchronous.ts';
import { DEFINITIONS } from './definitions.ts';
import { INFORMERS } from './informers.ts';
import { INITIALIZERS } from './initializers.ts';
import { KUBECTL } from './kubectl.ts';
import { NAMESPACES } from './namespaces/actor.ts';
import { CONTAINERS } from './nodes/containers.ts';
import { KUBELETS } from './nodes/kubelet.ts';
import { NODES } from './nodes/node-controller.ts';
import { POD_GC } from './nodes/pod-gc.ts';
import { STORAGE_PROTECTION } from './storage-protection.ts';
import { WORKLOADS } from './workloads/creation.ts';
import { GENERATIONS } from './workloads/generations.ts';
import { RECONCILERS } from './workloads/reconcilers.ts';

/** Everybody who may act besides users and collector. */
export const ACTORS: readonly Actor[] = [
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
  KUBECTL,
  SYNCHRONOUS_COLLECTION,
  INITIALIZERS,
];

const BY_ACTION: ReadonlyMap<string, Actor> = new Map(
  ACTORS.flatMap((actor) => actor.actionNames.map((name) => [name, actor])),
);

/** The actor whose action this is; none for those of users, collector and API server. */
export function actorOf(actionName: string): Actor | undefined {
  return BY_ACTION.get(actionName);
}

/** Whether one of them is bound to end the grace period of this pod as things are. */
export function endsGracePeriod(setup: Setup, cluster: Cluster, pod: ApiObject): boolean {
  return ACTORS.some((actor) => actor.endsGracePeriod?.(setup, cluster, pod) === true);
}

/** Whether one of them takes this finalizer off, so that it has no owner besides. */
export function isOwnedByActor(setup: Setup, finalizer: string): boolean {
  return ACTORS.some((actor) => actor.ownsFinalizer?.(setup, finalizer) === true);
}

/** Whether the actor that this finalizer belongs to is not bound to take it off as things are. */
export function isKeptByActor(
  setup: Setup,
  cluster: Cluster,
  key: ObjectKey,
  finalizer: string,
): boolean {
  return ACTORS.some((actor) => actor.keepsFinalizer?.(setup, cluster, key, finalizer) === true);
}
