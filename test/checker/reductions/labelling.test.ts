import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Renaming } from '../../../checker/model.ts';
import { LabelledStates } from '../../../checker/reductions/symmetry/labelled-states.ts';
import { PermutationGroup } from '../../../checker/reductions/symmetry/permutations.ts';
import { canonicalText } from '../../../checker/values/canonical.ts';
import { randomRuns } from '../support/random-runs.ts';

/** Parts in which names occur in every way that a state can hold them. */
interface Tangle {
  readonly cells: Readonly<Record<string, number>>;
  /** From one to another. */
  readonly links: Readonly<Record<string, string>>;
  /** Each element is one name, or two in some order. */
  readonly line: { readonly waiting: readonly string[] };
  /** A set of names. */
  readonly club: readonly string[];
  /** A set of sets of two. */
  readonly pairs: readonly string[];
}

const GROUPS = [
  { name: 'clients', members: ['a', 'b', 'c', 'd'] },
  { name: 'workers', members: ['x', 'y'] },
];
const SIX = [{ name: 'all', members: ['a', 'b', 'c', 'd', 'x', 'y'] }];
const NAMES = SIX[0]!.members;
const kinds = {
  cells: 'entries',
  links: 'entries',
  line: 'queues',
  club: 'value',
  pairs: 'value',
} as const;

const renamed = (text: string, renaming: Renaming): string =>
  text
    .split(' ')
    .map((name) => renaming.get(name) ?? name)
    .join(' ');

function renamedPart(section: string, value: unknown, renaming: Renaming): unknown {
  if (typeof value === 'string') return renamed(value, renaming);
  if (!Array.isArray(value)) return value;
  const parts = value.map((one: string) => renamed(one, renaming));
  if (section === 'line') return parts;
  return section === 'club' ? parts.sort() : parts.map(inOrder).sort();
}

const inOrder = (pair: string): string => pair.split(' ').sort().join(' ');

const name = fc.constantFrom(...NAMES);
const pair = fc.tuple(name, name).map((names) => names.join(' '));
const tangles: fc.Arbitrary<Tangle> = fc.record({
  cells: fc.dictionary(name, fc.nat(1), { noNullPrototype: true }),
  links: fc.dictionary(name, name, { noNullPrototype: true }),
  line: fc.record({ waiting: fc.array(fc.oneof(name, pair), { maxLength: 4 }) }),
  club: fc.uniqueArray(name).map((names) => [...names].sort()),
  pairs: fc.uniqueArray(pair.map(inOrder), { maxLength: 4 }).map((pairs) => [...pairs].sort()),
});

function renamedState(state: Tangle, renaming: Renaming): Tangle {
  const image = Object.entries(state).map(([section, value]) => [
    section,
    section === 'cells' || section === 'links'
      ? Object.fromEntries(
          Object.entries(value as object).map(([key, entry]) => [
            renamed(key, renaming),
            renamedPart(section, entry, renaming),
          ]),
        )
      : section === 'line'
        ? { waiting: renamedPart(section, (value as Tangle['line']).waiting, renaming) }
        : renamedPart(section, value, renaming),
  ]);
  return Object.fromEntries(image) as Tangle;
}

/** The first text of all images. */
function byTryingAll(group: PermutationGroup, state: Tangle): string {
  return Array.from({ length: group.size }, (_, number) =>
    canonicalText(renamedState(state, group.renaming(number))),
  ).sort()[0]!;
}

it.each([
  ['two groups', GROUPS],
  ['one group of six', SIX],
])('has the orbits that trying all renamings finds: %s', (_, groups) => {
  const group = new PermutationGroup(groups, true);
  const states = new LabelledStates<Tangle>(kinds, {
    group,
    areNumbered: true,
    renamedKey: (renaming, _, key) => renamed(key, renaming),
    renamedValue: (renaming, section, value) => renamedPart(section, value, renaming),
  });
  // Which of the pairs is the first must depend on more than the pairs.
  const pairs = { links: {}, line: { waiting: [] }, club: [], pairs: ['a b', 'c d'] };
  const examples: [Tangle, Tangle, number, boolean][] = [
    [{ ...pairs, cells: { a: 1 } }, { ...pairs, cells: { d: 1 } }, 0, false],
  ];
  let same = 0;
  fc.assert(
    fc.property(tangles, tangles, fc.nat(719), fc.boolean(), (one, two, number, isImage) => {
      const image = renamedState(one, group.renaming(number % group.size));
      const other = isImage ? image : two;
      const found = [...states.between(one, other)];
      const areSame = byTryingAll(group, one) === byTryingAll(group, other);
      expect(found.length > 0).toBe(areSame);
      for (const renaming of found) {
        const reached = renamedState(one, group.renaming(renaming));
        expect(canonicalText(reached)).toBe(canonicalText(other));
      }
      if (areSame) same++;
    }),
    { numRuns: randomRuns(40), examples },
  );
  expect(same).toBeGreaterThan(7);
});

describe('the renamings of an audit', () => {
  it.each([[[2]], [[3]], [[4]], [[5]], [[3, 2]], [[3, 2, 2]], [[4, 4]], [[50]]])(
    'are bijections of groups of %j members, listed or not',
    (sizes) => {
      const groups = sizes.map((size, group) => ({
        name: `group ${group}`,
        members: Array.from({ length: size }, (_, index) => `m${group}-${index}`),
      }));
      for (const isListed of [true, false]) {
        const renamings = new PermutationGroup(groups, isListed).audited();
        expect(renamings.length).toBeGreaterThan(0);
        for (const renaming of renamings) {
          expect(renaming.size).toBeGreaterThan(0);
          expect([...renaming.values()].sort()).toEqual([...renaming.keys()].sort());
        }
      }
    },
  );
});
