import type { ActionInstance, Model, Property, PropertyResult } from '../../checker/index.ts';
import { readSource } from '../../input/documents/source.ts';
import type { Plan } from '../../input/plan.ts';
import { type Cluster, describer, type Setup } from '../../model/index.ts';
import { readResult } from '../../report/document/documents.ts';
import type { Replay } from '../../report/document/replay.ts';
import type { CheckReport } from '../../report/document/result-document.ts';
import { renderJson } from '../../report/formats/json.ts';
import { type Point, type Replayed, replayLines } from '../../report/text/replay.ts';
import { modelOf, propertiesOf, reportOn } from '../../run/assemble.ts';
import { possibleIn } from '../../run/execution.ts';
import { searchOn } from '../../run/extend.ts';
import { fateProperties } from '../../run/fates.ts';
import { type ExecutedRun, executeTrace, replayTrace } from '../../run/replay.ts';
import { questionOf, replayToken } from '../../run/tokens/replay-token.ts';
import { isToken } from '../../run/tokens/token.ts';
import { TOKEN_ERRORS } from '../../run/tokens/token-errors.ts';
import { EXIT, type ExitCode } from '../../text/exit-codes.ts';
import { InputError } from '../../text/input-error.ts';
import { colorsFor, plural, shellQuoted } from '../../text/layout.ts';
import { MESSAGES } from '../../text/messages.ts';
import type { Io } from '../io.ts';
import type { ReplayArguments } from '../replay-arguments.ts';
import { deliverPlans } from './check.ts';

/** Exit code 0: every run came out as recorded; 1: the model now behaves otherwise. */
export async function replayCommand(given: ReplayArguments, io: Io): Promise<ExitCode> {
  const runs = isToken(given.input) ? [await ofToken(given, io)] : await ofFile(given, io);
  const [first] = runs;
  if (given.until === null && !given.extend) return print(runs, given, io);
  if (first === undefined || runs.length > 1) {
    const option = given.extend ? 'extend' : 'until';
    throw MESSAGES.usage(
      `--${option} goes on from one run, and there are ${runs.length} here`,
      'choose one with --check and --property, or give its token',
    );
  }
  if (!given.extend || first.replayed.outcome.outcome === 'different') {
    return print(runs, given, io);
  }
  return extend(first, given, io);
}

/** A run that was executed again, with all that is needed to go on from it. */
interface Rerun {
  readonly replayed: Replayed;
  readonly plan: Plan;
  readonly run: ExecutedRun;
}

async function ofToken(given: ReplayArguments, io: Io): Promise<Rerun> {
  if (given.check !== null) throw MESSAGES.usage('--check says nothing with a token');
  if (given.properties.length > 0) throw MESSAGES.usage('--property says nothing with a token');
  const question = await questionOf(given.input, io.stdin, given.maxMegabytes);
  const { plan, model, token } = question;
  const of = token.steps.length;
  const until = stepsUntil(given, of);
  const { run, told, replay } = replayToken(question, until);
  const point = pointAt(plan.setup, model, run);
  const title = plan.title;
  const replayed = { check: null, title, told, ...outcomeOf(replay, given, until, of, point) };
  return { replayed, plan, run };
}

function stepsUntil({ until }: ReplayArguments, of: number): number {
  if (until === null || until <= of) return until ?? of;
  throw MESSAGES.wrongValue(
    'until',
    `a whole number up to ${of}, which the run ends with`,
    `${until}`,
  );
}

function outcomeOf(
  replay: Replay,
  given: ReplayArguments,
  step: number,
  of: number,
  point: () => Point,
): Pick<Replayed, 'outcome' | 'point'> {
  if (replay.outcome === 'different') {
    return { outcome: replay, point: replay.step === 0 ? null : point() };
  }
  if (given.until === null) return { outcome: replay, point: null };
  return { outcome: { outcome: 'stopped', step, of }, point: point() };
}

/** What is possible at the end of a run. */
function pointAt(setup: Setup, model: Model<Cluster>, { states }: ExecutedRun): () => Point {
  return () => {
    const state = states.at(-1)!;
    const words = describer(setup);
    const told = ({ name, parameters }: ActionInstance, after: Cluster) => ({
      action: name,
      parameters,
      sentence: words.action({ name, parameters }, state, after),
    });
    const possible = [...possibleIn(model, state)];
    return { state, possible: possible.map(({ action, after }) => told(action, after)) };
  };
}

async function ofFile(given: ReplayArguments, io: Io): Promise<readonly Rerun[]> {
  const { input, maxMegabytes } = given;
  const source = await readSource(input, io.stdin, { maxMegabytes }).catch((error: unknown) => {
    const isWord = !/[./]/.test(input) && error instanceof InputError;
    throw isWord ? TOKEN_ERRORS.noSuchRun(input) : error;
  });
  const document = readResult(source);
  const chosen = choose(document.checks, given.check, given.properties);
  return chosen.map((choice) => {
    try {
      return rerun(choice, chosen.length === 1 ? given : { ...given, until: null });
    } catch (error) {
      // What the setup of a file does not fit is an error of the input.
      if (!isDefect(error)) throw error;
      throw MESSAGES.notAResult(source.file, `the setup makes no model (${String(error)})`);
    }
  });
}

function isDefect(error: unknown): boolean {
  return error instanceof Error && error.name !== 'InputError';
}

/** A trace of the document that is to be executed again. */
interface Chosen {
  /** From 1. */
  readonly number: number;
  readonly report: CheckReport;
  readonly property: PropertyResult;
}

function choose(
  checks: readonly CheckReport[],
  only: number | null,
  names: readonly string[],
): readonly Chosen[] {
  if (only !== null && only > checks.length) {
    throw MESSAGES.wrongValue('check', `a number from 1 to ${checks.length}`, String(only));
  }
  const traces = checks.flatMap((report, index) =>
    [...report.result.properties, ...report.fates.flatMap(({ goes, mayGo }) => [goes, mayGo])]
      .flatMap((property) => [property, ...alternativesOf(property)])
      .filter(({ trace }) => trace !== null && (only === null || only === index + 1))
      .map((property) => ({ number: index + 1, report, property })),
  );
  const known = traces.map(({ property }) => property.name);
  for (const name of names) {
    if (!known.includes(name)) throw MESSAGES.noTrace(name, [...new Set(known)]);
  }
  return traces.filter(({ property }) => names.length === 0 || names.includes(property.name));
}

/** Further counterexamples, each like the first one. */
function alternativesOf(property: PropertyResult): readonly PropertyResult[] {
  const { alternatives, ...first } = property;
  return (alternatives?.counterexamples ?? []).map(({ parameters, trace, broken }) => ({
    ...first,
    ...{ parameters, trace, broken },
  }));
}

function rerun({ number, report, property }: Chosen, given: ReplayArguments): Rerun {
  const { setup, title } = report;
  const trace = property.trace!;
  const model = modelOf(setup);
  const until = stepsUntil(given, trace.steps.length);
  const { run, different } = executeTrace(model, trace, until);
  const isWhole = until === trace.steps.length;
  const replay: Replay =
    different ??
    (isWhole
      ? judgedAgain(model, report, property)
      : { outcome: 'same', steps: run.actions.length });
  const point = pointAt(setup, model, run);
  const cut = { shape: 'path', loopStart: null, fairness: [], steps: trace.steps.slice(0, until) };
  const told: PropertyResult =
    given.until === null && replay.outcome !== 'notBroken'
      ? property
      : { ...property, broken: [], trace: { ...trace, ...cut, shape: 'path' } };
  return {
    replayed: {
      check: number,
      title,
      told,
      ...outcomeOf(replay, given, until, trace.steps.length, point),
    },
    plan: planOf(report),
    run,
  };
}

function judgedAgain(model: Model<Cluster>, report: CheckReport, property: PropertyResult): Replay {
  const named = propertyNamed(report.setup, property.name);
  if (named !== undefined) return replayTrace(model, named, property);
  return { outcome: 'different', step: 0, what: 'the property does not exist any more' };
}

function propertyNamed(setup: Setup, name: string): Property<Cluster> | undefined {
  const all = [...propertiesOf(setup, [name]), ...fateProperties(setup)];
  return all.find((property) => property.name === name);
}

/** What the check of a file has asked, but for what it expected. */
function planOf(report: CheckReport): Plan {
  const { title, about, source, protocol, setup, cut, warnings, place } = report;
  return {
    ...{ title, about, source, protocol, setup, cut, warnings, place },
    properties: report.result.properties.map(({ name }) => name),
    asked: [],
    expectation: null,
    fates: report.fates.length > 0,
    given: null,
    subject: null,
    museum: null,
  };
}

function print(runs: readonly Rerun[], given: ReplayArguments, io: Io): ExitCode {
  const all = runs.map(({ replayed }) => replayed);
  const same = all.filter(({ outcome }) => outcome.outcome === 'same').length;
  if (given.reports.format === 'json') {
    const traces = all.map(({ check, title, told, outcome, point }) => ({
      ...{ check, title, property: told.name === '' ? null : told.name, ...outcome },
      // A file has its traces already.
      ...(check === null ? { trace: told.trace, broken: told.broken } : {}),
      ...(point === null ? {} : point),
    }));
    io.stdout.write(renderJson({ schema: 'reapcheck.replay/v1', traces }));
  } else {
    const colors = colorsFor(io.env, io.stdout.isTerminal);
    for (const replayed of all) {
      io.stdout.write(`${replayLines(replayed, colors, given.full).join('\n')}\n`);
      if (given.until === null && replayed.check !== null) io.stdout.write('\n');
    }
    if (given.until === null && !isToken(given.input)) {
      io.stdout.write(`${same} of ${plural(all.length, 'trace')} came out as recorded\n`);
    }
  }
  return all.every(({ outcome }) => outcome.outcome === 'same' || outcome.outcome === 'stopped')
    ? EXIT.asExpected
    : EXIT.violated;
}

/** Searches on from the end of the run, and reports as `check` does. */
function extend({ plan, run }: Rerun, given: ReplayArguments, io: Io): Promise<ExitCode> {
  const steps = plural(run.actions.length, 'step');
  const title = `${plan.title}, after ${steps} of a run`;
  const again = ['reapcheck', ...given.words].map(shellQuoted).join(' ');
  const from: Plan = { ...plan, title, asked: [], expectation: null, museum: null };
  return deliverPlans([from], given, io, (asked, onProgress, interrupted) =>
    reportOn(asked, again, (question) =>
      searchOn(question, run, {
        engine: 'tracked',
        limits: given.limits,
        auditEvery: 0,
        onProgress,
        interrupted,
      }),
    ),
  );
}
