import { holdsWithin, openWithin } from './constraint.ts';
import { shortened } from './counterexamples/shorten.ts';
import type { Engine, Question } from './engine/engine.ts';
import type { Finding, Judge } from './judge.ts';
import { type CompiledProperty, type Judgement, NO_PREDICATE } from './judgements.ts';
import type { LivenessPhase } from './liveness/phase.ts';
import type { Check, Describer } from './options.ts';
import type { Clock } from './progress.ts';
import { identityOf, type Property } from './property.ts';
import type { Reduction } from './reductions/reduction.ts';
import type { Undecided } from './reductions/second-search.ts';
import type { PropertyResult } from './result.ts';
import { type Claim, confirm, shapeOf } from './traces/confirm.ts';
import { type Run, replay, runTo } from './traces/replay.ts';
import { traceOf } from './traces/trace.ts';

/** A search that has ended, ready to be judged. */
export interface Judged<State> {
  readonly engine: Engine<State>;
  readonly question: Question<State>;
  readonly judge: Judge<State>;
  readonly describe: Describer<State> | undefined;
  /** All reachable states were expanded. */
  readonly exhausted: boolean;
  /** States outside of the constraint, which were not expanded. */
  readonly outside: number;
  /** Why a property is inconclusive if nothing was found. */
  readonly reason: () => string;
  /** Null: leads-tos are judged elsewhere. */
  readonly liveness: LivenessPhase<State> | null;
  /** Collects the properties that the reduced graph does not decide, for a second search. */
  readonly undecided: Undecided;
  /** Collects those that stay undecided, as the options exclude a second search. */
  readonly leftOpen: Undecided;
  readonly check: Check<State>;
  readonly clock: Clock;
  /** Traces are not shortened: the graph of all states shows them. */
  readonly staysInGraph: boolean;
}

type Verdict<State> = Pick<
  PropertyResult,
  'verdict' | 'triggered' | 'parameters' | 'trace' | 'broken' | 'reason' | 'shortenedFrom'
> & { readonly kind?: Property<State>['kind'] };

const OPEN = { parameters: null, trace: null, broken: [] } as const;

/** The verdict on one property. Throws `DefectError` if a counterexample cannot be confirmed. */
export async function verdictOn<State>(
  judged: Judged<State>,
  compiled: CompiledProperty<State>,
): Promise<PropertyResult> {
  return { ...identityOf(compiled.property), ...(await verdict(judged, compiled)) };
}

function verdict<State>(
  judged: Judged<State>,
  compiled: CompiledProperty<State>,
): Verdict<State> | Promise<Verdict<State>> {
  const { property } = compiled;
  switch (property.kind) {
    case 'invariant':
    case 'step':
    case 'settled':
      return safetyVerdict(judged, compiled);
    case 'witness':
      return witnessVerdict(judged, compiled);
    case 'eventually':
      return eventuallyVerdict(judged, compiled);
    default: {
      const never: never = property;
      throw new Error(`unknown property kind ${String(never)}`);
    }
  }
}

async function safetyVerdict<State>(
  judged: Judged<State>,
  compiled: CompiledProperty<State>,
): Promise<Verdict<State>> {
  const triggered = triggerCount(judged, compiled);
  const finding = judged.judge.findings[compiled.judgements[0]?.property ?? -1] ?? null;
  if (finding !== null) {
    return { ...(await shown(judged, compiled, finding)), verdict: 'violated', triggered };
  }
  if (!judged.exhausted) return inconclusive(judged, triggered);
  const visible = visibleReduction(judged, compiled);
  if (visible !== null) return undecided(judged, compiled, triggered, visible);
  // `settled` may hope that no state is terminal, so it is not vacuous then.
  const isIdle = triggered === 0 && compiled.property.kind !== 'settled';
  if (isIdle) return isCut(judged) ? inconclusive(judged, 0) : vacuous(compiled.property);
  const reason = isCut(judged) ? holdsWithin(judged.outside) : null;
  return { ...OPEN, verdict: 'holds', triggered, reason };
}

async function witnessVerdict<State>(
  judged: Judged<State>,
  compiled: CompiledProperty<State>,
): Promise<Verdict<State>> {
  const { judge } = judged;
  const [first] = compiled.judgements;
  if (first === undefined) return vacuous(compiled.property);
  const unreached = judge.unreached[first.property]!;
  const triggered = compiled.judgements.length - unreached.size;
  const finding = judge.findings[first.property]!;
  const [missing] = unreached;
  if (missing === undefined && finding !== null) {
    const example = await shown(judged, compiled, finding);
    return { ...example, parameters: null, verdict: 'holds', triggered };
  }
  if (!judged.exhausted) return inconclusive(judged, triggered);
  const visible = visibleReduction(judged, compiled);
  if (visible !== null) return undecided(judged, compiled, triggered, visible);
  if (isCut(judged)) return inconclusive(judged, triggered);
  return {
    ...OPEN,
    verdict: 'violated',
    triggered,
    parameters: parametersOf(compiled, missing!),
    broken: [`no reachable state: ${compiled.property.name}`],
    reason: null,
  };
}

async function eventuallyVerdict<State>(
  judged: Judged<State>,
  compiled: CompiledProperty<State>,
): Promise<Verdict<State>> {
  const { liveness } = judged;
  if (!judged.exhausted || liveness === null) return inconclusive(judged, 0);
  let triggered = 0;
  let violated: Judgement | null = null;
  for (const judgement of compiled.judgements) {
    const answer = await liveness.judge(judgement);
    if (answer === null) return inconclusive(judged, 0);
    triggered += answer.triggered;
    if (answer.fair !== null) violated ??= judgement;
  }
  const { engine, question } = judged;
  const { property } = compiled;
  const isUncovered =
    property.kind === 'eventually' && (property.forever === true || property.metBy !== undefined);
  for (const selector of engine.selectors) {
    // No theorem of this project covers them.
    if (isUncovered) return undecided(judged, compiled, triggered, selector.reduction);
    const isViolating = await liveness.violatesCycleProviso(selector);
    if (isViolating === null) return inconclusive(judged, triggered);
    if (isViolating) return undecided(judged, compiled, triggered, selector.reduction);
  }
  if (violated === null) {
    const visible = visibleReduction(judged, compiled);
    if (visible !== null) return undecided(judged, compiled, triggered, visible);
    if (isCut(judged)) return inconclusive(judged, triggered);
    if (triggered === 0) return vacuous(compiled.property);
    return { ...OPEN, verdict: 'holds', triggered, reason: null };
  }
  const quotient = question.reductions.applied.find(({ orbits }) => orbits !== null);
  const isStuck = quotient !== undefined && (await isStuckForEver(judged, liveness, violated));
  if (quotient !== undefined && !isStuck) {
    return undecided(judged, compiled, triggered, quotient);
  }
  const found = await liveness.counterexample(violated);
  if (found === null) return inconclusive(judged, triggered);
  const { initial, prefix, cycle } = found;
  const run = { initial, steps: [...prefix, ...cycle] };
  const loopStart = cycle.length === 0 ? null : prefix.length;
  const counterexample = await confirmed(judged, compiled, violated, run, loopStart);
  return { ...counterexample, verdict: 'violated', triggered };
}

/**
 * Whether the runs that break a property all stay for ever in one state. Such a run of the graph of
 * representatives is real, and a shortest one. If no renaming changes the question, a goal is
 * pending in all states of an orbit or in none.
 */
async function isStuckForEver<State>(
  { question }: Judged<State>,
  liveness: LivenessPhase<State>,
  judgement: Judgement,
): Promise<boolean> {
  if ((question.reductions.orbits?.imagesOf(judgement).size ?? 0) > 1) return false;
  const answer = await liveness.judge(judgement);
  if (answer === null || answer.fair === null || answer.fair.stuttering.isEmpty) return false;
  // A cycle of representatives need not be one of states, but might be reached in fewer steps.
  return answer.fair.recurring.isEmpty;
}

/** A reduction that has left out states in which the property may be judged differently. */
function visibleReduction<State>(
  { engine }: Judged<State>,
  compiled: CompiledProperty<State>,
): Reduction<State> | null {
  return engine.selectors.find((selector) => selector.isVisibleTo(compiled))?.reduction ?? null;
}

function undecided<State>(
  judged: Judged<State>,
  { property }: CompiledProperty<State>,
  triggered: number,
  { kind, leavesOpen }: Reduction<State>,
): Verdict<State> {
  if (leavesOpen !== null) {
    judged.leftOpen.add(kind, property.name);
    return { ...OPEN, verdict: 'inconclusive', triggered, reason: leavesOpen };
  }
  judged.undecided.add(kind, property.name);
  return inconclusive(judged, triggered);
}

/** Whether the constraint kept the search from some states, and nothing else did. */
function isCut<State>({ exhausted, outside }: Judged<State>): boolean {
  return exhausted && outside > 0;
}

function inconclusive<State>(judged: Judged<State>, triggered: number): Verdict<State> {
  const reason = isCut(judged) ? openWithin(judged.outside) : judged.reason();
  return { ...OPEN, verdict: 'inconclusive', triggered, reason };
}

function vacuous<State>(property: Property<State>): Verdict<State> {
  const reason =
    property.kind === 'step'
      ? 'This rule judged no transition. Check its actions and its trigger, or let the model reach them.'
      : 'Its trigger was true in no reachable state. Check the trigger, or let the model reach it.';
  return { ...OPEN, verdict: 'vacuous', triggered: 0, reason };
}

/** The number of states or transitions judged, summed over the parameters. */
function triggerCount<State>(
  { judge, engine }: Judged<State>,
  { property, judgements, judged }: CompiledProperty<State>,
): number {
  const [first] = judgements;
  if (first === undefined) return 0;
  if (property.kind === 'settled') return judge.terminalStates * judgements.length;
  if (first.trigger !== NO_PREDICATE) return judge.triggered[first.property]!;
  if (property.kind !== 'step') return judge.judgedStates * judgements.length;
  const transitions = engine.transitions.reduce(
    (sum, count, instance) => (judged[instance] ? sum + count : sum),
    0,
  );
  return transitions * judgements.length;
}

type Shown = Pick<PropertyResult, 'parameters' | 'trace' | 'broken' | 'reason' | 'shortenedFrom'>;

function shown<State>(
  judged: Judged<State>,
  compiled: CompiledProperty<State>,
  { judgement, state, step }: Finding,
): Promise<Shown> {
  const run = runTo(judged.engine, state);
  const steps =
    step === null ? run.steps : [...run.steps, { action: step.instance, state: step.target }];
  return confirmed(judged, compiled, judgement, { initial: run.initial, steps }, null);
}

async function confirmed<State>(
  { engine, question, describe, check, clock, staysInGraph }: Judged<State>,
  compiled: CompiledProperty<State>,
  judgement: Judgement,
  run: Run,
  loopStart: number | null,
): Promise<Shown> {
  const { states, actions, renamings } = replay(engine, question, run);
  // A step rule was judged in the state before its step.
  const judgedIn = renamings.length - (compiled.property.kind === 'step' ? 2 : 1);
  const real = question.reductions.orbits?.judgement(renamings[judgedIn]!, judgement) ?? judgement;
  const { property } = compiled;
  const { parameters } = real;
  const found: Claim<State> = { property, parameters, states, actions, loopStart };
  const broken = confirm(question, found);
  const asShown = (claim: Claim<State>, clauses: readonly string[]): Shown => {
    const steps = claim.actions.map((action) => question.instances[action]!.identity);
    const run = { ...claim, actions: steps, shape: shapeOf(claim) };
    const trace = traceOf(question.model, run, describe);
    return { parameters: parametersOf(compiled, real), trace, broken: clauses, reason: null };
  };
  if (engine.selectors.length === 0) return asShown(found, broken);
  // A run through ample sets may have unnecessary steps.
  const claim = staysInGraph ? found : await shortened(question, found, check, clock);
  return { ...asShown(claim, confirm(question, claim)), shortenedFrom: actions.length };
}

function parametersOf<State>(
  { property }: CompiledProperty<State>,
  { parameters }: Judgement,
): PropertyResult['parameters'] {
  return property.parameters === undefined ? null : parameters;
}
