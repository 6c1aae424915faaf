import { type Column, type ColumnTable, NO_SLOT_COLUMN } from './columns.ts';
import type { Layout } from './layout.ts';

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

    const fields = new Map<number, Column[]>();
    for (const column of columns) {
      const slot = column.slot.number;
      if (layout.mask[slot] === 0) continue;
      const field = fields.get(slot);
      if (field === undefined) fields.set(slot, [column]);
      else field.push(column);
    }
    const slots = [...fields.keys()];
    const tabled = [...fields.values()].flat().filter(({ table }) => table !== null);
    this.tabled = Int32Array.from(tabled, ({ number }) => number);
    this.tables = tabled.map(({ table }) => table!);
    this.plain = Int32Array.from(
      fields.values(),
      (field) => field.find(({ table }) => table === null)?.number ?? NO_SLOT_COLUMN,
    );
    this.shift = Int32Array.from(slots, (slot) => layout.shift[slot]!);
    this.mask = Int32Array.from(slots, (slot) => layout.mask[slot]!);
    this.starts = new Int32Array(slots.length + 1);
    this.read = new Int32Array(layout.width);
    this.fieldAt = new Int32Array(32 * layout.width);
    slots.forEach((slot, field) => {
      const others = fields.get(slot)!.filter(({ table }) => table !== null);
      this.starts[field + 1] = this.starts[field]! + others.length;
      const word = layout.word[slot]!;
      const bits = this.mask[field]! << this.shift[field]!;
      this.read[word] = this.read[word]! | bits;
      for (let bit = 0; bit < 32; bit++) {
        if ((bits & (1 << bit)) !== 0) this.fieldAt[32 * word + bit] = field;
      }
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
