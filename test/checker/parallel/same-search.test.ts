import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Model } from '../../../checker/model.ts';
import type { CheckOptions, Limits } from '../../../checker/options.ts';
import type { Property } from '../../../checker/property.ts';
import { delayed } from '../support/delayed.ts';
import { late, lateProperties } from '../support/late.ts';
import { explore } from '../support/oracle.ts';
import { modelOf, propertiesOf, randomCases } from '../support/random-models.ts';
import { randomRuns } from '../support/random-runs.ts';
import {
  symmetricCases,
  symmetricModel,
  symmetricProperties,
} from '../support/random-symmetric.ts';
import { diceOf, searchAlone, searchTogether } from '../support/same-search.ts';

/*
 * A long run: RANDOM_MODELS=2000 RANDOM_SEED=20261124 npx vitest run --project unit
 * test/checker/parallel/same-search
 */

const MOST_STATES = 60;

/** How a search is to end, and in which order its threads work. */
const ways = fc.record({
  seed: fc.nat(),
  helpers: fc.integer({ min: 1, max: 3 }),
  limits: fc.oneof<fc.Arbitrary<Limits>[]>(
    { weight: 4, arbitrary: fc.constant({}) } as never,
    fc.record({ states: fc.integer({ min: 100, max: 6000 }) }),
    fc.record({ depth: fc.integer({ min: 6, max: 14 }) }),
  ),
  auditEvery: fc.constantFrom(0, 0, 37),
  stopWhenDecided: fc.boolean(),
  most: fc.option(fc.integer({ min: 8, max: 11 })),
});

type Way = typeof ways extends fc.Arbitrary<infer One> ? One : never;

/** Searches alone and together, and returns the share of the states that helpers have expanded. */
async function compare<State>(
  model: Model<State>,
  properties: readonly Property<State>[],
  { seed, helpers, limits, auditEvery, stopWhenDecided, most }: Way,
): Promise<number> {
  const larger = delayed(model);
  const within = ({ ticks }: { readonly ticks: Readonly<Record<string, number>> }): boolean =>
    Object.values(ticks).reduce((sum, tick) => sum + tick, 0) < (most ?? 0);
  const options: CheckOptions<State & { ticks: Record<string, number> }> = {
    model: larger,
    properties: properties as never,
    ...{ limits, auditEvery, stopWhenDecided },
    ...(most === null ? {} : { within }),
  };
  const alone = await searchAlone(options);
  const together = await searchTogether(options, helpers, diceOf(seed));
  expect(together.found).toEqual(alone.found);
  return together.taken;
}

it('random models: threads find, count and learn what one thread does, in the same order', async () => {
  let taken = 0;
  await fc.assert(
    fc.asyncProperty(randomCases, ways, async (random, way) => {
      const model = modelOf(random);
      const space = explore(model, MOST_STATES);
      fc.pre(space !== null && space.texts.length >= 6);
      taken += await compare(model, propertiesOf(random), way);
    }),
    { numRuns: randomRuns(12) },
  );
  expect(taken).toBeGreaterThan(144);
});

it('random symmetric models: representatives are the same, too', async () => {
  let taken = 0;
  await fc.assert(
    fc.asyncProperty(symmetricCases, fc.boolean(), ways, async (given, isLarge, way) => {
      const model = symmetricModel(given);
      const space = explore(model, MOST_STATES);
      fc.pre(space !== null && space.texts.length >= 6);
      taken += await compare(isLarge ? withGhosts(model) : model, symmetricProperties(given), way);
    }),
    { numRuns: randomRuns(6) },
  );
  expect(taken).toBeGreaterThan(180);
});

it.each([1, 3])('what is learnt late is learnt in the same order, %i', async (seed) => {
  const options = { model: late, properties: lateProperties, limits: {} };
  const alone = await searchAlone(options);
  const together = await searchTogether(options, 1 + (seed % 3), diceOf(seed));
  expect(together.found).toEqual(alone.found);
  expect(together.taken).toBeGreaterThan(1000);
});

/** Adds a group that nothing mentions. There are then too many renamings to list. */
function withGhosts<State>(model: Model<State>): Model<State> {
  const ghosts = { name: 'ghosts', members: [...'1234567'] };
  const { groups } = model.symmetry!;
  return { ...model, symmetry: { ...model.symmetry!, groups: [...groups, ghosts] } };
}
