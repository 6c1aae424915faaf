import type { EngineExchange } from '../engine/exchange/exchange.ts';
import { type RowOrigins, readBlock } from './block.ts';
import type { OwnBlock } from './outbox.ts';
import { inLayout } from './packed-rows.ts';
import type { Spelling } from './spelling.ts';

/** The bytes of blocks, one after the other. */
export type Blocks = AsyncIterable<Uint8Array>;

/** Rows that a partition has found, ready to be stored. */
export interface FoundRows extends RowOrigins {
  readonly count: number;
  /** Stores the row at this index, unless it is known. Returns whether it is new. Throws `LimitHitError`. */
  enter(row: number, parent: number): boolean;
}

/** Reads blocks of the log. Throws `BlockError`, and `LimitHitError` if there is no memory. */
export async function* rowsIn<State>(
  blocks: Blocks,
  spelling: Spelling,
  exchange: EngineExchange<State>,
): AsyncGenerator<FoundRows> {
  for await (const bytes of blocks) {
    const { rows, ...origins } = readBlock(spelling, bytes);
    exchange.adapt();
    const incoming = exchange.incoming(rows);
    yield { ...origins, enter: (row, parent) => incoming.enter(row, parent) };
  }
}

/** What the partition has found for itself, without reading it from the log. */
export async function* rowsKept<State>(
  kept: readonly OwnBlock[],
  exchange: EngineExchange<State>,
): AsyncGenerator<FoundRows> {
  for (const { rows, ...origins } of kept) {
    let { words, layout } = rows;
    yield {
      ...{ ...origins, count: rows.count },
      enter: (row, parent) => {
        if (layout !== exchange.layout) {
          words = inLayout({ words, layout, count: rows.count }, exchange.layout);
          layout = exchange.layout;
        }
        return exchange.enter(words, row * layout.width, parent);
      },
    };
  }
}
