import { expect, it } from 'vitest';
import { deletion, graphTrails } from '../../../../bench/models/deletion.ts';
import { checkPartitioned } from '../../../../checker/partitions/check-partitioned.ts';
import { BY_ALL_SLOTS, type OwnerRule } from '../../../../checker/partitions/owners/owners.ts';
import { LocalTeam } from '../../support/local-team.ts';

const SIZE = { objects: 3, workers: 1, shape: 'tree' } as const;
const options = { model: deletion(SIZE), properties: [graphTrails(SIZE)], limits: {} };

/**
 * States sent, and what the search would have to expand if all partitions were as slow as the
 * slowest of a layer.
 */
async function costs(rule: OwnerRule | null, partitions: number) {
  const team = new LocalTeam(options, partitions, () => 1, rule);
  const { statistics } = await checkPartitioned(options, team);
  const sent = team.tallies.flat().reduce((sum, { rows }) => sum + rows, 0);
  const longest = team.tallies
    .map((layer) => Math.max(...layer.map(({ judged }) => judged)))
    .reduce((sum, judged) => sum + judged, 0);
  return { sent, waiting: (partitions * longest) / statistics.states };
}

it.each([2, 4])(
  'with %i partitions, few states are sent and none has most of them',
  async (count) => {
    const chosen = await costs(null, count);
    const byAll = await costs(BY_ALL_SLOTS, count);
    expect(chosen.sent).toBeLessThan(0.6 * byAll.sent);
    expect(chosen.waiting).toBeLessThan(1.4);
  },
);
