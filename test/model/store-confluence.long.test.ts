import { describe, expect, it } from 'vitest';
import { storeConfluenceOf } from '../../model/confluence/confluence.ts';
import type { Setup } from '../../model/state/setup.ts';
import { scenarios } from '../scenarios/read.ts';
import { expectSame } from './seen-by-fates.ts';
import { foregroundPods } from './store-setups.ts';

/** Larger built-in scenarios take longer than they are worth. */
const MOST_STATES = 350;
/** With two workers and empty caches they have more. */
const MOST_STATES_COLD = 3000;

describe('taking steps about dead objects at once loses no visible state, step or fate', () => {
  const builtIn = scenarios()
    .filter(
      ({ setup, expectation }) =>
        storeConfluenceOf(setup) !== null && (expectation?.states ?? MOST_STATES) < MOST_STATES,
    )
    .flatMap(({ name, setup }): [string, Setup][] => [
      [name, setup],
      [`${name}, two workers, cold`, { ...setup, deleteWorkers: 2, caches: 'cold' }],
    ]);
  let fewer = 0;

  it.each(builtIn)('%s', async (_, setup) => {
    if (((await expectSame(setup, MOST_STATES_COLD)) ?? 1) < 1) fewer++;
  });

  it('saves states', () => {
    expect(fewer).toBeGreaterThan(50);
  });

  it('saves nearly all of them where a ReplicaSet waits for its pods', async () => {
    expect(await expectSame(foregroundPods(2), 100_000)).toBeLessThan(0.01);
  });
});
