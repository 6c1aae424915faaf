import type { Actor } from './actors/actor.ts';
import { GARBAGE_COLLECTOR } from './actors/collector/garbage-collector.ts';
import { OTHER_DEPENDENTS } from './actors/collector/other-dependents.ts';
import { OTHER_OWNERS } from './actors/collector/other-owners.ts';
import { NAMESPACES } from './actors/namespaces/actor.ts';
import { KUBELETS } from './actors/nodes/kubelet.ts';
import { ACTORS } from './actors/registry.ts';
import type { Setup } from './state/setup.ts';
import { worldOf } from './system.ts';

/** Actors each step of which concerns one object, its owners and its dependents. */
const LOCAL: readonly Actor[] = [GARBAGE_COLLECTOR, OTHER_DEPENDENTS, OTHER_OWNERS, KUBELETS];

/**
 * Whether the collector and kubelets are the only actors with steps in a model of this setup, besides
 * the API server, users and owners of finalizers. No step of theirs goes through objects in the
 * order of their names.
 */
export function onlyCollectorActs(setup: Setup): boolean {
  return actOnly(setup, LOCAL);
}

/** The same, with the namespace controller. */
export function onlyCollectorAndNamespacesAct(setup: Setup): boolean {
  return actOnly(setup, [...LOCAL, NAMESPACES]);
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
