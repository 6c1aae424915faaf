import type { Baseline } from './suite.ts';

/** A scenario that was not tried yet counts as one that kills sometimes. */
const KILLS_AT_FIRST = 0.2;
const TRIES_AT_FIRST = 1;
/** The cost of a mutant besides the search, in milliseconds. */
const OVERHEAD = 20;

/**
 * How often each scenario has killed so far. The scenario with the most kills per time is tried
 * first.
 */
export class KillRates {
  readonly #tries = new Map<string, number>();
  readonly #kills = new Map<string, number>();

  note(scenario: string, killed: boolean): void {
    this.#tries.set(scenario, (this.#tries.get(scenario) ?? 0) + 1);
    if (killed) this.#kills.set(scenario, (this.#kills.get(scenario) ?? 0) + 1);
  }

  bestFirst(baselines: readonly Baseline[]): readonly Baseline[] {
    return [...baselines].sort((one, other) => this.#promise(other) - this.#promise(one));
  }

  /** Expected kills per millisecond. */
  #promise({ scenario, milliseconds }: Baseline): number {
    const kills = (this.#kills.get(scenario) ?? 0) + KILLS_AT_FIRST;
    const tries = (this.#tries.get(scenario) ?? 0) + TRIES_AT_FIRST;
    return kills / tries / (milliseconds + OVERHEAD);
  }
}
