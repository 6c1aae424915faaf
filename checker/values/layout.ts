/**
 * The position of each slot's local number in a packed row of 32-bit words. No slot crosses words.
 */
export class Layout {
  /** Words of a row, at least one. */
  readonly width: number;
  /** By word: the slots in it, from the lowest bit up. */
  readonly slots: readonly (readonly number[])[];
  /** By slot. */
  word: Int32Array;
  shift: Int32Array;
  /** Not shifted; 0 for a slot that has had one value so far. */
  mask: Int32Array;

  /** `bits` is by slot, `slots` by word; a word has 32 bits. */
  constructor(bits: readonly number[], slots: readonly (readonly number[])[]) {
    const room = Math.max(16, bits.length);
    this.width = Math.max(1, slots.length);
    this.slots = slots;
    this.word = new Int32Array(room);
    this.shift = new Int32Array(room);
    this.mask = new Int32Array(room);
    slots.forEach((slotsOfWord, word) => {
      let shift = 0;
      for (const slot of slotsOfWord) {
        this.word[slot] = word;
        this.shift[slot] = shift;
        this.mask[slot] = 2 ** bits[slot]! - 1;
        shift += bits[slot]!;
      }
    });
  }

  /** Adds slots that have one value so far: they take no bits. */
  cover(slotCount: number): void {
    if (slotCount <= this.mask.length) return;
    const length = 2 * slotCount;
    this.word = extended(this.word, length);
    this.shift = extended(this.shift, length);
    this.mask = extended(this.mask, length);
  }

  fits(slot: number, local: number): boolean {
    return local >>> 0 <= this.mask[slot]!;
  }

  /** The local number of a slot in the row that starts at `offset`. */
  read(rows: Int32Array, offset: number, slot: number): number {
    return (rows[offset + this.word[slot]!]! >>> this.shift[slot]!) & this.mask[slot]!;
  }

  write(row: Int32Array, slot: number, local: number): void {
    this.writeAt(row, 0, slot, local);
  }

  /** Into the row that starts at `offset`. */
  writeAt(row: Int32Array, offset: number, slot: number, local: number): void {
    const word = offset + this.word[slot]!;
    const shift = this.shift[slot]!;
    row[word] = (row[word]! & ~(this.mask[slot]! << shift)) | (local << shift);
  }
}

const PLAIN_BITS = 31;

/** The layout of rows that are plain lists of local numbers. */
export function everySlotAWord(slots: number): Layout {
  const numbers = Array.from({ length: slots }, (_, slot) => slot);
  return new Layout(
    numbers.map(() => PLAIN_BITS),
    numbers.map((slot) => [slot]),
  );
}

/** Bits of one word that move together to another place. */
export interface Move {
  readonly fromWord: number;
  /** In place. */
  readonly mask: number;
  readonly toWord: number;
  /** To the left; negative to the right. */
  readonly distance: number;
}

/**
 * The moves that turn rows of one layout into rows of another. Neighbours that stay neighbours move
 * together.
 */
export function movesBetween(from: Layout, to: Layout): readonly Move[] {
  const moves = new Map<string, Move>();
  for (const slot of from.slots.flat()) {
    const fromWord = from.word[slot]!;
    const toWord = to.word[slot]!;
    const distance = to.shift[slot]! - from.shift[slot]!;
    const key = `${fromWord} ${toWord} ${distance}`;
    const mask = (moves.get(key)?.mask ?? 0) | (from.mask[slot]! << from.shift[slot]!);
    moves.set(key, { fromWord, toWord, distance, mask });
  }
  return [...moves.values()];
}

function extended(array: Int32Array, length: number): Int32Array<ArrayBuffer> {
  const longer = new Int32Array(length);
  longer.set(array);
  return longer;
}
