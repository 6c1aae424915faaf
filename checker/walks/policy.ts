import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import type { JumpableRandomGenerator } from 'pure-rand/types/JumpableRandomGenerator';
import { type Obligations, WEAK } from '../liveness/obligations.ts';

/** One instance may be up to 2 to this power times as likely as another. */
const FIRST_LIKELIHOOD = 5;
/**
 * Two to one of these powers, drawn for each walk, is how often a fair instance may be passed over.
 */
const PATIENCE = [3, 5, 7, 9] as const;
/** In one of this many walks, an instance without fairness is never taken. */
const NEVER_IN = 6;

export const NOWHERE = -1;

/**
 * Chooses the steps of random walks. Each walk has its own stream of random numbers, and first
 * draws the likelihoods of the instances. So one walk has a slow worker and another an early
 * client, which gives orders of steps that equal chances would hardly produce. An obligation that
 * was passed over too often is taken next; so no walk is unfair, however long it is.
 */
export class WalkPolicy {
  private readonly obligations: Obligations;
  private readonly streams: JumpableRandomGenerator;
  private random: JumpableRandomGenerator;
  private readonly likelihood: Float64Array;
  /** By obligation: in how many states it was enabled and not taken, up to the last choice. */
  private readonly passed: Int32Array;
  /** By obligation: the number of the last choice that found it enabled. */
  private readonly seen: Int32Array;
  private choices = 0;
  private patience = 0;

  constructor(obligations: Obligations, seed: number) {
    this.obligations = obligations;
    this.streams = xoroshiro128plus(seed);
    // Small seeds give small numbers at first.
    this.streams.jump();
    this.random = this.streams;
    this.likelihood = new Float64Array(obligations.of.length);
    this.passed = new Int32Array(obligations.kinds.length);
    this.seen = new Int32Array(obligations.kinds.length);
  }

  /** Begins a walk; returns one of the initial states. */
  begin(initialCount: number): number {
    const random = this.streams.clone();
    this.streams.jump();
    this.random = random;
    this.choices = 1;
    this.passed.fill(0);
    this.seen.fill(0);
    this.patience = 2 ** PATIENCE[uniformInt(random, 0, PATIENCE.length - 1)]!;
    const { of } = this.obligations;
    for (let instance = 0; instance < of.length; instance++) {
      const never = of[instance]!.length === 0 && uniformInt(random, 1, NEVER_IN) === 1;
      this.likelihood[instance] = never ? 0 : 2 ** uniformInt(random, 0, FIRST_LIKELIHOOD);
    }
    return uniformInt(random, 0, initialCount - 1);
  }

  /**
   * The position of the chosen one among the enabled instances; `NOWHERE` if none of them is fair
   * and this walk does without the others.
   */
  choose(enabled: Int32Array, count: number): number {
    const { passed, seen, likelihood, random } = this;
    const { kinds, of } = this.obligations;
    const choice = ++this.choices;
    let sum = 0;
    let overdue = NOWHERE;
    let mostTimes = this.patience;
    for (let position = 0; position < count; position++) {
      const instance = enabled[position]!;
      sum += likelihood[instance]!;
      for (const owed of of[instance]!) {
        // Several members of a group may be enabled here.
        if (seen[owed] === choice) continue;
        // Weak fairness does not apply to what was disabled in between.
        if (kinds[owed] === WEAK && seen[owed] !== choice - 1) passed[owed] = 0;
        seen[owed] = choice;
        const times = ++passed[owed]!;
        if (times <= mostTimes) continue;
        mostTimes = times;
        overdue = position;
      }
    }
    if (sum === 0) return NOWHERE;
    const position = overdue < 0 ? this.draw(enabled, uniformInt(random, 0, sum - 1)) : overdue;
    for (const met of of[enabled[position]!]!) passed[met] = 0;
    return position;
  }

  private draw(enabled: Int32Array, drawn: number): number {
    let left = drawn;
    for (let position = 0; ; position++) {
      left -= this.likelihood[enabled[position]!]!;
      if (left < 0) return position;
    }
  }
}
