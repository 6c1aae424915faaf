import type { Actor } from './actors/actor.ts';
import { GARBAGE_COLLECTOR } from './actors/collector/garbage-collector.ts';
import { OTHER_DEPENDENTS } from './actors/collector/other-dependents.ts';
import { OTHER_OWNERS } from './actors/collector/other-owners.ts';
import { DEFINITIONS } from './actors/definitions.ts';
import { INFORMERS } from './actors/informers.ts';
import { NAMESPACES } from './actors/namespaces/actor.ts';
import { KUBELETS } from './actors/nodes/kubelet.ts';
import { POD_GC } from './actors/nodes/pod-gc.ts';
import { TAINT_EVICTION } from './actors/nodes/taint-eviction.ts';
import { OTHER_USERS } from './actors/other-users.ts';
import { ACTORS } from './actors/registry.ts';
import { STORAGE_PROTECTION } from './actors/storage-protection.ts';
import type { Setup } from './state/setup.ts';
import { worldOf } from './system.ts';

/** Actors each step of which concerns one object, its owners and its dependents. */
const LOCAL: readonly Actor[] = [GARBAGE_COLLECTOR, OTHER_DEPENDENTS, OTHER_OWNERS, KUBELETS];

/**
 * Whether the collector and kubelets are the only actors with steps in a model of this setup,
 * besides the API server, users and owners of finalizers. No step of theirs goes through objects in
 * the order of their names.
 */
export function onlyCollectorActs(setup: Setup): boolean {
  return actOnly(setup, LOCAL);
}

/**
 * The same, with the protection of claims and volumes, perhaps the controllers of namespaces and of
 * definitions, and what looks at one pod and its node: taint eviction, and pod gc if it does not
 * count terminated pods.
 */
export function onlyLocalActorsAct(setup: Setup, containers: 'none' | 'emptied'): boolean {
  if ((setup.podGc?.terminatedPods ?? 0) > 0) return false;
  const more = containers === 'emptied' ? [NAMESPACES, DEFINITIONS] : [];
  const ofPods = [STORAGE_PROTECTION, POD_GC, TAINT_EVICTION];
  // Only the actors that act have informers.
  return actOnly(setup, [...LOCAL, ...ofPods, INFORMERS, OTHER_USERS, ...more]);
}

function actOnly(setup: Setup, actors: readonly Actor[]): boolean {
  const world = worldOf(setup);
  return ACTORS.every(
    (actor) =>
      actors.includes(actor) ||
      Object.values(actor.actions).every(
        (definition) => definition.parameters(setup, world) === null,
      ),
  );
}
