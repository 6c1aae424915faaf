import { type Claim, confirm } from './confirm.ts';
import type { Question } from './engine.ts';
import { CheckerError, DefectError } from './errors.ts';
import { fairnessCodes } from './fairness.ts';
import { instancesOf } from './instances.ts';
import { Judge } from './judge.ts';
import {
  type CompiledProperties,
  type CompiledProperty,
  compileProperties,
  type Judgement,
} from './judgements.ts';
import { limitAdvice, limitValue } from './limits.ts';
import type { CheckOptions } from './options.ts';
import { Clock } from './progress.ts';
import { type Run, replay, runTo } from './replay.ts';
import type { CheckResult, ModelDefect, PropertyResult, Trace } from './result.ts';
import { shortened } from './shorten.ts';
import { traceOf } from './trace.ts';
import { TrackedEngine } from './tracked.ts';
import { validate } from './validate.ts';
import { WalkLiveness } from './walk-liveness.ts';
import { WalkPolicy } from './walk-policy.ts';
import { Walks, type WalksEnd } from './walks.ts';

export interface SimulateOptions<State>
  extends Pick<
    CheckOptions<State>,
    'model' | 'properties' | 'describe' | 'onProgress' | 'interrupted'
  > {
  readonly limits?: { readonly seconds?: number; readonly megabytes?: number };
  /** How many walks at most. */
  readonly walks: number;
  /** How many steps a walk has at most. */
  readonly steps: number;
  /** A whole number of 32 bits. The same seed makes the same walks. */
  readonly seed: number;
}

/** What one simulation shares. */
interface Simulated<State> {
  readonly options: SimulateOptions<State>;
  readonly question: Question<State>;
  readonly compiled: CompiledProperties<State>;
  readonly engine: TrackedEngine<State>;
  readonly judge: Judge<State>;
  readonly liveness: WalkLiveness<State>;
  readonly clock: Clock;
}

/**
 * Judges the properties on random fair walks through the model, for what is too large to search.
 * A property is found violated, or a witness reached; nothing else is ever found to hold.
 *
 * Throws `CheckerError` if the options make no sense. A defect of the model is part of the result.
 */
export async function simulate<State>(options: SimulateOptions<State>): Promise<CheckResult> {
  validate(options);
  validateWalks(options);
  const { model, properties, walks, steps, seed } = options;
  const clock = new Clock({
    limits: options.limits ?? {},
    onProgress: options.onProgress,
    interrupted: options.interrupted,
  });
  const instances = instancesOf(model);
  const compiled = compileProperties(properties, instances);
  const question = { model, instances, ...compiled, symmetry: null };
  const engine = new TrackedEngine(question);
  const codes = fairnessCodes(instances.map(({ fairness }) => fairness));
  const judge = new Judge(engine, compiled, null);
  const liveness = new WalkLiveness(engine, compiled, codes);
  const simulated = { options, question, compiled, engine, judge, liveness, clock };
  let end: WalksEnd | null = null;
  try {
    const policy = new WalkPolicy(codes, seed);
    const decided = () => isDecided(simulated);
    end = await new Walks({
      ...{ engine, judge, liveness, policy, clock },
      ...{ walks, steps, decided },
    }).run();
    const verdicts: PropertyResult[] = [];
    for (const one of compiled.properties) verdicts.push(await verdictOn(simulated, one, end));
    return result(simulated, end, null, verdicts);
  } catch (error) {
    if (!(error instanceof DefectError)) throw error;
    const reason = `The model has a defect in ${error.defect.culprit}; mend that first.`;
    const verdicts = compiled.properties.map((one) => open(one, 0, reason));
    return result(simulated, end, error.defect, verdicts);
  }
}

function validateWalks<State>({ walks, steps, seed }: SimulateOptions<State>): void {
  for (const [name, value] of Object.entries({ walks, steps })) {
    if (Number.isSafeInteger(value) && value >= 1) continue;
    throw new CheckerError('badLimit', `${name} is ${value}; it must be a whole number >= 1`);
  }
  if ((seed | 0) !== seed) {
    throw new CheckerError('badLimit', `the seed is ${seed}; it must be a whole number of 32 bits`);
  }
}

function isDecided<State>({ compiled, judge, liveness }: Simulated<State>): boolean {
  return compiled.properties.every(({ property }, index) =>
    property.kind === 'witness'
      ? judge.unreached[index]!.size === 0
      : (judge.findings[index] ?? liveness.findings[index]) !== null,
  );
}

async function verdictOn<State>(
  simulated: Simulated<State>,
  compiled: CompiledProperty<State>,
  end: WalksEnd,
): Promise<PropertyResult> {
  const { engine, judge, liveness } = simulated;
  const { property } = compiled;
  const index = simulated.compiled.properties.indexOf(compiled);
  const finding = judge.findings[index];
  const triggered = triggeredBy(simulated, compiled, index);
  if (finding !== null && finding !== undefined) {
    if (property.kind === 'witness' && judge.unreached[index]!.size > 0) {
      return open(compiled, triggered, unseen(end));
    }
    const { initial, steps } = runTo(engine, finding.state);
    const { step } = finding;
    const last = step === null ? [] : [{ action: step.instance, state: step.target }];
    const run = { initial, steps: [...steps, ...last] };
    return shown(simulated, compiled, finding.judgement, triggered, run, null);
  }
  const endless = liveness.findings[index];
  if (endless !== null && endless !== undefined) {
    const { judgement, run, loopStart } = endless;
    return shown(simulated, compiled, judgement, triggered, run, loopStart);
  }
  return open(compiled, triggered, unseen(end));
}

async function shown<State>(
  { engine, question, options }: Simulated<State>,
  { property }: CompiledProperty<State>,
  { parameters }: Judgement,
  triggered: number,
  run: Run,
  loopStart: number | null,
): Promise<PropertyResult> {
  const { states, actions } = replay(engine, question, run);
  const found: Claim<State> = { property, parameters, states, actions, loopStart };
  confirm(question, found);
  const claim = await shortened(question, found);
  const broken = confirm(question, claim);
  const told = claim.actions.map((action) => question.instances[action]!.identity);
  const isWitness = property.kind === 'witness';
  const trace = traceOf(
    question.model,
    { ...claim, actions: told, shape: shapeOf(claim) },
    options.describe,
  );
  return {
    name: property.name,
    kind: property.kind,
    verdict: isWitness ? 'holds' : 'violated',
    triggered,
    parameters: isWitness || property.parameters === undefined ? null : parameters,
    trace,
    broken,
    reason: null,
    shortenedFrom: actions.length,
  };
}

function shapeOf<State>({ property, loopStart }: Claim<State>): Trace['shape'] {
  if (loopStart !== null) return 'lasso';
  return property.kind === 'eventually' ? 'stutter' : 'path';
}

/** What the search counts over all states, here over those met. */
function triggeredBy<State>(
  { judge, liveness, engine }: Simulated<State>,
  { property, judgements, judged }: CompiledProperty<State>,
  index: number,
): number {
  switch (property.kind) {
    case 'eventually':
      return liveness.triggered[index]!;
    case 'witness':
      return judgements.length - judge.unreached[index]!.size;
    case 'settled':
      return judge.terminalStates * judgements.length;
    case 'invariant':
    case 'step': {
      if (property.trigger !== undefined) return judge.triggered[index]!;
      if (property.kind === 'invariant') return judge.judgedStates * judgements.length;
      const taken = engine.transitions.reduce(
        (sum, count, instance) => (judged[instance] ? sum + count : sum),
        0,
      );
      return taken * judgements.length;
    }
    default:
      throw new Error(`unknown property kind ${String(property satisfies never)}`);
  }
}

function unseen({ walks, steps }: WalksEnd): string {
  return `Walks cannot show that it holds: ${walks} of them with ${steps} steps in all did not decide it.`;
}

function open<State>(
  { property: { name, kind } }: CompiledProperty<State>,
  triggered: number,
  reason: string,
): PropertyResult {
  const nothing = { parameters: null, trace: null, broken: [] };
  return { name, kind, verdict: 'inconclusive', triggered, ...nothing, reason };
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
      generator: 'xoroshiro128plus',
      ...{ seed, walks, steps, longest, rested },
      loops: liveness.loops,
    },
    limit: end === null ? null : limitOf(simulated, end, properties),
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

function limitOf<State>(
  { options, clock }: Simulated<State>,
  { limit, walks }: WalksEnd,
  properties: readonly PropertyResult[],
): CheckResult['limit'] {
  if (limit !== 'walks') {
    const limits = options.limits ?? {};
    const value = limitValue(limit, limits, clock.elapsedSeconds);
    return { kind: limit, value, advice: limitAdvice(limit, limits, null) };
  }
  const isOpen = properties.some(({ verdict }) => verdict === 'inconclusive');
  const advice = isOpen
    ? 'Walks can only find what is wrong. Take more or longer ones, or another seed; or search: check a smaller case.'
    : 'All that was asked has been decided.';
  return { kind: 'walks', value: walks, advice };
}
