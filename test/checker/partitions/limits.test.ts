import { expect, it, onTestFinished, vi } from 'vitest';
import type { TwoPhaseCommit } from '../../../bench/models/two-phase-commit.ts';
import { check } from '../../../checker/check.ts';
import { residentMegabytes } from '../../../checker/memory.ts';
import { checkPartitioned } from '../../../checker/partitions/check-partitioned.ts';
import type { ExpandAt, FoldAt } from '../../../checker/partitions/holder.ts';
import type { Property } from '../../../checker/property.ts';
import { type Cups, cups } from '../support/cups.ts';
import { LocalTeam } from '../support/local-team.ts';
import { abortingCommitOf } from '../support/two-phase.ts';

const options = abortingCommitOf(3);
/** It is later than the layer in which something aborts. */
const LIMITED = 4;

/** Its memory is full from a layer on. */
class FullTeam extends LocalTeam<TwoPhaseCommit> {
  override async fold(steps: readonly FoldAt[]) {
    if (steps[0]!.before.layer + 1 < LIMITED) return super.fold(steps);
    return steps.map(() => ({ states: 0, limit: 'memory' as const }));
  }
}

it('what was found before a limit stays, with its run', async () => {
  const [violated] = (await check({ ...options, reductions: [] })).properties;
  const found = await checkPartitioned(options, new FullTeam(options, 2));
  expect(found).toMatchObject({ outcome: 'limited', limit: { kind: 'memory' } });
  expect(found.properties[0]!.trace).toEqual(violated!.trace);
  expect(found.properties[0]!.verdict).toBe('violated');
  expect(found.properties[1]!.verdict).toBe('inconclusive');
});

/** Its time is over while it takes in a layer. */
class LateTeam extends LocalTeam<TwoPhaseCommit> {
  override async fold(steps: readonly FoldAt[]) {
    if (steps[0]!.before.layer > 0) {
      const later = performance.now() + 3_600_000;
      const now = vi.spyOn(performance, 'now').mockReturnValue(later);
      onTestFinished(() => now.mockRestore());
    }
    return super.fold(steps);
  }
}

it('time that is over while partitions take a layer in is a limit, and no interruption', async () => {
  const limits = { seconds: 1_000 };
  const found = await checkPartitioned({ ...options, limits }, new LateTeam(options, 2));
  expect(found).toMatchObject({ outcome: 'limited', limit: { kind: 'time' } });
});

const ROOM_MEGABYTES = 60;
/** While a step lasts, the limits are looked at. */
const STEP_MILLISECONDS = 300;

/** Something else in this process takes all the memory that the limit leaves. */
class GreedyTeam extends LocalTeam<TwoPhaseCommit> {
  private taken: Buffer | null = null;

  override async expand(steps: readonly ExpandAt[]) {
    if (this.taken === null) {
      this.taken = Buffer.alloc(3 * ROOM_MEGABYTES * 1e6, 1);
      await new Promise((resolve) => setTimeout(resolve, STEP_MILLISECONDS));
    }
    return super.expand(steps);
  }
}

it('while partitions search, what this process takes is not limited', async () => {
  const limits = { megabytes: residentMegabytes() + ROOM_MEGABYTES };
  const found = await checkPartitioned({ ...options, limits }, new GreedyTeam(options, 2));
  const { states } = (await check({ ...options, reductions: [] })).statistics;
  expect(found).toMatchObject({ outcome: 'complete', limit: null, statistics: { states } });
});

const MEMBERS = ['a', 'b', 'c', 'd'];
const always: Property<Cups> = { kind: 'invariant', name: 'always', holds: () => true };

it.each([
  { alike: 3, renamings: 6, isRefused: false },
  { alike: 4, renamings: 24, isRefused: true },
])('a symmetry of $renamings renamings', async ({ alike, renamings, isRefused }) => {
  const symmetric = {
    ...{ model: cups(MEMBERS.slice(0, alike)), properties: [always], limits: {} },
    reductions: ['symmetry'] as const,
  };
  const found = checkPartitioned(symmetric, new LocalTeam<Cups>(symmetric, 2));
  if (!isRefused) {
    expect((await found).statistics.states).toBe((await check(symmetric)).statistics.states);
    return;
  }
  await expect(found).rejects.toMatchObject({
    code: 'badOption',
    message: `partitions do not go with a symmetry of ${renamings} renamings; drop it`,
  });
});
