import { expect, it } from 'vitest';
import { check } from '../../../checker/check.ts';
import type { Model } from '../../../checker/model.ts';
import { checkPartitioned } from '../../../checker/partitions/check-partitioned.ts';
import type { OwnerRule } from '../../../checker/partitions/owners/owners.ts';
import type { Property } from '../../../checker/property.ts';
import { LocalTeam } from '../support/local-team.ts';

interface Room {
  phase: 'open' | 'closed';
  swept: boolean;
  readonly marks: Record<string, true>;
}

/**
 * In a closed room all marks are swept. Where the phase decides which partition owns a state, the
 * owner of closed rooms knows no mark when it learns to sweep. Then states with marks come in, and
 * it has nothing to learn before it expands them.
 */
const room: Model<Room> = {
  name: 'room',
  slots: { phase: 'value', swept: 'value', marks: 'flags' },
  initial: [{ phase: 'open', swept: false, marks: {} }],
  actions: {
    sweep: {
      fairness: 'weak',
      reduce(draft) {
        if (draft.phase === 'open') return;
        for (const mark of Object.keys(draft.marks)) {
          delete draft.marks[mark];
          draft.swept = true;
        }
      },
    },
    close: {
      fairness: 'weak',
      reduce(draft) {
        draft.phase = 'closed';
      },
    },
    mark: {
      fairness: 'weak',
      reduce(draft) {
        if (draft.phase === 'open') draft.marks.m = true;
      },
    },
  },
};

const nothingIsSwept: Property<Room> = {
  kind: 'invariant',
  name: 'nothing is swept',
  holds: ({ swept }) => !swept,
};

const options = { model: room, properties: [nothingIsSwept], limits: {} };

it('an entry that another partition has found first is there for reducers that list the keys', async () => {
  const alone = await check({ ...options, reductions: [] });
  expect(alone.properties[0]!.verdict).toBe('violated');
  let sent = 0;
  // With half of the salts, both phases have the same owner.
  for (let salt = 0; salt < 8; salt++) {
    const rule: OwnerRule = { slots: [{ section: 'phase', key: '' }], salt };
    const team = new LocalTeam<Room>(options, 2, undefined, rule);
    const found = await checkPartitioned(options, team);
    expect(found.properties).toEqual(alone.properties);
    expect(found.statistics.states).toBe(alone.statistics.states);
    expect(found.statistics.transitions).toEqual(alone.statistics.transitions);
    if (team.tallies.some((tallies) => tallies.some(({ rows }) => rows > 0))) sent++;
  }
  expect(sent).toBeGreaterThan(0);
});
