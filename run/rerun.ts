import type { ActionInstance, Model, Property, PropertyResult } from '../checker/index.ts';
import { type Bytes, readSource } from '../input/documents/source.ts';
import type { Plan } from '../input/plan.ts';
import { type Cluster, describer, type Setup } from '../model/index.ts';
import { readResult } from '../report/document/documents.ts';
import type { Replay } from '../report/document/replay.ts';
import type { CheckReport } from '../report/document/result-document.ts';
import type { Point, Replayed } from '../report/text/replay.ts';
import { InputError } from '../text/input-error.ts';
import { MESSAGES } from '../text/messages.ts';
import { modelOf, propertiesOf } from './assemble.ts';
import { possibleIn } from './execution.ts';
import { fateProperties } from './fates.ts';
import { type ExecutedRun, executeTrace, replayTrace } from './replay.ts';
import { TOKEN_ERRORS } from './tokens/errors.ts';
import { questionOf, replayToken } from './tokens/replay.ts';
import { isToken } from './tokens/token.ts';

/** Which runs to execute again, and how far. */
export interface RerunOptions {
  /** A token, or the file of a stored result; `-` is stdin. */
  readonly input: string;
  /** Number of the check in a file, from 1; null: all. */
  readonly check: number | null;
  /** Names of properties of a file; none: all. */
  readonly properties: readonly string[];
  /** After how many steps to stop; null: at the end. */
  readonly until: number | null;
  readonly maxMegabytes: number;
}

/** A run that was executed again, with everything needed to continue from it. */
export interface Rerun {
  readonly replayed: Replayed;
  readonly plan: Plan;
  readonly run: ExecutedRun;
}

/**
 * Executes the run of a token, or the chosen runs of a stored result. Throws `InputError`, also if no
 * run matches the choice.
 */
export async function rerunsOf(given: RerunOptions, stdin: Bytes): Promise<readonly Rerun[]> {
  return isToken(given.input) ? [await ofToken(given, stdin)] : ofFile(given, stdin);
}

async function ofToken(given: RerunOptions, stdin: Bytes): Promise<Rerun> {
  if (given.check !== null) throw MESSAGES.usage('--check has no effect with a token');
  if (given.properties.length > 0) throw MESSAGES.usage('--property has no effect with a token');
  const question = await questionOf(given.input, stdin, given.maxMegabytes);
  const { plan, model, token } = question;
  const of = token.steps.length;
  const until = stepsUntil(given, of);
  const { run, told, replay } = replayToken(question, until);
  const point = pointAt(plan.setup, model, run);
  const title = plan.title;
  const replayed = { check: null, title, told, ...outcomeOf(replay, given, until, of, point) };
  return { replayed, plan, run };
}

function stepsUntil({ until }: RerunOptions, of: number): number {
  if (until === null || until <= of) return until ?? of;
  throw MESSAGES.wrongValue(
    'until',
    `a whole number up to ${of}, the length of the run`,
    `${until}`,
  );
}

function outcomeOf(
  replay: Replay,
  given: RerunOptions,
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

/** The state at the end of a run, and the actions that are possible there. */
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

async function ofFile(given: RerunOptions, stdin: Bytes): Promise<readonly Rerun[]> {
  const { input, maxMegabytes } = given;
  const source = await readSource(input, stdin, { maxMegabytes }).catch((error: unknown) => {
    const isWord = !/[./]/.test(input) && error instanceof InputError;
    throw isWord ? TOKEN_ERRORS.noSuchRun(input) : error;
  });
  const document = readResult(source);
  const chosen = choose(document.checks, given.check, given.properties);
  return chosen.map((choice) => {
    try {
      return rerun(choice, chosen.length === 1 ? given : { ...given, until: null });
    } catch (error) {
      // The file has a setup that the model cannot be built from: an error of the input.
      if (!isDefect(error)) throw error;
      throw MESSAGES.notAResult(source.file, `its setup is not valid (${String(error)})`);
    }
  });
}

function isDefect(error: unknown): boolean {
  return error instanceof Error && error.name !== 'InputError';
}

/** A trace of the document to execute again. */
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
    const ids = traces.flatMap(({ property }) => property.id ?? []);
    if (!known.includes(name)) throw MESSAGES.noTrace(name, [...new Set([...ids, ...known])]);
  }
  return traces.filter(({ property }) => names.length === 0 || names.includes(property.name));
}

/** The further counterexamples to a property, each as a result of its own. */
function alternativesOf(property: PropertyResult): readonly PropertyResult[] {
  const { alternatives, ...first } = property;
  return (alternatives?.counterexamples ?? []).map(({ parameters, trace, broken }) => ({
    ...first,
    ...{ parameters, trace, broken },
  }));
}

function rerun({ number, report, property }: Chosen, given: RerunOptions): Rerun {
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
  return { outcome: 'different', step: 0, what: 'the property no longer exists' };
}

function propertyNamed(setup: Setup, name: string): Property<Cluster> | undefined {
  const all = [...propertiesOf(setup, [name]), ...fateProperties(setup)];
  return all.find((property) => property.name === name);
}

/** The plan of a check in a file, without its expectations. */
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
    cluster: null,
    museum: null,
  };
}
