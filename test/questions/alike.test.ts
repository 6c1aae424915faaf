import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { check } from '../../checker/index.ts';
import { likenessTo, thinned } from '../../input/cluster/likeness/alike.ts';
import { colorsOf } from '../../input/cluster/likeness/colors.ts';
import { divided } from '../../input/cluster/parts.ts';
import type { Plan } from '../../input/plan.ts';
import { modelOf } from '../../run/assemble.ts';
import { fateProperties, splitFates } from '../../run/fates.ts';
import { randomRuns } from '../checker/support/random-runs.ts';
import { object, setupOf } from '../properties/clusters.ts';
import { dumpPlan, type ObjectText, objectsText } from './dump-plan.ts';

/** Small forests below one root that is deleted: each object has an earlier one as its owner. */
const forests: fc.Arbitrary<readonly ObjectText[]> = fc
  .array(
    fc.record({
      owner: fc.nat(3),
      block: fc.boolean(),
      held: fc.constantFrom(false, false, true),
    }),
    { minLength: 2, maxLength: 4 },
  )
  .map((rest) => [
    { name: 'root', owner: null, block: false, held: false },
    ...rest.map(({ owner, block, held }, index) => ({
      name: `c${index}`,
      owner: owner === 0 || owner > index ? 'root' : `c${owner - 1}`,
      block,
      held,
    })),
  ]);

/** Asked of each object by itself, without any reduction. */
const fates = async ({ setup }: Plan): Promise<ReadonlyMap<string, string>> => {
  const result = await check({
    model: modelOf(setup),
    properties: fateProperties(setup, []),
    reductions: [],
    limits: { states: 100_000 },
  });
  return new Map(splitFates(setup, result, []).fates.map(({ uid, fate }) => [uid, fate]));
};

describe('alike objects', () => {
  it('have the same fate in a search that treats each by itself', async () => {
    let compared = 0;
    await fc.assert(
      fc.asyncProperty(
        forests,
        fc.constantFrom('background', 'foreground', 'orphan'),
        async (objects, cascade) => {
          const plan = await dumpPlan(objectsText(objects), 'cm/root', cascade);
          const alike = [...(thinned(plan.setup, 1)?.likeness ?? [])];
          if (alike.length === 0) return;
          compared++;
          const found = await fates(plan);
          for (const [uid, like] of alike) expect(found.get(uid)).toBe(found.get(like));
        },
      ),
      { numRuns: randomRuns(25) },
    );
    expect(compared).toBeGreaterThan(4);
  });

  it('are left out with all that is beneath them', async () => {
    const twoTrees = ['a', 'b', 'c'].flatMap((name): ObjectText[] => [
      { name, owner: 'root', block: true, held: false },
      { name: `${name}-leaf`, owner: name, block: true, held: false },
    ]);
    const root = { name: 'root', owner: null, block: false, held: false };
    const plan = await dumpPlan(objectsText([root, ...twoTrees]), 'cm/root', 'foreground');
    const thin = thinned(plan.setup, 2);
    expect(thin?.setup.objects.map(({ name }) => name)).toEqual([
      ...['root', 'a', 'a-leaf', 'b', 'b-leaf'],
    ]);
    expect(thin?.groups.map(({ size }) => size)).toEqual([3]);
    expect([...(thin?.likeness ?? [])]).toEqual([
      ['u-c', 'u-a'],
      ['u-c-leaf', 'u-a-leaf'],
    ]);
    expect(thinned(plan.setup, 3)).toBeNull();
  });

  it('differ by a finalizer, a blocking reference, or an owner', async () => {
    const root = { name: 'root', owner: null, block: false, held: false };
    const children: readonly ObjectText[] = [
      { name: 'plain', owner: 'root', block: false, held: false },
      { name: 'held', owner: 'root', block: false, held: true },
      { name: 'blocking', owner: 'root', block: true, held: false },
      { name: 'free', owner: 'plain', block: false, held: false },
    ];
    const { setup } = await dumpPlan(objectsText([root, ...children]), 'cm/root', 'background');
    expect(thinned(setup, 1)).toBeNull();
    expect(likenessTo(setup.objects.slice(0, 2), setup).size).toBe(0);
  });

  it('are never namespaces that are being emptied: their contents differ', () => {
    const namespaces = ['a', 'b'].map((name) => object('Namespace', name, { namespace: '' }));
    const setup = { ...setupOf(namespaces), emptiedNamespaces: ['a', 'b'] };
    expect(new Set(colorsOf(setup).values()).size).toBe(2);
  });
});

describe('parts', () => {
  it('have each object once, but for what a request names and what is alike', async () => {
    const root = { name: 'root', owner: null, block: false, held: false };
    const trees: readonly ObjectText[] = [
      { name: 'a', owner: 'root', block: false, held: false },
      { name: 'a-leaf', owner: 'a', block: false, held: false },
      { name: 'b', owner: 'root', block: false, held: true },
      { name: 'c', owner: 'root', block: false, held: true },
    ];
    const { setup } = await dumpPlan(objectsText([root, ...trees]), 'cm/root', 'background');
    expect(
      divided(setup, 'trees').map((part) => part.setup.objects.map(({ name }) => name)),
    ).toEqual([
      ['root', 'a', 'a-leaf'],
      ['root', 'c'],
    ]);
  });
});
