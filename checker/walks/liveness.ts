import type { TrackedEngine } from '../engine/tracked.ts';
import { type CompiledProperties, type Judgement, NO_PREDICATE } from '../judgements.ts';
import { type Obligations, STRONG, WEAK } from '../liveness/obligations.ts';
import type { Run } from '../traces/replay.ts';

/** A violated leads-to, and the walk that shows it. */
export interface WalkFinding {
  readonly judgement: Judgement;
  readonly run: Run;
  /** The number of steps before the loop; null: the walk may stutter in its last state. */
  readonly loopStart: number | null;
}

interface Open {
  readonly judgement: Judgement;
  /** The last position at which the goal was true; -1: none. */
  lastGoal: number;
  /** Whether a trigger has been true since. */
  pending: boolean;
}

const NOTHING: readonly number[] = [];

/**
 * Judges leads-tos on a walk: where no obligation is enabled, and where it returns to a state
 * and may repeat the loop for ever. It finds proofs of violations only: a walk says nothing about
 * other runs.
 */
export class WalkLiveness<State> {
  /** By property. */
  readonly findings: (WalkFinding | null)[];
  /** By property: states with the trigger, each counted once. */
  readonly triggered: Float64Array;
  /** The number of fair loops met, whether or not they violate a property. */
  loops = 0;
  private open: Open[] = [];
  private initial = 0;
  private readonly steps: { action: number; state: number }[] = [];
  /** By position: the obligations enabled there. */
  private readonly enabled: (readonly number[])[] = [];
  private readonly visits = new Map<number, number[]>();
  private nextTry = 0;
  private readonly judgements: readonly Judgement[];
  private readonly engine: TrackedEngine<State>;
  private readonly obligations: Obligations;

  constructor(
    engine: TrackedEngine<State>,
    { properties }: CompiledProperties<State>,
    obligations: Obligations,
  ) {
    this.engine = engine;
    this.obligations = obligations;
    this.findings = properties.map(() => null);
    this.triggered = new Float64Array(properties.length);
    this.judgements = properties.flatMap(({ property, judgements }) =>
      property.kind === 'eventually' && property.metBy === undefined ? judgements : [],
    );
  }

  begin(state: number): void {
    this.initial = state;
    this.steps.length = 0;
    this.enabled.length = 0;
    this.visits.clear();
    this.nextTry = 0;
    this.open = this.judgements
      .filter(({ property }) => this.findings[property] === null)
      .map((judgement) => ({ judgement, lastGoal: -1, pending: false }));
  }

  step(action: number, state: number): void {
    if (this.open.length > 0) this.steps.push({ action, state });
  }

  /**
   * Judges the state at this position, which the engine has loaded. Only new states are counted.
   */
  state(position: number, isNew: boolean): void {
    const { engine } = this;
    for (const open of this.open) {
      const { trigger, check, property } = open.judgement;
      const asked = trigger === NO_PREDICATE ? position === 0 : engine.test(trigger);
      if (asked && isNew) this.triggered[property]!++;
      if (engine.test(check)) {
        open.lastGoal = position;
        open.pending = false;
      } else if (asked) open.pending = true;
    }
  }

  /**
   * Notes what is enabled at this position, and whether the walk may stay there or repeat a loop.
   */
  enabledAt(position: number, state: number, instances: Int32Array, count: number): void {
    if (this.open.length === 0) return;
    const owed: number[] = [];
    for (let index = 0; index < count; index++) {
      for (const one of this.obligations.of[instances[index]!]!) {
        if (!owed.includes(one)) owed.push(one);
      }
    }
    this.enabled.push(owed.length === 0 ? NOTHING : owed);
    if (owed.length === 0) this.violated(() => true, null);
    const visits = this.visits.get(state);
    if (visits === undefined) this.visits.set(state, [position]);
    else {
      if (position >= this.nextTry) this.tryLoops(visits, position);
      visits.push(position);
    }
  }

  /**
   * Longer loops are more often weakly fair, so for each leads-to it tries the longest loop without
   * the goal. A try takes time proportional to the loop, so not every return to a state is tried.
   */
  private tryLoops(visits: readonly number[], position: number): void {
    const starts = new Set(
      this.open
        .filter(({ pending }) => pending)
        .map(({ lastGoal }) => visits.find((visit) => visit > lastGoal)),
    );
    for (const start of starts) {
      if (start === undefined) continue;
      this.nextTry = position + ((position - start) >> 2);
      if (!this.isFair(start, position)) continue;
      this.loops++;
      this.violated(({ lastGoal }) => lastGoal < start, start);
    }
  }

  /** Whether the steps between two positions in the same state can be repeated fairly. */
  private isFair(from: number, to: number): boolean {
    const { kinds, of } = this.obligations;
    const taken = new Set(this.steps.slice(from, to).flatMap(({ action }) => of[action]!));
    const isOpen = (obligation: number) => !taken.has(obligation);
    let weak = this.enabled[from]!.filter((one) => kinds[one] === WEAK && isOpen(one));
    for (let position = from; position < to; position++) {
      const here = this.enabled[position]!;
      if (here.some((one) => kinds[one] === STRONG && isOpen(one))) return false;
      if (weak.length > 0) weak = weak.filter((one) => here.includes(one));
    }
    return weak.length === 0;
  }

  private violated(within: (open: Open) => boolean, loopStart: number | null): void {
    const found = this.open.filter((open) => open.pending && within(open));
    if (found.length === 0) return;
    for (const { judgement } of found) {
      const run = { initial: this.initial, steps: [...this.steps] };
      this.findings[judgement.property] ??= { judgement, run, loopStart };
    }
    this.open = this.open.filter(({ judgement }) => this.findings[judgement.property] === null);
  }
}
