import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PLAIN_WORLD, type World } from '../../input/cluster/worlds.ts';
import type { Budget, Decision } from '../../run/questions/deciding/decision.ts';
import { grown } from '../../run/questions/deciding/grow.ts';
import { inChains } from '../../run/questions/deciding/in-chains.ts';
import { dumpPlan, type ObjectText, objectsText } from './dump-plan.ts';

const CASCADES = ['foreground', 'background', 'orphan'] as const;

/** Long enough for any of these; no test waits for it. */
function budget(): Budget {
  return {
    ...{ search: { engine: 'tracked', auditEvery: 0 }, limits: {} },
    ...{ deadline: Date.now() + 600_000, known: new Map(), acceptBounded: false },
    ...{ onProgress: () => undefined, interrupted: () => false },
  };
}

function words(decision: Decision | null): unknown {
  const fates = [...(decision?.fates ?? [])];
  return Object.fromEntries(fates.map(([uid, { fate }]) => [uid, fate]).sort());
}

/** Objects beneath a root; `owner` is the number of an earlier one. */
function textOf(
  below: readonly { readonly owner: number; readonly held: boolean }[],
  block: boolean,
): string {
  const objects: ObjectText[] = [{ name: 'root', owner: null, block, held: false }];
  for (const [index, { owner, held }] of below.entries()) {
    objects.push({ name: `o${index}`, owner: objects[Math.min(owner, index)]!.name, block, held });
  }
  return objectsText(objects);
}

const trees = fc.array(fc.record({ owner: fc.nat(2), held: fc.constantFrom(false, false, true) }), {
  minLength: 2,
  maxLength: 3,
});

describe('chains beside others', () => {
  it('have the fates that their objects have in the whole', async () => {
    let decided = 0;
    await fc.assert(
      fc.asyncProperty(
        ...[trees, fc.boolean(), fc.constantFrom(...CASCADES), fc.boolean()],
        async (below, block, cascade, mayStop) => {
          const plan = await dumpPlan(textOf(below, block), 'cm/root', cascade);
          const world: World = { ...PLAIN_WORLD, finalizers: mayStop ? 'may' : 'act' };
          const chains = await inChains(plan, world, budget());
          if (chains === null) return;
          decided++;
          expect(words(chains)).toEqual(words(await grown(plan, world, budget())));
        },
      ),
      { numRuns: 20, seed: 2 },
    );
    expect(decided).toBeGreaterThan(8);
  });

  it('decide any number of dependents', async () => {
    const below = Array.from({ length: 40 }, () => ({ owner: 0, held: false }));
    for (const [cascade, fate] of [
      ['foreground', 'goes'],
      ['orphan', 'stays'],
    ] as const) {
      const plan = await dumpPlan(textOf(below, true), 'cm/root', cascade);
      const chains = await inChains(plan, PLAIN_WORLD, budget());
      expect(chains?.fates.size).toBe(41);
      expect(words(chains)).toMatchObject({ 'u-root': 'goes', 'u-o0': fate, 'u-o39': fate });
    }
  });

  it('decide nothing where the owner of a dependent cannot be taken off', async () => {
    const below = [
      { owner: 0, held: false },
      { owner: 0, held: false },
    ];
    // Every update of an object with such a finalizer is refused.
    const text = textOf(below, true).replace('"name":"o1"', '"finalizers":["hold"],"name":"o1"');
    const plan = await dumpPlan(text, 'cm/root', 'orphan');
    expect(plan.setup.objects.flatMap(({ finalizers }) => finalizers)).toEqual(['hold']);
    expect(await inChains(plan, PLAIN_WORLD, budget())).toBe(null);
    expect(words(await grown(plan, PLAIN_WORLD, budget()))).toMatchObject({ 'u-root': 'stays' });
  });

  it('decide nothing where other dependents may hold the owner for ever', async () => {
    const below = [
      { owner: 0, held: false },
      { owner: 0, held: true },
    ];
    const plan = await dumpPlan(textOf(below, true), 'cm/root', 'foreground');
    const world = { ...PLAIN_WORLD, finalizers: 'may' as const };
    expect(await inChains(plan, world, budget())).toBe(null);
    expect(words(await grown(plan, world, budget()))).toMatchObject({ 'u-root': 'either' });
  });
});
