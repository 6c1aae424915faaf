import { expect, it } from 'vitest';
import {
  consistent,
  type TwoPhaseCommit,
  twoPhaseCommit,
} from '../../../bench/models/two-phase-commit.ts';
import { check } from '../../../checker/check.ts';
import { LimitHitError } from '../../../checker/errors.ts';
import { checkPartitioned } from '../../../checker/partitions/check-partitioned.ts';
import type { Property } from '../../../checker/property.ts';
import { LocalTeam } from '../support/local-team.ts';

/* Random leads-tos are compared with those of one process by same-result.test.ts. */

const MANAGERS = 3;
const unfair = twoPhaseCommit(MANAGERS);
const { abortAll, ...others } = unfair.actions;
const model = {
  ...unfair,
  actions: { ...others, abortAll: { ...abortAll!, fairness: 'weak' } },
} as const;
const ends: Property<TwoPhaseCommit> = {
  kind: 'eventually',
  name: 'the coordinator decides',
  goal: ({ coordinator }) => coordinator !== 'init',
};
const options = {
  model,
  properties: [consistent(MANAGERS), ends],
  limits: {},
};

/** Its keys are read in another way. */
class ReadTeam extends LocalTeam<TwoPhaseCommit> {
  private readonly change: (
    name: string,
    blocks: AsyncIterable<Uint8Array>,
  ) => AsyncIterable<Uint8Array>;

  constructor(change: ReadTeam['change']) {
    super(options, 2);
    this.change = change;
  }

  private isGathering = false;

  override gathers(): void {
    this.isGathering = true;
  }

  override keys(partition: number, layer: number): AsyncIterable<Uint8Array> {
    const keys = super.keys(partition, layer);
    return this.isGathering ? this.change(`${partition} ${layer}`, keys) : keys;
  }
}

it('states that do not fit this process leave leads-tos inconclusive, and nothing else', async () => {
  const full = new ReadTeam(() => {
    throw new LimitHitError('memory');
  });
  const found = await checkPartitioned(options, full);
  expect(found).toMatchObject({ outcome: 'limited', limit: { kind: 'memory' } });
  const [safe, leadsTo] = found.properties;
  expect(safe!.verdict).toBe('holds');
  expect(leadsTo!.verdict).toBe('inconclusive');
  expect(leadsTo!.reason).toMatch(/gathered in one process, which has hit its limit \(memory\)/);
});

it('a block that the log lacks is an error, and never a graph with fewer states', async () => {
  const forgetful = new ReadTeam(async function* (name, blocks) {
    if (name !== '1 5') yield* blocks;
  });
  await expect(checkPartitioned(options, forgetful)).rejects.toThrow(/is missing: of \d+ states/);
});

it('a step to a state that the log lacks is an error', async () => {
  const forges = {
    reduce: ({ coordinator, noted }: { coordinator: string; noted: Record<string, true> }) => {
      if (coordinator === 'init') noted.forged = true;
    },
  };
  const other = { ...model, actions: { ...model.actions, forges } } as typeof model;
  const team = new LocalTeam<TwoPhaseCommit>(options, 2);
  const asked = checkPartitioned({ ...options, model: other }, team);
  await expect(asked).rejects.toThrow(/is missing: a state has no number/);
  const same = await checkPartitioned(options, new LocalTeam<TwoPhaseCommit>(options, 2));
  expect(same.properties[1]!.verdict).toBe('holds');
});

it('inside of a constraint: as one process', async () => {
  const within = ({ noted }: TwoPhaseCommit): boolean => !('manager2' in noted);
  const asked = { ...options, within };
  const alone = await check({ ...asked, reductions: [] });
  const found = await checkPartitioned(asked, new LocalTeam<TwoPhaseCommit>(asked, 3));
  expect(alone.constraint!.outside).toBeGreaterThan(0);
  expect(found.properties).toEqual(alone.properties);
});
