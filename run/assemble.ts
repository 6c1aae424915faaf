import type {
  Audits,
  CheckOptions,
  CheckpointOptions,
  CheckResult,
  Describer,
  Limits,
  Model,
  Parameters,
  ProgressEvent,
  Property,
  PropertyResult,
  ReductionName,
  RowStorage,
  Trace,
} from '../checker/index.ts';
import {
  checkDistinct,
  isInterrupted,
  machineMegabytes,
  megabytesWithin,
} from '../checker/index.ts';
import { changedRules } from '../input/overrides.ts';
import type { Plan } from '../input/plan.ts';
import { outcomeProperties } from '../input/scenarios/outcomes.ts';
import { ownProperties } from '../input/scenarios/own-properties.ts';
import {
  type Cluster,
  confluenceOf,
  deletionModel,
  describer,
  emptyModel,
  FAMILY,
  type Setup,
  symmetryOf,
} from '../model/index.ts';
import { PROPERTIES, propertyForObject } from '../properties/index.ts';
import { exitCodeOf, unmetExpectations } from '../report/document/judge.ts';
import type { CheckReport } from '../report/document/result-document.ts';
import { outcomesFound } from '../report/document/verdict-word.ts';
import { workLines } from '../report/view/snapshot.ts';
import { assumptionsOf } from './assumptions.ts';
import { fateProperties, splitFates } from './fates.ts';
import { adviceOn } from './limit-advice.ts';
import { type ThreadPlan, threadsOf } from './search-threads.ts';
import { type Run, setupDigest, tokenWriter } from './tokens/token.ts';

/** How to search. The plan says what to search. */
export interface SearchOptions {
  readonly engine: 'tracked' | 'naive';
  readonly limits: Limits;
  readonly auditEvery: Audits;
  /** Add the graph of states to the result if it has at most this many states. */
  readonly stateGraph?: number;
  /** How to search fewer states (default: as the checker does). */
  readonly reductions?: readonly ReductionName[];
  /** Maximum number of counterexamples to a property that differ in what matters. */
  readonly distinct?: number;
  /** Save the search as it goes on, or go on with a saved one. */
  readonly checkpoint?: CheckpointOptions;
  /** Where rows of old states go; absent: they stay in memory. */
  readonly storage?: RowStorage;
  readonly onProgress?: (event: ProgressEvent) => void;
  readonly interrupted?: () => boolean;
}

/** How to search what a single search answers. */
export interface SingleSearch extends SearchOptions {
  /** How many threads search (default 1). */
  readonly threads?: number;
  /** The limits that the user gave, where less is left of them. Advice names these. */
  readonly asked?: Limits;
}

/**
 * The model in the form that the checker takes.
 *
 * @param look as `deletionModel` takes it.
 */
export function modelOf(setup: Setup, look?: () => void): Model<Cluster> {
  const model: Model<Cluster> = deletionModel(setup, undefined, look);
  const symmetry = symmetryOf(setup);
  const confluence = confluenceOf(setup);
  return {
    ...model,
    family: FAMILY,
    ...(symmetry === null ? {} : { symmetry }),
    // A collector that watches none of the kinds has nothing to deliver.
    ...(confluence === null
      ? {}
      : {
          confluence: {
            ...confluence,
            actions: confluence.actions.filter((name) => Object.hasOwn(model.actions, name)),
          },
        }),
  };
}

/**
 * @param look is called often. It may throw.
 * @param judged what those of the catalogue judge.
 */
export function propertiesOf(
  setup: Setup,
  names: readonly string[],
  look: () => void = () => {},
  judged = setup,
): readonly Property<Cluster>[] {
  const named = new Set(names);
  return [
    // To make one takes a while if there are many objects.
    ...PROPERTIES.filter(({ name }) => named.has(name)).map((entry) => {
      look();
      return entry.build(judged);
    }),
    ...outcomeProperties(setup),
    ...ownProperties(setup),
    ...names.flatMap((name) => propertyForObject(setup, name) ?? []),
  ].filter(({ name }) => named.has(name));
}

/** All properties of a plan, including those for the fates of its objects. */
export function judgedBy(plan: ThreadPlan, look?: () => void): readonly Property<Cluster>[] {
  const { setup } = plan;
  const named = propertiesOf(setup, plan.properties, look);
  return [...named, ...(plan.fates ? fateProperties(setup, undefined, look) : [])];
}

/**
 * After a limit or an interruption, tokens are written for so many milliseconds, and while the process has no more
 * than this multiple of its megabytes: to write one, the run is executed again.
 */
const LATE_MS = 400;
const LATE_SHARE = 1.1;

/** To ask how much memory the process has takes longer than most steps. */
const MEASURE_EVERY_MS = 5;

/**
 * Asked while tokens are written: whether no time or no memory is left. `since` is when the work
 * began.
 */
export function lateAfter(
  since: number,
  { seconds = Number.POSITIVE_INFINITY, megabytes = machineMegabytes() }: Limits,
  interrupted?: SearchOptions['interrupted'],
): () => boolean {
  let nextMeasurement = 0;
  let isFull = false;
  let end = since + 1000 * seconds;
  return () => {
    const now = performance.now();
    if (now < end && isInterrupted(interrupted)) end = now;
    if (now >= nextMeasurement) {
      nextMeasurement = now + MEASURE_EVERY_MS;
      isFull = process.memoryUsage.rss() > LATE_SHARE * 1e6 * megabytes;
    }
    return isFull || now > end + LATE_MS;
  };
}

/**
 * A token for each trace; without those for which no time or no memory is left.
 *
 * @param write from `tokenWriter`.
 */
export function tokensOf<State>(
  write: (run: Run<State>) => string | null,
  properties: readonly Property<State>[],
  results: readonly PropertyResult[],
): CheckReport['tokens'] {
  return results.flatMap(({ name, parameters, trace, alternatives }) => {
    if (trace === null) return [];
    const property = properties.find((candidate) => candidate.name === name) ?? null;
    const tokenOf = (shown: Trace, chosen: Parameters | null): string | null => {
      const actions = shown.steps.map((step) => ({
        name: step.action,
        parameters: step.parameters,
      }));
      const { loopStart, initialIndex: initial } = shown;
      return write({ property, parameters: chosen, actions, loopStart, initial });
    };
    const tokens = [
      { property: name, token: tokenOf(trace, parameters) },
      ...(alternatives?.counterexamples ?? []).map((other, alternative) => ({
        property: name,
        alternative,
        token: tokenOf(other.trace, other.parameters),
      })),
    ];
    return tokens.flatMap(({ token, ...rest }) => (token === null ? [] : [{ ...rest, token }]));
  });
}

/** What a thread of the search of a plan is told. */
function planThreads(plan: Plan, count: number): ReturnType<typeof threadsOf> {
  const { setup, properties, fates } = plan;
  const data: ThreadPlan = { setup, properties, fates };
  return threadsOf(count, 'run/plan-thread', data);
}

/** The question of a plan, in the form that the checker takes. */
export type PlanQuestion = Pick<
  CheckOptions<Cluster>,
  'model' | 'properties' | 'advice' | 'reached'
> & {
  readonly describe: Describer<Cluster>;
  /** The limit of seconds includes the time to make the model. */
  readonly since?: number;
};

/** Checks one plan and reports it, with verdicts and exit code. */
export function runPlan(plan: Plan, search: SingleSearch, again: string): Promise<CheckReport> {
  const { distinct = 1, threads = 1, asked: _, ...options } = search;
  return reportOn(
    plan,
    again,
    (question) =>
      checkDistinct({ ...options, ...question, ...planThreads(plan, threads) }, distinct),
    search,
  );
}

/** What is searched and judged, or that a limit was hit before all of it was made. */
type Made = Pick<PlanQuestion, 'model' | 'properties' | 'reached'>;

function madeWithin(plan: Plan, first: Setup, reached: () => PlanQuestion['reached']): Made {
  const { setup } = plan;
  const cut = new Error('a limit is hit');
  const look = (): void => {
    if (reached() !== undefined) throw cut;
  };
  try {
    const model = modelOf(setup, look);
    look();
    const properties = judgedBy(plan, look);
    look();
    return { model, properties };
  } catch (error) {
    if (error !== cut) throw error;
    const limit = reached() ?? 'time';
    return { model: emptyModel(setup), properties: withoutFates(plan, first), reached: limit };
  }
}

/** Seconds between two measurements of the memory, each of which takes some microseconds. */
const MEASURED_EVERY = 0.05;

/** Asked while a model is made: the limit that is hit. */
function limitsSince(
  since: number,
  limits: Limits,
  interrupted: SearchOptions['interrupted'],
): () => PlanQuestion['reached'] {
  const { seconds = Number.POSITIVE_INFINITY, megabytes } = limits;
  let next = since;
  let isFull = false;
  return () => {
    const now = performance.now();
    if (now - since > 1000 * seconds) return 'time';
    if (now < next) return isFull ? 'memory' : undefined;
    next = now + 1000 * MEASURED_EVERY;
    if (isInterrupted(interrupted)) return 'interrupted';
    if (megabytes !== undefined) isFull ||= megabytesWithin(megabytes) > megabytes;
    return isFull ? 'memory' : undefined;
  };
}

/**
 * The properties to report if a limit was hit: without the questions about each object, which are
 * many, and without what the others would judge. A check needs some property, so a plan that has
 * only such questions keeps those about the first object.
 */
function withoutFates(plan: Plan, first: Setup): readonly Property<Cluster>[] {
  const named = propertiesOf(plan.setup, plan.properties, undefined, first);
  return named.length > 0 ? named : fateProperties(first, []);
}

/**
 * Reports the result that `answer` gives for a plan.
 *
 * @param search what of it holds for the making of the model and of the report as well.
 */
export async function reportOn(
  plan: Plan,
  again: string,
  answer: (question: PlanQuestion) => Promise<CheckResult>,
  { limits, asked, interrupted }: Pick<SingleSearch, 'limits' | 'asked' | 'interrupted'>,
): Promise<CheckReport> {
  const since = performance.now();
  const { setup, subject } = plan;
  const first: Setup = { ...setup, objects: setup.objects.slice(0, 1) };
  const made = madeWithin(plan, first, limitsSince(since, limits, interrupted));
  const { model, properties } = made;
  const found = await answer({
    ...made,
    describe: { ...describer(setup), details: workLines(setup), late: true },
    since,
    advice: adviceOn(setup, 'search', asked),
  });
  const { fates, result } = splitFates(made.reached === undefined ? setup : first, found);
  const shown = [...result.properties, ...fates.flatMap(({ goes, mayGo }) => [goes, mayGo])];
  const spent = performance.now() - since;
  const writeTokens = (): CheckReport['tokens'] => {
    if (subject === null) return [];
    const isLate = lateAfter(performance.now() - spent, limits, interrupted);
    return tokensOf(tokenWriter(model, setupDigest(setup), subject, isLate), properties, shown);
  };
  let tokens: CheckReport['tokens'] | null = null;
  const unmet = unmetExpectations(plan, result);
  const outcomes = outcomesFound(setup, result.properties);
  const exitCode = exitCodeOf(plan, result, unmet);
  return {
    title: plan.title,
    about: plan.about,
    source: plan.source,
    protocol: plan.protocol,
    rules: changedRules(setup, plan.protocol),
    assumptions: assumptionsOf(setup, plan.protocol),
    cut: plan.cut,
    ...(plan.unread === undefined ? {} : { unread: plan.unread }),
    warnings: plan.warnings,
    setup,
    expectation: plan.expectation,
    ...(outcomes.length === 0 ? {} : { outcomes }),
    asked: plan.asked,
    met: exitCode === 0,
    unmet,
    fates,
    museum: plan.museum,
    place: plan.place,
    exitCode,
    again,
    /** Written when it is read, and many are not: the run is executed again for it. */
    get tokens() {
      tokens ??= writeTokens();
      return tokens;
    },
    result,
  };
}
