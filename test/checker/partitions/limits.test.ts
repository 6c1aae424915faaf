import { expect, it } from 'vitest';
import {
  consistent,
  type TwoPhaseCommit,
  twoPhaseCommit,
} from '../../../bench/models/two-phase-commit.ts';
import { check } from '../../../checker/check.ts';
import { LimitHitError } from '../../../checker/errors.ts';
import { checkPartitioned } from '../../../checker/partitions/check-partitioned.ts';
import type { At } from '../../../checker/partitions/holder.ts';
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
/** Both are later than the layer in which something aborts. */
const LIMITED = 4;

/** Its memory is full from a layer on. */
class FullTeam extends LocalTeam<TwoPhaseCommit> {
  private isFull = false;

  override async fold(steps: readonly At[]) {
    if (steps[0]!.layer < LIMITED) return super.fold(steps);
    this.isFull = true;
    return steps.map(() => ({ states: 0, limit: 'memory' as const }));
  }

  override async path(partition: number, at: At, local: number) {
    if (this.isFull) throw new LimitHitError('memory');
    return super.path(partition, at, local);
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

it('where a limit hides the run to what was found, the search ends with that limit', async () => {
  const team = new LocalTeam<TwoPhaseCommit>(options, 2);
  team.path = async () => {
    throw new LimitHitError('memory');
  };
  const found = await checkPartitioned(options, team);
  expect(found).toMatchObject({ outcome: 'limited', limit: { kind: 'memory' } });
  expect(found.properties.map(({ verdict }) => verdict)).toEqual(['inconclusive', 'inconclusive']);
});
