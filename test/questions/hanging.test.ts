import { expect, test } from 'vitest';
import type { Explanation } from '../../input/manifests/explanation.ts';
import type { Plan } from '../../input/plan.ts';
import { FOREGROUND, keyOf } from '../../model/index.ts';
import { groupsOf } from '../../run/questions/remedies/groups.ts';
import type { Hanging } from '../../run/questions/remedies/option.ts';
import { chainsOf } from '../../run/questions/stuck.ts';
import { object } from '../properties/clusters.ts';

/**
 * Objects that are being deleted, each of which waits for the next one; the last for a finalizer.
 */
function waiting(count: number): readonly Hanging[] {
  const names = [...Array(count).keys()].map((number) => `c${number}`);
  return names.map((name, number): Hanging => {
    const deleted = object('ConfigMap', name, { deletionTimestamp: 1, finalizers: [FOREGROUND] });
    const next = names[number + 1];
    const what = next === undefined ? 'x.io/f' : `ConfigMap/${next}`;
    const wait = {
      for: next === undefined ? ('finalizer' as const) : ('dependent' as const),
      what,
    };
    return { object: deleted, waits: [{ ...wait, text: `ConfigMap/${name} waits for ${what}` }] };
  });
}

const planOf = (hanging: readonly Hanging[]): Plan =>
  ({ setup: { objects: hanging.map((one) => one.object) }, cluster: null }) as unknown as Plan;

test('a chain of any length is told by its first objects and its last one', () => {
  const textsOf = (count: number): readonly string[] => {
    const hanging = waiting(count);
    const explanation = { plan: planOf(hanging), dump: { objects: [] } } as unknown as Explanation;
    return chainsOf(hanging, explanation).get('ConfigMap/c0')?.texts ?? [];
  };
  expect(textsOf(3)).toEqual([
    'ConfigMap/c0 waits for ConfigMap/c1, which waits for ConfigMap/c2, which waits for x.io/f',
  ]);
  const [long = ''] = textsOf(20_000);
  expect(long).toMatch(
    /which waits for ConfigMap\/c20, which waits in turn for 19,979 more objects, up to ConfigMap\/c19999, which waits for x\.io\/f$/,
  );
});

test('what waits for each other is one group, found without comparing all with all', () => {
  let texts = 0;
  const counted = (one: Hanging): Hanging => ({
    object: one.object,
    get waits() {
      texts += 1;
      return one.waits;
    },
  });
  const many = [...waiting(3000)].map(counted);
  expect(groupsOf(many, planOf(many)).map((group) => group.length)).toEqual([3000]);
  expect(texts).toBeLessThan(4 * many.length);
  // Those without anything in common are apart, in the order in which they were last joined.
  const [a, b, c] = ['a', 'b', 'c'].map((name) =>
    object('ConfigMap', name, { deletionTimestamp: 1 }),
  );
  const apart: readonly Hanging[] = [
    { object: a!, waits: [{ for: 'finalizer', what: 'x.io/f', text: '' }] },
    { object: b!, waits: [] },
    { object: c!, waits: [{ for: 'finalizer', what: 'x.io/f', text: '' }] },
  ];
  const names = groupsOf(apart, planOf(apart)).map((group) =>
    group.map((one) => keyOf(one.object)),
  );
  expect(names).toEqual([['ConfigMap/default/b'], ['ConfigMap/default/a', 'ConfigMap/default/c']]);
});
