import type { Layout } from '../../values/layout.ts';
import type { EngineParts } from '../sharing/sharing.ts';

/** States that come from another engine, in the numbers of this one. */
export interface IncomingRows {
  readonly count: number;
  readonly columns: readonly IncomingColumn[];
  /**
   * Slots with one value in all rows, and the local numbers of these. All slots not named are
   * absent.
   */
  readonly common: readonly (readonly [slot: number, local: number])[];
}

/** What some slots are in each row. */
export interface IncomingColumn {
  readonly slots: readonly number[];
  /** Local numbers of the slots, for each case that occurs: those of the first case come first. */
  readonly locals: Int32Array;
  /** By row: the number of its case. */
  readonly cases: ArrayLike<number>;
}

/** The words of rows in a layout of this engine, before all columns are put together. */
interface Turning {
  readonly layout: Layout;
  readonly common: Int32Array;
  /** By column and case, as many words as a row has. */
  readonly images: readonly Int32Array[];
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
   * Stores the row at this index, unless it is known, and returns the number of its state. All
   * slots and values must be known, and all slots must have "absent" among their values. Throws
   * `LimitHitError`.
   */
  enter(index: number, parent: number): number {
    const { encoding } = this.parts;
    const { store, layout } = encoding;
    if (this.turning?.layout !== layout) this.turning = this.turningTo(layout);
    const { common, images } = this.turning;
    const { columns } = this.rows;
    const { next, width } = store;
    for (let word = 0; word < width; word++) next[word] = common[word]!;
    for (let column = 0; column < columns.length; column++) {
      const image = images[column]!;
      const start = columns[column]!.cases[index]! * width;
      for (let word = 0; word < width; word++) next[word] = next[word]! | image[start + word]!;
    }
    encoding.enterNext(parent);
    return store.found[0]!;
  }

  private turningTo(layout: Layout): Turning {
    const { slots: table } = this.parts.learner;
    const { columns, common: constant } = this.rows;
    const { width } = layout;
    const common = new Int32Array(width);
    const named = new Set(columns.flatMap(({ slots }) => slots));
    for (const [slot, local] of constant) {
      named.add(slot);
      layout.write(common, slot, local);
    }
    for (const slot of table.slots) {
      if (!named.has(slot.number)) layout.write(common, slot.number, table.absentLocal(slot));
    }
    const images = columns.map(({ slots, locals }) => {
      const cases = locals.length / slots.length;
      const image = new Int32Array(cases * width);
      for (let at = 0; at < locals.length; at++) {
        const slot = slots[at % slots.length]!;
        const start = Math.floor(at / slots.length) * width;
        layout.writeAt(image, start, slot, locals[at]!);
      }
      return image;
    });
    return { layout, common, images };
  }
}
