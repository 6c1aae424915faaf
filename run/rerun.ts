import type {
  ActionInstance,
  CheckResult,
  Describer,
  Limits,
  Model,
  Property,
  PropertyResult,
} from '../checker/index.ts';
import { type Bytes, readSource } from '../input/documents/source.ts';
import type { Plan } from '../input/plan.ts';
import type { Look } from '../input/work-clock.ts';
import { type Cluster, describer, type Setup } from '../model/index.ts';
import { readResult } from '../report/document/documents.ts';
import type { Replay } from '../report/document/replay.ts';
import type { CheckReport } from '../report/document/result-document.ts';
import type { Point, Replayed } from '../report/text/replay.ts';
import { InputError } from '../text/input-error.ts';
import { MESSAGES } from '../text/messages.ts';
import { modelOf, propertiesOf, reportOn, type SearchOptions } from './assemble.ts';
import { type AuthoredModel, authoredModel, type LoadModule } from './authored/authored.ts';
import { AUTHORED_ERRORS } from './authored/errors.ts';
import { reportOnModel } from './authored/report.ts';
import { moduleOf, questionOfModel } from './authored/tokens.ts';
import { lookAtRuns, possibleIn, watched } from './execution.ts';
import { type AskedOn, searchOn } from './extend.ts';
import { fateProperties } from './fates.ts';
import { type ExecutedRun, executeTrace, replayTrace } from './replay.ts';
import { TOKEN_ERRORS } from './tokens/errors.ts';
import { questionOf, replayToken, type TokenQuestion } from './tokens/replay.ts';
import { decodeToken, isToken } from './tokens/token.ts';

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
  /** The module of a stored result; null: none is run. */
  readonly model: string | null;
  readonly maxMegabytes: number;
  /** Of reading and executing. */
  readonly limits: Limits;
}

/** A run that was executed again. */
export interface Rerun {
  readonly replayed: Replayed;
  /** Number of its steps that were executed. */
  readonly steps: number;
  /** Searches on from its end. Throws `InputError`. */
  readonly extend: (search: SearchOptions, title: string, again: string) => Promise<CheckReport>;
}

/** What a run is a run of: a plan, or the model of a module. */
export interface RunOf<State> {
  readonly title: string;
  readonly model: Model<State>;
  readonly words: Describer<State>;
  readonly propertyNamed: (name: string) => Property<State> | undefined;
  /** Reports what `answer` finds about the properties. Throws `InputError`. */
  readonly report: (
    title: string,
    again: string,
    limits: Limits,
    answer: (question: AskedOn<State>) => Promise<CheckResult>,
  ) => Promise<CheckReport>;
}

/**
 * Executes the run of a token, or the chosen runs of a stored result. Throws `InputError`, also if
 * no run matches the choice.
 *
 * @param load loads the module that a token or `given.model` names.
 */
export async function rerunsOf(
  given: RerunOptions,
  stdin: Bytes,
  load: LoadModule,
): Promise<readonly Rerun[]> {
  const look = lookAtRuns(given.limits);
  return isToken(given.input)
    ? [await ofToken(given, stdin, load, look)]
    : ofFile(given, stdin, load, look);
}

async function ofToken(
  given: RerunOptions,
  stdin: Bytes,
  load: LoadModule,
  look: Look,
): Promise<Rerun> {
  if (given.check !== null) throw MESSAGES.usage('--check has no effect with a token');
  if (given.properties.length > 0) throw MESSAGES.usage('--property has no effect with a token');
  if (given.model !== null) {
    throw MESSAGES.usage('--model has no effect with a token, which names the module');
  }
  const token = decodeToken(given.input);
  const file = moduleOf(token);
  const executing = (): void => look('executing the run');
  if (file !== null) {
    const authored = authoredModel(await load(file));
    const question = questionOfModel(token, authored);
    const model = watched(question.model, executing);
    return rerunOfToken(given, runOfModel(authored, executing), { ...question, model });
  }
  const { plan, ...question } = await questionOf(token, stdin, given, executing);
  return rerunOfToken(given, runOfPlan(plan, executing), question);
}

function rerunOfToken<State>(
  given: RerunOptions,
  subject: RunOf<State>,
  question: TokenQuestion<State>,
): Rerun {
  const of = question.token.steps.length;
  const until = stepsUntil(given, of);
  const { run, told, replay } = replayToken(question, until);
  const point = pointAt(subject, run);
  const { title } = subject;
  const replayed = { check: null, title, told, ...outcomeOf(replay, given, until, of, point) };
  return { replayed, ...continuation(subject, run) };
}

function continuation<State>(
  { report }: RunOf<State>,
  run: ExecutedRun<State>,
): Pick<Rerun, 'steps' | 'extend'> {
  return {
    steps: run.actions.length,
    extend: (search, title, again) =>
      report(title, again, search.limits, (question) => searchOn(question, run, search)),
  };
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
function pointAt<State>(
  { model, words }: RunOf<State>,
  { states }: ExecutedRun<State>,
): () => Point {
  return () => {
    const state = states.at(-1)!;
    const told = ({ name, parameters }: ActionInstance, after: State) => ({
      action: name,
      parameters,
      sentence: words.action({ name, parameters }, state, after),
    });
    const possible = [...possibleIn(model, state)];
    return { state, possible: possible.map(({ action, after }) => told(action, after)) };
  };
}

async function ofFile(
  given: RerunOptions,
  stdin: Bytes,
  load: LoadModule,
  look: Look,
): Promise<readonly Rerun[]> {
  const { input, maxMegabytes } = given;
  const source = await readSource(input, stdin, { maxMegabytes, look }).catch((error: unknown) => {
    const isWord = !/[./]/.test(input) && error instanceof InputError;
    throw isWord ? TOKEN_ERRORS.noSuchRun(input) : error;
  });
  const document = readResult(source, look);
  const chosen = choose(document.checks, given.check, given.properties);
  const how = chosen.length === 1 ? given : { ...given, until: null };
  const authored = given.model === null ? null : authoredModel(await load(given.model));
  const ofModules = chosen.filter(({ report }) => report.setup === null);
  if (authored !== null && ofModules.length === 0) {
    throw MESSAGES.usage('--model has no effect: the result is not of a model in a module');
  }
  const executing = (): void => look(`executing the runs of ${source.file}`);
  return chosen.map((choice) => {
    executing();
    const { setup, source: file } = choice.report;
    if (setup === null) {
      if (authored === null) throw AUTHORED_ERRORS.stored(file ?? 'FILE');
      return rerun(choice, runOfModel(authored, executing), how);
    }
    try {
      return rerun(choice, runOfPlan(planOf(choice.report, setup), executing), how);
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
  if (traces.length === 0) {
    const asked = checks.filter((_, index) => only === null || only === index + 1);
    throw MESSAGES.nothingToReplay(asked.some(isOpen));
  }
  return traces.filter(({ property }) => names.length === 0 || names.includes(property.name));
}

function isOpen({ result }: CheckReport): boolean {
  return result.properties.some(({ verdict }) => verdict === 'inconclusive');
}

/** The further counterexamples to a property, each as a result of its own. */
function alternativesOf(property: PropertyResult): readonly PropertyResult[] {
  const { alternatives, ...first } = property;
  return (alternatives?.counterexamples ?? []).map(({ parameters, trace, broken }) => ({
    ...first,
    ...{ parameters, trace, broken },
  }));
}

function rerun<State>(
  { number, report, property }: Chosen,
  subject: RunOf<State>,
  given: RerunOptions,
): Rerun {
  const { title } = report;
  const { model } = subject;
  const trace = property.trace!;
  const until = stepsUntil(given, trace.steps.length);
  const { run, different } = executeTrace(model, trace, until);
  const isWhole = until === trace.steps.length;
  const replay: Replay =
    different ??
    (isWhole ? judgedAgain(subject, property) : { outcome: 'same', steps: run.actions.length });
  const point = pointAt(subject, run);
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
    ...continuation(subject, run),
  };
}

function judgedAgain<State>(subject: RunOf<State>, property: PropertyResult): Replay {
  const named = subject.propertyNamed(property.name);
  if (named !== undefined) return replayTrace(subject.model, named, property);
  return { outcome: 'different', step: 0, what: 'the property no longer exists' };
}

function runOfPlan(plan: Plan, look: () => void): RunOf<Cluster> {
  const { title, setup } = plan;
  return {
    title,
    model: watched(modelOf(setup, look), look),
    words: describer(setup),
    propertyNamed: (name) =>
      [...propertiesOf(setup, [name], look), ...fateProperties(setup, undefined, look)].find(
        (property) => property.name === name,
      ),
    report: (newTitle, again, limits, answer) => {
      const from = { ...plan, title: newTitle, asked: [], expectation: null, museum: null };
      return reportOn(from, again, answer, { limits });
    },
  };
}

function runOfModel(authored: AuthoredModel, look: () => void): RunOf<unknown> {
  const { model, words, properties } = authored;
  return {
    title: model.name,
    model: watched(model, look),
    words,
    propertyNamed: (name) => properties.find((property) => property.name === name),
    report: (title, again, limits, answer) =>
      reportOnModel(authored, { title, again, limits, how: 'search', answer }),
  };
}

/** The plan of a check in a file, without its expectations. */
function planOf(report: CheckReport, setup: Setup): Plan {
  const { title, about, source, protocol, cut, unread, warnings, place } = report;
  return {
    ...{ title, about, source, setup, cut, warnings, place },
    ...(unread === undefined ? {} : { unread }),
    protocol: protocol ?? '',
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
