import { BlockError } from './errors.ts';
import type { Blocks, FoundRows } from './found-rows.ts';
import { type Keys, readKeys } from './keys.ts';

/** The rows that one partition has sent, in order. */
export class RowCursor {
  block: FoundRows | null = null;
  row = 0;
  /** Blocks so far. */
  blocks = 0;
  private readonly source: AsyncIterator<FoundRows>;
  private number = -1;
  private instance = -1;

  constructor(blocks: AsyncIterable<FoundRows>) {
    this.source = blocks[Symbol.asyncIterator]();
  }

  /** Whether the next row is in a block that has to be fetched: then call `fetch`. */
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

/**
 * The rows of all partitions in the order of their keys: calls back for each. In this order one process
 * would have found them.
 *
 * @param pause called every few thousand rows.
 */
export async function eachRow(
  cursors: readonly RowCursor[],
  visit: (source: number, block: FoundRows, row: number) => void,
  pause: () => Promise<void>,
): Promise<void> {
  const open = new Set<number>();
  for (const [source, cursor] of cursors.entries()) if (await cursor.fetch()) open.add(source);
  let rows = 0;
  while (open.size > 0) {
    let least = -1;
    let number = 0;
    let instance = 0;
    for (const source of open) {
      const { block, row } = cursors[source]!;
      const other = block!.numbers[row]!;
      const otherInstance = block!.instances[row]!;
      if (least >= 0 && (other > number || (other === number && otherInstance > instance)))
        continue;
      least = source;
      number = other;
      instance = otherInstance;
    }
    const cursor = cursors[least]!;
    visit(least, cursor.block!, cursor.row);
    cursor.next();
    if (cursor.isDry && !(await cursor.fetch())) open.delete(least);
    if (++rows % 4096 === 0) await pause();
  }
}

/**
 * The numbers of the states with these keys, which are those of one partition.
 *
 * @param first the number of the first state of the layer.
 * @param others the keys of the other partitions, and how many there are of each.
 */
export async function numbered(
  first: number,
  keys: Keys,
  others: readonly { readonly blocks: Blocks; readonly count: number }[],
): Promise<Float64Array> {
  const numbers = Float64Array.from({ length: keys.count }, (_, index) => first + index);
  for (const { blocks, count } of others) {
    let at = 0;
    let before = 0;
    for await (const bytes of blocks) {
      const read = readKeys(bytes);
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
    if (before !== count)
      throw new BlockError(`of keys is missing: ${before} of ${count} are there`);
    for (; at < keys.count; at++) numbers[at] = numbers[at]! + before;
  }
  return numbers;
}
