import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { piecesOf } from '../../input/cluster/pieces.ts';
import { PLAIN_WORLD, type World } from '../../input/cluster/worlds.ts';
import type { Plan } from '../../input/plan.ts';
import type { Setup } from '../../model/index.ts';
import { decide } from '../../run/questions/deciding/decide.ts';
import { type Decision, wasFull } from '../../run/questions/deciding/decision.ts';
import { grown } from '../../run/questions/deciding/grow.ts';
import { inPieces } from '../../run/questions/deciding/in-pieces.ts';
import { randomRuns } from '../checker/support/random-runs.ts';
import { budget, decidedAsWhole, words } from './deciding.ts';
import { dumpPlan, type ObjectText, objectsText } from './dump-plan.ts';

const CASCADES = ['foreground', 'background', 'orphan'] as const;

function replacedIn(decision: Decision | null): readonly string[] {
  return [...(decision?.fates ?? [])].flatMap(([uid, { replaced }]) => (replaced ? [uid] : []));
}

interface Beneath {
  /** The number of an earlier object; 0 is the root. */
  readonly owner: number;
  /** The same for a second owner, or one that nobody deletes. Absent: it has one owner. */
  readonly also?: number | 'keeper';
  readonly block: boolean;
  readonly held: boolean;
  readonly waits: boolean;
  /** Absent: it has not the finalizer `orphan`. */
  readonly orphans?: true;
}

/** A root, and objects beneath it. */
function textOf(below: readonly Beneath[]): string {
  const objects: ObjectText[] = [{ name: 'root', owner: null, block: false, held: false }];
  for (const [index, { owner, also, block, held, waits, orphans }] of below.entries()) {
    const above = objects[Math.min(owner, index)]!.name;
    const second = typeof also === 'number' ? objects[Math.min(also, index)]!.name : also;
    objects.push({
      ...{ name: `o${index}`, owner: above, block, held },
      ...(second === undefined || second === above ? {} : { also: second }),
      ...(waits ? { waits } : {}),
      ...(orphans === undefined ? {} : { orphans }),
    });
  }
  const isKept = below.some(({ also }) => also === 'keeper');
  const keeper = { name: 'keeper', owner: null, block: false, held: false };
  return objectsText(isKept ? [...objects, keeper] : objects);
}

const sometimes = fc.constantFrom(false, false, true);

const trees = fc.array(
  fc.record({
    owner: fc.nat(3),
    block: fc.boolean(),
    held: sometimes,
    waits: fc.constantFrom(false, false, false, false, true),
  }),
  { minLength: 2, maxLength: 3 },
);

const PLAIN = { owner: 0, block: true, held: false, waits: false };
const HELD = { ...PLAIN, held: true };

/** The last one is gone without being seen to be deleted. */
const NEVER_SEEN_DELETING = [HELD, { ...PLAIN, owner: 1 }, { ...PLAIN, owner: 2 }];

async function expectNoOthers(plan: Plan, finalizers: World['finalizers']): Promise<void> {
  expect(piecesOf(plan.setup)).not.toBe(null);
  await decidedAsWhole(plan, { ...PLAIN_WORLD, finalizers });
}

describe('pieces', () => {
  it('have the fates that their objects have in the whole', async () => {
    let decided = 0;
    await fc.assert(
      fc.asyncProperty(
        ...[trees, fc.constantFrom(...CASCADES), fc.boolean()],
        async (below, cascade, mayStop) => {
          const plan = await dumpPlan(textOf(below), 'cm/root', cascade);
          const world: World = { ...PLAIN_WORLD, finalizers: mayStop ? 'may' : 'act' };
          if (await decidedAsWhole(plan, world)) decided++;
        },
      ),
      { numRuns: randomRuns(9), seed: 2, examples: [[NEVER_SEEN_DELETING, 'background', true]] },
    );
    expect(decided).toBeGreaterThan(3);
  });

  it.each([
    ['of two owners', [PLAIN, { ...PLAIN, owner: 1 }], 'cm/root cm/o0', 'background'],
    ['of two dependents', [HELD, PLAIN], 'cm/o0 cm/o1', 'background'],
    ['of an owner and a dependent', [HELD, PLAIN], 'cm/root cm/o0', 'foreground'],
  ] as const)(
    'have the fates of the whole with requests %s',
    async (_what, below, targets, cascade) => {
      const plan = await dumpPlan(textOf(below), targets, cascade);
      const world = { ...PLAIN_WORLD, finalizers: 'never' as const };
      const pieces = await inPieces(plan, world, budget());
      expect(pieces).not.toBe(null);
      expect(words(pieces)).toEqual(words(await grown(plan, world, budget())));
    },
  );

  it.each([
    [
      'an owner with the finalizer orphan',
      [
        { ...PLAIN, orphans: true },
        { ...PLAIN, owner: 1 },
      ],
      ...['cm/root', 'background'],
    ],
    [
      'such an owner that waits as well',
      [
        { ...HELD, orphans: true, block: false },
        { ...PLAIN, owner: 1 },
      ],
      ...['cm/root', 'foreground'],
    ],
    [
      'an owner that is released while it is being deleted',
      [PLAIN, { ...PLAIN, owner: 1 }],
      ...['cm/root cm/o0', 'orphan'],
    ],
    [
      'a dependent that waits before its owner does, which then stops blocking',
      [PLAIN, { ...HELD, owner: 1 }],
      ...['cm/root cm/o1', 'foreground'],
    ],
    [
      'a tree beneath what another owner keeps',
      [PLAIN, { ...PLAIN, owner: 1, also: 'keeper' }, { ...PLAIN, owner: 2 }],
      ...['cm/root', 'foreground'],
    ],
    [
      'a tree beneath what both owners leave',
      [PLAIN, PLAIN, { ...PLAIN, owner: 1, also: 2 }, { ...PLAIN, owner: 3 }],
      ...['cm/root', 'background'],
    ],
  ] as const)('have no other fates than the whole: %s', async (_what, below, targets, cascade) => {
    for (const finalizers of ['act', 'never'] as const) {
      await expectNoOthers(await dumpPlan(textOf(below), targets, cascade), finalizers);
    }
  });

  // Where the finalizer may go, the whole has too many states for a quick test.
  it('have no other fates than the whole: another owner makes a dependent wait first', async () => {
    const below = [HELD, { ...PLAIN, also: 1 }, { ...PLAIN, owner: 2 }];
    await expectNoOthers(await dumpPlan(textOf(below), 'cm/root', 'foreground'), 'never');
  });

  // The middle one has lost an owner when it unblocks what the graph still shows as its owners.
  it('are not taken apart where a lost owner may return', async () => {
    const below = [PLAIN, { ...PLAIN, also: 1 }, { ...PLAIN, owner: 1, also: 2 }];
    const tree = textOf([...below, { ...PLAIN, owner: 3 }]);
    expect(piecesOf((await dumpPlan(tree, 'cm/root', 'foreground')).setup)).toBe(null);
    expect(piecesOf((await dumpPlan(tree, 'cm/root', 'background')).setup)).not.toBe(null);
    expect(piecesOf((await dumpPlan(textOf(below), 'cm/root', 'foreground')).setup)).not.toBe(null);
  });

  // An orphan that was blocking queues the middle one, which so can wait before its owner does.
  it('are not taken apart where workers handle what is being deleted', async () => {
    const plan = await dumpPlan(textOf([PLAIN, { ...PLAIN, owner: 1 }]), 'cm/root', 'foreground');
    const rules = { ...plan.setup.rules, itemsBeingDeleted: 'processed' as const };
    expect(piecesOf(plan.setup)).not.toBe(null);
    expect(piecesOf({ ...plan.setup, rules })).toBe(null);
  });

  it('prove what some of them show, where the searches of others do not end', async () => {
    const plan = await dumpPlan(textOf(NEVER_SEEN_DELETING), 'cm/root', 'foreground', [
      'example.com/hold',
    ]);
    const few = { ...budget(), limits: { states: 600 } };
    const decision = await decide(plan, PLAIN_WORLD, few);
    expect([decision.by, words(decision)]).toEqual([
      'some',
      // Walks say of these what one run shows.
      { 'u-o0': 'stays', 'u-o1': 'open', 'u-o2': 'open', 'u-root': 'stays' },
    ]);
    // The memory is full once some searches have ended: the fourth look finds it so.
    let looks = 0;
    const filling = {
      get megabytes() {
        looks++;
        return looks < 4 ? 100_000 : 1;
      },
    };
    const cut = await decide(plan, PLAIN_WORLD, { ...few, limits: filling });
    expect([cut.by, words(cut), wasFull(cut)]).toEqual([
      'some',
      { 'u-o0': 'stays', 'u-root': 'stays' },
      true,
    ]);
  });

  it('are searched once others have ended, where they had no room', async () => {
    const plan = await dumpPlan(textOf([PLAIN]), 'cm/root', 'background');
    let looks = 0;
    const limits = {
      get megabytes() {
        looks++;
        return looks === 1 ? 1 : 100_000;
      },
    };
    const decision = await inPieces(plan, PLAIN_WORLD, { ...budget(), limits });
    expect(words(decision)).toEqual({ 'u-o0': 'goes', 'u-root': 'goes' });
    expect(decision !== null && wasFull(decision)).toBe(false);
  });

  it('decide any number of dependents', async () => {
    const below = Array.from({ length: 40 }, () => PLAIN);
    for (const [cascade, fate] of [
      ['foreground', 'goes'],
      ['orphan', 'stays'],
    ] as const) {
      const plan = await dumpPlan(textOf(below), 'cm/root', cascade);
      const pieces = await inPieces(plan, PLAIN_WORLD, budget());
      expect(pieces?.fates.size).toBe(41);
      expect(words(pieces)).toMatchObject({ 'u-root': 'goes', 'u-o0': fate, 'u-o39': fate });
    }
  });

  it.each(['background', 'orphan'] as const)('decide what has two owners: %s', async (cascade) => {
    const below = [PLAIN, PLAIN, { ...PLAIN, owner: 1, also: 2 }];
    const plan = await dumpPlan(textOf(below), 'cm/root', cascade);
    const pieces = await inPieces(plan, PLAIN_WORLD, budget());
    expect(pieces).not.toBe(null);
    expect(words(pieces)).toEqual(words(await grown(plan, PLAIN_WORLD, budget())));
  });

  it('decide what one owner waits for and another one keeps, in any number', async () => {
    const below = Array.from({ length: 10 }, () => ({ ...PLAIN, also: 'keeper' as const }));
    const plan = await dumpPlan(textOf(below), 'cm/root', 'foreground');
    const { 'u-root': root, ...others } = words(await inPieces(plan, PLAIN_WORLD, budget()));
    expect(root).toBe('goes');
    expect(new Set(Object.values(others))).toEqual(new Set(['stays']));
  });

  it('decide what an owner beneath another one orphans, in any number', async () => {
    const below = Array.from({ length: 10 }, () => ({ ...PLAIN, owner: 1 }));
    const text = textOf([{ ...PLAIN, orphans: true }, ...below]);
    const plan = await dumpPlan(text, 'cm/root', 'background');
    const pieces = words(await inPieces(plan, PLAIN_WORLD, budget()));
    expect(pieces).toMatchObject({ 'u-root': 'goes', 'u-o0': 'goes', 'u-o1': 'stays' });
  });

  it.each(['synced', 'cold'] as const)(
    'decide what lacks its owner, with %s caches',
    async (caches) => {
      // Without the root.
      const planOf = async (below: readonly Beneath[]): Promise<Plan> => {
        const { items } = JSON.parse(textOf(below)) as { items: readonly object[] };
        const text = JSON.stringify({ apiVersion: 'v1', kind: 'List', items: items.slice(1) });
        const plan = await dumpPlan(text, 'cm/o0', 'background');
        return { ...plan, setup: { ...plan.setup, caches, users: {} } };
      };
      const small = await planOf([PLAIN, PLAIN, { ...PLAIN, owner: 1 }]);
      const few = await inPieces(small, PLAIN_WORLD, budget());
      expect(words(few)).toEqual(words(await grown(small, PLAIN_WORLD, budget())));
      const large = await planOf([
        ...Array.from({ length: 20 }, () => PLAIN),
        ...Array.from({ length: 20 }, () => ({ ...PLAIN, owner: 1 })),
      ]);
      const many = await inPieces(large, PLAIN_WORLD, budget());
      expect(many?.fates.size).toBe(40);
      expect(new Set(Object.values(words(many) as object))).toEqual(new Set(['goes']));
    },
  );

  // In v1.10, a DELETE must come after the last finalizer is gone, and only a virtual node sends
  // one.
  it('decide nothing with cold caches while an object is being deleted', async () => {
    const plan = await dumpPlan(textOf([HELD, { ...PLAIN, owner: 1 }]), 'cm/root', 'background');
    const [root, held, ...below] = plan.setup.objects;
    const cold: Setup = { ...plan.setup, caches: 'cold', users: {} };
    const objects = [root!, { ...held!, deletionTimestamp: 0 }, ...below];
    expect(await inPieces({ ...plan, setup: cold }, PLAIN_WORLD, budget())).not.toBe(null);
    expect(await inPieces({ ...plan, setup: { ...cold, objects } }, PLAIN_WORLD, budget())).toBe(
      null,
    );
  });

  it('leave out a controller that replaces what is deleted', async () => {
    const dump = readFileSync('test/dumps/deployment.yaml', 'utf8');
    const text = dump.replaceAll('namespace: prod', 'namespace: shop');
    for (const target of ['rs/web-d8430ec501', 'pod/web-d8430ec501-62f9b']) {
      const plan = await dumpPlan(text, target, 'foreground');
      const pieces = await inPieces(plan, PLAIN_WORLD, budget());
      expect(plan.setup.workloads).not.toBe(undefined);
      const whole = await grown(plan, PLAIN_WORLD, budget());
      expect(words(pieces)).toEqual(words(whole));
      expect(replacedIn(pieces)).toEqual(replacedIn(whole));
      expect(replacedIn(pieces)).not.toEqual([]);
    }
  });

  it('decide nothing where the owner of a dependent cannot be taken off', async () => {
    const below = [PLAIN, PLAIN];
    // Every update of an object with such a finalizer is refused.
    const text = textOf(below).replaceAll(
      '"uid":"u-o1","finalizers":[]',
      '"uid":"u-o1","finalizers":["hold"]',
    );
    const plan = await dumpPlan(text, 'cm/root', 'orphan');
    expect(plan.setup.objects.flatMap(({ finalizers }) => finalizers)).toEqual(['hold']);
    expect(await inPieces(plan, PLAIN_WORLD, budget())).toBe(null);
    expect(words(await grown(plan, PLAIN_WORLD, budget()))).toMatchObject({ 'u-root': 'stays' });
  });

  it('tell what depends on the owner of a finalizer, however deep it is', async () => {
    const below = [PLAIN, { ...PLAIN, owner: 1 }, { ...HELD, owner: 2 }, PLAIN];
    const plan = await dumpPlan(textOf(below), 'cm/root', 'foreground');
    const world = { ...PLAIN_WORLD, finalizers: 'may' as const };
    const pieces = await inPieces(plan, world, budget());
    expect(words(pieces)).toEqual({
      ...{ 'u-root': 'either', 'u-o0': 'either', 'u-o1': 'either', 'u-o2': 'either' },
      'u-o3': 'goes',
    });
  });

  it('decide chains of any length', async () => {
    const below = Array.from({ length: 15 }, (_, owner) => ({ ...PLAIN, owner }));
    const plan = await dumpPlan(textOf(below), 'cm/root', 'foreground');
    const pieces = await inPieces(plan, PLAIN_WORLD, budget());
    expect(new Set(Object.values(words(pieces) as object))).toEqual(new Set(['goes']));
  });
});
