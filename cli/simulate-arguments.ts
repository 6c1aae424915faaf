import { type Values, whole } from '../input/options/values.ts';
import { MESSAGES } from '../text/messages.ts';
import { type CheckArguments, checkArguments } from './check-arguments.ts';
import { type FleetArguments, fleetArguments } from './fleet-arguments.ts';
import { SEED_HIGHEST, STEPS_DEFAULT, STEPS_HIGHEST, WALKS_DEFAULT } from './option-tables.ts';
import { reportsShowing } from './reports.ts';

/** The command line of `simulate`: the options of `check` that apply, and how to walk. */
export interface SimulateArguments {
  readonly check: CheckArguments;
  readonly walks: number;
  readonly steps: number;
  /** Null: random. */
  readonly seed: number | null;
  /** Null: all is done here. */
  readonly fleet: FleetArguments | null;
}

/** Throws `InputError` for invalid values and invalid combinations. */
export function simulateArguments(values: Values, words: readonly string[]): SimulateArguments {
  const seed = whole(values, 'seed', 0);
  if (seed !== null && seed > SEED_HIGHEST) {
    throw MESSAGES.wrongValue('seed', `at most ${SEED_HIGHEST}`, String(seed));
  }
  const steps = whole(values, 'steps', 1) ?? STEPS_DEFAULT;
  if (steps > STEPS_HIGHEST) {
    throw MESSAGES.wrongValue('steps', `at most ${STEPS_HIGHEST}`, String(steps));
  }
  reportsShowing(values, 'simulate', ['trace']);
  return {
    check: checkArguments(values, words),
    walks: whole(values, 'walks', 1) ?? WALKS_DEFAULT,
    steps,
    seed,
    fleet: fleetArguments(values),
  };
}
