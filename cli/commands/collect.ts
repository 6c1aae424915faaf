import { gatherCollection } from '../../input/gather-questions.ts';
import { collected } from '../../run/questions/collection.ts';
import type { ExitCode } from '../../text/exit-codes.ts';
import type { CheckArguments } from '../check-arguments.ts';
import type { Io } from '../io.ts';
import { ANSWER_SECONDS_DEFAULT, deliverAnswer } from './delete.ts';

/** Says what the collector does to objects that nobody deletes, and returns the exit code. */
export async function collectCommand(given: CheckArguments, io: Io): Promise<ExitCode> {
  const { plan, total } = await gatherCollection(given, io.stdin);
  const seconds = given.limits.seconds ?? ANSWER_SECONDS_DEFAULT;
  return deliverAnswer(given, io, (budget) => collected(plan, total, seconds, budget));
}
