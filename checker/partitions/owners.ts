import type { Layout } from '../values/layout.ts';
import type { Slot } from '../values/slots.ts';
import type { Spelling } from './spelling.ts';

/** How the hash of a row is added up, in one layout. By place: a slot that has bits. */
interface Sum {
  readonly layout: Layout;
  /** Of the slots without bits, which have one value in all rows. */
  readonly base: number;
  readonly slots: readonly Slot[];
  readonly words: Int32Array;
  readonly shifts: Int32Array;
  readonly masks: Int32Array;
  /** By place and local number. */
  readonly prints: readonly number[][];
}

/**
 * Which partition owns a state. All processes must agree, so it is a hash of names and values, as text. Any
 * function of the state would be right; a good one gives each partition as many states as the others.
 */
export class Owners {
  private readonly spelling: Spelling;
  private readonly partitions: number;
  /** By slot and local number. */
  private readonly prints: number[][] = [];
  private sum: Sum | null = null;

  constructor(spelling: Spelling, partitions: number) {
    this.spelling = spelling;
    this.partitions = partitions;
  }

  /** The hash of a state, given as a packed row. */
  hash(rows: Int32Array, start: number, layout: Layout): number {
    if (this.sum?.layout !== layout) this.sum = this.sumOf(layout);
    const { base, slots, words, shifts, masks, prints } = this.sum;
    let hash = base;
    for (let place = 0; place < slots.length; place++) {
      const local = (rows[start + words[place]!]! >>> shifts[place]!) & masks[place]!;
      const known = prints[place]!;
      hash = (hash + (local < known.length ? known[local]! : this.learn(slots[place]!, local))) | 0;
    }
    hash ^= hash >>> 16;
    hash = Math.imul(hash, 0x7feb352d);
    return hash ^ (hash >>> 15);
  }

  of(hash: number): number {
    return (hash >>> 0) % this.partitions;
  }

  private sumOf(layout: Layout): Sum {
    const all = this.spelling.table.slots;
    while (this.prints.length < all.length) this.prints.push([]);
    const slots = all.filter(({ number }) => layout.mask[number] !== 0);
    const constant = all.filter(({ number }) => layout.mask[number] === 0);
    return {
      ...{ layout, slots },
      base: constant.reduce((sum, slot) => (sum + this.learn(slot, 0)) | 0, 0),
      words: Int32Array.from(slots, ({ number }) => layout.word[number]!),
      shifts: Int32Array.from(slots, ({ number }) => layout.shift[number]!),
      masks: Int32Array.from(slots, ({ number }) => layout.mask[number]!),
      prints: slots.map(({ number }) => this.prints[number]!),
    };
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
