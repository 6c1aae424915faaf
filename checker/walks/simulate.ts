import type { Question } from '../engine/engine.ts';
import { TrackedEngine } from '../engine/tracked.ts';
import { CheckerError, DefectError, limitOf } from '../errors.ts';
import { obligationsIn } from '../fair-groups.ts';
import { instancesOf } from '../instances.ts';
import { Judge } from '../judge.ts';
import { compileProperties } from '../judgements.ts';
import { limitReportOn, unsearched } from '../limit-report.ts';
import { type CheckOptions, wordsFor } from '../options.ts';
import { Clock } from '../progress.ts';
import { NO_REDUCTIONS } from '../reductions/reduction.ts';
import type { CheckResult, ModelDefect, PropertyResult } from '../result.ts';
import { validate, validateShapes } from '../validate.ts';
import { WalkLiveness } from './liveness.ts';
import { WalkPolicy } from './policy.ts';
import { open, type Walked, walkVerdictOn } from './verdicts.ts';
import { Walks, type WalksEnd } from './walks.ts';

const GENERATOR = 'xoroshiro128plus';

export interface SimulateOptions<State>
  extends Pick<
    CheckOptions<State>,
    | 'model'
    | 'properties'
    | 'describe'
    | 'onProgress'
    | 'interrupted'
    | 'since'
    | 'reached'
    | 'advice'
  > {
  readonly limits?: { readonly seconds?: number; readonly megabytes?: number };
  /** The maximal number of walks. */
  readonly walks: number;
  /** The maximal number of steps of a walk. */
  readonly steps: number;
  /** Whether traces are shortened; default: true. It takes longer than the walks themselves. */
  readonly shorten?: boolean;
  /** A 32-bit integer. The same seed gives the same walks. */
  readonly seed: number;
}

/** The parts of one simulation. */
interface Simulated<State> extends Walked<State> {
  readonly options: SimulateOptions<State>;
}

/**
 * Judges the properties on random fair walks through the model, for models that are too large to
 * search. It can only find properties violated, or witnesses reached.
 *
 * Throws `CheckerError` if the options make no sense. A defect of the model is part of the result.
 */
export async function simulate<State>(
  options: SimulateOptions<State>,
): Promise<CheckResult<State>> {
  return (await judgedOnWalks(options)) as CheckResult<State>;
}

async function judgedOnWalks<State>(given: SimulateOptions<State>): Promise<CheckResult> {
  validateShapes(given);
  const options = { ...given, ...wordsFor(given) };
  const { walks, steps, seed } = options;
  const clock = new Clock({
    limits: options.limits ?? {},
    onProgress: options.onProgress,
    interrupted: options.interrupted,
    since: options.since,
  });
  const prepared = options.reached ?? preparedWalks(options, clock);
  if (typeof prepared === 'string') {
    const none = { walks: 0, steps: 0, longest: 0, rested: 0, loops: 0 };
    const simulation = { generator: GENERATOR, seed, ...none } as const;
    return { ...unsearched(options, clock, prepared, []), simulation };
  }
  const { question, compiled, engine } = prepared;
  const obligations = obligationsIn(question.model, question.instances);
  const judge = new Judge(engine, compiled, null);
  const liveness = new WalkLiveness(engine, compiled, obligations);
  const walked = { describe: options.describe, question, compiled, engine, judge, liveness };
  const simulated = { ...walked, clock, options, shorten: options.shorten !== false };
  let end: WalksEnd | null = null;
  try {
    const policy = new WalkPolicy(obligations, seed);
    const decided = () => isDecided(simulated);
    end = await new Walks({
      ...{ engine, judge, liveness, policy, clock },
      ...{ walks, steps, decided },
    }).run();
    const verdicts: PropertyResult[] = [];
    for (const one of compiled.properties) verdicts.push(await walkVerdictOn(simulated, one, end));
    return result(simulated, end, null, verdicts);
  } catch (error) {
    if (!(error instanceof DefectError)) throw error;
    const reason = `The model has a defect in ${error.defect.culprit}; fix it first.`;
    const verdicts = compiled.properties.map((one) => open(one, 0, reason));
    return result(simulated, end, error.defect, verdicts);
  }
}

/** The parts of a simulation, or the limit that was hit before there were any. */
function preparedWalks<State>(options: SimulateOptions<State>, clock: Clock) {
  clock.arm();
  try {
    validate(options, ['walks', 'steps', 'seed', 'shorten'], () => clock.look());
    validateWalks(options);
    const { model, properties } = options;
    const instances = instancesOf(model, clock);
    const compiled = compileProperties(properties, instances, clock);
    clock.look();
    const question: Question<State> = {
      ...{ model, instances, ...compiled },
      ...{ reductions: NO_REDUCTIONS, guard: clock },
    };
    return { question, compiled, engine: new TrackedEngine(question) };
  } catch (error) {
    return limitOf(error);
  } finally {
    clock.disarm();
  }
}

function validateWalks<State>({ walks, steps, seed }: SimulateOptions<State>): void {
  for (const [name, value] of Object.entries({ walks, steps })) {
    if (Number.isSafeInteger(value) && value >= 1) continue;
    throw new CheckerError('badLimit', `${name} is ${value}; it must be a whole number >= 1`);
  }
  if ((seed | 0) !== seed) {
    throw new CheckerError('badLimit', `the seed is ${seed}; it must be a 32-bit integer`);
  }
}

function isDecided<State>({ compiled, judge, liveness }: Simulated<State>): boolean {
  return compiled.properties.every(({ property }, index) =>
    property.kind === 'witness'
      ? judge.unreached[index]!.size === 0
      : (judge.findings[index] ?? liveness.findings[index]) !== null,
  );
}

function result<State>(
  simulated: Simulated<State>,
  end: WalksEnd | null,
  defect: ModelDefect | null,
  properties: readonly PropertyResult[],
): CheckResult {
  const { options, engine, question, liveness, clock } = simulated;
  const { walks = 0, steps = 0, longest = 0, rested = 0 } = end ?? {};
  const { seed } = options;
  const total = (numbers: readonly number[]) => numbers.reduce((sum, number) => sum + number, 0);
  return {
    schema: 'reapcheck.check/v1',
    model: options.model.name,
    outcome: defect === null ? 'limited' : 'defect',
    simulation: {
      generator: GENERATOR,
      ...{ seed, walks, steps, longest, rested },
      loops: liveness.loops,
    },
    limit: end === null ? null : limitReport(simulated, end, properties),
    defect,
    symmetry: null,
    statistics: {
      states: engine.stateCount,
      transitions: steps,
      layers: longest + 1,
      engine: engine.kind,
      reducerRuns: total([...engine.reducerRuns]),
      bytesPerState: engine.bytes / engine.stateCount,
      cpuSeconds: clock.cpuSeconds,
      wallSeconds: clock.elapsedSeconds,
      audited: 0,
    },
    properties,
    actions: Object.entries(options.model.actions).map(([action, { fairness }], index) => {
      const numbers = question.instances.filter((instance) => instance.action === index);
      return {
        action,
        fairness: fairness ?? 'none',
        instances: numbers.length,
        transitions: total(numbers.map(({ number }) => engine.transitions[number]!)),
      };
    }),
  };
}

function limitReport<State>(
  { options, clock }: Simulated<State>,
  { limit, walks }: WalksEnd,
  properties: readonly PropertyResult[],
): CheckResult['limit'] {
  if (limit !== 'walks') {
    return limitReportOn(options, clock, limit, null, () => null, []);
  }
  const isOpen = properties.some(({ verdict }) => verdict === 'inconclusive');
  const advice = isOpen
    ? 'Walks can only find violations. Take more or longer ones, or another seed; or search: check a smaller case.'
    : 'Every property is decided.';
  return { kind: 'walks', value: walks, advice };
}
