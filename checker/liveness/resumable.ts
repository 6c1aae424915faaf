/**
 * A long computation that can be paused. It yields every few milliseconds at most, with the number
 * of states done so far; the caller may let others work in between, or abandon it.
 */
export type Resumable<Result> = Generator<number, Result, void>;

/** Units of work between two yields, of about a microsecond each. */
export const UNITS_PER_YIELD = 1 << 12;

/** Runs it without pauses. */
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
