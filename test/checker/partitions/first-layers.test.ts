import { expect, it } from 'vitest';
import type { TwoPhaseCommit } from '../../../bench/models/two-phase-commit.ts';
import { check } from '../../../checker/check.ts';
import { checkPartitioned } from '../../../checker/partitions/check-partitioned.ts';
import type { FirstLayers, FirstTally } from '../../../checker/partitions/first-layers.ts';
import { LocalTeam } from '../support/local-team.ts';
import { abortingCommitOf } from '../support/two-phase.ts';

/* Random models, with first layers of any size, are compared with one process by same-result.test.ts. */

const options = abortingCommitOf(3);

class LateTeam extends LocalTeam<TwoPhaseCommit> {
  override readonly dividedFrom: number;
  override dividedLatest = 1;
  /** How many steps have searched layers as a whole. */
  steps = 0;
  /** What partitions answer, before it is changed. */
  found: readonly FirstTally[] = [];
  private readonly change: (tally: FirstTally, partition: number) => FirstTally;

  constructor(
    dividedFrom: number,
    change: LateTeam['change'] = (tally) => tally,
    dice: (below: number) => number = () => 1,
  ) {
    super(options, 2, dice);
    this.dividedFrom = dividedFrom;
    this.change = change;
  }

  override async first(layers: FirstLayers) {
    this.found = await super.first(layers);
    this.steps++;
    return this.found.map(this.change);
  }
}

it('the first layers end with the first one that has enough states', async () => {
  const { statistics } = await check({ ...options, reductions: [] });
  const sizesFor = async (dividedFrom: number) => {
    const team = new LateTeam(dividedFrom);
    const found = await checkPartitioned(options, team);
    const { states, transitions, layers } = found.statistics;
    expect({ states, transitions, layers }).toEqual({
      states: statistics.states,
      transitions: statistics.transitions,
      layers: statistics.layers,
    });
    expect(team.found[1]!.sizes).toEqual(team.found[0]!.sizes);
    return { sizes: team.found[0]!.sizes, steps: team.tallies.length };
  };
  const whole = await sizesFor(Number.POSITIVE_INFINITY);
  expect(whole.sizes.at(-1)).toBe(0);
  expect(whole.steps).toBe(0);
  const few = await sizesFor(10);
  const end = 1 + whole.sizes.findIndex((states) => states >= 10);
  expect(few.sizes).toEqual(whole.sizes.slice(0, end));
  expect(few.steps).toBe(whole.sizes.length - end);
  expect((await sizesFor(1)).sizes).toEqual([]);
});

it.each([
  { by: 'the holders that have them', isMoved: false },
  { by: 'new holders, which search all before again', isMoved: true },
])('until the owners are chosen, layers are searched as a whole by $by', async ({ isMoved }) => {
  const { statistics, properties } = await check({ ...options, reductions: [] });
  const { states, transitions, layers } = statistics;
  let asked = 0;
  // Each step is done once.
  const dice = (below: number): number => (isMoved && below === 5 && asked++ % 3 === 0 ? 0 : 1);
  const team = new LateTeam(1, undefined, dice);
  team.dividedLatest = 20;
  const found = await checkPartitioned(options, team);
  expect(team.steps).toBeGreaterThan(1);
  expect(team.tallies.length).toBeGreaterThan(1);
  expect(found.statistics).toMatchObject({ states, transitions, layers });
  expect(found.properties).toEqual(properties);
});

it('a limit on states ends the first layers as it ends the others', async () => {
  const limits = { states: 20 };
  const [early, late] = await Promise.all(
    [1, 1000].map((from) => checkPartitioned({ ...options, limits }, new LateTeam(from))),
  );
  expect(late).toMatchObject({ outcome: 'limited', limit: { kind: 'states' } });
  expect(late!.statistics.states).toBe(early!.statistics.states);
  expect(late!.statistics.layers).toBe(early!.statistics.layers);
});

/** Keys of the first layers are sent by the partition 0, until it is at its limit. */
class CutTeam extends LateTeam {
  private readonly cut: number;

  constructor(cut: number) {
    super(1000, ({ layers, sizes }, partition) => {
      if (partition !== cut) return { layers, sizes };
      return { layers: [{ ...layers[0]!, limit: 'memory' }], sizes: [] };
    });
    this.cut = cut;
  }

  override async *keys(partition: number, layer: number) {
    if (this.cut !== 0) yield* super.keys(partition, layer);
  }
}

it.each([
  { cut: 0, found: 'it has sent no keys of what the other has found', verdict: 'inconclusive' },
  { cut: 1, found: 'what was found before stays', verdict: 'violated' },
])('a limit that partition $cut has hit: $found, and nothing holds', async ({ cut, verdict }) => {
  const found = await checkPartitioned(options, new CutTeam(cut));
  expect(found).toMatchObject({ outcome: 'limited', limit: { kind: 'memory' } });
  const verdicts = found.properties.map((property) => property.verdict);
  expect(verdicts).toEqual([verdict, 'inconclusive']);
});

it('partitions that have not found the same are an error', async () => {
  const fewer = ({ layers, sizes }: FirstTally, partition: number): FirstTally => ({
    layers,
    sizes: partition === 1 ? [...sizes.slice(0, -1), 7] : sizes,
  });
  const asked = checkPartitioned(options, new LateTeam(20, fewer));
  await expect(asked).rejects.toThrow(/have found other states in the first layers/);
});
