import { produce } from 'immer';
import type { Witness } from '../../../checker/index.ts';
import type { Cluster, DeletionModel } from '../../../model/index.ts';

/** Random walks, for models that are too large to be explored completely. */

/** A walk stops after this many steps. */
const LONGEST = 2_000;

export interface Walked {
  /** Names of the witnesses that were reached. */
  readonly reached: ReadonlySet<string>;
  readonly walks: number;
}

/**
 * Walks until every witness is reached, at most `maximum` times. The walks are the same each time.
 */
export function randomWalks(
  model: DeletionModel,
  witnesses: readonly Witness<Cluster>[],
  maximum: number,
): Walked {
  const reached = new Set<string>();
  const random = generator();
  const instances = Object.values(model.actions).flatMap((action) =>
    action.parameters.map((parameters) => ({ action, parameters })),
  );
  let walks = 0;
  while (walks < maximum && reached.size < witnesses.length) {
    walks++;
    let state = model.initial[0];
    for (let step = 0; state !== undefined && step < LONGEST; step++) {
      const here: Cluster = state;
      for (const witness of witnesses) if (witness.reached(here, {})) reached.add(witness.name);
      state = next(here, instances, random);
    }
  }
  return { reached, walks };
}

interface Instance {
  readonly action: DeletionModel['actions'][string];
  readonly parameters: Readonly<Record<string, string | number | boolean>>;
}

/** The state after a random enabled action; undefined if no action is enabled. */
function next(
  state: Cluster,
  instances: readonly Instance[],
  random: () => number,
): Cluster | undefined {
  const order = [...instances];
  while (order.length > 0) {
    const at = Math.floor(random() * order.length);
    const chosen = order[at];
    order.splice(at, 1);
    if (chosen === undefined) continue;
    const after = produce(state, (draft) => chosen.action.reduce(draft, chosen.parameters));
    if (after !== state) return after;
  }
  return undefined;
}

/** A generator of numbers from 0 to 1 with a fixed seed (mulberry32). */
function generator(): () => number {
  let seed = 1;
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
