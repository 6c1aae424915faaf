import { assert, dictionary, jsonValue, property, string } from 'fast-check';
import { expect, it } from 'vitest';
import type { Model } from '../../checker/index.ts';
import { canonical, sorted, successor } from '../../run/execution.ts';

type Json = Readonly<Record<string, unknown>>;

/** A model whose only action replaces the parts of the state by copies of those of another one. */
function becoming(after: Json): Model<Record<string, unknown>> {
  return {
    name: 'becoming',
    slots: {},
    initial: [{}],
    actions: {
      become: {
        fairness: 'none',
        reduce(draft) {
          for (const key of Object.keys(draft)) if (!Object.hasOwn(after, key)) delete draft[key];
          Object.assign(draft, after);
        },
      },
    },
  };
}

const parts = dictionary(string({ maxLength: 3 }), jsonValue({ maxDepth: 2 }), { maxKeys: 4 });
const plain = (value: unknown) => JSON.parse(JSON.stringify(value)) as Json;

it('gives the sorted successor, and null where it has the same text', () => {
  assert(
    property(parts, parts, (one, other) => {
      const before = sorted(plain(one));
      const nested = { ...plain(one), inner: plain(one) };
      for (const after of [plain(other), { ...plain(other), ...before }, plain(before), nested]) {
        const found = successor(becoming(after), { name: 'become', parameters: {} }, before);
        const expected = canonical(after) === canonical(before) ? null : sorted(after);
        expect(JSON.stringify(found)).toBe(JSON.stringify(expected));
      }
    }),
  );
});

it.each([
  ['undefined', { a: 1, b: undefined }, null],
  ['a function', { a: 1, b: () => {} }, null],
  ['a date', { a: 1, b: new Date(0) }, { a: 1, b: '1970-01-01T00:00:00.000Z' }],
  ['not a number', { a: Number.NaN }, { a: null }],
  ['an array with a hole', { a: [undefined, 1] }, { a: [null, 1] }],
  ['keys in another order', { c: { y: 1, x: 2 }, a: 1 }, { a: 1, c: { x: 2, y: 1 } }],
])('writes %s as JSON does', (_, after, expected) => {
  const found = successor(becoming(after), { name: 'become', parameters: {} }, { a: 1 });
  expect(JSON.stringify(found)).toBe(JSON.stringify(expected));
});
