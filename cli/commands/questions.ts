import { gatherExplanation } from '../../input/gather-explanation.ts';
import { gatherCollection } from '../../input/gather-questions.ts';
import { gatherRelease } from '../../input/gather-uninstall.ts';
import { text, texts, type Values } from '../../input/options/values.ts';
import { secondsLeft, workClock } from '../../input/work-clock.ts';
import { collected } from '../../run/questions/collection.ts';
import { explained } from '../../run/questions/explain.ts';
import { uninstallOrder } from '../../run/questions/uninstall.ts';
import type { ExitCode } from '../../text/exit-codes.ts';
import type { CheckArguments } from '../check-arguments.ts';
import type { Io } from '../io.ts';
import { ANSWER_SECONDS_DEFAULT, deliverAnswer } from './delete.ts';

/** Says what the collector does to objects that nobody deletes, and returns the exit code. */
export async function collectCommand(given: CheckArguments, io: Io): Promise<ExitCode> {
  const worked = workClock();
  const { plan, total } = await gatherCollection(given, io.stdin);
  const seconds = secondsLeft(given.limits.seconds ?? ANSWER_SECONDS_DEFAULT, worked);
  return deliverAnswer(given, io, (budget) => collected(plan, total, seconds, budget));
}

/** Says why objects are not gone, and what helps, and returns the exit code. */
export async function explainCommand(given: CheckArguments, io: Io): Promise<ExitCode> {
  const worked = workClock();
  const explanation = await gatherExplanation(given, io.stdin);
  const seconds = secondsLeft(given.limits.seconds ?? ANSWER_SECONDS_DEFAULT, worked);
  return deliverAnswer(given, io, (budget) => explained(explanation, seconds, budget));
}

/** Seconds: many orders are searched. */
const UNINSTALL_SECONDS_DEFAULT = 60;

/** Says in which order to uninstall, and returns the exit code. */
export async function uninstallCommand(
  given: CheckArguments,
  values: Values,
  io: Io,
): Promise<ExitCode> {
  const worked = workClock();
  const wanted = {
    release: text(values, 'release'),
    selector: text(values, 'selector'),
    manifests: texts(values, 'manifests'),
  };
  const release = await gatherRelease(given, wanted, io.stdin);
  const seconds = secondsLeft(given.limits.seconds ?? UNINSTALL_SECONDS_DEFAULT, worked);
  return deliverAnswer(given, io, (budget) => uninstallOrder(release, seconds, budget));
}
