import type { SlotTable } from '../values/slots.ts';
import { BLOCK_ROWS, packBlock } from './block.ts';
import type { Owners } from './owners.ts';

/** Receives the blocks of one expansion, numbered by target. They are the same, in the same order, whenever it is repeated. */
export type SendBlock = (target: number, number: number, bytes: Uint8Array) => void;

/**
 * Collects the states that an expansion finds, by the partition that owns them. Of equal states in one block,
 * only the first is sent: it has the least key.
 */
export class Outbox {
  private readonly owners: Owners;
  private readonly pending: readonly PendingBlock[];
  private readonly send: SendBlock;
  /** Rows in all blocks. */
  rows = 0;
  /** Blocks, by target. */
  readonly sent: number[];

  constructor(table: SlotTable, owners: Owners, partitions: number, send: SendBlock) {
    this.owners = owners;
    this.send = send;
    this.sent = Array.from({ length: partitions }, () => 0);
    this.pending = Array.from({ length: partitions }, () => new PendingBlock(table));
  }

  /**
   * @param source the local number of the state from which the transition leads there.
   * @param number its number in the whole search.
   * @param row local numbers by slot.
   * @returns a number for the block that has it, for `isOpen`.
   */
  add(source: number, number: number, instance: number, row: Int32Array): number {
    const hash = this.owners.hash(row);
    const target = this.owners.of(hash);
    const block = this.pending[target]!;
    const place = this.sent[target]! * this.pending.length + target;
    block.add(hash, row, source, number, instance);
    if (block.count === BLOCK_ROWS) this.flush(target);
    return place;
  }

  /** Whether the block is not sent yet: a row that it has is not added again. */
  isOpen(place: number): boolean {
    const partitions = this.pending.length;
    return Math.floor(place / partitions) === this.sent[place % partitions];
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
    this.send(target, number, block.take());
  }
}

const TABLE_BITS = 13;
const LOW = (1 << TABLE_BITS) - 1;

class PendingBlock {
  private readonly table: SlotTable;
  count = 0;
  private locals = new Int32Array(0);
  /** Slots of a row in `locals`. */
  private stride = 0;
  private readonly sources = new Int32Array(BLOCK_ROWS);
  private readonly numbers = new Float64Array(BLOCK_ROWS);
  private readonly instances = new Int32Array(BLOCK_ROWS);
  private readonly hashes = new Int32Array(BLOCK_ROWS);
  /** Rows plus 1, by hash. */
  private readonly places = new Int32Array(1 << TABLE_BITS);

  constructor(table: SlotTable) {
    this.table = table;
  }

  /** Adds the row unless it is there. Which rows are equal does not depend on the process. */
  add(hash: number, row: Int32Array, source: number, number: number, instance: number): void {
    if (row.length > this.stride) this.widen(row.length);
    const { places, hashes, locals, stride, count } = this;
    let place = hash & LOW;
    for (; places[place] !== 0; place = (place + 1) & LOW) {
      const known = places[place]! - 1;
      if (hashes[known] === hash && this.isAt(known, row)) return;
    }
    places[place] = count + 1;
    hashes[count] = hash;
    locals.set(row, count * stride);
    locals.fill(0, count * stride + row.length, (count + 1) * stride);
    this.sources[count] = source;
    this.numbers[count] = number;
    this.instances[count] = instance;
    this.count++;
  }

  take(): Uint8Array {
    const { table, count, locals, stride, sources, numbers, instances } = this;
    const bytes = packBlock(table, count, { locals, stride }, { sources, numbers, instances });
    this.count = 0;
    this.places.fill(0);
    return bytes;
  }

  private isAt(known: number, row: Int32Array): boolean {
    const { locals, stride } = this;
    const start = known * stride;
    for (let slot = 0; slot < row.length; slot++) {
      if (locals[start + slot] !== row[slot]) return false;
    }
    // A slot that was added since is absent in this row.
    return true;
  }

  /** A slot that is added was absent before: its number for that is 0. */
  private widen(slots: number): void {
    const stride = slots + 16;
    const locals = new Int32Array(BLOCK_ROWS * stride);
    for (let row = 0; row < this.count; row++) {
      const start = row * this.stride;
      locals.set(this.locals.subarray(start, start + this.stride), row * stride);
    }
    this.locals = locals;
    this.stride = stride;
  }
}
