import { gatherExplanation } from '../../input/gather-explanation.ts';
import { gatherCollection } from '../../input/gather-questions.ts';
import { gatherRelease } from '../../input/gather-uninstall.ts';
import { text, texts, type Values } from '../../input/options/values.ts';
import { timed } from '../../input/work-clock.ts';
import { collected } from '../../run/questions/collection.ts';
import { explained } from '../../run/questions/explain.ts';
import { uninstallOrder } from '../../run/questions/uninstall.ts';
import type { ExitCode } from '../../text/exit-codes.ts';
import type { CheckArguments } from '../check-arguments.ts';
import type { Io } from '../io.ts';
import { ANSWER_SECONDS_DEFAULT, deliverAnswer } from './delete.ts';

/** Says what the collector does to objects that nobody deletes, and returns the exit code. */
export async function collectCommand(given: CheckArguments, io: Io): Promise<ExitCode> {
  const { asked, left } = timed(given, ANSWER_SECONDS_DEFAULT);
  const { plan, total } = await gatherCollection(asked, io.stdin);
  return deliverAnswer(given, io, (budget) => collected(plan, total, left(), budget));
}

/** Says why objects are not gone, and what helps, and returns the exit code. */
export async function explainCommand(given: CheckArguments, io: Io): Promise<ExitCode> {
  const { asked, left } = timed(given, ANSWER_SECONDS_DEFAULT);
  const explanation = await gatherExplanation(asked, io.stdin);
  return deliverAnswer(given, io, (budget) => explained(explanation, left(), budget));
}

/** Seconds: many orders are searched. */
const UNINSTALL_SECONDS_DEFAULT = 60;

/** Says in which order to uninstall, and returns the exit code. */
export async function uninstallCommand(
  given: CheckArguments,
  values: Values,
  io: Io,
): Promise<ExitCode> {
  const { asked, left } = timed(given, UNINSTALL_SECONDS_DEFAULT);
  const wanted = {
    release: text(values, 'release'),
    selector: text(values, 'selector'),
    manifests: texts(values, 'manifests'),
  };
  const release = await gatherRelease(asked, wanted, io.stdin);
  return deliverAnswer(given, io, (budget) => uninstallOrder(release, left(), budget));
}
