import { Auditor } from './audit.ts';
import { decideConfluence } from './confluence.ts';
import type { Engine, Question } from './engine.ts';
import { DefectError } from './errors.ts';
import { instancesOf } from './instances.ts';
import { Judge } from './judge.ts';
import { type CompiledProperties, compileProperties } from './judgements.ts';
import { limitAdvice, limitValue, type WorstAction } from './limits.ts';
import { LivenessPhase } from './liveness-phase.ts';
import { livenessQuestions } from './liveness-questions.ts';
import { NaiveEngine } from './naive.ts';
import type { CheckOptions } from './options.ts';
import { Clock } from './progress.ts';
import type {
  ActionCount,
  CheckResult,
  ConfluenceReport,
  ModelDefect,
  PropertyResult,
  StateGraphReport,
  SymmetryReport,
} from './result.ts';
import { type SearchEnd, search } from './search.ts';
import { isUnsettled, settled } from './second-search.ts';
import { stateGraphReport } from './state-graph.ts';
import { decideSymmetry } from './symmetry.ts';
import { TrackedEngine } from './tracked.ts';
import { validate } from './validate.ts';
import { LEFT_OPEN, type Unsettled, verdictOn } from './verdicts.ts';

/**
 * Explores all reachable states of a model and judges the properties.
 *
 * Throws `CheckerError` if the options make no sense. A defect of the model is part of the result.
 * The event loop turns about every 100 ms meanwhile.
 */
export async function check<State>(options: CheckOptions<State>): Promise<CheckResult> {
  validate(options);
  const clock = new Clock({
    limits: options.limits ?? {},
    onProgress: options.onProgress,
    interrupted: options.interrupted,
  });
  const instances = instancesOf(options.model);
  const compiled = compileProperties(options.properties, instances);
  const { model } = options;
  const symmetry = decideSymmetry(model, instances, compiled, options.symmetry ?? true);
  const confluence = decideConfluence(
    model,
    instances,
    compiled,
    options.confluence !== undefined && options.confluence !== false,
  );
  const question: Question<State> = {
    model,
    instances,
    ...compiled,
    statePredicates: confluence.statePredicates,
    symmetry: symmetry.applied,
    confluence: confluence.applied,
  };
  const reports = { symmetry: symmetry.report, confluence: confluence.report };
  const engine = makeEngine(options.engine ?? 'tracked', question);
  const auditor = new Auditor(engine, question, options.auditEvery ?? 0);
  const run: CheckRun<State> = { options, question, compiled, engine, auditor, clock, reports };
  let end: SearchEnd | null = null;
  try {
    const judge = new Judge(engine, compiled, symmetry.applied);
    const { limits = {}, stopWhenDecided = false } = options;
    end = await search({ engine, judge, auditor, clock, limits, stopWhenDecided });
    const judged = await judgeAll(run, judge, end);
    end = judged.end;
    const first = result(run, end, null, judged.properties);
    const whole = isUnsettled(judged.unsettled)
      ? await settled(options, first, judged.unsettled, check)
      : first;
    const { exhausted } = end;
    // Traces of another search may put off what is taken at once in this graph. Without symmetry
    // another one of several confluent steps may come first.
    const elsewhere =
      confluence.applied === null
        ? []
        : [...(whole.confluence?.judgedWithout ?? []), ...(whole.symmetry?.judgedWithout ?? [])];
    const traced = whole.properties.filter(({ name }) => !elsewhere.includes(name));
    return withStateGraph(options, whole, (mostStates) =>
      stateGraphReport({ ...run, exhausted, properties: traced }, mostStates),
    );
  } catch (error) {
    if (!(error instanceof DefectError)) throw error;
    const reason = `The model has a defect in ${error.defect.culprit}; mend that first.`;
    const properties = options.properties.map(
      ({ name, kind }): PropertyResult => ({
        name,
        kind,
        verdict: 'inconclusive',
        triggered: 0,
        parameters: null,
        trace: null,
        broken: [],
        reason,
      }),
    );
    return withStateGraph(options, result(run, end, error.defect, properties), () => ({
      kind: 'omitted',
      reason,
    }));
  }
}

function withStateGraph<State>(
  { stateGraph }: CheckOptions<State>,
  whole: CheckResult,
  report: (mostStates: number) => StateGraphReport,
): CheckResult {
  return stateGraph === undefined ? whole : { ...whole, stateGraph: report(stateGraph) };
}

interface CheckRun<State> {
  readonly options: CheckOptions<State>;
  readonly question: Question<State>;
  readonly compiled: CompiledProperties<State>;
  readonly engine: Engine<State>;
  readonly auditor: Auditor<State>;
  readonly clock: Clock;
  /** What is done with the symmetry and the confluence of the model. */
  readonly reports: {
    readonly symmetry: SymmetryReport | null;
    readonly confluence: ConfluenceReport | null;
  };
}

function makeEngine<State>(kind: 'tracked' | 'naive', question: Question<State>): Engine<State> {
  switch (kind) {
    case 'tracked':
      return new TrackedEngine(question);
    case 'naive':
      return new NaiveEngine(question);
    default: {
      const never: never = kind;
      throw new Error(`unknown engine ${String(never)}`);
    }
  }
}

interface Judged {
  readonly properties: readonly PropertyResult[];
  readonly unsettled: Unsettled;
  /** How the search ended if a limit was hit even now. */
  readonly end: SearchEnd;
}

/** The verdicts. */
async function judgeAll<State>(
  run: CheckRun<State>,
  judge: Judge<State>,
  searchEnd: SearchEnd,
): Promise<Judged> {
  const { options, question, compiled, engine, clock } = run;
  const fairness = question.instances.map((instance) => instance.fairness);
  const { graph, questions, quotient } = livenessQuestions(engine, compiled, question.symmetry);
  const isConfluent = () => engine.isConfluent;
  const liveness = new LivenessPhase(
    graph,
    fairness,
    questions,
    quotient,
    isConfluent,
    clock,
    (done) => ({
      phase: 'liveness',
      layer: searchEnd.layers - 1,
      frontier: done,
      previousFrontier: done,
      states: engine.stateCount,
      transitions: sum(engine.transitions),
    }),
  );
  const end = () => ({ ...searchEnd, limit: liveness.limit ?? searchEnd.limit });
  const reason = () => {
    const limit = limitReport(run, end());
    return limit === null
      ? 'The search stopped when the other properties were decided.'
      : `The search ended at its limit (${limit.kind}). ${limit.advice}`;
  };
  const { exhausted } = searchEnd;
  const unsettled: Unsettled = { bySymmetry: new Set(), byConfluence: new Set() };
  const { describe } = options;
  const isJudgedOnce = options.confluence === 'only';
  const judged = {
    ...{ engine, question, judge, describe, exhausted, reason, liveness, unsettled },
    ...{ isJudgedOnce, check: check<State>, staysInGraph: options.stateGraph !== undefined },
  };
  const properties: PropertyResult[] = [];
  for (const property of compiled.properties) properties.push(await verdictOn(judged, property));
  return { properties, unsettled, end: end() };
}

function result<State>(
  run: CheckRun<State>,
  end: SearchEnd | null,
  defect: ModelDefect | null,
  properties: readonly PropertyResult[],
): CheckResult {
  const { options, engine, auditor, clock, reports } = run;
  const limit = end === null ? null : limitReport(run, end);
  return {
    schema: 'reapcheck.check/v1',
    model: options.model.name,
    outcome: defect !== null ? 'defect' : limit !== null ? 'limited' : 'complete',
    limit,
    defect,
    symmetry: reports.symmetry,
    ...(reports.confluence === null
      ? {}
      : {
          confluence: {
            ...reports.confluence,
            steps: end?.confluentSteps ?? 0,
            leftOpen: properties
              .filter(({ reason }) => reason === LEFT_OPEN)
              .map(({ name }) => name),
          },
        }),
    statistics: {
      states: engine.stateCount,
      transitions: sum(engine.transitions),
      layers: end?.layers ?? 0,
      engine: engine.kind,
      reducerRuns: sum(engine.reducerRuns),
      bytesPerState: engine.bytes / engine.stateCount,
      cpuSeconds: clock.cpuSeconds,
      wallSeconds: clock.elapsedSeconds,
      audited: auditor.audited,
    },
    properties,
    actions: actionCounts(run),
  };
}

function limitReport<State>(run: CheckRun<State>, { limit }: SearchEnd): CheckResult['limit'] {
  if (limit === null) return null;
  const { options, clock } = run;
  const limits = options.limits ?? {};
  const isReducible = options.model.confluence !== undefined && options.confluence === undefined;
  return {
    kind: limit,
    value: limitValue(limit, limits, clock.elapsedSeconds),
    advice: limitAdvice(limit, limits, worstAction(run), isReducible),
  };
}

function actionCounts<State>({
  options,
  question,
  engine,
}: CheckRun<State>): readonly ActionCount[] {
  return Object.entries(options.model.actions).map(([action, { fairness }], index) => {
    const numbers = question.instances.filter((instance) => instance.action === index);
    return {
      action,
      fairness: fairness ?? 'none',
      instances: numbers.length,
      transitions: numbers.reduce((total, { number }) => total + engine.transitions[number]!, 0),
    };
  });
}

/** The action that makes up more than half of the reducer runs, if there are enough to matter. */
function worstAction<State>({ options, question, engine }: CheckRun<State>): WorstAction | null {
  if (engine.kind === 'naive') return null;
  const total = sum(engine.reducerRuns);
  const runs = Object.keys(options.model.actions).map((name, index) => ({
    name,
    runs: question.instances.reduce(
      (count, { action, number }) =>
        action === index ? count + engine.reducerRuns[number]! : count,
      0,
    ),
  }));
  const worst = runs.reduce((one, other) => (other.runs > one.runs ? other : one));
  if (total < engine.stateCount / 50 || worst.runs < total / 2) return null;
  return { ...worst, share: worst.runs / total };
}

function sum(numbers: Float64Array): number {
  return numbers.reduce((total, number) => total + number, 0);
}
