import { assert, integer, option, property, record, string, uniqueArray } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cellsOfShard, readShard } from '../../gate/run/shards.ts';

describe('shards', () => {
  const suites = record({
    cells: uniqueArray(
      record({ name: string({ minLength: 1 }), states: option(integer({ min: 1, max: 200_000 })) }),
      { selector: ({ name }) => name, maxLength: 60 },
    ),
    of: integer({ min: 1, max: 9 }),
  });

  it('every cell is in exactly one shard, in the order of the suite, and the work is balanced', () => {
    assert(
      property(suites, ({ cells, of }) => {
        const pinned = new Map(
          cells.flatMap(({ name, states }) => (states === null ? [] : [[name, states] as const])),
        );
        const shards = Array.from({ length: of }, (_, index) =>
          cellsOfShard(cells, { index: index + 1, of }, pinned),
        );
        for (const shard of shards) {
          expect(shard).toEqual(cells.filter((cell) => shard.includes(cell)));
        }
        expect(shards.flat().length).toBe(cells.length);
        expect(new Set(shards.flat())).toEqual(new Set(cells));
        const loads = shards.map((shard) =>
          shard.reduce((sum, { states }) => sum + 500 + (states ?? 5000), 0),
        );
        const longest = Math.max(0, ...cells.map(({ states }) => 500 + (states ?? 5000)));
        expect(Math.max(...loads) - Math.min(...loads)).toBeLessThanOrEqual(longest);
      }),
    );
  });

  it('are given as N/COUNT', () => {
    expect(readShard('2/5')).toEqual({ index: 2, of: 5 });
    expect(readShard('1/1')).toEqual({ index: 1, of: 1 });
    for (const wrong of ['', '2', '0/2', '3/2', '1/0', '1/1001', '-1/2', '1/2/3', ' 1/2', '1/2 ']) {
      expect(() => readShard(wrong)).toThrow(/--shard does not take/);
    }
  });
});
