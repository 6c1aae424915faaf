import fc from 'fast-check';
import { expect, it } from 'vitest';
import { check } from '../../../checker/check.ts';
import type { Model } from '../../../checker/model.ts';
import type { CheckOptions } from '../../../checker/options.ts';
import { checkPartitioned } from '../../../checker/partitions/check-partitioned.ts';
import type { Property } from '../../../checker/property.ts';
import type { CheckResult } from '../../../checker/result.ts';
import { anyRule } from '../support/any-rule.ts';
import { delayed } from '../support/delayed.ts';
import { LocalTeam } from '../support/local-team.ts';
import { explore } from '../support/oracle.ts';
import { modelOf, propertiesOf, randomCases } from '../support/random-models.ts';
import { randomRuns } from '../support/random-runs.ts';
import {
  symmetricCases,
  symmetricModel,
  symmetricProperties,
} from '../support/random-symmetric.ts';
import { diceOf } from '../support/same-search.ts';
import { commitOf } from '../support/two-phase.ts';

/*
 * A long run: RANDOM_MODELS=2000 RANDOM_SEED=20261125 npx vitest run --project unit
 * test/checker/partitions/same-result
 */

const MOST_STATES = 60;

/** What does not depend on the processes that search. */
function shared({ statistics, ...result }: CheckResult): unknown {
  const { states, transitions, layers } = statistics;
  return { ...result, states, transitions, layers };
}

const ways = fc.record({ seed: fc.nat(), partitions: fc.integer({ min: 1, max: 4 }) });

async function compare<State>(
  model: Model<State>,
  properties: readonly Property<State>[],
  { seed, partitions }: { readonly seed: number; readonly partitions: number },
  reductions: CheckOptions<State>['reductions'] = [],
): Promise<number> {
  const options: CheckOptions<State> = { model, properties, reductions };
  const dice = diceOf(seed);
  // Now and then, by the rule that the search chooses.
  const rule = dice(4) === 0 ? null : await anyRule(options, dice);
  const team = new LocalTeam<State>(options, partitions, dice, rule);
  const found = await checkPartitioned({ ...options, limits: {} }, team);
  const alone = await check({ ...options, limits: {} });
  expect(shared(found)).toEqual(shared(alone));
  return team.moves;
}

it('random models: partitions find what one process does, whatever is repeated or moved', async () => {
  let moves = 0;
  await fc.assert(
    fc.asyncProperty(randomCases, ways, async (random, way) => {
      const model = modelOf(random);
      const space = explore(model, MOST_STATES);
      fc.pre(space !== null);
      moves += await compare(model, propertiesOf(random), way);
    }),
    { numRuns: randomRuns(12) },
  );
  expect(moves).toBeGreaterThan(4);
});

it('models with symmetry: the same, with the same representatives', async () => {
  let moves = 0;
  await fc.assert(
    fc.asyncProperty(symmetricCases, ways, async (random, way) => {
      const model = symmetricModel(random);
      const space = explore(model, MOST_STATES);
      fc.pre(space !== null);
      moves += await compare(model, symmetricProperties(random), way, ['symmetry']);
    }),
    { numRuns: randomRuns(12) },
  );
  expect(moves).toBeGreaterThan(4);
});

it('models of thousands of states: the same', async () => {
  await fc.assert(
    fc.asyncProperty(randomCases, ways, async (random, way) => {
      const model = modelOf(random);
      const space = explore(model, MOST_STATES);
      fc.pre(space !== null && space.texts.length >= 6);
      await compare(delayed(model) as never, propertiesOf(random) as never, way);
    }),
    { numRuns: randomRuns(1) },
  );
});

it('a layer of more states than are expanded at a time: the same', async () => {
  const { model, properties } = commitOf(6);
  await compare(model, properties, { seed: 1, partitions: 2 });
});
