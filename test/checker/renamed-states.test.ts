import fc from 'fast-check';
import { expect, it } from 'vitest';
import { RenamedStates } from '../../checker/traces/renamed-states.ts';
import { canonicalText, FrozenTexts, fromCanonicalText } from '../../checker/values/canonical.ts';

interface Named {
  readonly entries: Readonly<Record<string, unknown>>;
  readonly flags: Readonly<Record<string, true>>;
  readonly chosen?: unknown;
}

const SWAPS: readonly Readonly<Record<string, string>>[] = [
  {},
  { x: 'y', y: 'x' },
  { x: 'z', z: 'x' },
];
const swapped = (renaming: number, text: string): string =>
  text.replace(/[xyz]/g, (name) => SWAPS[renaming]![name] ?? name);
const orbits = {
  listed: 2,
  key: (renaming: number, _: string, key: string) => swapped(renaming, key),
  value: (renaming: number, _: string, value: unknown) =>
    JSON.parse(swapped(renaming, JSON.stringify(value))) as unknown,
};
const model = { slots: { entries: 'entries', flags: 'flags', chosen: 'value' } } as const;

/** As it is defined: by the text of the renamed state. Section names have none of the letters. */
function takes(renaming: number, one: Named, other: Named): boolean {
  const renamedEntries = (entries: object) =>
    Object.fromEntries(
      Object.entries(entries).map(([key, value]) => [
        swapped(renaming, key),
        orbits.value(renaming, '', value),
      ]),
    );
  const renamed = {
    entries: renamedEntries(one.entries),
    flags: renamedEntries(one.flags),
    ...('chosen' in one ? { chosen: orbits.value(renaming, '', one.chosen) } : {}),
  };
  return canonicalText(renamed) === canonicalText(other);
}

const name = fc.constantFrom('x', 'y', 'z');
const value = fc.oneof(
  name,
  fc.record({ of: name, n: fc.nat(1) }),
  fc.array(name, { maxLength: 2 }),
);
const state: fc.Arbitrary<Named> = fc.record(
  {
    entries: fc.dictionary(name, value, { maxKeys: 2 }),
    flags: fc.dictionary(name, fc.constant(true as const), { maxKeys: 1 }),
    chosen: value,
  },
  { requiredKeys: ['entries', 'flags'], noNullPrototype: true },
);

it('compares renamed states as their texts do, though it keeps texts', () => {
  fc.assert(
    fc.property(fc.array(state, { minLength: 2, maxLength: 6 }), (drawn) => {
      const compared = new RenamedStates<Named>(model, orbits);
      // Each state with its images, so that many pairs fit; parts are shared, as in a search.
      const states = drawn.map((one) => fromCanonicalText(canonicalText(one)) as Named);
      const images = states.map((one) => JSON.parse(swapped(1, canonicalText(one))) as Named);
      const mixed = states.map((one) => ({ ...one, entries: states[0]!.entries }));
      const some = [...states, ...images, ...mixed];
      for (const one of some) {
        for (const renaming of SWAPS.keys()) {
          for (const other of some) {
            expect(compared.takes(renaming, one, other)).toBe(takes(renaming, one, other));
          }
          // An image is the state that the renaming leads to, also if parts of it were made before.
          const image = compared.image(renaming, one);
          expect(JSON.stringify(image)).toBe(canonicalText(image));
          expect(takes(renaming, one, image)).toBe(true);
          expect(compared.takes(renaming, one, image)).toBe(true);
        }
      }
    }),
  );
});

it('keeps no text of an object that may still change', () => {
  const texts = new FrozenTexts();
  const open = { n: 1 };
  expect(texts.of(open)).toBe('{"n":1}');
  open.n = 2;
  expect(texts.of(open)).toBe('{"n":2}');
});
