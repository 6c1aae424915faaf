import { expect, it } from 'vitest';
import {
  consistent,
  type TwoPhaseCommit,
  twoPhaseCommit,
} from '../../../bench/models/two-phase-commit.ts';
import { check } from '../../../checker/check.ts';
import { checkPartitioned } from '../../../checker/partitions/check-partitioned.ts';
import type { FoldAt } from '../../../checker/partitions/holder.ts';
import type { Property } from '../../../checker/property.ts';
import { LocalTeam } from '../support/local-team.ts';

const MANAGERS = 3;
const nothingAborts: Property<TwoPhaseCommit> = {
  kind: 'invariant',
  name: 'nothing aborts',
  holds: ({ coordinator }) => coordinator !== 'aborted',
};
const options = {
  model: twoPhaseCommit(MANAGERS),
  properties: [nothingAborts, consistent(MANAGERS)],
  limits: {},
};
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
