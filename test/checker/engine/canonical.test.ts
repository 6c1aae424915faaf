import { assert, boolean, jsonValue, property } from 'fast-check';
import { expect, it } from 'vitest';
import {
  canonicalForm,
  canonicalText,
  canonicalValue,
  fromCanonicalText,
  hasTextOf,
} from '../../../checker/values/canonical.ts';
import { Interner } from '../../../checker/values/intern.ts';

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

/** What `canonicalValue` gives, without a memory of what is canonical. */
function rewritten(value: unknown): unknown {
  const { text, isCanonical } = canonicalForm(value);
  return isCanonical && isDeepFrozen(value) ? value : fromCanonicalText(text);
}

function isDeepFrozen(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return Object.isFrozen(value) && Object.values(value).every(isDeepFrozen);
}

it('keeps canonical values, and rewrites others', () => {
  assert(
    property(jsonValue(), jsonValue(), boolean(), (one, other, isFrozen) => {
      const first = fromCanonicalText(canonicalText(JSON.parse(JSON.stringify(one))));
      const second = JSON.parse(JSON.stringify(other)) as unknown;
      for (const value of [first, { b: first, a: second }, [first, second], { a: first }]) {
        if (isFrozen) Object.freeze(value);
        const found = canonicalValue(value);
        expect(JSON.stringify(found)).toBe(JSON.stringify(rewritten(value)));
        expect(isDeepFrozen(found)).toBe(true);
        expect(found === value).toBe(rewritten(value) === value);
      }
      const { a } = canonicalValue({ b: second, a: first }) as { a: unknown };
      // Keys that are numbers are never in order of text, as "10" is before "9".
      expect(a === first).toBe(rewritten(first) === first);
    }),
  );
});

it('numbers equal values alike, also an object that has changed since', () => {
  assert(
    property(jsonValue(), boolean(), boolean(), (one, isKnown, isFrozen) => {
      const interner = new Interner();
      const value = { a: { b: JSON.parse(JSON.stringify(one)) as unknown } };
      // What is in it can still change.
      if (isFrozen) Object.freeze(value);
      const given = isKnown ? canonicalValue(value) : value;
      const number = interner.number(given);
      expect(interner.number(structuredClone(given))).toBe(number);
      expect(interner.number(given)).toBe(number);
      value.a.b = [value.a.b];
      expect(interner.number(value)).not.toBe(number);
    }),
  );
});

it.each([
  ['undefined', { a: undefined }],
  ['-0', { a: -0 }],
  ['a Map', new Map()],
  ['a symbol as key', { [Symbol('s')]: 1 }],
  ['an own __proto__', JSON.parse('{"__proto__": 1}')],
  ['undefined in an array', [[1, undefined]]],
  ['a Map in an object that is not sorted', { b: 1, a: new Map() }],
])('refuses %s, frozen or not', (_, value) => {
  expect(() => canonicalValue(value)).toThrow();
  expect(() => canonicalValue(Object.freeze(value))).toThrow();
});
