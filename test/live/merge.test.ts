import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Merge, type SeenEvent } from '../../live/recording/merge.ts';

/** Which watch shows each change of the store, by its version, and how fast each watch is. */
const worlds = fc.integer({ min: 1, max: 4 }).chain((watches) =>
  fc.record({
    watches: fc.constant(watches),
    changes: fc.array(fc.nat(watches - 1), { maxLength: 30 }),
    pace: fc.array(fc.nat(watches - 1), { maxLength: 60 }),
  }),
);

const eventAt = (version: number): SeenEvent => ({ version: BigInt(version), line: `${version}` });

describe('the events of several watches', () => {
  it('come in the order of the store, each once, and none before an earlier one', () => {
    fc.assert(
      fc.property(worlds, ({ watches, changes, pace }) => {
        const merge = new Merge(watches, 0n);
        const next = Array.from({ length: watches }, () => 1);
        const taken: SeenEvent[] = [];
        for (const watch of pace) {
          const from = next[watch] ?? 1;
          if (from > changes.length) continue;
          if (changes[from - 1] === watch) merge.add(watch, eventAt(from));
          else merge.reach(watch, BigInt(from));
          next[watch] = from + 1;
          taken.push(...merge.take());
        }
        const complete = Math.min(...next) - 1;
        const expected = changes.slice(0, complete).map((_, index) => BigInt(index + 1));
        expect(taken.map(({ version }) => version)).toEqual(expected);
        expect(merge.complete).toBe(BigInt(complete));
      }),
    );
  });

  it('wait for a watch that is silent', () => {
    const merge = new Merge(2, 5n);
    merge.add(0, eventAt(7));
    expect(merge.take()).toEqual([]);
    merge.reach(1, 6n);
    expect(merge.take()).toEqual([]);
    merge.reach(1, 8n);
    expect(merge.take()).toEqual([eventAt(7)]);
    expect(merge.waiting).toBe(0);
  });
});
