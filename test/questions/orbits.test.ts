import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { check } from '../../checker/index.ts';
import { setupIn, type World } from '../../input/cluster/worlds.ts';
import type { Cascade, Plan } from '../../input/plan.ts';
import { interchangeableObjects, symmetryOf } from '../../model/index.ts';
import { modelOf, runPlan } from '../../run/assemble.ts';
import { fateProperties, splitFates } from '../../run/fates.ts';
import { grown } from '../../run/questions/deciding/grow.ts';
import { haveSameViews } from '../../run/questions/deciding/local-views.ts';
import { randomRuns } from '../checker/support/random-runs.ts';
import { dumpPlan } from './dump-plan.ts';

/** A dependent of the deleted ConfigMap: kubelets end the pods that are on a node. */
interface Dependent {
  readonly kind: 'ConfigMap' | 'Pod';
  readonly block: boolean;
  readonly held: boolean;
}

function textOf(dependents: readonly Dependent[]): string {
  const root = {
    ...{ apiVersion: 'v1', kind: 'ConfigMap' },
    metadata: { name: 'root', namespace: 'shop', uid: 'u-root' },
  };
  const items = dependents.map(({ kind, block, held }, index) => ({
    ...{ apiVersion: 'v1', kind },
    metadata: {
      ...{ name: `d${index}`, namespace: 'shop', uid: `u-${index}` },
      ...(held ? { finalizers: ['example.com/hold'] } : {}),
      ownerReferences: [
        {
          ...{ apiVersion: 'v1', kind: 'ConfigMap', name: 'root', uid: 'u-root' },
          blockOwnerDeletion: block,
        },
      ],
    },
    ...(kind === 'Pod'
      ? { spec: { nodeName: `node-${index}` }, status: { phase: 'Running' } }
      : {}),
  }));
  return JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [root, ...items] });
}

type Fates = Readonly<Record<string, string>>;

/** The slow twin: each object by itself, without any reduction. */
async function oneByOne({ setup }: Plan): Promise<Fates> {
  const properties = fateProperties(setup, []);
  const result = await check({
    ...{ model: modelOf(setup), properties, reductions: [] },
    limits: {},
  });
  expect(result.outcome).toBe('complete');
  const { fates } = splitFates(setup, result, []);
  return Object.fromEntries(fates.map(({ uid, fate, begins }) => [uid, `${fate} ${begins}`]));
}

/** By orbits, with all reductions. */
async function byOrbits(
  { setup }: Plan,
  orbits = interchangeableObjects(setup),
  auditEvery = 100,
): Promise<Fates> {
  const properties = fateProperties(setup, orbits);
  const model = modelOf(setup);
  const result = await check({
    model,
    properties,
    reductions: ['symmetry', 'confluence'],
    auditEvery,
  });
  expect(result.defect).toBe(null);
  const { fates } = splitFates(setup, result, orbits);
  return Object.fromEntries(
    fates.flatMap(({ object, uid, members = [{ object, uid }], fate, begins }) =>
      members.map((member) => [member.uid, `${fate} ${begins}`]),
    ),
  );
}

const POD: Dependent = { kind: 'Pod', block: true, held: false };
const LEAF: Dependent = { kind: 'ConfigMap', block: true, held: false };

/** Small dumps. A finalizer of unknown owners may stay. */
const dumps = fc.array(
  fc.record({
    kind: fc.constantFrom('ConfigMap' as const, 'Pod' as const),
    block: fc.boolean(),
    held: fc.constantFrom(false, false, true),
  }),
  { minLength: 1, maxLength: 2 },
);
const cascades = fc.constantFrom<Cascade[]>('background', 'foreground', 'orphan');
const finalizers = fc.constantFrom<World['finalizers'][]>('act', 'may');

async function planOf(
  dependents: readonly Dependent[],
  cascade: Cascade,
  owners: World['finalizers'] = 'act',
): Promise<Plan> {
  const plan = await dumpPlan(textOf(dependents), 'cm/root', cascade);
  const world: World = { finalizers: owners, owners: 'there', alike: null, part: null };
  const { setup } = setupIn(plan.setup, plan.cluster!, world);
  return { ...plan, setup, properties: [] };
}

describe('the fates of alike objects, asked once', () => {
  it('are those that a search without any reduction gives each of them', async () => {
    let orbits = 0;
    await fc.assert(
      fc.asyncProperty(dumps, cascades, finalizers, async (some, cascade, owners) => {
        // Twins, so that there are orbits.
        const plan = await planOf([...some, ...some.slice(0, 1)], cascade, owners);
        orbits += interchangeableObjects(plan.setup).length;
        expect(await byOrbits(plan)).toEqual(await oneByOne(plan));
      }),
      { numRuns: randomRuns(4), seed: 7 },
    );
    expect(orbits).toBeGreaterThan(1);
  });

  it.each<[Cascade, Dependent, number]>([
    ['foreground', POD, 2],
    ['background', POD, 3],
    ['orphan', POD, 3],
    ['orphan', { ...LEAF, held: true }, 3],
    ['background', { ...LEAF, held: true }, 3],
    ['orphan', LEAF, 4],
  ])('are the same, %s, for %o × %d', async (cascade, dependent, count) => {
    const plan = await planOf(Array(count).fill(dependent), cascade, 'may');
    expect(symmetryOf(plan.setup)?.groups.map(({ members }) => members.length)).toEqual([count]);
    expect(await byOrbits(plan)).toEqual(await oneByOne(plan));
  });

  it('would be wrong for objects that are not alike', async () => {
    const plan = await planOf([LEAF, { ...LEAF, held: true }], 'background', 'may');
    const [, one, other] = plan.setup.objects;
    expect(interchangeableObjects(plan.setup)).toEqual([]);
    expect(await byOrbits(plan, [[one!, other!]])).not.toEqual(await oneByOne(plan));
  });

  it('have a representative that stays where its trace ends', async () => {
    const plan = await planOf([POD, POD, POD], 'orphan');
    const search = { engine: 'tracked', limits: {}, auditEvery: 0 } as const;
    const { fates } = await runPlan(plan, search, '');
    const pods = fates.find(({ members }) => members !== undefined);
    expect(pods).toMatchObject({
      fate: 'stays',
      members: [{ uid: 'u-0' }, { uid: 'u-1' }, { uid: 'u-2' }],
    });
    const last = pods!.goes.trace!.steps.at(-1)!.state as { store: Record<string, unknown> };
    expect(Object.keys(last.store)).toContain(pods!.object.replace('/', '/shop/').split('.')[0]);
  });
});

describe('a bounded answer', () => {
  const decided = async (count: number, cascade: Cascade, seconds: number) => {
    const plan = await dumpPlan(textOf(Array(count).fill(POD)), 'cm/root', cascade);
    const world: World = { finalizers: 'act', owners: 'there', alike: null, part: null };
    const decision = await grown(plan, world, {
      ...{ search: { engine: 'tracked', auditEvery: 0 }, limits: {} },
      ...{ deadline: Date.now() + seconds * 1000, known: new Map(), acceptBounded: false },
      ...{ onProgress: () => undefined, interrupted: () => false },
    });
    return decision!;
  };

  it('says that nothing new appears only if the local views are the same', async () => {
    const background = await decided(100, 'background', 3600);
    expect(background).toMatchObject({ by: 'bounded', nothingNew: true });
    const known = new Map([['pod', new Set(['stored', 'gone'])]]);
    expect(haveSameViews(known, known)).toBe(true);
    expect(haveSameViews(new Map([['pod', new Set(['stored'])]]), known)).toBe(false);
    expect(haveSameViews(known, new Map([['pod', new Set(['stored'])]]))).toBe(false);
    expect(haveSameViews(new Map(), known)).toBe(false);
  });

  it('has the fates of all members, and is a proof where all were searched', async () => {
    const orphan = await decided(3, 'orphan', 3600);
    expect(orphan.by).toBe('search');
    expect([...orphan.fates].map(([uid, { fate }]) => [uid, fate]).sort()).toEqual([
      ['u-0', 'stays'],
      ['u-1', 'stays'],
      ['u-2', 'stays'],
      ['u-root', 'goes'],
    ]);
  });
});
