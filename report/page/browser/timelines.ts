import type { Timeline } from './run-data.ts';

/** Index of the value in a state; -1: it does not exist. */
export function takenAt({ at, takes }: Timeline, state: number): number {
  let low = 0;
  let high = at.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((at[middle] ?? 0) <= state) low = middle + 1;
    else high = middle;
  }
  return low === 0 ? -1 : (takes[low - 1] ?? -1);
}

/** The next or previous state in which one of the timelines changes; null: none. */
export function nextChange(
  timelines: readonly Timeline[],
  state: number,
  direction: 1 | -1,
): number | null {
  let found: number | null = null;
  for (const { at } of timelines) {
    for (const candidate of at) {
      // Entries of the initial state have not changed.
      if (candidate === 0 || (candidate - state) * direction <= 0) continue;
      if (found === null || (candidate - found) * direction < 0) found = candidate;
    }
  }
  return found;
}
