import { check } from '../check.ts';
import { limitReport, reductionFields, resultOf, type SearchedRun } from '../check-result.ts';
import { TrackedEngine } from '../engine/tracked.ts';
import { CheckerError, DefectError, limitOf } from '../errors.ts';
import { Judge } from '../judge.ts';
import { limitReason, undecidedResult, unsearched } from '../limit-report.ts';
import { machineMegabytes, residentMegabytes } from '../memory.ts';
import { type CheckOptions, DEFAULT_LIMITS, wordsFor } from '../options.ts';
import { Clock, type SearchProgress } from '../progress.ts';
import type { PreparedQuestion } from '../question.ts';
import { secondSearch, Undecided } from '../reductions/second-search.ts';
import { reductionAdvice } from '../reductions/table.ts';
import type { CheckResult, LimitKind, PropertyResult } from '../result.ts';
import type { SearchEnd } from '../search.ts';
import { validate, validateShapes } from '../validate.ts';
import { verdictOn } from '../verdicts.ts';
import { agreed, type FirstTally } from './first-layers.ts';
import { judgeGathered } from './gathered.ts';
import { chosenOwners } from './owners/choice.ts';
import type { OwnerRule } from './owners/owners.ts';
import { prepareForPartitions } from './question.ts';
import { placesOf } from './runs.ts';
import type { PartitionTeam } from './team.ts';
import { Totals } from './totals.ts';

const WATCH_MILLISECONDS = 200;

/**
 * As `check`, with the states divided among partitions, which may be on other machines. Verdicts,
 * counts, depth and counterexamples are those of `check` with the same `reductions`, which may be
 * symmetry or, by default, none; how often reducers ran, and bytes, are not. A limit is looked at
 * between layers, too.
 *
 * Leads-to properties are judged by this process, once all states were found: see `judgeGathered`.
 *
 * Throws `CheckerError` for options that do not go with partitions, and what the team throws.
 */
export async function checkPartitioned<State>(
  options: CheckOptions<State>,
  team: PartitionTeam,
): Promise<CheckResult<State>> {
  return (await checked(options, team)) as CheckResult<State>;
}

interface Run<State> extends SearchedRun<State>, Pick<PreparedQuestion<State>, 'compiled'> {
  readonly clock: Clock;
  /** While partitions search. This process has none of their states, so its memory has no limit. */
  readonly waiting: Clock;
  readonly totals: Totals;
  /** By target and source: how many blocks were sent. */
  readonly log: readonly number[][];
  /** How many states there were after each layer. */
  readonly counts: number[];
  readonly progress: { states: number; layer: number; frontier: number; previousFrontier: number };
}

async function checked<State>(
  given: CheckOptions<State>,
  team: PartitionTeam,
): Promise<CheckResult> {
  validateShapes(given);
  validate(given);
  demandForPartitions(given);
  const limits = given.limits ?? DEFAULT_LIMITS;
  const { reductions: reducing = [] } = given;
  const options = { ...given, ...wordsFor(given), limits, reductions: reducing };
  const { onProgress, interrupted, since } = options;
  const clockFor = (megabytes: number | undefined, isOver = interrupted): Clock =>
    new Clock({
      limits: megabytes === undefined ? limits : { ...limits, megabytes },
      ...{ onProgress, interrupted: isOver, since },
    });
  const clock = clockFor(limits.megabytes);
  const waiting = clockFor(Number.POSITIVE_INFINITY);
  const prepared = preparedFor(options, clock);
  if (typeof prepared === 'string') {
    return unsearched(options, clock, prepared, reductionAdvice(options));
  }
  const { engine, question, compiled, reductions } = prepared;
  const totals = new Totals(engine.actionCount, compiled.properties.length);
  const size = engine.initialCount;
  const progress = { states: size, layer: 0, frontier: size, previousFrontier: 0 };
  const run: Run<State> = {
    ...{ options, question, compiled, reductions, clock, waiting, totals, progress },
    auditor: { audited: 0 },
    log: Array.from({ length: team.count }, () => Array.from({ length: team.count }, () => 0)),
    counts: [size],
    growth: () => null,
    engine: {
      ...{ kind: engine.kind, selectors: engine.selectors },
      ...{ transitions: totals.transitions, reducerRuns: totals.reducerRuns },
      get stateCount() {
        return progress.states;
      },
      get bytes() {
        return totals.bytes;
      },
    },
  };
  let end: SearchEnd | null = null;
  try {
    const { seconds } = limits;
    let isNeeded = true;
    let isChosen = false;
    const first = searchedFirst(run, team, () => isChosen).then((early) => {
      isNeeded = early === null;
      return early;
    });
    first.catch(() => undefined);
    // The memory of a sample may not be free again when states are gathered here.
    const halfOf = halfway(limits.megabytes);
    const sampling = clockFor(halfOf, () => !isNeeded || interrupted?.() === true);
    const asked = chosenOwners(prepared, team.count, sampling, progressOf(run), seconds);
    const owners = await asked.finally(() => {
      isChosen = true;
    });
    end = (await first) ?? (await searched(run, team, owners));
    const safe = await judged(run, engine, team, end);
    return await withLeadsTo(run, team, end, safe);
  } catch (error) {
    if (!(error instanceof DefectError)) throw error;
    const reason = `The model has a defect in ${error.defect.culprit}; fix it first.`;
    const properties = options.properties.map((property) => undecidedResult(property, reason));
    return resultOf(run, end, error.defect, properties);
  }
}

/** A limit on memory that leaves half of what is free. */
function halfway(megabytes = machineMegabytes()): number {
  return (residentMegabytes() + megabytes) / 2;
}

function demandForPartitions<State>(options: CheckOptions<State>): void {
  const { engine, reductions = [], limits, auditEvery, checkpoint } = options;
  const [leaving] = reductions.filter((name) => name !== 'symmetry');
  const others = {
    'the naive engine': engine === 'naive',
    [String(leaving)]: leaving !== undefined,
    'a limit on the depth': limits?.depth !== undefined,
    audits: (auditEvery ?? 0) !== 0,
    'a graph of states': options.stateGraph !== undefined,
    checkpoints: checkpoint !== undefined,
    threads: options.threads !== undefined,
    'rows in a storage': options.storage !== undefined,
    'an end when all is decided': options.stopWhenDecided === true,
  };
  const [other] = Object.entries(others).find(([, isGiven]) => isGiven) ?? [];
  if (other === undefined) return;
  throw new CheckerError('badOption', `partitions do not go with ${other}; drop one`);
}

function preparedFor<State>(
  options: CheckOptions<State>,
  clock: Clock,
): (PreparedQuestion<State> & { readonly engine: TrackedEngine<State> }) | LimitKind {
  clock.arm();
  try {
    const prepared = prepareForPartitions(options, clock);
    return { ...prepared, engine: new TrackedEngine(prepared.question) };
  } catch (error) {
    return limitOf(error);
  } finally {
    clock.disarm();
  }
}

/**
 * The first layers, which each partition searches as a whole. Until the owners are chosen, the
 * partitions go on so: they would only wait. Null: the search goes on.
 */
async function searchedFirst<State>(
  run: Run<State>,
  team: PartitionTeam,
  isChosen: () => boolean,
): Promise<SearchEnd | null> {
  const { options, waiting: clock, progress } = run;
  const { states: mostStates = null } = options.limits!;
  const layerStates = team.dividedFrom;
  clock.report(progressOf(run));
  for (let after: number | null = null; ; after = progress.layer) {
    const layers = { layerStates, mostStates, seconds: secondsLeft(run), after };
    const begun = await inTime(run, team.first(layers));
    if (typeof begun === 'string') return endOf(run, begun);
    const early = takeCommon(run, begun);
    clock.report(progressOf(run));
    if (early !== null) return early;
    if (isChosen() || progress.frontier >= team.dividedLatest) return null;
  }
}

/** Counts layers that all partitions have searched as a whole. Null: the search goes on. */
function takeCommon<State>(run: Run<State>, begun: readonly FirstTally[]): SearchEnd | null {
  const { options, totals, progress } = run;
  const { states: mostStates = Number.POSITIVE_INFINITY } = options.limits!;
  const common = agreed(begun);
  for (const [index, found] of common.layers.entries()) {
    const tallies = begun.flatMap(({ layers }) => layers[index] ?? []);
    totals.addCommon(tallies, found);
    if (index < common.sizes.length) advance(run, common.sizes[index]!);
  }
  const limits = begun.flatMap(({ layers }) => layers.at(-1)?.limit ?? []);
  if (limits.length > 0) return endOf(run, limits[0]!);
  if (common.sizes.at(-1) === 0) return endOf(run, null);
  const isOver = common.sizes.length > 0 && progress.states > mostStates;
  return isOver ? endOf(run, 'states') : null;
}

function endOf<State>({ progress, totals }: Run<State>, limit: LimitKind | null): SearchEnd {
  return {
    ...{ limit, layers: progress.layer + 1, exhausted: limit === null, outside: totals.outside },
  };
}

/** Null: there is no limit. */
function secondsLeft<State>({ options, waiting }: Run<State>): number | null {
  const { seconds } = options.limits!;
  return seconds === undefined ? null : Math.max(0.001, seconds - waiting.elapsedSeconds);
}

/** The states of the next layer were found. */
function advance<State>({ progress, counts }: Run<State>, found: number): void {
  if (found === 0) return;
  progress.previousFrontier = progress.frontier;
  progress.frontier = found;
  progress.states += found;
  progress.layer++;
  counts.push(progress.states);
}

/** Searches layer by layer, after the first ones. */
async function searched<State>(
  run: Run<State>,
  team: PartitionTeam,
  owners: OwnerRule,
): Promise<SearchEnd> {
  const { options, waiting: clock, totals, progress, log } = run;
  const { states: mostStates = Number.POSITIVE_INFINITY } = options.limits!;
  const ended = (limit: LimitKind | null): SearchEnd => endOf(run, limit);
  const undivided = progress.layer;
  let first = progress.states - progress.frontier;
  let sizes: readonly number[] = [];
  for (;;) {
    const { layer } = progress;
    const seconds = secondsLeft(run);
    const at = log.map((blocks) => ({
      ...{ layer, blocks: [...blocks], first, sizes, undivided, owners, seconds },
    }));
    const tallies = await inTime(run, team.expand(at));
    if (typeof tallies === 'string') return ended(tallies);
    const limit = totals.add(tallies);
    if (limit !== null) return ended(limit);
    log.forEach((blocks, to) => {
      tallies.forEach(({ sent }, from) => {
        blocks[from] = blocks[from]! + sent[to]!;
      });
    });
    const steps = at.map(({ seconds: _, ...before }, to) => ({ before, blocks: [...log[to]!] }));
    const folded = await inTime(run, team.fold(steps));
    if (typeof folded === 'string') return ended(folded);
    sizes = folded.map(({ states }) => states);
    const found = sizes.reduce((sum, count) => sum + count, 0);
    if (found > 0) first = progress.states;
    advance(run, found);
    clock.report(progressOf(run));
    const cut = folded.find(({ limit }) => limit !== null)?.limit ?? null;
    if (cut !== null || found === 0) return ended(cut);
    if (progress.states > mostStates) return ended('states');
  }
}

function progressOf<State>({ progress, totals }: Run<State>): SearchProgress {
  return { phase: 'search', ...progress, transitions: totals.transitionCount };
}

/** The answer, or the limit that was hit before it. */
async function inTime<State, Answer extends object>(
  run: Run<State>,
  work: Promise<Answer>,
): Promise<Answer | LimitKind> {
  const { waiting: clock } = run;
  let isDone = false;
  const watched = (async (): Promise<LimitKind | null> => {
    while (!isDone) {
      await new Promise((resolve) => setTimeout(resolve, WATCH_MILLISECONDS));
      const hit = isDone ? null : await clock.pause(() => progressOf(run));
      if (hit !== null) return hit;
    }
    return null;
  })();
  try {
    const first = await Promise.race([work, watched]);
    return first ?? (await work);
  } finally {
    isDone = true;
    // It may fail when nobody waits for it any more.
    work.catch(() => undefined);
  }
}

/**
 * Judges all properties but the leads-tos, for which the result is not known if all was searched.
 */
async function judged<State>(
  run: Run<State>,
  engine: TrackedEngine<State>,
  team: PartitionTeam,
  end: SearchEnd,
): Promise<readonly (PropertyResult | null)[]> {
  const { options, question, compiled, clock, totals, counts, reductions } = run;
  const places = await placesOf(team, engine, counts, totals.findings);
  const judge = new Judge(engine, compiled, reductions.orbits);
  totals.tell(judge, compiled);
  for (const [property, { judgements }] of compiled.properties.entries()) {
    const found = totals.findings[property] ?? null;
    const place = places[property] ?? null;
    // A witness without some of its judgements has no trace.
    if (found === null || place === null || judge.unreached[property]!.size > 0) continue;
    judge.findings[property] = { judgement: judgements[found.judgement]!, ...place };
  }
  engine.transitions.set(totals.transitions);
  const { exhausted, outside } = end;
  const reason = () => {
    const limit = limitReport(run, end);
    return limit === null ? 'It was not searched.' : limitReason(limit);
  };
  const search = {
    ...{ engine, question, judge, describe: options.describe, exhausted, outside, reason },
    ...{ undecided: new Undecided(), leftOpen: new Undecided(), check: check<State>, clock },
    ...{ liveness: null, staysInGraph: false },
  };
  const results: (PropertyResult | null)[] = [];
  for (const property of compiled.properties) {
    const isLeadsTo = property.property.kind === 'eventually';
    results.push(isLeadsTo && exhausted ? null : await verdictOn(search, property));
  }
  return results;
}

/**
 * The result, with the leads-tos judged on the states of all partitions, gathered in this process.
 */
async function withLeadsTo<State>(
  run: Run<State>,
  team: PartitionTeam,
  end: SearchEnd,
  safe: readonly (PropertyResult | null)[],
): Promise<CheckResult> {
  const isKnown = (result: PropertyResult | null) => result !== null;
  if (!safe.includes(null)) return resultOf(run, end, null, safe.filter(isKnown));
  const { options, clock, counts, progress, totals } = run;
  const { results, limit, undecided } = await judgeGathered({
    ...{ options, team, counts, outside: end.outside, clock },
    progress: { phase: 'liveness', ...progress, transitions: totals.transitionCount },
    reason: (kind) => {
      const { advice } = limitReport(run, { ...end, limit: kind })!;
      return `All states were found. To judge this property, they are gathered in one process, which has hit its limit (${kind}). ${advice}`;
    },
  });
  const found = new Map(results.map((result) => [result.name, result]));
  const all = options.properties.map(({ name }, index) => safe[index] ?? found.get(name)!);
  const whole = { ...end, limit: limit ?? end.limit };
  const first = resultOf(run, whole, null, all);
  if (undecided.isEmpty) return first;
  // As in one process: the graph of representatives does not decide them.
  const second = await secondSearch(options, first, undecided, check);
  return { ...second.result, ...reductionFields(run, whole, second.undecided) };
}
