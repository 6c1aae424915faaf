import { expect, it } from 'vitest';
import { checkPartitioned } from '../../../checker/partitions/check-partitioned.ts';
import { eachKeyOfLayer } from '../../../checker/partitions/runs.ts';
import { LocalTeam } from '../support/local-team.ts';
import { diceOf } from '../support/same-search.ts';
import { commitOf } from '../support/two-phase.ts';

const options = commitOf(4);

/** How each state was found first, in the order in which one process finds them. */
async function keysOf(partitions: number, seed: number | null): Promise<readonly string[]> {
  const dice = seed === null ? undefined : diceOf(seed);
  const team = new LocalTeam(options, partitions, dice);
  const { statistics } = await checkPartitioned(options, team);
  const keys: string[] = [];
  for (let layer = 1; layer < statistics.layers; layer++) {
    await eachKeyOfLayer(team, layer, (number, instance) => keys.push(`${number} ${instance}`));
  }
  return keys;
}

it('partitions find each state by the same step first, and in the same order', async () => {
  const alone = await keysOf(1, null);
  expect(alone.length).toBeGreaterThan(1000);
  for (const partitions of [2, 3]) expect(await keysOf(partitions, partitions)).toEqual(alone);
});
