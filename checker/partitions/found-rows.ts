import type { EngineExchange } from '../engine/exchange/exchange.ts';
import { readBlock } from './block.ts';
import type { Keyed } from './keys.ts';
import type { Spelling } from './spelling.ts';

/** The bytes of blocks, one after the other. */
export type Blocks = AsyncIterable<Uint8Array>;

/** Rows that another partition has found, ready to be stored. */
export interface FoundRows extends Keyed {
  /**
   * Stores the row at this index, unless it is known. Returns its state. Throws `LimitHitError`.
   */
  enter(row: number): number;
}

/** Nobody has judged the state before in this engine. */
const NOWHERE = -1;

/** Reads blocks of the log. Throws `BlockError`, and `LimitHitError` if there is no memory. */
export async function* rowsIn<State>(
  blocks: Blocks,
  spelling: Spelling,
  exchange: EngineExchange<State>,
): AsyncGenerator<FoundRows> {
  for await (const bytes of blocks) {
    const { rows, count, numbers, instances } = readBlock(spelling, bytes);
    exchange.adapt();
    const incoming = exchange.incoming(rows);
    // Spread objects would have several shapes, and what reads them would be compiled for each.
    yield { count, numbers, instances, enter: (row) => incoming.enter(row, NOWHERE) };
  }
}
