import type { Layout } from '../../values/layout.ts';
import type { Slot } from '../../values/slots.ts';
import type { Spelling } from '../spelling.ts';

/** How the hash of a row is added up, in one layout. */
interface Sum {
  readonly layout: Layout;
  /** Of the slots without bits, which have one value in all rows. */
  readonly base: number;
  /** By word: the slots that count, and their bits. */
  readonly slots: readonly (readonly Slot[])[];
  readonly masks: Int32Array;
  /** Words and their sums that were met before: by word, `CACHED` each. */
  readonly words: Int32Array;
  readonly sums: Int32Array;
}

const CACHED_BITS = 14;
const CACHED = 1 << CACHED_BITS;
const FACTOR = 0x9e3779b1;
/**
 * It belongs elsewhere in the cache than 0, so that nothing is found in the first place of an empty
 * one.
 */
const NOT_FIRST = 1;

/** A hash of names and values, as text, so all processes agree on it. */
export class RowHash {
  private readonly spelling: Spelling;
  private readonly counts: (slot: Slot) => boolean;
  /** By slot and local number. */
  private readonly prints: number[][] = [];
  private adding: Sum | null = null;

  /** @param counts whether the hash depends on a slot. */
  constructor(spelling: Spelling, counts: (slot: Slot) => boolean) {
    this.spelling = spelling;
    this.counts = counts;
  }

  /** The hash of a state, given as a packed row. */
  of(rows: Int32Array, start: number, layout: Layout): number {
    return mixed(this.sum(rows, start, layout));
  }

  /** The sum of the prints of its slots. */
  sum(rows: Int32Array, start: number, layout: Layout): number {
    if (this.adding?.layout !== layout) this.adding = this.sumOf(layout);
    const { base, masks, words, sums } = this.adding;
    let hash = base;
    for (let word = 0; word < layout.width; word++) {
      if (masks[word] === 0) continue;
      const bits = rows[start + word]! & masks[word]!;
      const place = word * CACHED + (Math.imul(bits, FACTOR) >>> (32 - CACHED_BITS));
      if (words[place] !== bits) {
        words[place] = bits;
        sums[place] = this.sumIn(this.adding, word, bits);
      }
      hash = (hash + sums[place]!) | 0;
    }
    return hash;
  }

  private sumOf(layout: Layout): Sum {
    const counted = this.spelling.table.slots.filter(this.counts);
    const constant = counted.filter(({ number }) => layout.mask[number] === 0);
    const masks = new Int32Array(layout.width);
    const slots = Array.from({ length: layout.width }, (): Slot[] => []);
    for (const slot of counted) {
      const { number } = slot;
      if (layout.mask[number] === 0) continue;
      const word = layout.word[number]!;
      masks[word] = masks[word]! | (layout.mask[number]! << layout.shift[number]!);
      slots[word]!.push(slot);
    }
    const words = new Int32Array(layout.width * CACHED);
    for (let word = 0; word < layout.width; word++) words[word * CACHED] = NOT_FIRST;
    const base = constant.reduce((sum, slot) => (sum + this.print(slot, 0)) | 0, 0);
    return { layout, base, slots, masks, words, sums: new Int32Array(words.length) };
  }

  /** The sum of the slots in one word. */
  private sumIn({ layout, slots }: Sum, word: number, bits: number): number {
    let sum = 0;
    for (const slot of slots[word]!) {
      const local = (bits >>> layout.shift[slot.number]!) & layout.mask[slot.number]!;
      sum = (sum + this.print(slot, local)) | 0;
    }
    return sum;
  }

  /** What a value of a slot adds to the hash, before the last mix. */
  print(slot: Slot, local: number): number {
    while (this.prints.length <= slot.number) this.prints.push([]);
    return this.prints[slot.number]![local] ?? this.learn(slot, local);
  }

  private learn(slot: Slot, local: number): number {
    const prints = this.prints[slot.number]!;
    for (let next = prints.length; next <= local; next++) {
      const text = this.spelling.text(slot, next);
      const names = `${JSON.stringify(slot.section.key)},${JSON.stringify(slot.key)}`;
      // What is absent counts for nothing: other processes may not know the slot.
      prints.push(text === null ? 0 : hashText(`[${names},${text}]`));
    }
    return prints[local]!;
  }
}

/** The hash of a state whose prints have this sum, with 32 bits. */
export function mixed(sum: number): number {
  let hash = sum ^ (sum >>> 16);
  hash = Math.imul(hash, 0x7feb352d);
  return hash ^ (hash >>> 15);
}

/** FNV-1a, with a last mix. */
function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  }
  hash ^= hash >>> 15;
  hash = Math.imul(hash, 0x846ca68b);
  return hash ^ (hash >>> 16);
}
