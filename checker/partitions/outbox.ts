import type { Layout } from '../values/layout.ts';
import { type HashedRows, packBlock } from './block.ts';
import { RowHash } from './owners/row-hash.ts';
import { inLayout, type PackedRows } from './packed-rows.ts';
import type { Spelling } from './spelling.ts';

/**
 * Receives the blocks of one expansion, numbered by target. They say the same, in the same order,
 * whenever it is repeated.
 */
export type SendBlock = (target: number, number: number, bytes: Uint8Array) => void;

/** Rows of all blocks that a partition collects at a time. */
const ROWS_AT_A_TIME = 1 << 17;
const FEWEST_ROWS = 1 << 12;
const MOST_ROWS = 1 << 16;

/**
 * Collects the states that an expansion finds for other partitions. Of equal states in one block,
 * only the first is sent: it has the least key. So large blocks have fewer rows in all.
 */
export class Outbox {
  private readonly spelling: Spelling;
  private readonly hash: RowHash;
  private readonly pending: readonly PendingBlock[];
  private readonly mostRows: number;
  private send: SendBlock = () => undefined;
  /** Rows in all blocks of this expansion. */
  rows = 0;
  /** Blocks of this expansion, by target. */
  sent: number[] = [];

  /** @param count how many partitions there are. */
  constructor(spelling: Spelling, count: number) {
    this.spelling = spelling;
    this.hash = new RowHash(spelling, () => true);
    this.pending = Array.from({ length: count }, () => new PendingBlock());
    // Where blocks end must not depend on the process.
    const share = 1 << Math.floor(Math.log2(ROWS_AT_A_TIME / count));
    this.mostRows = Math.min(MOST_ROWS, Math.max(FEWEST_ROWS, share));
  }

  begin(send: SendBlock): void {
    this.send = send;
    this.rows = 0;
    this.sent = this.pending.map(() => 0);
    for (const block of this.pending) block.clear();
  }

  /**
   * Called for most steps, so it allocates nothing.
   *
   * @param number the number, in the whole search, of the state from which the transition leads
   * there.
   */
  add(
    target: number,
    words: Int32Array,
    start: number,
    layout: Layout,
    number: number,
    instance: number,
  ): void {
    const block = this.pending[target]!;
    block.add(this.hash.of(words, start, layout), words, start, layout, number, instance);
    if (block.count === this.mostRows) this.flush(target);
  }

  /** Sends what is left. */
  end(): void {
    this.pending.forEach(({ count }, target) => {
      if (count > 0) this.flush(target);
    });
  }

  private flush(target: number): void {
    const block = this.pending[target]!;
    this.rows += block.count;
    const number = this.sent[target]!;
    this.sent[target] = number + 1;
    this.send(target, number, packBlock(this.spelling, block.hashed));
    block.clear();
  }
}

const FIRST_CAPACITY = 1 << 8;
/**
 * If all slots decide, the lowest bits of the hash say who owns a row: rows for one partition share
 * them.
 */
const OWNER_BITS = 6;

class PendingBlock {
  count = 0;
  numbers = new Float64Array(FIRST_CAPACITY);
  instances = new Int32Array(FIRST_CAPACITY);
  hashes = new Int32Array(FIRST_CAPACITY);
  private layout: Layout | null = null;
  private words: Int32Array = new Int32Array(0);
  private capacity = FIRST_CAPACITY;
  /** Rows plus 1, by hash. At least half of it is empty. */
  private places = new Int32Array(2 * FIRST_CAPACITY);

  private get rows(): PackedRows {
    return { words: this.words, layout: this.layout!, count: this.count };
  }

  get hashed(): HashedRows {
    const { words, count, numbers, hashes } = this;
    const instances = this.instances.subarray(0, count);
    return { words, layout: this.layout!, count, numbers, instances, hashes };
  }

  /** Adds the row unless it is there. Which rows are equal does not depend on the process. */
  add(
    hash: number,
    from: Int32Array,
    start: number,
    layout: Layout,
    number: number,
    instance: number,
  ): void {
    if (this.count === this.capacity) this.grow();
    if (layout !== this.layout) this.take(layout);
    const { places, hashes, words, count } = this;
    const { width } = layout;
    const low = places.length - 1;
    let place = (hash >>> OWNER_BITS) & low;
    for (; places[place] !== 0; place = (place + 1) & low) {
      const known = places[place]! - 1;
      if (hashes[known] !== hash) continue;
      const at = known * width;
      let word = 0;
      while (word < width && words[at + word] === from[start + word]) word++;
      if (word === width) return;
    }
    places[place] = count + 1;
    hashes[count] = hash;
    const at = count * width;
    for (let word = 0; word < width; word++) words[at + word] = from[start + word]!;
    this.numbers[count] = number;
    this.instances[count] = instance;
    this.count++;
  }

  clear(): void {
    if (this.count > 0) this.places.fill(0);
    this.count = 0;
  }

  private take(layout: Layout): void {
    this.words =
      this.count === 0
        ? new Int32Array(this.capacity * layout.width)
        : inLayout(this.rows, layout, this.capacity);
    this.layout = layout;
  }

  private grow(): void {
    const { numbers, instances, hashes, words, count } = this;
    this.capacity *= 2;
    this.numbers = new Float64Array(this.capacity);
    this.numbers.set(numbers);
    this.instances = new Int32Array(this.capacity);
    this.instances.set(instances);
    this.hashes = new Int32Array(this.capacity);
    this.hashes.set(hashes);
    this.words = new Int32Array(2 * words.length);
    this.words.set(words);
    this.places = new Int32Array(2 * this.capacity);
    const low = this.places.length - 1;
    for (let row = 0; row < count; row++) {
      let place = (hashes[row]! >>> OWNER_BITS) & low;
      while (this.places[place] !== 0) place = (place + 1) & low;
      this.places[place] = row + 1;
    }
  }
}
