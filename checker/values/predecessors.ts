import { allocateSharedWords, allocateWords, type Guard, UNGUARDED } from '../guard.ts';

/** The place of each state with a number that is a multiple of this is kept. */
const STATES_PER_SAMPLE = 64;
const SAMPLE_BITS = 6;

/** What other threads need to read the predecessors that there are. */
export interface PredecessorMemory {
  readonly bits: Int32Array;
  readonly samples: Int32Array;
  readonly plain: Int32Array | null;
}

/**
 * The predecessor of each state: the number of a state, or -1. A breadth-first search finds states
 * in the order of their predecessors, and ascending numbers take two bits each: for each state a 1,
 * after as many zeros as its predecessor's number is higher than that of the state before. The
 * first number that is lower turns all into a plain list.
 */
export class Predecessors {
  private count = 0;
  /** One more than the predecessor of the last state. */
  private last = 0;
  private bits: Int32Array;
  /** By `STATES_PER_SAMPLE` states: where the bit of the first of them is. */
  private samples: Int32Array;
  /** Not null: the numbers as they are, in the place of the bits. */
  private plain: Int32Array | null = null;
  private capacity: number;
  /** The state that was asked for last, and where its bit is. */
  private asked = -1;
  private askedAt = 0;
  private readonly guard: Guard;
  private readonly allocate: (length: number, guard: Guard) => Int32Array;

  /** @param isShared whether other threads may read them. */
  constructor(capacity: number, guard: Guard, isShared = false) {
    this.guard = guard;
    this.allocate = isShared ? allocateSharedWords : allocateWords;
    this.capacity = capacity;
    this.bits = this.emptyBits(capacity);
    this.samples = this.emptySamples(capacity);
  }

  /** Untouched memory costs nothing, so it may have room for many more than are there. */
  grow(capacity: number): void {
    this.capacity = capacity;
    if (this.plain !== null) {
      const list = this.allocate(capacity, UNGUARDED);
      list.set(this.plain);
      this.plain = list;
      return;
    }
    const bits = this.emptyBits(capacity);
    const samples = this.emptySamples(capacity);
    bits.set(this.bits);
    samples.set(this.samples);
    this.bits = bits;
    this.samples = samples;
  }

  /** Call this before numbers from this one on are pushed. Throws `LimitHitError`. */
  expect(predecessor: number): void {
    if (this.plain === null && predecessor + 1 < this.last) this.becomePlain();
  }

  /** Adds that of the next state, for which there must be room. */
  push(predecessor: number): void {
    const number = predecessor + 1;
    const state = this.count++;
    if (this.plain !== null) {
      this.plain[state] = predecessor;
      return;
    }
    this.last = number;
    const place = state + number;
    this.bits[place >> 5] = this.bits[place >> 5]! | (1 << (place & 31));
    if ((state & (STATES_PER_SAMPLE - 1)) === 0) this.samples[state >> SAMPLE_BITS] = place;
  }

  /** Fastest for the state after the one asked for last. */
  of(state: number): number {
    if (this.plain !== null) return this.plain[state]!;
    let from = this.asked;
    let place = this.askedAt;
    if (state < from || state - from > (state & (STATES_PER_SAMPLE - 1))) {
      from = state & ~(STATES_PER_SAMPLE - 1);
      place = this.samples[state >> SAMPLE_BITS]!;
    }
    if (state > from) place = this.placeAfter(place, state - from);
    this.asked = state;
    this.askedAt = place;
    return place - state - 1;
  }

  /** As a list. */
  slice(from: number, to: number): Int32Array {
    if (this.plain !== null) return this.plain.subarray(from, to);
    const list = new Int32Array(to - from);
    for (let state = from; state < to; state++) list[state - from] = this.of(state);
    return list;
  }

  clear(): void {
    this.plain?.fill(0, 0, this.count);
    this.bits.fill(0);
    this.count = 0;
    this.last = 0;
    this.asked = -1;
    this.askedAt = 0;
  }

  /** Other arrays after it has grown. Until then, those of new states are added to these. */
  get memory(): PredecessorMemory {
    const { bits, samples, plain } = this;
    return { bits, samples, plain };
  }

  /** From now on, reads those of another thread. */
  follow({ bits, samples, plain }: PredecessorMemory): void {
    this.bits = bits;
    this.samples = samples;
    this.plain = plain;
  }

  /** Bytes in use. */
  get bytes(): number {
    if (this.plain !== null) return 4 * this.count;
    return Math.ceil((this.count + this.last) / 8) + 4 * Math.ceil(this.count / STATES_PER_SAMPLE);
  }

  /** Where the bit of a state is that comes so many after the one whose bit is at `place`. */
  private placeAfter(place: number, states: number): number {
    const { bits } = this;
    let word = place >> 5;
    // A shift by 32 would be one by 0.
    let open = bits[word]! & ((-1 << (place & 31)) << 1);
    let rest = states;
    for (;;) {
      while (open !== 0) {
        if (--rest === 0) return 32 * word + 31 - Math.clz32(open & -open);
        open &= open - 1;
      }
      open = bits[++word]!;
    }
  }

  private becomePlain(): void {
    this.guard.room(4 * this.count);
    const list = this.allocate(this.capacity, UNGUARDED);
    for (let state = 0; state < this.count; state++) list[state] = this.of(state);
    this.plain = list;
    this.bits = new Int32Array(0);
    this.samples = new Int32Array(0);
  }

  private emptyBits(capacity: number): Int32Array {
    // A predecessor has a lower number than the state, so a state takes two bits at most.
    return this.allocate(Math.ceil((2 * capacity + 1) / 32), UNGUARDED);
  }

  private emptySamples(capacity: number): Int32Array {
    return this.allocate(Math.ceil(capacity / STATES_PER_SAMPLE), UNGUARDED);
  }
}
