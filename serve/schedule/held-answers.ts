import { Held } from './held.ts';

/** Milliseconds in which an operator takes in the events that were sent to it. */
const SETTLES = 50;

/**
 * The answers to the requests of the operator that plays a controller of the run. An operator
 * decides anew when it has its answer. So the answer comes after the events that the run shows the
 * controller before its next decision: the two go over connections of their own, and would overtake
 * each other.
 */
export class HeldAnswers {
  readonly #held: Held<null>;

  /** @param patience milliseconds that an answer waits at most. */
  constructor(patience: number) {
    this.#held = new Held(patience);
  }

  /** Resolves when the answer may be sent. */
  hold(): Promise<void> {
    return this.#held.hold(null);
  }

  /** The run cannot go on without the operator, or is over. */
  release(): void {
    const { waiting } = this.#held;
    if (waiting.length === 0) return;
    setTimeout(() => {
      for (const [send] of waiting) send();
    }, SETTLES);
  }
}
