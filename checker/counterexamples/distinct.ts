import { Auditor } from '../audit.ts';
import { check } from '../check.ts';
import type { Question } from '../engine/engine.ts';
import { TrackedEngine } from '../engine/tracked.ts';
import { CheckerError, limitOf } from '../errors.ts';
import { obligationsIn } from '../fair-groups.ts';
import { instancesOf } from '../instances.ts';
import { type CompiledProperty, compileProperties, NO_PREDICATE } from '../judgements.ts';
import { judgeLeadsTo } from '../liveness/leads-to.ts';
import { livenessQuestions } from '../liveness/questions.ts';
import type { Resumable } from '../liveness/resumable.ts';
import { type CheckOptions, wordsFor } from '../options.ts';
import { Clock } from '../progress.ts';
import { NO_REDUCTIONS } from '../reductions/reduction.ts';
import { withTimeOf } from '../reductions/second-search.ts';
import { decideReductions } from '../reductions/table.ts';
import type { CheckResult, PropertyResult } from '../result.ts';
import { search } from '../search.ts';
import { CounterexampleClasses } from './classes.ts';
import { endlessRuns } from './endless-runs.ts';
import { Footprints } from './footprint.ts';
import { violatingRuns } from './violating-runs.ts';
import { ViolationCollector, type Violations } from './violations.ts';

/**
 * Like `check`, with up to `most` counterexamples to each violated property that differ in their
 * relevant steps. A second search finds them, without reductions and under the same limits.
 */
export async function checkDistinct<State>(
  options: CheckOptions<State>,
  most: number,
): Promise<CheckResult<State>> {
  if (!Number.isSafeInteger(most) || most < 1) {
    throw new CheckerError('badLimit', `distinct is ${most}; it must be a whole number >= 1`);
  }
  if (options.within !== undefined && most > 1) {
    throw new CheckerError('badOption', 'within does not go with distinct counterexamples');
  }
  if (most > 1 && options.properties.some((one) => one.kind === 'eventually' && one.forever)) {
    throw new CheckerError('badOption', 'forever does not go with distinct counterexamples');
  }
  if (most > 1 && options.properties.some((one) => one.kind === 'eventually' && one.metBy)) {
    throw new CheckerError('badOption', 'metBy does not go with distinct counterexamples');
  }
  if (options.checkpoint !== undefined && most > 1) {
    throw new CheckerError('badOption', 'checkpoint does not go with distinct counterexamples');
  }
  const result = await check(options);
  const violated = result.properties.filter(
    ({ kind, verdict, trace }) => kind !== 'witness' && verdict === 'violated' && trace !== null,
  );
  if (most === 1 || violated.length === 0 || options.interrupted?.() === true) return result;
  const second = secondSearch(options, result, violated, most);
  await collect(second);
  const { cpuSeconds, elapsedSeconds: wallSeconds } = second.clock;
  return {
    ...result,
    statistics: withTimeOf(result.statistics, { cpuSeconds, wallSeconds }),
    properties: result.properties.map((property) => {
      const classes = second.classes.get(property.name);
      if (classes === undefined) return property;
      const alternatives = classes.alternatives(property.trace!);
      return { ...property, alternatives } as PropertyResult<State>;
    }),
  };
}

interface Second<State> {
  readonly options: CheckOptions<State>;
  readonly question: Question<State>;
  readonly compiled: readonly CompiledProperty<State>[];
  readonly engine: TrackedEngine<State>;
  readonly footprints: Footprints<State>;
  readonly clock: Clock;
  /** By name of property. */
  readonly classes: ReadonlyMap<string, CounterexampleClasses<State>>;
}

function secondSearch<State>(
  options: CheckOptions<State>,
  result: CheckResult,
  violated: readonly PropertyResult[],
  most: number,
): Second<State> {
  const { model, limits = {}, onProgress, interrupted } = options;
  const { describe } = wordsFor(options);
  const names = violated.map(({ name }) => name);
  const properties = options.properties.filter(({ name }) => names.includes(name));
  const instances = instancesOf(model);
  const compiled = compileProperties(properties, instances);
  const isRenamed = (result.symmetry?.renamings ?? 1) > 1;
  const { orbits } = decideReductions(
    { model, properties, reductions: isRenamed ? ['symmetry'] : [] },
    instances,
    compiled,
  );
  const footprints = new Footprints(model);
  const seconds =
    limits.seconds === undefined
      ? {}
      : { seconds: Math.max(0, limits.seconds - result.statistics.wallSeconds) };
  const clock = new Clock({ limits: { ...limits, ...seconds }, onProgress, interrupted });
  const question: Question<State> = {
    ...{ model, instances, ...compiled },
    ...{ reductions: NO_REDUCTIONS, guard: clock },
  };
  const classes = violated.map((one) => {
    const property = properties.find(({ name }) => name === one.name)!;
    const telling = { describe, orbits, most };
    return [
      one.name,
      new CounterexampleClasses(question, footprints, property, one, telling),
    ] as const;
  });
  return {
    options,
    question,
    compiled: compiled.properties,
    engine: new TrackedEngine(question),
    footprints,
    clock,
    classes: new Map(classes),
  };
}

/** Sorts the runs of all properties into their classes. */
async function collect<State>(second: Second<State>): Promise<void> {
  const { engine, question, clock, compiled, classes, options } = second;
  const collector = new ViolationCollector(engine, { ...question, properties: compiled });
  const { limits = {} } = options;
  const { exhausted } = await search({
    ...{ engine, judge: collector, clock, limits },
    auditor: new Auditor(engine, question, 0),
    stopWhenDecided: false,
    within: NO_PREDICATE,
  });
  for (const [index, one] of compiled.entries()) {
    const some = classes.get(one.property.name)!;
    const isEndless = one.property.kind === 'eventually';
    const complete =
      isEndless && !exhausted
        ? false
        : await inSteps(
            second,
            isEndless ? endless(second, one, some) : finite(second, collector.found[index]!, some),
          );
    some.isCutShort = !exhausted || complete !== true;
  }
}

/** Whether everything was explored; null if a limit of the clock was hit. */
async function inSteps<State>(
  { clock, engine }: Second<State>,
  steps: Resumable<boolean>,
): Promise<boolean | null> {
  for (;;) {
    clock.arm();
    let step: IteratorResult<number, boolean>;
    try {
      step = steps.next();
    } catch (error) {
      limitOf(error);
      return null;
    } finally {
      clock.disarm();
    }
    if (step.done === true) return step.value;
    if (!clock.pauseIsDue) continue;
    const done = { layer: 0, frontier: step.value, previousFrontier: step.value };
    const limit = await clock.pause(() => ({
      phase: 'distinct',
      ...done,
      states: engine.stateCount,
      transitions: 0,
    }));
    if (limit !== null) return null;
  }
}

function* finite<State>(
  { engine, question, footprints }: Second<State>,
  violations: Violations,
  classes: CounterexampleClasses<State>,
): Resumable<boolean> {
  const found = violatingRuns(engine, question.instances, footprints, violations);
  const { runs, complete } = yield* found;
  for (const { judgement, order, states } of runs) {
    yield classes.count;
    const initial = engine.decode(states[0]!);
    const { parameters } = judgement;
    classes.add({ parameters, initial, actions: order.actions, loopStart: null });
  }
  return complete;
}

function* endless<State>(
  { engine, question, compiled, clock }: Second<State>,
  one: CompiledProperty<State>,
  classes: CounterexampleClasses<State>,
): Resumable<boolean> {
  const properties = { ...question, properties: compiled };
  const { instances } = question;
  const { graph, questions } = livenessQuestions({
    ...{ engine, compiled: properties, instances, within: NO_PREDICATE },
    hasRoom: (bytes) => clock.hasRoom(bytes),
  });
  const obligations = obligationsIn(question.model, instances);
  const asked = one.judgements.map((judgement) => questions.get(judgement)!);
  const answers = yield* judgeLeadsTo(graph, obligations, asked);
  let complete = true;
  for (const [index, { fair }] of answers.entries()) {
    if (fair === null) continue;
    const { parameters } = one.judgements[index]!;
    const found = yield* endlessRuns(graph, obligations, asked[index]!, fair);
    complete &&= found.complete;
    for (const { initial, prefix, cycle } of found.runs) {
      yield classes.count;
      classes.add({
        parameters,
        initial: engine.decode(initial),
        actions: [...prefix, ...cycle].map(({ action }) => action),
        loopStart: cycle.length === 0 ? null : prefix.length,
      });
    }
  }
  return complete;
}
