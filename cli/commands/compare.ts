import { gatherPolicies } from '../../input/gather-questions.ts';
import { CASCADES } from '../../input/plan.ts';
import type { ExitCode } from '../../text/exit-codes.ts';
import type { CheckArguments } from '../check-arguments.ts';
import type { Io } from '../io.ts';
import { answerQuestion } from './delete.ts';

/** Says what becomes of each object with each propagation policy, and returns the exit code. */
export async function compareCommand(given: CheckArguments, io: Io): Promise<ExitCode> {
  const plans = await gatherPolicies(given, CASCADES, io.stdin);
  const columns = plans.map((plan, index) => ({ name: CASCADES[index] ?? '', plan }));
  return answerQuestion('compare', columns, given, io);
}
