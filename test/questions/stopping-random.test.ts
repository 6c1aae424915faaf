import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { areInBackground } from '../../input/cluster/operating/background.ts';
import { endingOf } from '../../input/cluster/operating/ending.ts';
import { maybeDeleted } from '../../input/cluster/operating/stopping.ts';
import { piecesOf } from '../../input/cluster/pieces.ts';
import { PLAIN_WORLD, setupIn, type World } from '../../input/cluster/worlds.ts';
import type { Setup } from '../../model/index.ts';
import { grown } from '../../run/questions/deciding/grow.ts';
import { inPieces } from '../../run/questions/deciding/in-pieces.ts';
import { randomRuns } from '../checker/support/random-runs.ts';
import { budget, words } from './deciding.ts';
import {
  planOfStopping,
  type StoppingDump,
  stoppingDumps,
  widerDumps,
} from './dumps-of-stopping.ts';

/** A search with more of them takes too long. */
const MANY = 15_000;

/*
 * A long run, which compares as many different dumps: RANDOM_MODELS=1000 RANDOM_SEED=1 npx vitest
 * run --project unit test/questions/stopping-random --testTimeout 7000000
 */
type Item = StoppingDump['items'][number];
type Deleting = StoppingDump['operators'][number];

function item(
  name: Item['name'],
  space: Item['space'],
  owner: Item['owner'] = null,
  held = false,
): Item {
  return { name, space, owner, held, blocks: true, isPod: false };
}

function operator(parent: Item['name'], deletes: Deleting['deletes'], stops = false): Deleting {
  return { parent, deletes, stops, waits: true, pauses: false, foreground: false };
}

describe('pieces have the fates of the whole', () => {
  it('beside operators that may stop', async () => {
    const may = { ...PLAIN_WORLD, finalizers: 'may' } as const;
    await compare(stoppingDumps, may, (setup) => maybeDeleted(setup).size > 0);
  });

  it('or not all of them, where what an operator does is not as good as a DELETE', async () => {
    // Only if the operator deletes the namespace of `b`, that does not wait for `c`.
    await none(
      {
        items: [item('a', 'shop'), item('b', 'data'), item('c', 'data', 'b', true)],
        operators: [operator('a', ['data'], true)],
        ...{ asked: ['shop', 'b'], cascade: 'foreground' },
      },
      'may',
    );
    // Two that wait for each other.
    await none(
      {
        items: [item('a', 'shop'), item('b', 'shop'), item('c', 'shop')],
        operators: [operator('a', ['b']), operator('b', ['a'])],
        ...{ asked: ['shop'], cascade: 'background' },
      },
      'act',
    );
    // One whose own object is deleted only with what it deletes.
    await none(
      {
        items: [item('a', 'shop'), item('b', 'shop', 'a'), item('c', 'shop')],
        operators: [operator('b', ['a'])],
        ...{ asked: ['c'], cascade: 'background' },
      },
      'act',
    );
    // One that never deletes `c`, as the API server refuses the DELETE before.
    await none(
      {
        items: [item('a', 'shop'), item('b', 'shop', 'a'), item('c', 'shop')],
        operators: [{ ...operator('a', ['data', 'c']), foreground: true, waitsFor: ['b'] }],
        ...{ asked: ['a'], cascade: 'foreground', isSpared: true },
      },
      'act',
    );
    // One that deletes what the API server lets nobody change.
    await none(
      {
        items: [
          ...[item('a', 'shop'), item('b', 'shop'), item('c', 'shop')],
          { ...item('d', 'shop', 'b', true), also: 'c', isControlled: true },
        ],
        operators: [operator('a', ['d'])],
        ...{ asked: ['a'], cascade: 'foreground' },
      },
      'act',
    );
    // One that deletes the namespace of its own object, a pod: `d` waits for that.
    await none(
      {
        items: [{ ...item('c', 'data'), isPod: true }, item('d', 'data')],
        operators: [{ ...operator('c', ['data', 'd']), waits: false, waves: true }],
        ...{ asked: ['c'], cascade: 'background', isDefined: true },
      },
      'act',
    );
  });

  it('nor where something pauses one for ever if it comes first', async () => {
    const [a, b, c, d] = [
      item('a', 'shop'),
      item('b', 'shop'),
      item('c', 'shop'),
      item('d', 'shop'),
    ];
    const isAsked = { asked: ['a'], cascade: 'background' } as const;
    const paused = { ...operator('a', ['b']), pausedBy: ['c'] } as const;
    const operators = [paused, { ...operator('c', []), waitsFor: ['b'] } as const];
    const [, last] = operators;
    const dumps: readonly StoppingDump[] = [
      // Users delete `c`, or what owns it; it is being deleted; another operator deletes it.
      { items: [a, b, c], operators, ...isAsked, asked: ['a', 'c'] },
      { items: [a, b, d, { ...c, owner: 'd' }], operators, ...isAsked, asked: ['a', 'd'] },
      { items: [a, b, { ...c, isGoing: true }], operators, ...isAsked },
      { items: [a, b, c, d], operators: [...operators, operator('d', ['c'])], ...isAsked },
      // It is on a node that is lost; the controller of its namespace or definition deletes it.
      { items: [a, b, { ...c, isPod: true }], operators, ...isAsked, isLost: true },
      {
        items: [item('a', 'data'), item('b', 'data'), c],
        ...{ operators, ...isAsked, asked: ['a', 'shop'] },
      },
      {
        items: [a, b, c],
        operators: [
          { ...operator('b', ['c']), pausedBy: ['a'] },
          { ...operator('a', []), waitsFor: ['c'] },
        ],
        ...{ ...isAsked, asked: ['b'], isDefined: true },
      },
      // The operator deletes its namespace, which is being deleted already.
      {
        items: [a, b, item('c', 'data')],
        operators: [{ ...paused, deletes: ['b', 'data'], waits: false }, last!],
        ...{ ...isAsked, going: 'data' },
      },
      // Its own object keeps a finalizer that has to come off first.
      {
        items: [{ ...a, held: true }, b, c],
        operators: [
          { ...operator('a', ['b']), isLast: true },
          { ...operator('c', []), waitsFor: ['data'] },
        ],
        ...{ ...isAsked, isStuck: true },
      },
      {
        items: [a, b],
        operators: [
          { ...operator('a', ['b']), isLast: true },
          { ...operator('a', []), waitsFor: ['data'] },
        ],
        ...isAsked,
      },
    ];
    for (const dump of dumps) await none(dump, 'act');
  });

  it('and operators stay where the collector may delete in the foreground before them', async () => {
    // It deletes `b`, so the operator does not, and `b` waits for `c` for ever.
    const dump: StoppingDump = {
      items: [item('a', 'shop'), item('b', 'shop', 'a'), item('c', 'shop', 'b', true)],
      operators: [operator('a', ['b'])],
      ...{ asked: ['a'], cascade: 'foreground' },
    };
    for (const [cascade, isLeftOut] of [
      ['foreground', false],
      ['background', true],
    ] as const) {
      const plan = await planOfStopping({ ...dump, cascade });
      const { setup } = setupIn(plan.setup, plan.cluster!, PLAIN_WORLD);
      expect(areInBackground(setup, setup.operators ?? [], new Set()), cascade).toBe(isLeftOut);
      const found = words(await inPieces(plan, PLAIN_WORLD, budget()));
      expect(words(await grown(plan, PLAIN_WORLD, budget()))).toMatchObject(found);
    }
  });

  it('beside one that deletes, with what waits, a dependent that nothing waits for', async () => {
    const free = { ...item('b', 'shop', 'a'), blocks: false };
    const plan = await planOfStopping({
      items: [item('a', 'shop'), free, item('c', 'shop', 'b')],
      operators: [operator('a', ['b'])],
      ...{ asked: ['a'], cascade: 'foreground' },
    });
    const found = await inPieces(plan, PLAIN_WORLD, budget());
    expect(found?.by).toBe('search');
    expect(words(found)).toEqual(words(await grown(plan, PLAIN_WORLD, budget())));
  });

  it('beside one that waits for the namespace of its own object', async () => {
    const plan = await planOfStopping({
      items: [item('a', 'data'), item('b', 'data'), item('c', 'shop')],
      // The other one goes on.
      operators: [operator('a', ['data']), operator('a', ['c'])],
      ...{ asked: ['a'], cascade: 'foreground' },
    });
    const found = await inPieces(plan, PLAIN_WORLD, budget());
    expect(found?.by).toBe('search');
    const expected = { 'u-a': 'stays', 'u-b': 'goes', 'u-c': 'goes', 'u-data': 'stays' };
    expect(words(found)).toMatchObject(expected);
    expect(words(found)).toEqual(words(await grown(plan, PLAIN_WORLD, budget())));
  });

  it('beside two that have one finalizer, of which one ends before the other', async () => {
    const plan = await planOfStopping({
      items: [item('a', 'shop'), item('b', 'shop'), item('c', 'shop', 'b')],
      operators: [operator('a', ['b']), operator('b', ['c'])].map((one) => {
        return { ...one, foreground: true };
      }),
      ...{ asked: ['a'], cascade: 'foreground', isShared: true },
    });
    const found = await inPieces(plan, PLAIN_WORLD, budget());
    expect(found?.by).toBe('search');
    expect(words(found)).toEqual(words(await grown(plan, PLAIN_WORLD, budget())));
  });

  it('beside operators of which each has to be shown to end', async () => {
    await compare(
      widerDumps,
      PLAIN_WORLD,
      (setup) => endingOf(setup) !== null && piecesOf(setup) === null,
    );
  });

  it('beside operators that delete dependents of their own objects', async () => {
    const dumps = stoppingDumps.map((dump): StoppingDump => {
      const operators = dump.operators.map((one) => ({ ...one, stops: false, pauses: false }));
      return { ...dump, operators, cascade: 'background' };
    });
    await compare(dumps, PLAIN_WORLD, (setup) => {
      const { operators = [], objects } = setup;
      const owned = objects.filter(({ ownerReferences }) => ownerReferences.length > 0);
      const keys = new Set(owned.map(({ kind, name }) => `${kind}/${name}`));
      const deletes = operators.flatMap((one) => one.deletes.map(({ key }) => key.split('/')));
      const isOwned = deletes.some(([kind, , name]) => keys.has(`${kind}/${name}`));
      return isOwned && areInBackground(setup, operators, new Set());
    });
  });
});

/** Pieces do not decide all, and what they decide is true. */
async function none(dump: StoppingDump, finalizers: World['finalizers']): Promise<void> {
  const plan = await planOfStopping(dump);
  const world = { ...PLAIN_WORLD, finalizers };
  const found = await inPieces(plan, world, budget());
  expect(found?.by).not.toBe('search');
  const whole = await grown(plan, world, { ...budget(), limits: { states: MANY } });
  if (whole !== null) expect(words(whole)).toMatchObject(words(found));
}

/** Compares what pieces decide of some dumps with the whole. */
async function compare(
  dumps: fc.Arbitrary<StoppingDump>,
  world: World,
  isMeant: (setup: Setup) => boolean,
): Promise<void> {
  const wanted = randomRuns(2);
  const compared = new Set<string>();
  for (let seed = fc.readConfigureGlobal().seed ?? 1; compared.size < wanted; seed++) {
    await fc.assert(
      fc.asyncProperty(dumps, async (dump) => {
        if (compared.size >= wanted) return;
        const plan = await planOfStopping(dump);
        const { setup } = setupIn(plan.setup, plan.cluster!, world);
        if (!isMeant(setup)) return;
        const limited = { ...budget(), limits: { states: MANY } };
        const found = words(await inPieces(plan, world, limited));
        // What goes either way is no news.
        if (!Object.values(found).some((word) => word !== 'either')) return;
        const whole = await grown(plan, world, limited);
        if (whole === null) return;
        const { kinds: _, rules: _rules, name: _name, ...rest } = setup;
        compared.add(JSON.stringify([rest, dump.protocol]));
        expect(words(whole)).toMatchObject(found);
      }),
      { numRuns: 200, seed },
    );
  }
}
