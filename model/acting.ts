import type { Actor } from './actors/actor.ts';
import { ACTORS } from './actors/registry.ts';
import type { Setup } from './state/setup.ts';
import { worldOf } from './system.ts';

/** Whether no other actors than these do anything in a model of the setup, besides the users. */
export function actOnly(setup: Setup, actors: readonly Actor[]): boolean {
  const world = worldOf(setup);
  const acts = ({ actions }: Actor): boolean =>
    Object.values(actions).some((action) => action.parameters(setup, world) !== null);
  return !ACTORS.some((actor) => !actors.includes(actor) && acts(actor));
}
