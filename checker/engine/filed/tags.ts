import { allocateWords, type Guard } from '../../guard.ts';
import type { Rows } from '../state-store.ts';

const CHUNK_SHIFT = 20;
const CHUNK = 1 << CHUNK_SHIFT;

/**
 * A byte for each row in a file, of a hash of its own. With the bits in the hash table it says of
 * nearly all rows that are different that they are, without reading the file.
 */
export class Tags {
  private readonly chunks: Uint8Array[] = [];
  private readonly guard: Guard;

  constructor(guard: Guard) {
    this.guard = guard;
  }

  of(row: number): number {
    return this.chunks[row >>> CHUNK_SHIFT]![row & (CHUNK - 1)]!;
  }

  /** The tags of these rows, whose numbers begin at `first`. */
  add(first: number, { words, start, width }: Rows, rows: number): void {
    const { chunks } = this;
    while (chunks.length << CHUNK_SHIFT < first + rows) {
      chunks.push(new Uint8Array(allocateWords(CHUNK / 4, this.guard).buffer));
    }
    for (let index = 0; index < rows; index++) {
      const row = first + index;
      const tag = tagOf(words, start + index * width, width);
      chunks[row >>> CHUNK_SHIFT]![row & (CHUNK - 1)] = tag;
    }
  }
}

/** The tag of a row. It shares nothing with the hash by which rows are found. */
export function tagOf(words: Int32Array, offset: number, width: number): number {
  let hash = 0x27d4eb2f;
  for (let word = 0; word < width; word++) {
    hash = Math.imul(hash ^ words[offset + word]!, 0x165667b1);
    hash = (hash << 13) | (hash >>> 19);
  }
  return Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) >>> 24;
}
