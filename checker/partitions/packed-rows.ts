import { moveRows } from '../engine/state-store.ts';
import { type Layout, movesBetween } from '../values/layout.ts';

/** States of one engine, packed. */
export interface PackedRows {
  readonly words: Int32Array;
  readonly layout: Layout;
  readonly count: number;
}

/**
 * The rows in a layout that the engine has taken since. A slot that has got bits since then had one
 * value, with the number 0.
 *
 * @param room for how many rows; there may be more than there are.
 */
export function inLayout(
  { words, layout, count }: PackedRows,
  newer: Layout,
  room = count,
): Int32Array {
  const moved = new Int32Array(room * newer.width);
  const from = { words, start: 0, width: layout.width };
  moveRows(
    from,
    { words: moved, start: 0, width: newer.width },
    count,
    movesBetween(layout, newer),
  );
  return moved;
}
