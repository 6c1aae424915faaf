import { setImmediate } from 'node:timers/promises';
import { gatherPlans } from '../../input/gather.ts';
import { gatherPolicies } from '../../input/gather-questions.ts';
import { packageVersion } from '../../input/package-files.ts';
import { CASCADES } from '../../input/plan.ts';
import { timed } from '../../input/work-clock.ts';
import type { Answer } from '../../report/document/answer.ts';
import type { ResultDocument } from '../../report/document/result-document.ts';
import { ANY_TRACE } from '../../report/document/traces.ts';
import { type Answered, answered, type Column } from '../../run/questions/answer.ts';
import type { Budget } from '../../run/questions/deciding/decision.ts';
import { EXIT, type ExitCode, worst } from '../../text/exit-codes.ts';
import { shellQuoted } from '../../text/layout.ts';
import type { CheckArguments } from '../check-arguments.ts';
import type { Io } from '../io.ts';
import { progressLine } from '../progress.ts';
import { openReports } from '../reports.ts';

/** Seconds for each way to delete, on a quiet machine. An answer for someone on call. */
export const ANSWER_SECONDS_DEFAULT = 10;

/** Says what becomes of each object if some are deleted, and returns the exit code. */
export async function deleteCommand(given: CheckArguments, io: Io): Promise<ExitCode> {
  const { asked, left } = timed(given, ANSWER_SECONDS_DEFAULT);
  const plans = await gatherPlans(asked, io.stdin);
  const columns = plans.map((plan): Column => ({ name: given.cascade, plan }));
  return answerQuestion('delete', columns, given, io, left());
}

/** The same with each propagation policy, side by side. */
export async function compareCommand(given: CheckArguments, io: Io): Promise<ExitCode> {
  const { asked, left } = timed(given, ANSWER_SECONDS_DEFAULT * CASCADES.length);
  const policies = [given.cascade, ...CASCADES.filter((policy) => policy !== given.cascade)];
  const plans = await gatherPolicies(asked, policies, io.stdin);
  const columns = plans.map((plan, index) => ({ name: policies[index] ?? '', plan }));
  return answerQuestion('compare', columns, given, io, left());
}

/** Answers a question and delivers the document. */
function answerQuestion(
  question: Answer['question'],
  columns: readonly Column[],
  given: CheckArguments,
  io: Io,
  seconds: number,
): Promise<ExitCode> {
  if (!given.quiet && given.words.some((word) => /^--wait(=|$)/.test(word))) {
    io.stderr.write(
      '--wait changes nothing here: kubectl then waits for what is asked for, and the answer is about the end.\n',
    );
  }
  return deliverAnswer(given, io, (budget) => answered(question, columns, seconds, budget));
}

/** Delivers the document of an answer. */
export async function deliverAnswer(
  given: CheckArguments,
  io: Io,
  answer: (budget: Omit<Budget, 'deadline' | 'known'>) => Promise<Answered>,
): Promise<ExitCode> {
  const reports = await openReports(given.reports, io);
  const { quiet, limits, traces, full } = given;
  const progress = progressLine(io, quiet);
  let interrupted = false;
  const stopListening = io.onInterrupt(() => {
    interrupted = true;
  });
  try {
    const found = await answer({
      search: searchOf(given),
      acceptBounded: given.acceptBounded,
      limits,
      onProgress: (title, event) => progress.show(title, event),
      interrupted: () => interrupted,
    });
    // Ctrl-C may be waiting since the last pause.
    await setImmediate();
    progress.clear();
    const codes = found.answer.outcomes.map(({ exitCode }) => exitCode as ExitCode);
    const document: ResultDocument = {
      schema: 'reapcheck.result/v1',
      command: ['reapcheck', ...given.words].map(shellQuoted).join(' '),
      version: packageVersion(),
      answer: found.answer,
      checks: found.checks,
      notRun: [],
      exitCode: worst(interrupted ? [...codes, EXIT.interrupted] : codes),
    };
    await reports.deliver(document, { traces, full, quiet, choice: ANY_TRACE });
    return document.exitCode as ExitCode;
  } catch (error) {
    await reports.discard();
    throw error;
  } finally {
    progress.clear();
    stopListening();
  }
}

export function searchOf({ engine, reductions, auditEvery }: CheckArguments) {
  return { engine, auditEvery, ...(reductions === null ? {} : { reductions }) };
}
