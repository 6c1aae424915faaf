import { gatherExplanation } from '../../input/gather-explanation.ts';
import { explained } from '../../run/questions/explain.ts';
import type { ExitCode } from '../../text/exit-codes.ts';
import type { CheckArguments } from '../check-arguments.ts';
import type { Io } from '../io.ts';
import { ANSWER_SECONDS_DEFAULT, deliverAnswer } from './delete.ts';

/** Says why objects are not gone, and what helps, and returns the exit code. */
export async function explainCommand(given: CheckArguments, io: Io): Promise<ExitCode> {
  const explanation = await gatherExplanation(given, io.stdin);
  const seconds = given.limits.seconds ?? ANSWER_SECONDS_DEFAULT;
  return deliverAnswer(given, io, (budget) => explained(explanation, seconds, budget));
}
