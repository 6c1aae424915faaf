/** Answers that wait until they may be sent, each with what it is about. */
export class Held<Of> {
  readonly #patience: number;
  readonly #waiting = new Map<() => void, Of>();

  /** @param patience milliseconds that an answer waits at most. */
  constructor(patience: number) {
    this.#patience = patience;
  }

  /** Resolves when the answer may be sent. */
  hold(of: Of): Promise<void> {
    return new Promise((resolve) => {
      const send = (): void => {
        clearTimeout(timer);
        this.#waiting.delete(send);
        resolve();
      };
      const timer = setTimeout(send, this.#patience);
      this.#waiting.set(send, of);
    });
  }

  /** What waits now, each with the function that sends its answer. */
  get waiting(): readonly (readonly [send: () => void, of: Of])[] {
    return [...this.#waiting];
  }
}
