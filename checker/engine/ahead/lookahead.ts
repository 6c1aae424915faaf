import type { Encoding } from '../encoding.ts';
import type { Firing } from '../firing.ts';
import type { SleepSets } from '../sleep/sleep-sets.ts';

/** States are computed together up to the next multiple of this: a power of two. */
export const STATES_AHEAD = 32;
/** How many successors are enough to look up at once. */
const ROWS_AHEAD = 64;

/**
 * Computes the successors of several states before those of the first one are looked up. Most
 * look-ups wait for memory, and these waits overlap if there are many look-ups at once. It learns
 * from the first state only, so an engine learns the same, in the same order, as without it.
 */
export class Lookahead<State> {
  /**
   * After `enter`: where the successors begin in `firing.fired` and the store's `next`, and how
   * many.
   */
  from = 0;
  count = 0;
  private first = 0;
  /** How many states are known, from the first one on. */
  private known = 0;
  private generation = 0;
  /** What `sleep.since` was before the successors of the first state were found. */
  private since = 0;
  /** By state: where its successors begin. */
  private readonly starts = new Int32Array(STATES_AHEAD + 1);
  /** By state: the steps that are not looked up. */
  private readonly asleep: Int32Array;
  /** Successors before this place are those of others that use the same arrays. */
  private readonly begin: number;
  private readonly encoding: Encoding<State>;
  private readonly firing: Firing<State>;
  private readonly sleep: SleepSets;

  constructor(
    instanceCount: number,
    encoding: Encoding<State>,
    firing: Firing<State>,
    sleep: SleepSets,
  ) {
    this.begin = instanceCount;
    this.encoding = encoding;
    this.firing = firing;
    this.sleep = sleep;
    this.asleep = new Int32Array(STATES_AHEAD * sleep.asleep.length);
    firing.reserve(2 * instanceCount + ROWS_AHEAD);
  }

  /** Enters the loaded state in the sleep sets, and finds its successors. */
  enter(): void {
    const { sleep, firing } = this;
    const { loaded } = this.encoding;
    let place = loaded - this.first;
    if (place < 0 || place >= this.known || firing.generation !== this.generation) {
      this.look(loaded);
      place = 0;
    }
    // It is the one that is expanded, whichever was entered last.
    sleep.enterExpanded(loaded, place === 0 ? this.since : sleep.since);
    const words = sleep.asleep.length;
    for (let word = 0; word < words; word++)
      sleep.asleep[word] = this.asleep[place * words + word]!;
    this.from = this.starts[place]!;
    this.count = this.starts[place + 1]! - this.from;
  }

  /** Call this if other instances are watched: their steps must not be left out. */
  forget(): void {
    this.known = 0;
  }

  private look(state: number): void {
    const { encoding, firing, sleep, starts, begin } = this;
    this.known = 0;
    sleep.enter(state);
    this.since = sleep.since;
    starts[0] = begin;
    let end = begin + firing.fire(sleep.skipped, begin);
    this.add(0, end);
    const { store } = encoding;
    const last = Math.min(store.count, (state | (STATES_AHEAD - 1)) + 1);
    let next = state + 1;
    for (; next < last && end < begin + ROWS_AHEAD; next++) {
      sleep.enter(next);
      encoding.load(next);
      const count = firing.fireKnown(sleep.skipped, end);
      if (count < 0) break;
      end += count;
      this.add(next - state, end);
    }
    encoding.load(state);
    store.fetch(begin, end);
    this.first = state;
    this.known = next - state;
    this.generation = firing.generation;
  }

  private add(place: number, end: number): void {
    const { asleep } = this.sleep;
    this.starts[place + 1] = end;
    for (let word = 0; word < asleep.length; word++) {
      this.asleep[place * asleep.length + word] = asleep[word]!;
    }
  }
}
