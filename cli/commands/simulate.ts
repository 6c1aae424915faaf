import { randomInt } from 'node:crypto';
import { simulate } from '../../checker/index.ts';
import type { Expectation } from '../../input/scenarios/scenario.ts';
import { reportOn } from '../../run/assemble.ts';
import { adviceOn } from '../../run/limit-advice.ts';
import type { ExitCode } from '../../text/exit-codes.ts';
import { areModules } from '../check-arguments.ts';
import type { Io } from '../io.ts';
import { SEED_HIGHEST } from '../option-tables.ts';
import type { SimulateArguments } from '../simulate-arguments.ts';
import { againLine, reportPlans } from './check.ts';
import { type ModelRunner, reportModels } from './check-models.ts';

/** Simulates all inputs; prints or writes a result like that of `check`. */
export function simulateCommand(given: SimulateArguments, io: Io): Promise<ExitCode> {
  const { walks, steps } = given;
  const seed = given.seed ?? randomInt(SEED_HIGHEST);
  const suffix = given.seed === null ? ` --seed ${seed}` : '';
  const { limits } = given.check;
  const how = { walks, steps, seed, limits };
  if (areModules(given.check)) {
    // Walks have no constraint: the report warns of that.
    const runner: ModelRunner = (question, onProgress, interrupted) => {
      const { within: _, ...asked } = question;
      return simulate({ ...asked, ...how, onProgress, interrupted });
    };
    return reportModels(given.check, io, 'walks', runner, suffix);
  }
  return reportPlans(given.check, io, (plan, onProgress, interrupted) => {
    const expectation = plan.expectation === null ? null : ofWalks(plan.expectation);
    const again = `${againLine(plan, given.check)}${suffix}`;
    const advice = adviceOn(plan.setup, 'walks');
    return reportOn(
      { ...plan, expectation },
      again,
      (question) => simulate({ ...question, advice, ...how, onProgress, interrupted }),
      limits,
    );
  });
}

/** Pinned counts and lengths of counterexamples apply only to an exhaustive search. */
function ofWalks({ verdicts, because }: Expectation): Expectation {
  return { verdicts, because };
}
