import fc from 'fast-check';
import { expect, test } from 'vitest';
import { inCycles } from '../../text/orders.ts';

const graphs = fc
  .integer({ min: 1, max: 6 })
  .chain((size) =>
    fc.array(fc.array(fc.nat(size - 1), { maxLength: 3 }), { minLength: size, maxLength: size }),
  );

test('what is in a cycle is what leads back to itself', () => {
  fc.assert(
    fc.property(graphs, (next) => {
      const isOwnAncestor = (item: number): boolean => {
        const found = new Set(next[item]);
        for (const each of found) for (const other of next[each] ?? []) found.add(other);
        return found.has(item);
      };
      const items = [...next.keys()];
      const found = inCycles(items, (item) => next[item] ?? []);
      expect([...found].sort()).toEqual(items.filter(isOwnAncestor));
    }),
  );
});

test('each item is asked for its successors a fixed number of times', () => {
  let calls = 0;
  const items = [...Array(20_000).keys()];
  const found = inCycles(items, (item) => {
    calls += 1;
    return [(item + 1) % items.length];
  });
  expect(found.size).toBe(items.length);
  expect(calls).toBe(2 * items.length);
});
