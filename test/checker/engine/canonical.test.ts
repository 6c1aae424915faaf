import { assert, jsonValue, property } from 'fast-check';
import { expect, it } from 'vitest';
import { canonicalText, hasTextOf } from '../../../checker/values/canonical.ts';

const text = (value: unknown): string | null => {
  try {
    return canonicalText(value);
  } catch {
    return null;
  }
};

it('finds two values alike if and only if they have the same canonical text', () => {
  assert(
    property(jsonValue(), jsonValue(), (one, other) => {
      const valid = [one, other].map((value) => JSON.parse(JSON.stringify(value)) as unknown);
      const [first, second] = valid;
      expect(hasTextOf(first, second)).toBe(text(first) === text(second));
      expect(hasTextOf(structuredClone(first), first)).toBe(true);
    }),
  );
});

it.each([
  ['another order of keys', { b: 1, a: [{}] }, { a: [{}], b: 1 }, true],
  ['an object without prototype', Object.assign(Object.create(null), { a: 1 }), { a: 1 }, true],
  ['one item more', [1, 2], [1], false],
  ['one item fewer', [1], [1, 2], false],
  ['one key more', { a: 1, b: 1 }, { a: 1 }, false],
  ['another key', { b: undefined }, { a: 1 }, false],
  ['undefined for a missing key', { a: undefined }, {}, false],
  ['an array for an object', [], {}, false],
  ['null for an object', null, {}, false],
  ['-0 for 0', { a: -0 }, { a: 0 }, false],
  ['a Map for an object', new Map(), {}, false],
  ['a symbol as key', { [Symbol('s')]: 1 }, {}, false],
])('tells %s', (_, value, other, expected) => {
  expect(hasTextOf(value, other)).toBe(expected);
  expect(text(value) === text(other)).toBe(expected);
});
