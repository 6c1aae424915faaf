/** Milliseconds in which an operator takes in the events that were sent to it. */
const SETTLES = 50;

/**
 * The answers to the requests of the operator that plays a controller of the run. An operator decides
 * anew when it has its answer. So the answer comes after the events that the run shows the controller
 * before its next decision: the two go over connections of their own, and would overtake each other.
 */
export class HeldAnswers {
  readonly #patience: number;
  readonly #waiting = new Set<() => void>();

  /** @param patience milliseconds that an answer waits at most. */
  constructor(patience: number) {
    this.#patience = patience;
  }

  /** Resolves when the answer may be sent. */
  hold(): Promise<void> {
    return new Promise((resolve) => {
      const send = (): void => {
        clearTimeout(timer);
        this.#waiting.delete(send);
        resolve();
      };
      const timer = setTimeout(send, this.#patience);
      this.#waiting.add(send);
    });
  }

  /** The run cannot go on without the operator, or is over. */
  release(): void {
    if (this.#waiting.size === 0) return;
    const sends = [...this.#waiting];
    setTimeout(() => {
      for (const send of sends) send();
    }, SETTLES);
  }
}
