import type { Cluster } from '../../state/cluster.ts';
import { stateOf } from '../../state/controllers.ts';
import { kindOf } from '../../state/keys.ts';
import type { ObjectKey } from '../../state/objects.ts';
import { PROGRAMMED } from '../../state/programs/process.ts';
import type { Setup } from '../../state/setup.ts';
import { programsOf } from './described.ts';
import { runPlan } from './planning.ts';

/** A read that goes to the API server, and not to a cache. */
export interface LiveRead {
  /** Name in the table of kinds. */
  readonly kind: string;
  /** Null: a list of all objects of the kind. */
  readonly key: ObjectKey | null;
}

/**
 * What a controller in TypeScript, or one that a scenario describes, reads live in its next step.
 *
 * @param controller its name.
 * @param object that the request is about.
 */
export function liveReads(
  setup: Setup,
  before: Cluster,
  controller: string,
  object: ObjectKey,
): readonly LiveRead[] {
  const program = programsOf(setup).find(({ name }) => name === controller);
  const state = stateOf(before, controller, PROGRAMMED);
  // With tasks at hand, it sends requests.
  if (program === undefined || state?.tasks !== undefined) return [];
  const known = state?.reads ?? {};
  const { seen } = runPlan(setup, program, before, object, known);
  return Object.keys(seen).flatMap((name): LiveRead | [] => {
    if (Object.hasOwn(known, name) || !name.startsWith('live ')) return [];
    const what = name.slice('live '.length);
    return what.startsWith('list ')
      ? { kind: what.slice('list '.length), key: null }
      : { kind: kindOf(what), key: what };
  });
}
