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
  let rows = 0;
  while (open.length > 0) {
    let least = 0;
    let number = open[0]!.block!.numbers[open[0]!.row]!;
    let instance = open[0]!.block!.instances[open[0]!.row]!;
    for (let at = 1; at < open.length; at++) {
      const { block, row } = open[at]!;
      const other = block!.numbers[row]!;
      const otherInstance = block!.instances[row]!;
      if (other > number || (other === number && otherInstance > instance)) continue;
      least = at;
      number = other;
      instance = otherInstance;
    }
    const cursor = open[least]!;
    visit(cursor.block!, cursor.row);
    cursor.next();
    if (cursor.isDry && !(await cursor.fetch())) open.splice(least, 1);
    if (++rows % KEYS_PER_PAUSE === 0) await pause();
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
    let at = 0;
    let before = 0;
    for await (const read of keysIn(blocks)) {
      for (let index = 0; index < read.count; index++) {
        const number = read.numbers[index]!;
        const instance = read.instances[index]!;
        while (at < keys.count && keys.isBefore(at, number, instance)) {
          numbers[at] = numbers[at]! + before;
          at++;
        }
        before++;
      }
    }
    counts.push(before);
    for (; at < keys.count; at++) numbers[at] = numbers[at]! + before;
  }
  return { numbers, others: counts };
}
