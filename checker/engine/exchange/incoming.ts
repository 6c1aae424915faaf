import type { Layout } from '../../values/layout.ts';
import type { EngineParts } from '../sharing.ts';

/** States that come from another engine, in the numbers of this one. */
export interface IncomingRows {
  /** Packed rows, word by word: the first words of all rows come first. */
  readonly words: Int32Array;
  readonly count: number;
  /** By place in `slots`, a place in `locals`. */
  readonly layout: Layout;
  /** Slots of this engine. All others are absent. */
  readonly slots: readonly number[];
  /** By place in `slots`: local numbers. All that is read of `words` must be in it. */
  readonly locals: readonly (readonly number[])[];
}

/** How rows are turned into rows of a layout of this engine. */
interface Turning {
  readonly layout: Layout;
  /** What is the same in all rows. */
  readonly common: Int32Array;
  /** By slot that differs: where it is in the given words and in the row. */
  readonly from: Int32Array;
  readonly shift: Int32Array;
  readonly mask: Int32Array;
  readonly to: Int32Array;
  /** Where its bits begin in `bits`, which are in place, by what is read of the words. */
  readonly start: Int32Array;
  readonly bits: Int32Array;
}

/** Stores rows of another engine, one after the other. */
export class Incoming<State> {
  private readonly parts: EngineParts<State>;
  private readonly rows: IncomingRows;
  private turning: Turning | null = null;

  constructor(parts: EngineParts<State>, rows: IncomingRows) {
    this.parts = parts;
    this.rows = rows;
  }

  /**
   * Stores the row at this index, unless it is known. Returns whether it is new. All slots and values must
   * be known, and all slots must have "absent" among their values. Throws `LimitHitError`.
   */
  enter(index: number, parent: number): boolean {
    const { store, layout } = this.parts.encoding;
    if (this.turning?.layout !== layout) this.turning = this.turningTo(layout);
    const { common, from, shift, mask, to, start, bits } = this.turning;
    const { words } = this.rows;
    const { next, width } = store;
    for (let word = 0; word < width; word++) next[word] = common[word]!;
    for (let at = 0; at < from.length; at++) {
      const place = (words[from[at]! + index]! >>> shift[at]!) & mask[at]!;
      const word = to[at]!;
      next[word] = next[word]! | bits[start[at]! + place]!;
    }
    return this.parts.encoding.enterNext(parent);
  }

  private turningTo(layout: Layout): Turning {
    const { slots: table } = this.parts.learner;
    const { slots, locals, layout: given, count } = this.rows;
    const common = new Int32Array(layout.width);
    const known = new Set(slots);
    for (const slot of table.slots) {
      if (!known.has(slot.number)) layout.write(common, slot.number, table.absentLocal(slot));
    }
    const varying: number[] = [];
    slots.forEach((slot, place) => {
      if (locals[place]!.length > 1) varying.push(place);
      else layout.write(common, slot, locals[place]![0]!);
    });
    const bits: number[] = [];
    const start = varying.map((place) => {
      const begin = bits.length;
      const shift = layout.shift[slots[place]!]!;
      for (const local of locals[place]!) bits.push(local << shift);
      return begin;
    });
    const each = (value: (place: number) => number) => Int32Array.from(varying, value);
    return {
      ...{ layout, common, start: Int32Array.from(start), bits: Int32Array.from(bits) },
      from: each((place) => given.word[place]! * count),
      shift: each((place) => given.shift[place]!),
      mask: each((place) => given.mask[place]!),
      to: each((place) => layout.word[slots[place]!]!),
    };
  }
}
