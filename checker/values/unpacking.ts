import { type ColumnTable, NO_SLOT_COLUMN } from './columns.ts';
import type { Layout } from './layout.ts';

const NO_FIELD = -1;

/**
 * Turns packed rows into the answers of all columns. It keeps the last row and recomputes only the
 * columns of slots that differ from it. These are few, as neighbours in the store are mostly
 * siblings.
 */
export class Unpacking {
  /** Answers by column number; replaced when columns are added. */
  answers = new Int32Array(16);
  private last = new Int32Array(0);
  /** By word: the bits of slots that some column reads. Each such slot is called a field here. */
  private read = new Int32Array(0);
  /** By bit of a row: the field that it belongs to. */
  private fieldAt = new Int32Array(0);
  /** By field: its shift in the word, and its unshifted mask. */
  private shift = new Int32Array(0);
  private mask = new Int32Array(0);
  /**
   * By field: the column of the slot's local number itself, or `NO_SLOT_COLUMN` if there is none.
   */
  private plain = new Int32Array(0);
  /**
   * By field: where its other columns begin in `tabled`. They end where those of the next field
   * begin.
   */
  private starts = new Int32Array(0);
  private tabled = new Int32Array(0);
  private tables: Int32Array[] = [];

  /** Call this when columns, their tables or the layout have changed. */
  refresh({ columns, count }: ColumnTable, layout: Layout): void {
    if (count > this.answers.length) this.answers = new Int32Array(2 * count);
    // These are the answers of a row of zeros, which the next row is compared with. Slots with
    // one value so far take no bits, so their answers stay.
    for (const { number, table } of columns) this.answers[number] = table === null ? 0 : table[0]!;
    this.last = new Int32Array(layout.width);

    const slots: number[] = [];
    const fieldOf = new Int32Array(layout.mask.length).fill(NO_FIELD);
    const columnsOf: number[] = [];
    for (const { slot, table } of columns) {
      if (layout.mask[slot.number] === 0) continue;
      if (fieldOf[slot.number] === NO_FIELD) {
        fieldOf[slot.number] = slots.length;
        slots.push(slot.number);
        columnsOf.push(0);
      }
      if (table !== null) columnsOf[fieldOf[slot.number]!]!++;
    }
    this.starts = new Int32Array(slots.length + 1);
    columnsOf.forEach((count, field) => {
      this.starts[field + 1] = this.starts[field]! + count;
    });
    const ends = this.starts.slice();
    this.plain = new Int32Array(slots.length).fill(NO_SLOT_COLUMN);
    this.tabled = new Int32Array(this.starts[slots.length]!);
    this.tables = new Array<Int32Array>(this.tabled.length);
    for (const { number, slot, table } of columns) {
      const field = fieldOf[slot.number]!;
      if (field === NO_FIELD) continue;
      if (table === null) this.plain[field] = number;
      else {
        const place = ends[field]!++;
        this.tabled[place] = number;
        this.tables[place] = table;
      }
    }
    this.shift = Int32Array.from(slots, (slot) => layout.shift[slot]!);
    this.mask = Int32Array.from(slots, (slot) => layout.mask[slot]!);
    this.read = new Int32Array(layout.width);
    this.fieldAt = new Int32Array(32 * layout.width);
    slots.forEach((slot, field) => {
      const word = layout.word[slot]!;
      const first = this.shift[field]!;
      const end = first + 32 - Math.clz32(this.mask[field]!);
      this.read[word] = this.read[word]! | (this.mask[field]! << first);
      for (let bit = first; bit < end; bit++) this.fieldAt[32 * word + bit] = field;
    });
  }

  unpack(rows: Int32Array, offset: number): void {
    const { answers, last, read, fieldAt, shift, mask, plain, starts, tabled, tables } = this;
    for (let word = 0; word < last.length; word++) {
      const bits = rows[offset + word]!;
      let different = (bits ^ last[word]!) & read[word]!;
      last[word] = bits;
      while (different !== 0) {
        const field = fieldAt[32 * word + 31 - Math.clz32(different)]!;
        const place = shift[field]!;
        const local = (bits >>> place) & mask[field]!;
        different &= ~(mask[field]! << place);
        answers[plain[field]!] = local;
        for (let at = starts[field]!, end = starts[field + 1]!; at < end; at++) {
          answers[tabled[at]!] = tables[at]![local]!;
        }
      }
    }
  }
}
