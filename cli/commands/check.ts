import { runPlan, type SearchOptions } from '../assemble.ts';
import type { CheckArguments } from '../check-arguments.ts';
import { EXIT, type ExitCode, worst } from '../exit-codes.ts';
import { gatherPlans } from '../gather.ts';
import type { Io } from '../io.ts';
import { expectsCounts } from '../judge.ts';
import { type Output, openOutput } from '../output.ts';
import { packageVersion } from '../package-files.ts';
import type { Plan } from '../plan.ts';
import { NO_PROGRESS, type ProgressLine, progressLine } from '../progress.ts';
import { renderJson } from '../render/json.ts';
import { colorsFor, PLAIN, shellQuoted } from '../render/layout.ts';
import { linesAfter } from '../render/museum.ts';
import { renderRest, renderText, type TextOptions } from '../render/text.ts';
import type { CheckReport, ResultDocument } from '../result-document.ts';

/** Checks everything that was asked for, prints or writes the result, returns the exit code. */
export async function checkCommand(given: CheckArguments, io: Io): Promise<ExitCode> {
  const plans = await gatherPlans(given, io.stdin);
  const output = given.output === null ? null : await openOutput(given.output);
  try {
    const document = await runPlans(plans, given, io, output === null);
    await present(document, plans, given, io, output);
    return document.exitCode as ExitCode;
  } catch (error) {
    await output?.discard();
    throw error;
  }
}

/** Interruption ends the check under way with what it has, and leaves out the others. */
async function runPlans(
  plans: readonly Plan[],
  given: CheckArguments,
  io: Io,
  printing: boolean,
): Promise<ResultDocument> {
  const progress =
    given.quiet || !io.stderr.isTerminal ? NO_PROGRESS : progressLine(io.stderr.write);
  let interrupted = false;
  const stopListening = io.onInterrupt(() => {
    interrupted = true;
  });
  const reports: CheckReport[] = [];
  try {
    for (const plan of plans) {
      if (interrupted) break;
      const search = searchOptions(plan, given, progress, () => interrupted);
      const report = await runPlan(plan, search, againLine(plan, given));
      reports.push(report);
      progress.clear();
      if (printing && given.format === 'text' && plans.length > 1) {
        const colors = colorsFor(io.env, io.stdout.isTerminal);
        const lines = linesAfter(reports, plans[reports.length], colors);
        io.stdout.write(lines.map((line) => `${line}\n`).join(''));
      }
    }
  } finally {
    progress.clear();
    stopListening();
  }
  const codes = reports.map(({ exitCode }) => exitCode as ExitCode);
  return {
    schema: 'reapcheck.result/v1',
    command: ['reapcheck', ...given.words].map(shellQuoted).join(' '),
    version: packageVersion(),
    checks: reports,
    notRun: plans.slice(reports.length).map(({ title }) => title),
    exitCode: worst(interrupted ? [...codes, EXIT.interrupted] : codes),
  };
}

function searchOptions(
  plan: Plan,
  given: CheckArguments,
  progress: ProgressLine,
  interrupted: () => boolean,
): SearchOptions {
  return {
    engine: given.engine,
    // The counts that a scenario expects are those of all states.
    symmetry: given.symmetry ?? !expectsCounts(plan.expectation),
    limits: given.limits,
    auditEvery: given.auditEvery,
    onProgress: (event) => progress.show(plan.title, event),
    interrupted,
  };
}

/** The command line without the other inputs. */
function againLine(plan: Plan, given: CheckArguments): string {
  const rest =
    plan.given === null ? given.words : given.words.filter((word) => !given.inputs.includes(word));
  const inserted = plan.given === null ? [] : [plan.given];
  const [command = 'check', ...options] = rest;
  return ['reapcheck', command, ...inserted, ...options].map(shellQuoted).join(' ');
}

async function present(
  document: ResultDocument,
  plans: readonly Plan[],
  given: CheckArguments,
  io: Io,
  output: Output | null,
): Promise<void> {
  const text = (options: TextOptions): string =>
    given.format === 'json' ? renderJson(document) : renderText(document, options);
  if (output !== null) {
    await output.commit(text({ colors: PLAIN, traces: given.traces }));
    if (!given.quiet) io.stderr.write(`The result is in ${given.output}\n`);
    return;
  }
  const options = { colors: colorsFor(io.env, io.stdout.isTerminal), traces: given.traces };
  const printed = given.format === 'text' && plans.length > 1;
  io.stdout.write(printed ? renderRest(document, options) : text(options));
}
