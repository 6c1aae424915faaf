import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { piecesOf } from '../../input/cluster/pieces.ts';
import { PLAIN_WORLD, type World } from '../../input/cluster/worlds.ts';
import { CASCADES } from '../../input/plan.ts';
import { grown } from '../../run/questions/deciding/grow.ts';
import { inPieces } from '../../run/questions/deciding/in-pieces.ts';
import { randomRuns } from '../checker/support/random-runs.ts';
import { budget, decidedAsWhole, words } from './deciding.ts';
import { dumpPlan, type ObjectText, objectsText } from './dump-plan.ts';

interface Owned {
  /** Names of its owners. */
  readonly owners: readonly string[];
  readonly block: boolean;
  readonly held: boolean;
}

function textOf(objects: readonly (readonly [name: string, Owned])[]): string {
  return objectsText(
    objects.map(
      ([
        name,
        {
          owners: [owner, also],
          ...rest
        },
      ]): ObjectText => {
        return { name, owner: owner ?? null, ...(also === undefined ? {} : { also }), ...rest };
      },
    ),
  );
}

function by(...owners: readonly string[]): Owned {
  return { owners, block: true, held: false };
}

const NAMES = ['a', 'b', 'c'] as const;

/** Objects of which each may own each, itself included. */
const graphs = fc.tuple(
  ...NAMES.map((name) =>
    fc
      .record({
        owners: fc.uniqueArray(fc.constantFrom(...NAMES), { maxLength: 2 }),
        block: fc.boolean(),
        held: fc.constantFrom(false, false, true),
      })
      .map((owned) => [name, owned] as const),
  ),
);

describe('pieces with cycles of owners', () => {
  it('have the fates of the whole', async () => {
    let decided = 0;
    await fc.assert(
      fc.asyncProperty(
        ...[graphs, fc.constantFrom(...CASCADES), fc.boolean()],
        async (graph, cascade, mayStop) => {
          const plan = await dumpPlan(textOf(graph), 'cm/a', cascade);
          const world: World = { ...PLAIN_WORLD, finalizers: mayStop ? 'may' : 'act' };
          if (await decidedAsWhole(plan, world)) decided++;
        },
      ),
      { numRuns: randomRuns(15), seed: 5 },
    );
    expect(decided).toBeGreaterThan(3);
  });

  it.each(CASCADES)('decide what a cycle owns, in any number: %s', async (cascade) => {
    const many = Array.from({ length: 20 }, (_, index) => {
      return [`x${index}`, by(index % 2 === 0 ? 'a' : 'b')] as const;
    });
    const text = textOf([['a', by('b')], ['b', by('a')], ...many]);
    const plan = await dumpPlan(text, 'cm/a', cascade);
    const found = words(await inPieces(plan, PLAIN_WORLD, budget()));
    const others = cascade === 'orphan' ? 'stays' : 'goes';
    expect(found).toMatchObject({ 'u-a': 'goes', 'u-b': others, 'u-x0': others, 'u-x1': others });
    expect(Object.keys(found).length).toBe(22);
  });

  it('decide that a cycle outlives an owner outside of it', async () => {
    const text = textOf([
      ['r', by()],
      ['a', by('r', 'b')],
      ['b', by('a')],
      ['x', by('b')],
    ]);
    const plan = await dumpPlan(text, 'cm/r', 'background');
    const found = words(await inPieces(plan, PLAIN_WORLD, budget()));
    expect(found).toEqual({ 'u-r': 'goes', 'u-a': 'stays', 'u-b': 'stays', 'u-x': 'stays' });
  });

  // It goes if it finds the cycle while the other one is there. Otherwise what it owns keeps it.
  it('are not taken apart where an object searches for its own cycle', async () => {
    const text = textOf([
      ['a', by('b')],
      ['b', by('a')],
      ['x', { ...by('a'), held: true }],
    ]);
    const plan = await dumpPlan(text, 'cm/a', 'foreground');
    const world: World = { ...PLAIN_WORLD, finalizers: 'never' };
    const rules = { ...plan.setup.rules, cycleBreaking: 'searchCycle' as const };
    const other = { ...plan, setup: { ...plan.setup, rules } };
    expect(words(await grown(other, world, budget()))).toMatchObject({ 'u-a': 'either' });
    expect(await inPieces(other, world, budget())).toBe(null);
    expect(await inPieces(plan, world, budget())).not.toBe(null);
  });

  // Which of them the collector queued first decides, and pieces have another order.
  it('are not taken apart where an object of them waits from the start', async () => {
    const waiting = (name: string, owner: string, block: boolean): ObjectText => ({
      ...{ name, owner, block, held: false },
      ...(block ? { waits: true } : {}),
    });
    const text = objectsText([
      waiting('o0', 'o2', false),
      waiting('o1', 'o2', true),
      waiting('o2', 'o1', true),
      { name: 'o9', owner: 'o0', block: false, held: false },
    ]);
    const plan = await dumpPlan(text, 'cm/o9', 'background');
    expect(await inPieces(plan, PLAIN_WORLD, budget())).toBe(null);
  });

  // All objects of both are alike for an eye that sees only neighbours.
  it('tell two cycles from one of twice the length', async () => {
    const ring = (names: readonly string[]) =>
      names.map((name, place) => [name, by('r', names[(place + 1) % names.length]!)] as const);
    const text = textOf([['r', by()], ...ring(['a', 'b']), ...ring(['c', 'd', 'e', 'f'])]);
    const { setup } = await dumpPlan(text, 'cm/r', 'background');
    const sizes = piecesOf(setup)?.map(({ subjects }) => subjects.length);
    expect(sizes).toEqual([1, 2, 4]);
  });
});
