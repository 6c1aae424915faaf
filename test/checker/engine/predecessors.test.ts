import fc from 'fast-check';
import { expect, it } from 'vitest';
import { UNGUARDED } from '../../../checker/guard.ts';
import { Predecessors } from '../../../checker/values/predecessors.ts';

/**
 * Numbers as a search gives them: each state has one of a lower number, mostly in ascending order.
 */
const runs = fc.record({
  gaps: fc.array(fc.oneof({ arbitrary: fc.nat({ max: 1 }), weight: 30 }, fc.nat({ max: 300 })), {
    maxLength: 400,
    size: 'max',
  }),
  /** From this state on, predecessors may go back. */
  disorderFrom: fc.oneof(fc.constant(null), fc.nat({ max: 400 })),
  asked: fc.array(fc.nat({ max: 399 }), { maxLength: 50, size: 'max' }),
});

it('gives what a list would give', () => {
  fc.assert(
    fc.property(runs, ({ gaps, disorderFrom, asked }) => {
      const list: number[] = [];
      const found = new Predecessors(8, UNGUARDED);
      let capacity = 8;
      gaps.forEach((gap, state) => {
        const isDisordered = disorderFrom !== null && state > disorderFrom;
        const next = isDisordered ? gap - 1 : (list.at(-1) ?? -1) + gap;
        const predecessor = Math.min(state - 1, next);
        if (state === capacity) {
          capacity *= 2;
          found.grow(capacity);
        }
        list.push(predecessor);
        found.expect(predecessor);
        found.push(predecessor);
        expect(found.of(state)).toBe(predecessor);
      });
      for (const state of asked) if (state < list.length) expect(found.of(state)).toBe(list[state]);
      list.forEach((predecessor, state) => {
        expect(found.of(state)).toBe(predecessor);
      });
      const half = Math.floor(list.length / 2);
      expect([...found.slice(half, list.length)]).toEqual(list.slice(half));
    }),
  );
});

it('takes two bits and a half a state at most, while numbers ascend', () => {
  const found = new Predecessors(64_000, UNGUARDED);
  for (let state = 0; state < 64_000; state++) found.push(state - 1);
  expect(found.bytes / 64_000).toBeLessThan(2.51 / 8);
  found.clear();
  found.push(-1);
  expect(found.of(0)).toBe(-1);
});
