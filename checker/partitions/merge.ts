import { BlockError } from './errors.ts';
import type { Blocks } from './found-rows.ts';
import { type Keyed, type Keys, readKeys } from './keys.ts';

/** Goes through what one partition has sent, in the order of keys. */
export class KeyCursor<Block extends Keyed> {
  block: Block | null = null;
  row = 0;
  /** Blocks so far. */
  blocks = 0;
  private readonly source: AsyncIterator<Block>;
  /** The next key, unless it is in a block that has to be fetched. */
  private number = -1;
  private instance = -1;

  constructor(blocks: AsyncIterable<Block>) {
    this.source = blocks[Symbol.asyncIterator]();
  }

  /** Whether the next key is in a block that has to be fetched: then call `fetch`. */
  get isDry(): boolean {
    return this.block === null || this.row === this.block.count;
  }

  /** False: there are no more. */
  async fetch(): Promise<boolean> {
    const { done, value } = await this.source.next();
    this.row = 0;
    if (done === true) {
      this.block = null;
      return false;
    }
    this.block = value;
    this.blocks++;
    this.demandOrder();
    return true;
  }

  isBefore({ number, instance }: KeyCursor<Block>): boolean {
    return this.number < number || (this.number === number && this.instance <= instance);
  }

  next(): void {
    this.row++;
    if (!this.isDry) this.demandOrder();
  }

  private demandOrder(): void {
    const number = this.block!.numbers[this.row]!;
    const instance = this.block!.instances[this.row]!;
    const isLater = number > this.number || (number === this.number && instance > this.instance);
    if (!isLater) throw new BlockError('is not in order');
    this.number = number;
    this.instance = instance;
  }
}

const KEYS_PER_PAUSE = 4096;

/**
 * What all partitions have sent, in the order of keys: calls back for each. In this order one
 * process would have found it.
 *
 * @param pause called every few thousand keys.
 */
export async function eachKey<Block extends Keyed>(
  cursors: readonly KeyCursor<Block>[],
  visit: (block: Block, row: number) => void,
  pause: () => Promise<void>,
): Promise<void> {
  const open: KeyCursor<Block>[] = [];
  for (const cursor of cursors) if (await cursor.fetch()) open.push(cursor);
  while (open.length > 0) {
    const last = someKeys(open, visit);
    if (last.isDry && !(await last.fetch())) open.splice(open.indexOf(last), 1);
    await pause();
  }
}

/**
 * Ends after some thousand keys, or when a block ends. A function that awaits would be compiled
 * anew whenever it goes on. Returns the cursor of the last key.
 */
function someKeys<Block extends Keyed>(
  open: readonly KeyCursor<Block>[],
  visit: (block: Block, row: number) => void,
): KeyCursor<Block> {
  for (let rows = 1; ; rows++) {
    let cursor = open[0]!;
    for (let at = 1; at < open.length; at++) {
      if (open[at]!.isBefore(cursor)) cursor = open[at]!;
    }
    visit(cursor.block!, cursor.row);
    cursor.next();
    if (cursor.isDry || rows === KEYS_PER_PAUSE) return cursor;
  }
}

/** Reads blocks of keys. */
export async function* keysIn(blocks: Blocks): AsyncGenerator<Keyed> {
  for await (const bytes of blocks) yield readKeys(bytes);
}

/** The numbers of the states of one partition, and of how many states of all. */
export interface Numbered {
  /** In the order of their keys. */
  readonly numbers: Float64Array;
  /** By other partition: how many states it has. */
  readonly others: readonly number[];
}

/**
 * The numbers of the states with these keys, which are those of one partition.
 *
 * @param first the number of the first state of the layer.
 * @param others the keys of the other partitions.
 */
export async function numbered(
  first: number,
  keys: Keys,
  others: readonly Blocks[],
): Promise<Numbered> {
  const numbers = new Float64Array(keys.count);
  for (let index = 0; index < keys.count; index++) numbers[index] = first + index;
  const counts: number[] = [];
  for (const blocks of others) {
    const added = new Added(keys, numbers);
    for await (const read of keysIn(blocks)) added.add(read);
    added.end();
    counts.push(added.count);
  }
  return { numbers, others: counts };
}

/** Adds to the number of each key how many keys of another partition are before it. */
class Added {
  /** Keys of the other partition so far. */
  count = 0;
  private at = 0;
  private readonly keys: Keys;
  private readonly numbers: Float64Array;

  constructor(keys: Keys, numbers: Float64Array) {
    this.keys = keys;
    this.numbers = numbers;
  }

  add(read: Keyed): void {
    const { keys, numbers } = this;
    for (let index = 0; index < read.count; index++) {
      const number = read.numbers[index]!;
      const instance = read.instances[index]!;
      while (this.at < keys.count && keys.isBefore(this.at, number, instance)) {
        numbers[this.at] = numbers[this.at]! + this.count;
        this.at++;
      }
      this.count++;
    }
  }

  end(): void {
    const { keys, numbers, count } = this;
    for (; this.at < keys.count; this.at++) numbers[this.at] = numbers[this.at]! + count;
  }
}
