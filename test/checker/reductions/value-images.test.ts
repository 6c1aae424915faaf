import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PermutationGroup } from '../../../checker/reductions/symmetry/permutations.ts';
import { ValueImages } from '../../../checker/reductions/symmetry/value-images.ts';
import { Interner } from '../../../checker/values/intern.ts';

const MEMBERS = ['a', 'b', 'c'];
const group = new PermutationGroup([{ name: 'letters', members: MEMBERS }], true);
const generators = group.generators.map((one) => group.numberOf(one));

/** The images of all values in turn, and how often a value was renamed. */
function imagesOf(values: readonly (readonly string[])[], rename = renamed) {
  const interner = new Interner();
  const images = new ValueImages(group, generators, []);
  let runs = 0;
  const found = values.map((value) =>
    images
      .of(interner.number(value), (renaming) => {
        runs++;
        return interner.number(rename(renaming, value));
      })
      .map((number) => interner.values[number]),
  );
  return { found, runs };
}

/** The slow twin: each image by itself. */
function oneByOne(values: readonly (readonly string[])[], rename = renamed) {
  const renamings = Array.from({ length: group.size }, (_, renaming) => renaming);
  return values.map((value) => renamings.map((one) => (one === 0 ? value : rename(one, value))));
}

function renamed(renaming: number, value: readonly string[]): readonly string[] {
  const names = group.renaming(renaming);
  return value.map((name) => names.get(name) ?? name);
}

const values = fc.array(fc.array(fc.constantFrom(...MEMBERS, 'x'), { maxLength: 3 }), {
  maxLength: 12,
});

describe('images of values', () => {
  test('are those of each renaming', () => {
    fc.assert(
      fc.property(values, (some) => {
        expect(imagesOf(some).found).toEqual(oneByOne(some));
      }),
    );
  });

  test('of an orbit are computed once, and confirmed by generators', () => {
    const orbit = oneByOne([['a', 'b', 'c']])[0]!;
    expect(imagesOf(orbit).runs).toBe(group.size - 1 + (orbit.length - 1) * generators.length);
  });

  test('are those of each renaming if the renamings are no group', () => {
    // Only where `a` comes first is it renamed.
    const careless = (renaming: number, value: readonly string[]) =>
      value[0] === 'a' ? renamed(renaming, value) : value;
    fc.assert(
      fc.property(values, (some) => {
        expect(imagesOf(some, careless).found).toEqual(oneByOne(some, careless));
      }),
    );
  });
});
