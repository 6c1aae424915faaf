import type { Limits, ProgressEvent } from '../../checker/index.ts';
import { gatherPlans } from '../../input/gather.ts';
import { packageVersion } from '../../input/package-files.ts';
import type { Plan } from '../../input/plan.ts';
import { propertyId } from '../../input/property-names.ts';
import { limitsLeft, workClock, workOf } from '../../input/work-clock.ts';
import { expectsCounts } from '../../report/document/judge.ts';
import type { CheckReport, ResultDocument } from '../../report/document/result-document.ts';
import { ANY_TRACE } from '../../report/document/traces.ts';
import { linesAfter } from '../../report/text/museum.ts';
import { renderRest } from '../../report/text/text.ts';
import { runPlan, type SingleSearch } from '../../run/assemble.ts';
import { onDisk } from '../../run/disk-folder.ts';
import { escaped } from '../../text/escape.ts';
import { EXIT, type ExitCode, worst } from '../../text/exit-codes.ts';
import { colorsFor, shellQuoted } from '../../text/layout.ts';
import { MESSAGES } from '../../text/messages.ts';
import type { CheckArguments } from '../check-arguments.ts';
import type { Io } from '../io.ts';
import { STATE_GRAPH_MOST } from '../option-tables.ts';
import { progressLine } from '../progress.ts';
import { openReports, type WantedReports, withoutReports } from '../reports.ts';

/** Something to check: a plan, or the model of a module. */
export type Checked = Pick<Plan, 'title' | 'museum'>;

/** Runs one check and reports it. Reports progress, and stops early after an interruption. */
export type Runner<Item extends Checked = Plan> = (
  item: Item,
  onProgress: (event: ProgressEvent) => void,
  interrupted: () => boolean,
) => Promise<CheckReport>;

/** Checks all inputs, prints or writes the result, and returns the exit code. */
export async function checkCommand(given: CheckArguments, io: Io): Promise<ExitCode> {
  if (given.acceptBounded) {
    throw MESSAGES.usage(
      '--accept-bounded needs --delete, without --property, --distinct and --state-graph',
    );
  }
  return onDisk(given.disk, (stored) =>
    reportPlans(given, io, (plan, onProgress, interrupted, limits) => {
      const asked = { ...searchOptions(plan, given), ...stored, asked: given.limits };
      const search = { ...asked, onProgress, interrupted, limits };
      return runPlan(plan, search, againLine(plan, given));
    }),
  );
}

/** Reads all plans and reports each with `runner`. To plan can take as long as to search a dump. */
export async function reportPlans(
  given: CheckArguments,
  io: Io,
  runner: (...check: [...Parameters<Runner>, Limits]) => Promise<CheckReport>,
): Promise<ExitCode> {
  const { plans, limits } = await plansWithin(given, io);
  return deliverChecks(plans, given, io, (...check) => runner(...check, limits));
}

/** The plans, and what is left of the limits for each of them. */
export async function plansWithin(given: CheckArguments, io: Io) {
  const worked = workClock(workOf(given));
  const plans = await gatherPlans(given, io.stdin);
  const limits = given.deletions.length > 0 ? limitsLeft(given.limits, worked) : given.limits;
  return { plans, limits };
}

/** How to show the reports of checks. */
export type Delivery = Pick<CheckArguments, 'reports' | 'traces' | 'full' | 'quiet' | 'words'>;

export async function deliverChecks<Item extends Checked>(
  items: readonly Item[],
  given: Delivery,
  io: Io,
  runner: Runner<Item>,
): Promise<ExitCode> {
  const reports = await openReports(given.reports, io);
  try {
    const byLine = reports.printing && given.reports.format === 'text' && items.length > 1;
    const document = await runChecks(items, given, io, byLine, runner);
    const { traces, full, quiet } = given;
    if (!quiet) io.stderr.write(leftOutLines(document, given.reports));
    const showing = { traces, full, quiet, choice: ANY_TRACE };
    await reports.deliver(
      document,
      byLine ? { ...showing, printed: (options) => renderRest(document, options) } : showing,
    );
    return document.exitCode as ExitCode;
  } catch (error) {
    await reports.discard();
    throw error;
  }
}

/** Notes about graphs of states that a JSON document lacks. Formats that show graphs note it themselves. */
function leftOutLines(document: ResultDocument, { format, reports }: WantedReports): string {
  if (![format, ...reports.map((report) => report.format)].includes('json')) return '';
  return document.checks
    .flatMap(({ title, result: { stateGraph } }) =>
      stateGraph?.kind === 'omitted'
        ? [`The result has no graph of states of ${escaped(title)}: ${stateGraph.reason}\n`]
        : [],
    )
    .join('');
}

/** An interruption ends the current check with a partial result and skips the others. */
async function runChecks<Item extends Checked>(
  items: readonly Item[],
  given: Delivery,
  io: Io,
  byLine: boolean,
  runner: Runner<Item>,
): Promise<ResultDocument> {
  const progress = progressLine(io, given.quiet);
  let interrupted = false;
  const stopListening = io.onInterrupt(() => {
    interrupted = true;
  });
  const reports: CheckReport[] = [];
  try {
    for (const item of items) {
      if (interrupted) break;
      const show = (event: ProgressEvent) => progress.show(item.title, event);
      const report = await runner(item, show, () => interrupted);
      reports.push(report);
      progress.clear();
      if (byLine) {
        const colors = colorsFor(io.env, io.stdout.isTerminal);
        const lines = linesAfter(reports, items[reports.length], colors);
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
    answer: null,
    checks: reports,
    notRun: items.slice(reports.length).map(({ title }) => title),
    exitCode: worst(interrupted ? [...codes, EXIT.interrupted] : codes),
  };
}

export function searchOptions(
  plan: Pick<Plan, 'expectation'>,
  given: CheckArguments,
): SingleSearch {
  return {
    engine: given.engine,
    ...reductionsFor(plan, given),
    limits: given.limits,
    auditEvery: given.auditEvery,
    distinct: given.distinct,
    threads: given.threads,
    ...(given.stateGraph ? { stateGraph: STATE_GRAPH_MOST } : {}),
  };
}

/** Scenarios pin the counts of a search without reductions. */
function reductionsFor(
  { expectation }: Pick<Plan, 'expectation'>,
  { reductions }: CheckArguments,
): Pick<SingleSearch, 'reductions'> {
  if (reductions !== null) return { reductions };
  return expectsCounts(expectation) ? { reductions: [] } : {};
}

/** The command line that repeats this check alone, without output files. */
export function againLine(plan: Pick<Plan, 'given'>, given: CheckArguments): string {
  const words = withoutReports(given.words);
  const rest = plan.given === null ? words : words.filter((word) => !given.inputs.includes(word));
  const inserted = plan.given === null ? [] : [plan.given];
  const [command = 'check', ...options] = rest;
  return ['reapcheck', command, ...inserted, ...options.map(withId)].map(shellQuoted).join(' ');
}

/** The sentence of a property is also accepted, but its id is shorter and needs no quotes. */
function withId(word: string): string {
  const [, option = '', name = word] = word.match(/^(--property=)(.*)$/) ?? [];
  return `${option}${propertyId(name) ?? name}`;
}
