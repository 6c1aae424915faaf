import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cyclesAmong, rootIn } from '../../text/orders.ts';

const graphs = fc
  .integer({ min: 1, max: 6 })
  .chain((size) =>
    fc.array(fc.array(fc.nat(size - 1), { maxLength: 3 }), { minLength: size, maxLength: size }),
  );

test('a cycle is all that leads to each other', () => {
  fc.assert(
    fc.property(graphs, (next) => {
      const after = (item: number): ReadonlySet<number> => {
        const found = new Set(next[item]);
        for (const each of found) for (const other of next[each] ?? []) found.add(other);
        return found;
      };
      const items = [...next.keys()];
      const found = cyclesAmong(items, (item) => next[item] ?? []);
      expect(items.map((item) => found.get(item) ?? [])).toEqual(
        items.map((item) =>
          items.filter((other) => after(item).has(other) && after(other).has(item)),
        ),
      );
    }),
  );
});

test('each item is asked for its successors a fixed number of times', () => {
  let calls = 0;
  const items = [...Array(20_000).keys()];
  const found = cyclesAmong(items, (item) => {
    calls += 1;
    return [(item + 1) % items.length];
  });
  expect(found.size).toBe(items.length);
  expect(calls).toBe(2 * items.length);
});

test('items that are united one by one are found in about as many steps as there are items', () => {
  const most = 3000;
  let reads = 0;
  class Counted extends Map<number, number> {
    override get(item: number): number | undefined {
      reads += 1;
      return super.get(item);
    }
  }
  const up = new Counted();
  for (let item = 1; item < most; item += 1) up.set(rootIn(up, 0), rootIn(up, item));
  const roots = new Set([...Array(most).keys()].map((item) => rootIn(up, item)));
  expect(roots).toEqual(new Set([most - 1]));
  expect(reads).toBeLessThan(20 * most);
});
