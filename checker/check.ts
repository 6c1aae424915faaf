import { Auditor } from './audit.ts';
import { limitReport, reductionFields, resultOf, sum } from './check-result.ts';
import { Checkpoints } from './checkpoint/saved-search.ts';
import type { Engine, Question } from './engine/engine.ts';
import { NaiveEngine } from './engine/naive.ts';
import { TrackedEngine } from './engine/tracked.ts';
import { DefectError, limitOf } from './errors.ts';
import { obligationsIn } from './fair-groups.ts';
import { growthIn } from './growth.ts';
import { Judge } from './judge.ts';
import { limitReason, undecidedResult, unsearched } from './limit-report.ts';
import { judgeLeadsTo } from './liveness/leads-to.ts';
import { LivenessPhase } from './liveness/phase.ts';
import { livenessQuestions } from './liveness/questions.ts';
import {
  type Audits,
  type CheckOptions,
  DEFAULT_LIMITS,
  type Growth,
  wordsFor,
} from './options.ts';
import { teamOf } from './parallel/team.ts';
import { Clock } from './progress.ts';
import { type PreparedQuestion, prepareQuestion } from './question.ts';
import { confirmSymmetry } from './reductions/confirm-symmetry.ts';
import { secondSearch, Undecided, withTimeOf } from './reductions/second-search.ts';
import { reductionAdvice } from './reductions/table.ts';
import type { CheckResult, LimitKind, PropertyResult, StateGraphReport } from './result.ts';
import { type SearchEnd, search } from './search.ts';
import { stateGraphReport } from './traces/state-graph.ts';
import { validate, validateShapes } from './validate.ts';
import { verdictOn } from './verdicts.ts';

/**
 * Explores all reachable states of a model and judges the properties.
 *
 * Throws `CheckerError` if the options make no sense. A defect of the model is part of the result.
 * The event loop runs about every 100 ms.
 */
export async function check<State>(options: CheckOptions<State>): Promise<CheckResult<State>> {
  return (await checked(options)) as CheckResult<State>;
}

async function checked<State>(given: CheckOptions<State>): Promise<CheckResult> {
  validateShapes(given);
  const options = { ...given, ...wordsFor(given), limits: given.limits ?? DEFAULT_LIMITS };
  const clock = new Clock({
    limits: options.limits,
    onProgress: options.onProgress,
    interrupted: options.interrupted,
    since: options.since,
  });
  const run = options.reached ?? prepared(given, options, clock);
  if (typeof run === 'string') return unsearched(options, clock, run, reductionAdvice(options));
  const { judge, engine, auditor } = run;
  let end: SearchEnd | null = null;
  try {
    const { limits, stopWhenDecided = false } = options;
    const { within } = run;
    const team = teamOf(options, run, engine, judge);
    const saved = savedSearch(run, judge);
    if (typeof saved === 'string') {
      return unsearched(options, clock, saved, reductionAdvice(options));
    }
    const plan = { engine, judge, auditor, clock, limits, stopWhenDecided, within, saved };
    try {
      end = await search({ ...plan, ahead: team });
    } finally {
      await team?.stop();
    }
    const judged = await judgeAll(run, judge, end);
    end = judged.end;
    const exhausted = end.exhausted && end.outside === 0;
    const whole = await confirmed(run, await judgedWhole(run, end, judged));
    const traced = whole.properties.filter(({ name }) => isTracedInGraph(run, whole, name));
    return withStateGraph(options, whole, (mostStates) =>
      stateGraphReport({ ...run, exhausted, properties: traced }, mostStates),
    );
  } catch (error) {
    if (!(error instanceof DefectError)) throw error;
    const reason = `The model has a defect in ${error.defect.culprit}; fix it first.`;
    const properties = options.properties.map((property) => undecidedResult(property, reason));
    return withStateGraph(options, resultOf(run, end, error.defect, properties), () => ({
      kind: 'omitted',
      reason,
    }));
  }
}

/**
 * What the search needs, or the limit that was hit before it.
 *
 * @param given the options without their defaults.
 */
function prepared<State>(
  given: CheckOptions<State>,
  options: CheckOptions<State>,
  clock: Clock,
): CheckRun<State> | LimitKind {
  clock.arm();
  try {
    validate(given, [], () => clock.look());
    const prepared = prepareQuestion(options, clock);
    const { question } = prepared;
    const engine = makeEngine(options.engine ?? 'tracked', question);
    clock.look();
    const judge = new Judge(engine, prepared.compiled, prepared.reductions.orbits);
    clock.look();
    const auditor = new Auditor(engine, question, auditsOf(options, prepared));
    const growth = () => growthIn(engine, (number) => question.instances[number]!.identity.name);
    return { options, ...prepared, engine, judge, auditor, clock, growth };
  } catch (error) {
    return limitOf(error);
  } finally {
    clock.disarm();
  }
}

/**
 * A symmetry of a model that is checked in many ways, such as one of a family, is known to hold.
 */
function auditsOf<State>(
  { model, auditEvery }: CheckOptions<State>,
  { reductions }: PreparedQuestion<State>,
): Audits | 'growing' {
  if (auditEvery !== undefined) return auditEvery;
  return reductions.orbits !== null && model.family === undefined ? 'growing' : 0;
}

/** Continues a saved search. Null: nothing is saved. Or the limit that was hit meanwhile. */
function savedSearch<State>(
  { options, question, compiled, engine, auditor, clock }: CheckRun<State>,
  judge: Judge<State>,
): Checkpoints<State> | null | LimitKind {
  if (options.checkpoint === undefined) return null;
  const mostDepth = options.limits?.depth;
  clock.arm();
  try {
    const parts = { engine, question, compiled, judge, auditor, mostDepth };
    return new Checkpoints(options.checkpoint, parts);
  } catch (error) {
    return limitOf(error);
  } finally {
    clock.disarm();
  }
}

function withStateGraph<State>(
  { stateGraph }: CheckOptions<State>,
  whole: CheckResult,
  report: (mostStates: number) => StateGraphReport,
): CheckResult {
  return stateGraph === undefined ? whole : { ...whole, stateGraph: report(stateGraph) };
}

interface CheckRun<State> extends PreparedQuestion<State> {
  readonly options: CheckOptions<State>;
  readonly engine: Engine<State>;
  readonly judge: Judge<State>;
  readonly auditor: Auditor<State>;
  readonly clock: Clock;
  readonly growth: () => Growth | null;
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
  /** Properties for a second search. */
  readonly undecided: Undecided;
  /** Properties that no search is to decide. */
  readonly leftOpen: Undecided;
  /** How the search ended. Liveness may have hit a limit after it. */
  readonly end: SearchEnd;
}

/** Judges all properties. */
async function judgeAll<State>(
  run: CheckRun<State>,
  judge: Judge<State>,
  searchEnd: SearchEnd,
): Promise<Judged> {
  const { options, question, compiled, engine, clock, reductions } = run;
  const obligations = obligationsIn(question.model, question.instances);
  // Edges are stored with their renamings.
  reductions.orbits?.numberRenamings();
  const { graph, questions } = livenessQuestions({
    ...{ engine, compiled, instances: question.instances, within: run.within },
    hasRoom: (bytes) => clock.hasRoom(bytes),
  });
  // What goals read in all states in which they are pending decides whether ample sets are visible.
  const restingFirst = engine.selectors.length === 0;
  const liveness = new LivenessPhase<State>({
    ...{ graph, obligations, questions, clock },
    judge: () =>
      reductions.orbits === null
        ? judgeLeadsTo(graph, obligations, [...questions.values()], restingFirst)
        : reductions.orbits.judgeLeadsTo({
            ...{ graph, obligations, questions, restingFirst },
            renamings: () => graph.renamings,
          }),
    progress: (done) => ({
      phase: 'liveness',
      layer: searchEnd.layers - 1,
      frontier: done,
      previousFrontier: done,
      states: engine.stateCount,
      transitions: sum(engine.transitions),
    }),
  });
  const end = () => ({ ...searchEnd, limit: liveness.limit ?? searchEnd.limit });
  // Each property that is open tells it, and there may be thousands.
  const reasons = new Map<LimitKind | null, string>();
  const reason = () => {
    const { limit: kind } = end();
    const known = reasons.get(kind);
    if (known !== undefined) return known;
    const limit = limitReport(run, end());
    const told =
      limit === null
        ? 'The search stopped when the other properties were decided.'
        : limitReason(limit);
    reasons.set(kind, told);
    return told;
  };
  const { exhausted, outside } = searchEnd;
  const { describe } = options;
  const undecided = new Undecided();
  const leftOpen = new Undecided();
  const judged = {
    ...{
      engine,
      question,
      judge,
      describe,
      exhausted,
      outside,
      reason,
      liveness,
      undecided,
      leftOpen,
    },
    ...{ check: check<State>, clock, staysInGraph: options.stateGraph !== undefined },
  };
  const properties: PropertyResult[] = [];
  for (const property of compiled.properties) properties.push(await verdictOn(judged, property));
  return { properties, undecided, leftOpen, end: end() };
}

/** The result with the answers of a second search, if one is needed. */
async function judgedWhole<State>(
  run: CheckRun<State>,
  end: SearchEnd,
  { properties, undecided, leftOpen }: Judged,
): Promise<CheckResult> {
  const first = resultOf(run, end, null, properties, (kind) => ({
    judgedWithout: [],
    leftOpen: leftOpen.of(kind),
  }));
  if (undecided.isEmpty) return first;
  const second = await secondSearch(run.options, first, undecided, check);
  return { ...second.result, ...reductionFields(run, end, second.undecided) };
}

/**
 * The result after a search that confirms the symmetry of the model, with the time that it took.
 */
async function confirmed<State>(
  { options, reductions }: CheckRun<State>,
  result: CheckResult,
): Promise<CheckResult> {
  const second = await confirmSymmetry(options, reductions.orbits, result, check);
  const { symmetry } = result;
  return {
    ...result,
    symmetry:
      second.isShown && symmetry?.shown === 'by a sample'
        ? { ...symmetry, shown: 'by a search without it' }
        : symmetry,
    statistics: withTimeOf(result.statistics, second),
  };
}

/**
 * Whether the trace of a property is a run of the graph. That of a second search need not be one if
 * ample sets were expanded: it may put off their steps, or take another one first.
 */
function isTracedInGraph<State>(
  { engine, reductions }: CheckRun<State>,
  whole: CheckResult,
  property: string,
): boolean {
  if (engine.selectors.length === 0) return true;
  const kinds = [...reductions.decisions.keys()];
  return !kinds.some((kind) => kind.undecided(whole).judgedWithout.includes(property));
}
