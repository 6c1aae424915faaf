import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Asking, isAskedAbout } from '../../../input/cluster/webhooks/asked.ts';
import { MeantIndex } from '../../../input/cluster/webhooks/meant.ts';
import type { Matching, Requirement } from '../../../input/cluster/webhooks/observed.ts';
import type { Labels } from '../../../input/manifests/label-selector.ts';
import { BUILT_IN_KINDS, keyOf } from '../../../model/index.ts';
import { object } from '../../properties/clusters.ts';

const NAME = 'kubernetes.io/metadata.name';
const ANY: Matching = {
  ...{ namespaceSelector: [], objectSelector: [], conditions: [], exact: false, excluded: [] },
  rules: [
    {
      ...{ groups: ['*'], versions: ['*'], resources: ['*'], operations: ['*'] },
      ...{ scope: '*', names: [] },
    },
  ],
};
const [NAMESPACE, POD] = ['Namespace', 'Pod'];

const KEY = fc.constantFrom('app', 'tier', NAME);
const VALUE = fc.constantFrom('a', 'b', '');
const REQUIREMENTS: fc.Arbitrary<readonly Requirement[]> = fc.array(
  fc.record({
    key: KEY,
    operator: fc.constantFrom('In', 'NotIn', 'Exists', 'DoesNotExist'),
    values: fc.array(VALUE, { maxLength: 2 }),
  }),
  { maxLength: 2 },
);
const SOME = fc.array(fc.constantFrom('*', 'pods', 'pods/*', 'pods/status', '*/status', 'nodes'), {
  maxLength: 2,
});
const MATCHING: fc.Arbitrary<Matching> = fc.record({
  ...{ namespaceSelector: REQUIREMENTS, objectSelector: REQUIREMENTS },
  rules: fc.array(
    fc.record({
      ...{ groups: fc.constant(['*']), versions: fc.constant(['*']), resources: SOME },
      operations: fc.constantFrom(['DELETE'], ['UPDATE', 'DELETE'], ['*'], ['CREATE']),
      ...{ scope: fc.constant('*'), names: fc.constant([]) },
    }),
    { minLength: 1, maxLength: 2 },
  ),
  ...{ conditions: fc.constant([]), exact: fc.constant(false), excluded: fc.constant([]) },
});
/** Labels of an object; null: the dump has none of it. */
const LABELS = fc.option(fc.dictionary(KEY, VALUE, { maxKeys: 2 }));

const THINGS = [
  ...['a', 'b'].map((name) => object(NAMESPACE, name, { namespace: '' })),
  ...['a', 'b', 'absent'].map((namespace) => object(POD, 'p', { namespace })),
  object('Node', 'n', { namespace: '' }),
  object('Unheard.of', 'u', { namespace: 'a' }),
];

function asking(labels: readonly (Labels | null)[]): Asking {
  const known = THINGS.flatMap((thing, place): readonly (readonly [string, Labels])[] => {
    const found = labels[place] ?? null;
    return found === null ? [] : [[keyOf(thing), found]];
  });
  return { all: THINGS, table: BUILT_IN_KINDS, labels: new Map(known), look: () => {} };
}

it('leaves out only what is not asked about', () => {
  const about = (thing: (typeof THINGS)[number]) => thing;
  fc.assert(
    fc.property(
      fc.array(LABELS, { maxLength: THINGS.length }),
      fc.array(MATCHING, { minLength: 1, maxLength: 2 }),
      fc.constantFrom('DELETE' as const, 'UPDATE' as const),
      fc.constantFrom('', 'status'),
      (labels, all, verb, subresource) => {
        const given = asking(labels);
        const meant = new MeantIndex(THINGS, about, given).of(all, verb);
        const isMeant = (thing: (typeof THINGS)[number]): boolean =>
          all.every((one) => isAskedAbout(one, thing, [verb], given, { subresource }) !== 'no');
        expect(meant).toEqual(THINGS.filter((thing) => meant.includes(thing)));
        expect(meant).toEqual(expect.arrayContaining(THINGS.filter(isMeant)));
      },
    ),
    { numRuns: 300 },
  );
});

it('compares thousands of webhooks with few objects each', () => {
  const names = Array.from({ length: 2000 }, (_, place) => `n${place}`);
  const pods = names.map((name) => object(POD, 'p', { namespace: name }));
  const labels = new Map(pods.map((pod) => [keyOf(pod), { app: pod.namespace }]));
  const given = { all: pods, table: BUILT_IN_KINDS, labels, look: () => {} };
  const index = new MeantIndex(pods, (pod) => pod, given);
  const compared = (change: (name: string) => Partial<Matching>): number =>
    names.reduce((sum, name) => sum + index.of([{ ...ANY, ...change(name) }], 'DELETE').length, 0);
  const selector = (key: string, name: string): readonly Requirement[] => {
    return [{ key, operator: 'In', values: [name] }];
  };
  expect(compared((name) => ({ objectSelector: selector('app', name) }))).toBe(names.length);
  expect(compared((name) => ({ namespaceSelector: selector(NAME, name) }))).toBe(names.length);
  const [rule] = ANY.rules;
  expect(compared(() => ({ rules: [{ ...rule!, resources: ['secrets'] }] }))).toBe(0);
});
