import { check } from '../check.ts';
import { shortened } from '../counterexamples/shorten.ts';
import type { Question } from '../engine/engine.ts';
import type { TrackedEngine } from '../engine/tracked.ts';
import type { Judge } from '../judge.ts';
import type { CompiledProperties, CompiledProperty, Judgement } from '../judgements.ts';
import type { Describer } from '../options.ts';
import type { Clock } from '../progress.ts';
import type { Property } from '../property.ts';
import { identityOf } from '../property.ts';
import type { PropertyResult } from '../result.ts';
import { type Claim, confirm, shapeOf, shows } from '../traces/confirm.ts';
import { type Run, replay, runTo } from '../traces/replay.ts';
import { traceOf } from '../traces/trace.ts';
import type { WalkFinding, WalkLiveness } from './liveness.ts';
import type { WalksEnd } from './walks.ts';

/** What the walks have found, ready to be judged. */
export interface Walked<State> {
  readonly describe: Describer<State> | undefined;
  readonly question: Question<State>;
  readonly compiled: CompiledProperties<State>;
  readonly engine: TrackedEngine<State>;
  readonly judge: Judge<State>;
  readonly liveness: WalkLiveness<State>;
  readonly clock: Clock;
  readonly shorten: boolean;
}

/** The verdict on one property. Throws `DefectError` if a finding cannot be confirmed. */
export async function walkVerdictOn<State>(
  walked: Walked<State>,
  compiled: CompiledProperty<State>,
  end: WalksEnd,
): Promise<PropertyResult> {
  const { engine, judge, liveness } = walked;
  const { property } = compiled;
  const index = walked.compiled.properties.indexOf(compiled);
  const finding = judge.findings[index];
  const triggered = triggeredBy(walked, compiled, index);
  if (finding !== null && finding !== undefined) {
    if (property.kind === 'witness' && judge.unreached[index]!.size > 0) {
      return open(compiled, triggered, unseen(end));
    }
    const { initial, steps } = runTo(engine, finding.state);
    const { step } = finding;
    const last = step === null ? [] : [{ action: step.instance, state: step.target }];
    const run = { initial, steps: [...steps, ...last] };
    return shown(walked, compiled, finding.judgement, triggered, run, null);
  }
  const endless = liveness.findings[index];
  if (endless !== null && endless !== undefined) {
    const { judgement, run, loopStart } = walked.clock.isLate(0)
      ? endless
      : withShortestPrefix(walked, property, endless);
    return shown(walked, compiled, judgement, triggered, run, loopStart);
  }
  return open(compiled, triggered, unseen(end));
}

/**
 * The same finding with a shortest prefix instead of the walk's, if it still shows the violation.
 */
function withShortestPrefix<State>(
  { engine, question }: Walked<State>,
  property: Property<State>,
  finding: WalkFinding,
): WalkFinding {
  const { judgement, run, loopStart } = finding;
  const prefix = run.steps.slice(0, loopStart ?? run.steps.length);
  const loop = run.steps.slice(prefix.length);
  const way = runTo(engine, prefix.at(-1)?.state ?? run.initial);
  const shorter = { initial: way.initial, steps: [...way.steps, ...loop] };
  const { states, actions } = replay(engine, question, shorter);
  const start = loopStart === null ? null : way.steps.length;
  const { parameters } = judgement;
  const isShown = shows(question, { property, parameters, states, actions, loopStart: start });
  return isShown ? { judgement, run: shorter, loopStart: start } : finding;
}

async function shown<State>(
  { engine, question, describe, clock, shorten }: Walked<State>,
  { property }: CompiledProperty<State>,
  { parameters }: Judgement,
  triggered: number,
  run: Run,
  loopStart: number | null,
): Promise<PropertyResult> {
  const { states, actions } = replay(engine, question, run);
  const found: Claim<State> = { property, parameters, states, actions, loopStart };
  confirm(question, found);
  const claim = shorten ? await shortened(question, found, check, clock) : found;
  const broken = confirm(question, claim);
  const taken = claim.actions.map((action) => question.instances[action]!.identity);
  const isWitness = property.kind === 'witness';
  const trace = traceOf(
    question.model,
    { ...claim, actions: taken, shape: shapeOf(claim) },
    describe,
  );
  return {
    ...identityOf(property),
    verdict: isWitness ? 'holds' : 'violated',
    triggered,
    parameters: isWitness || property.parameters === undefined ? null : parameters,
    trace,
    broken,
    reason: null,
    shortenedFrom: actions.length,
  };
}

/** As the search counts triggers, but for the states and transitions that were met. */
function triggeredBy<State>(
  { judge, liveness, engine }: Walked<State>,
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

/** The result of a property without a finding. */
export function open<State>(
  { property }: CompiledProperty<State>,
  triggered: number,
  reason: string,
): PropertyResult {
  const nothing = { parameters: null, trace: null, broken: [] };
  return { ...identityOf(property), verdict: 'inconclusive', triggered, ...nothing, reason };
}
