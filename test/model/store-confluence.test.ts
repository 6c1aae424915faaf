import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { expectSame } from './seen-by-fates.ts';
import { type Forest, foregroundPods, forest, type Seedling } from './store-setups.ts';

const MOST_STATES = 2500;

const seedling = fc.record({
  kind: fc.constantFrom<Seedling['kind'][]>('ConfigMap', 'Secret', 'Pod'),
  owner: fc.nat(2),
  blocks: fc.boolean(),
  held: fc.constantFrom(false, false, true),
});

const setups = fc
  .record({
    seedlings: fc.array(seedling, { minLength: 1, maxLength: 3 }),
    cascade: fc.constantFrom<Forest['cascade'][]>(
      'Foreground',
      'Foreground',
      'Background',
      'Orphan',
    ),
    also: fc.option(fc.nat(3)),
    workers: fc.constantFrom(1, 2),
    cold: fc.boolean(),
  })
  .map(forest);

describe('steps about dead objects that are taken at once', () => {
  it('lose no state of the store, no change and no fate of random small forests', async () => {
    let fewer = 0;
    await fc.assert(
      fc.asyncProperty(setups, async (setup) => {
        const part = await expectSame(setup, MOST_STATES);
        if (part !== null && part < 0.7) fewer++;
      }),
      {
        numRuns: Number(process.env.FOREST_RUNS ?? 25),
        seed: Number(process.env.FOREST_SEED ?? 3),
        endOnFailure: true,
      },
    );
    expect(fewer).toBeGreaterThan(4);
  });

  it('save most states where a ReplicaSet waits for a pod', async () => {
    expect(await expectSame(foregroundPods(1), 2000)).toBeLessThan(0.2);
  });
});
