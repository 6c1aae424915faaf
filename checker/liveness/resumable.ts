/**
 * A long computation in small steps: it yields every few milliseconds at most, with the number of
 * states that it has done, so that whoever runs it can let others work in between, or give up.
 */
export type Resumable<Result> = Generator<number, Result, void>;

/** Units of work, of about a microsecond each, between two yields. */
export const UNITS_PER_YIELD = 1 << 12;

/** Runs all steps at once. */
export function runToEnd<Result>(
  steps: Resumable<Result>,
  onProgress?: (done: number) => void,
): Result {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    onProgress?.(step.value);
  }
}
