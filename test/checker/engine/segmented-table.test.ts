import { expect, it } from 'vitest';
import {
  SEGMENT_BITS,
  SEGMENT_LOW,
  SegmentedTable,
} from '../../../checker/engine/filed/segmented-table.ts';
import { hashRow } from '../../../checker/engine/state-store.ts';
import { UNGUARDED } from '../../../checker/guard.ts';

const ROWS = 50_000;
const FIRST = 1000;

/** The number that the table has for a row; -1: none. */
function found({ segments }: SegmentedTable, bits: number, words: Int32Array, row: number): number {
  const low = 2 ** bits - 1;
  const hash = hashRow(words, row, 1);
  for (let place = hash & low; ; place = (place + 1) & low) {
    const entry = segments[place >>> SEGMENT_BITS]![place & SEGMENT_LOW]!;
    if (entry === 0) return -1;
    if ((entry ^ hash) >>> bits === 0 && words[(entry & low) - 1 - FIRST] === words[row]) {
      return (entry & low) - 1;
    }
  }
}

it('finds each row after it has grown, over several segments', () => {
  const words = Int32Array.from({ length: ROWS }, (_, row) => Math.imul(row, 0x9e3779b1));
  const rows = { words, start: 0, width: 1 };
  const table = new SegmentedTable(SEGMENT_BITS - 1, UNGUARDED);
  table.enter(rows, ROWS, FIRST);
  for (const bits of [SEGMENT_BITS - 1, SEGMENT_BITS + 1, SEGMENT_BITS + 2]) {
    if (bits >= SEGMENT_BITS) {
      table.grow(bits, UNGUARDED);
      expect(found(table, bits, words, 7)).toBe(-1);
      table.enter(rows, ROWS, FIRST);
    }
    expect(table.bytes).toBe(4 * 2 ** bits);
    expect(table.segments.reduce((sum, { byteLength }) => sum + byteLength, 0)).toBe(table.bytes);
    // Without a word for each row, vitest would take long.
    const missed = [...words.keys()].filter(
      (row) => found(table, bits, words, row) !== FIRST + row,
    );
    expect(missed).toEqual([]);
  }
  expect(table.segments).toHaveLength(4);
});
