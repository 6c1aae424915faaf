import type { Layout } from '../values/layout.ts';
import { BLOCK_ROWS, packBlock, type RowOrigins } from './block.ts';
import type { Owners } from './owners.ts';
import { inLayout, type PackedRows } from './packed-rows.ts';
import type { Spelling } from './spelling.ts';

/** The rows of a block in the numbers of the engine that has found them. */
export interface OwnBlock extends RowOrigins {
  readonly rows: PackedRows;
}

/** Receives the blocks of one expansion, numbered by target. They are the same, in the same order, whenever it is repeated. */
export type SendBlock = (target: number, number: number, bytes: Uint8Array) => void;

/**
 * Collects the states that an expansion finds, by the partition that owns them. Of equal states in one block,
 * only the first is sent: it has the least key.
 */
export class Outbox {
  private readonly owners: Owners;
  private readonly spelling: Spelling;
  private readonly pending: readonly PendingBlock[];
  private readonly own: number;
  private readonly send: SendBlock;
  /** Rows in all blocks. */
  rows = 0;
  /** Blocks for the partition itself. */
  readonly kept: OwnBlock[] = [];
  /** Blocks, by target. */
  readonly sent: number[];

  /** @param own the partition that expands. */
  constructor(
    spelling: Spelling,
    owners: Owners,
    { index, count }: { readonly index: number; readonly count: number },
    send: SendBlock,
  ) {
    this.spelling = spelling;
    this.owners = owners;
    this.own = index;
    this.send = send;
    this.sent = Array.from({ length: count }, () => 0);
    this.pending = Array.from({ length: count }, () => new PendingBlock());
  }

  /**
   * @param source the local number of the state from which the transition leads there.
   * @param number its number in the whole search.
   */
  add(source: number, number: number, instance: number, row: Row): void {
    const hash = this.owners.hash(row.words, row.start, row.layout);
    const target = this.owners.of(hash);
    const block = this.pending[target]!;
    block.add(hash, row, source, number, instance);
    if (block.count === BLOCK_ROWS) this.flush(target);
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
    this.send(target, number, packBlock(this.spelling, block.rows, block));
    if (target === this.own) this.kept.push(block.copied());
    block.clear();
  }
}

/** A packed row. */
export interface Row {
  readonly words: Int32Array;
  readonly start: number;
  readonly layout: Layout;
}

const TABLE_BITS = 13;
const LOW = (1 << TABLE_BITS) - 1;

class PendingBlock implements RowOrigins {
  count = 0;
  private layout: Layout | null = null;
  private words: Int32Array = new Int32Array(0);
  readonly sources = new Int32Array(BLOCK_ROWS);
  readonly numbers = new Float64Array(BLOCK_ROWS);
  readonly instances = new Int32Array(BLOCK_ROWS);
  private readonly hashes = new Int32Array(BLOCK_ROWS);
  /** Rows plus 1, by hash. */
  private readonly places = new Int32Array(1 << TABLE_BITS);

  get rows(): PackedRows {
    return { words: this.words, layout: this.layout!, count: this.count };
  }

  /** Adds the row unless it is there. Which rows are equal does not depend on the process. */
  add(
    hash: number,
    { words: from, start, layout }: Row,
    source: number,
    number: number,
    instance: number,
  ): void {
    if (layout !== this.layout) this.take(layout);
    const { places, hashes, words, count } = this;
    const { width } = layout;
    let place = hash & LOW;
    for (; places[place] !== 0; place = (place + 1) & LOW) {
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
    this.sources[count] = source;
    this.numbers[count] = number;
    this.instances[count] = instance;
    this.count++;
  }

  copied(): OwnBlock {
    const { words, layout, count } = this;
    return {
      rows: { words: words.slice(0, count * layout!.width), layout: layout!, count },
      sources: this.sources.slice(0, count),
      numbers: this.numbers.slice(0, count),
      instances: this.instances.slice(0, count),
    };
  }

  clear(): void {
    this.count = 0;
    this.places.fill(0);
  }

  private take(layout: Layout): void {
    this.words =
      this.count === 0
        ? new Int32Array(BLOCK_ROWS * layout.width)
        : inLayout(this.rows, layout, BLOCK_ROWS);
    this.layout = layout;
  }
}
