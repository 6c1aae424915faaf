import { randomInt } from 'node:crypto';
import { simulate } from '../../checker/index.ts';
import type { Expectation } from '../../input/scenarios/scenario.ts';
import { reportOn } from '../../run/assemble.ts';
import { adviceOn } from '../../run/limit-advice.ts';
import type { ExitCode } from '../../text/exit-codes.ts';
import type { Io } from '../io.ts';
import { SEED_HIGHEST } from '../option-tables.ts';
import type { SimulateArguments } from '../simulate-arguments.ts';
import { againLine, reportPlans } from './check.ts';

/** Simulates all inputs; prints or writes a result like that of `check`. */
export function simulateCommand(given: SimulateArguments, io: Io): Promise<ExitCode> {
  const { walks, steps } = given;
  const seed = given.seed ?? randomInt(SEED_HIGHEST);
  const { limits } = given.check;
  return reportPlans(given.check, io, (plan, onProgress, interrupted) => {
    const expectation = plan.expectation === null ? null : ofWalks(plan.expectation);
    const line = againLine(plan, given.check);
    const again = given.seed === null ? `${line} --seed ${seed}` : line;
    const advice = adviceOn(plan.setup, 'walks');
    return reportOn(
      { ...plan, expectation },
      again,
      (question) =>
        simulate({ ...question, advice, walks, steps, seed, limits, onProgress, interrupted }),
      limits,
    );
  });
}

/** Pinned counts and lengths of counterexamples apply only to an exhaustive search. */
function ofWalks({ verdicts, because }: Expectation): Expectation {
  return { verdicts, because };
}
