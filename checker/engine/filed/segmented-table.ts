import { allocateWords, type Guard } from '../../guard.ts';
import { hashRow, type Rows } from '../state-store.ts';

/** Entries of a segment, as a power of two: 4 MB. */
export const SEGMENT_BITS = 20;
export const SEGMENT_LOW = (1 << SEGMENT_BITS) - 1;

/**
 * A hash table that grows in place. An array that is given up is only freed some time later, so a
 * table that is replaced by a larger one needs room for both. Here segments are added to those that
 * there are.
 */
export class SegmentedTable {
  /** An entry is in segment `place >>> SEGMENT_BITS`, at `place & SEGMENT_LOW`. 0: it is free. */
  readonly segments: Int32Array[];
  private bits: number;

  constructor(bits: number, guard: Guard) {
    this.bits = bits;
    this.segments = this.made(bits, guard);
  }

  get bytes(): number {
    return 4 * 2 ** this.bits;
  }

  /**
   * Empties the table, and gives it so many entries. Throws `LimitHitError` before anything is
   * changed.
   */
  grow(bits: number, guard: Guard): void {
    if (this.bits < SEGMENT_BITS) this.segments.splice(0, 1, ...this.made(bits, guard));
    else {
      const more = this.made(bits, guard, this.segments.length);
      this.segments.push(...more);
    }
    this.bits = bits;
    this.empty();
  }

  empty(): void {
    for (const segment of this.segments) segment.fill(0);
  }

  /** Enters rows that are not in the table, with the numbers from `first` on. */
  enter({ words, start, width }: Rows, count: number, first: number): void {
    const { segments } = this;
    const low = 2 ** this.bits - 1;
    for (let index = 0; index < count; index++) {
      const hash = hashRow(words, start + index * width, width);
      let place = hash & low;
      while (segments[place >>> SEGMENT_BITS]![place & SEGMENT_LOW] !== 0)
        place = (place + 1) & low;
      segments[place >>> SEGMENT_BITS]![place & SEGMENT_LOW] = (hash & ~low) | (first + index + 1);
    }
  }

  /** The segments of a table of this size, without those that there are. */
  private made(bits: number, guard: Guard, known = 0): Int32Array[] {
    const count = Math.max(1, 2 ** (bits - SEGMENT_BITS));
    const length = Math.min(2 ** bits, 1 << SEGMENT_BITS);
    return Array.from({ length: count - known }, () => allocateWords(length, guard));
  }
}
