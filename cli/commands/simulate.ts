import { randomInt } from 'node:crypto';
import { simulate } from '../../checker/index.ts';
import { gatherPlans } from '../../input/gather.ts';
import type { Plan } from '../../input/plan.ts';
import type { Expectation } from '../../input/scenarios/scenario.ts';
import { type WalksQuestion, walksReport } from '../../run/walks.ts';
import type { ExitCode } from '../../text/exit-codes.ts';
import { plural } from '../../text/layout.ts';
import { areModules } from '../check-arguments.ts';
import { atPlace, type FleetArguments } from '../fleet-arguments.ts';
import type { Io } from '../io.ts';
import { SEED_HIGHEST } from '../option-tables.ts';
import type { SimulateArguments } from '../simulate-arguments.ts';
import { statusLine } from '../status-line.ts';
import { againLine, deliverChecks, reportPlans } from './check.ts';
import { type ModelRunner, reportModels } from './check-models.ts';

/** What a fleet may take to say that its time is up. */
const GRACE_SECONDS = 5;

/** Simulates all inputs; prints or writes a result like that of `check`. */
export async function simulateCommand(given: SimulateArguments, io: Io): Promise<ExitCode> {
  const { walks, steps, fleet } = given;
  const seed = given.seed ?? randomInt(SEED_HIGHEST);
  const suffix = given.seed === null ? ` --seed ${seed}` : '';
  const how = { walks, steps, seed, limits: given.check.limits };
  if (areModules(given.check)) {
    if (fleet !== null) {
      const { refuseModules } = await import('../../fleet/modules.ts');
      refuseModules(given.check.inputs);
    }
    // Walks have no constraint: the report warns of that.
    const runner: ModelRunner = (question, onProgress, interrupted) => {
      const { within: _, ...asked } = question;
      return simulate({ ...asked, ...how, onProgress, interrupted });
    };
    return reportModels(given.check, io, 'walks', runner, suffix);
  }
  const questionOf = (plan: Plan): WalksQuestion => {
    const again = `${againLine(plan, given.check)}${suffix}`;
    return { plan: { ...plan, expectation: ofWalks(plan.expectation) }, ...how, again };
  };
  if (fleet !== null) return simulateByFleet(given, fleet, questionOf, io);
  return reportPlans(given.check, io, (plan, onProgress, interrupted, left) =>
    walksReport({ ...questionOf(plan), limits: left, asked: how.limits }, onProgress, interrupted),
  );
}

/** All plans are asked at once, and reported in their order. */
async function simulateByFleet(
  { check }: SimulateArguments,
  fleet: FleetArguments,
  questionOf: (plan: Plan) => WalksQuestion,
  io: Io,
): Promise<ExitCode> {
  const { askedWalks } = await import('../../fleet/walks.ts');
  const plans = await gatherPlans(check, io.stdin);
  const { quiet, limits } = check;
  // One after the other, they would take that long at most.
  const until =
    limits.seconds === undefined
      ? null
      : Date.now() + (limits.seconds * plans.length + GRACE_SECONDS) * 1000;
  return atPlace(fleet, { processes: null, until, quiet }, io, (place) => {
    const asked = askedWalks(place, plans.map(questionOf));
    const items = plans.map((plan, index) => ({ ...plan, asked: asked[index] }));
    const line = statusLine(io, quiet);
    const waiting = (answered: number): void => {
      line.show(`${answered} of ${plural(plans.length, 'model')} walked through by the fleet`);
    };
    return deliverChecks(items, check, io, (item, _onProgress, interrupted) =>
      item.asked === undefined
        ? Promise.reject(new Error('a plan was not asked'))
        : item.asked(interrupted, waiting).finally(line.clear),
    );
  });
}

/** Pinned counts and lengths of counterexamples apply only to an exhaustive search. */
function ofWalks(expectation: Expectation | null): Expectation | null {
  return expectation && { verdicts: expectation.verdicts, because: expectation.because };
}
