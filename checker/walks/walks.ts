import type { TrackedEngine } from '../engine/tracked.ts';
import { limitOf } from '../errors.ts';
import type { Judge } from '../judge.ts';
import { emptyTransitionBuffer } from '../liveness/graph.ts';
import type { Clock, SearchProgress } from '../progress.ts';
import type { LimitKind } from '../result.ts';
import type { WalkLiveness } from './liveness.ts';
import { NOWHERE, type WalkPolicy } from './policy.ts';

/** The clock is checked once in this many steps, and after work that took long. */
const STEPS_PER_CLOCK_CHECK = 64;

export interface WalksPlan<State> {
  readonly engine: TrackedEngine<State>;
  readonly judge: Judge<State>;
  readonly liveness: WalkLiveness<State>;
  readonly policy: WalkPolicy;
  readonly clock: Clock;
  /** The maximal number of walks, and of steps of each. */
  readonly walks: number;
  readonly steps: number;
  /** Every property is decided. */
  readonly decided: () => boolean;
}

export interface WalksEnd {
  readonly limit: LimitKind;
  readonly walks: number;
  readonly steps: number;
  readonly longest: number;
  readonly rested: number;
}

/** Takes random walks one after the other, and judges every state and step. */
export class Walks<State> {
  private readonly plan: WalksPlan<State>;
  private readonly buffer = emptyTransitionBuffer();
  private readonly judgedInitial: Uint8Array;
  private walks = 0;
  private steps = 0;
  private longest = 0;
  private rested = 0;

  constructor(plan: WalksPlan<State>) {
    this.plan = plan;
    this.judgedInitial = new Uint8Array(plan.engine.initialCount);
  }

  async run(): Promise<WalksEnd> {
    const { plan } = this;
    let limit: LimitKind | null = null;
    plan.clock.arm();
    try {
      while (limit === null && this.walks < plan.walks && !plan.decided()) {
        limit = await this.walk();
      }
    } catch (error) {
      limit = limitOf(error);
    } finally {
      plan.clock.disarm();
    }
    plan.clock.report(this.progress());
    const { walks, steps, longest, rested } = this;
    return { limit: limit ?? 'walks', walks, steps, longest, rested };
  }

  /** Takes one walk; returns the limit that ended it early. */
  private async walk(): Promise<LimitKind | null> {
    const { engine, liveness, policy, clock, steps } = this.plan;
    let state = policy.begin(engine.initialCount);
    let isNew = this.judgedInitial[state] === 0;
    this.judgedInitial[state] = 1;
    this.walks++;
    liveness.begin(state);
    for (let position = 0; ; position++) {
      if (clock.isOverdue || (this.steps % STEPS_PER_CLOCK_CHECK === 0 && clock.pauseIsDue)) {
        const limit = await clock.pause(() => this.progress());
        if (limit !== null) return limit;
      }
      const chosen = this.visit(state, position, isNew);
      if (chosen === NOWHERE) this.rested++;
      if (chosen === NOWHERE || position === steps) return null;
      const before = engine.stateCount;
      const action = this.buffer.actions[chosen]!;
      state = engine.follow(chosen, this.plan.judge);
      isNew = engine.stateCount > before;
      liveness.step(action, state);
      this.longest = Math.max(this.longest, position + 1);
      this.steps++;
    }
  }

  /** Judges a state and chooses the step to take from it. */
  private visit(state: number, position: number, isNew: boolean): number {
    const { engine, judge, liveness, policy } = this.plan;
    const { buffer } = this;
    engine.load(state);
    if (isNew) judge.state(state);
    else judge.revisit(state);
    liveness.state(position, isNew);
    const count = engine.successors(state, buffer);
    if (count === 0 && isNew) judge.terminal(state);
    liveness.enabledAt(position, state, buffer.actions, count);
    return policy.choose(buffer.actions, count);
  }

  private progress(): SearchProgress {
    const { engine } = this.plan;
    return {
      phase: 'walks',
      layer: this.walks,
      frontier: this.plan.walks,
      previousFrontier: this.plan.walks,
      states: engine.stateCount,
      transitions: this.steps,
    };
  }
}
