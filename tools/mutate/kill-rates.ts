import type { Baseline } from './suite.ts';

/** A scenario that was not tried yet counts as one that kills sometimes. */
const KILLS_AT_FIRST = 0.2;
const TRIES_AT_FIRST = 1;
/** The cost of a mutant besides the search, in milliseconds. */
const OVERHEAD = 20;

/** Which scenario is tried first. */
export interface Order {
  note(scenario: string, killed: boolean): void;
  bestFirst(baselines: readonly Baseline[]): readonly Baseline[];
}

/** The smallest first. It depends on the mutant alone, not on what came back before. */
export const SMALLEST_FIRST: Order = {
  note: () => undefined,
  bestFirst: (baselines) =>
    baselines.toSorted(
      (one, other) =>
        one.outcome.states - other.outcome.states || (one.scenario < other.scenario ? -1 : 1),
    ),
};

/**
 * How often each scenario has killed so far. The scenario with the most kills per time is tried
 * first.
 */
export class KillRates implements Order {
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
