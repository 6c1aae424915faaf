import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { piecesOf } from '../../input/cluster/pieces.ts';
import { isSafe } from '../../input/cluster/replacements.ts';
import { PLAIN_WORLD, type World } from '../../input/cluster/worlds.ts';
import { CASCADES, type Cascade } from '../../input/plan.ts';
import { inPieces } from '../../run/questions/deciding/in-pieces.ts';
import { randomRuns } from '../checker/support/random-runs.ts';
import { budget, decidedAsWhole, words } from './deciding.ts';
import { dumpPlan } from './dump-plan.ts';

const HOLD = 'example.com/hold';

const KINDS = ['Alpha', 'Beta', 'ConfigMap'] as const;

interface Item {
  readonly kind: (typeof KINDS)[number];
  /** Places of owners among the items before it; larger ones are none. */
  readonly owners: readonly number[];
  readonly held: boolean;
}

const PLAIN: Item = { kind: 'Alpha', owners: [], held: false };

function beneath(owner: number, kind: Item['kind'] = 'Alpha'): Item {
  return { ...PLAIN, kind, owners: [owner] };
}

/** A cluster role by its number. Those from 2 on are not there. */
function roleRef(place: number): object {
  const apiVersion = 'rbac.authorization.k8s.io/v1';
  return {
    ...{ apiVersion, kind: 'ClusterRole', name: `r${place}`, uid: `u-r${place}` },
    blockOwnerDeletion: true,
  };
}

/** A cluster role, and another one that it owns. */
function rolesOf(held: readonly boolean[]): readonly object[] {
  return held.map((isHeld, place) => ({
    ...{ apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', rules: [] },
    metadata: {
      ...{ name: `r${place}`, uid: `u-r${place}`, finalizers: isHeld ? [HOLD] : [] },
      ownerReferences: place === 0 ? [] : [roleRef(place - 1)],
    },
  }));
}

/**
 * Definitions of two kinds, objects of these, and ConfigMaps.
 *
 * @param owners for each definition, the numbers of the cluster roles that own it.
 */
function textOf(
  given: readonly Item[],
  more: readonly object[] = [],
  owners: readonly (readonly number[])[] = [],
): string {
  const definitions = ['Alpha', 'Beta'].map((kind, index) => {
    const name = `${kind.toLowerCase()}s.example.com`;
    const names = { plural: `${kind.toLowerCase()}s`, kind };
    return {
      ...{ apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' },
      metadata: { name, uid: `u-${name}`, ownerReferences: (owners[index] ?? []).map(roleRef) },
      spec: { group: 'example.com', scope: 'Namespaced', names },
    };
  });
  const versionOf = (kind: string): string => (kind === 'ConfigMap' ? 'v1' : 'example.com/v1');
  const items = given.map(({ kind, owners, held }, index) => ({
    ...{ apiVersion: versionOf(kind), kind },
    metadata: {
      ...{ name: `o${index}`, namespace: 'shop', uid: `u-${index}` },
      finalizers: held ? [HOLD] : [],
      ownerReferences: [...new Set(owners)]
        .filter((owner) => owner < index)
        .map((owner) => {
          const { kind } = given[owner]!;
          return { apiVersion: versionOf(kind), kind, name: `o${owner}`, uid: `u-${owner}` };
        }),
    },
  }));
  const namespace = {
    ...{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop', uid: 'u-shop' } },
    spec: { finalizers: ['kubernetes'] },
  };
  const all = [...definitions, namespace, ...items, ...more];
  return JSON.stringify({ apiVersion: 'v1', kind: 'List', items: all });
}

const ALPHA = 'crd/alphas.example.com';
const BOTH = `${ALPHA} crd/betas.example.com`;

describe('pieces of definitions', () => {
  it('have the fates of the whole', async () => {
    const item = fc.record({
      kind: fc.constantFrom('Alpha' as const, ...KINDS),
      owners: fc.uniqueArray(fc.nat(1), { maxLength: 2 }),
      held: fc.constantFrom(false, false, true),
    });
    const items = fc.array(item, { minLength: 1, maxLength: 2 });
    const targets = fc.constantFrom(ALPHA, BOTH, `${ALPHA} ns/shop`, `${BOTH} cm/o0`);
    const cascades = fc.constantFrom(...CASCADES);
    let decided = 0;
    await fc.assert(
      fc.asyncProperty(items, targets, cascades, fc.boolean(), async (some, target, ...rest) => {
        const [cascade, act] = rest;
        if (target.endsWith('o0') && some[0]?.kind !== 'ConfigMap') return;
        const plan = await dumpPlan(textOf(some), target, cascade);
        const world: World = { ...PLAIN_WORLD, finalizers: act ? 'act' : 'never' };
        if (await decidedAsWhole(plan, world)) decided++;
      }),
      { numRuns: randomRuns(10), seed: 3 },
    );
    expect(decided).toBeGreaterThan(4);
  });

  it('lack a namespace that is being deleted where nothing of the piece is in it', async () => {
    const going = '"deletionTimestamp":"2026-01-01T00:00:00Z",';
    const text = textOf([PLAIN, { ...PLAIN, kind: 'ConfigMap' }]);
    const plan = await dumpPlan(
      text.replace('"uid":"u-shop"', `${going}"uid":"u-shop"`),
      ALPHA,
      'background',
    );
    expect(await decidedAsWhole(plan, PLAIN_WORLD)).toBe(true);
  });

  it('have the fates of the whole where definitions have owners', async () => {
    const item = fc.record({
      kind: fc.constantFrom('Alpha' as const, ...KINDS),
      owners: fc.uniqueArray(fc.nat(1), { maxLength: 1 }),
      held: fc.constantFrom(false, false, true),
    });
    const items = fc.array(item, { minLength: 1, maxLength: 1 });
    const role = fc.constantFrom(false, false, true);
    const roles = fc.array(role, { minLength: 1, maxLength: 2 });
    const owners = fc.uniqueArray(fc.constantFrom(0, 1, 1, 2), { maxLength: 2 });
    const targets = fc.constantFrom(
      'clusterrole/r0',
      'clusterrole/r0',
      `clusterrole/r0 ${ALPHA}`,
      'clusterrole/r0 ns/shop',
      'clusterrole/r0 cm/o0',
    );
    const arguments_ = [
      items,
      roles,
      fc.array(owners, { minLength: 1, maxLength: 2 }),
      targets,
      fc.constantFrom('background', 'background', ...CASCADES),
      fc.boolean(),
    ] as const;
    let decided = 0;
    await fc.assert(
      fc.asyncProperty(...arguments_, async (some, held, owned, target, cascade, act) => {
        if (target.endsWith('o0') && some[0]?.kind !== 'ConfigMap') return;
        const plan = await dumpPlan(textOf(some, rolesOf(held), owned), target, cascade);
        const world: World = { ...PLAIN_WORLD, finalizers: act ? 'act' : 'never' };
        if (await decidedAsWhole(plan, world)) decided++;
      }),
      { numRuns: randomRuns(6), seed: 3 },
    );
    expect(decided).toBeGreaterThan(1);
  });

  it('begin where the owner of the definition goes', async () => {
    const plan = await dumpPlan(
      textOf([PLAIN], rolesOf([true]), [[0]]),
      'clusterrole/r0',
      'background',
    );
    const fates = async (finalizers: World['finalizers']) =>
      words(await inPieces(plan, { ...PLAIN_WORLD, finalizers }, budget()));
    const definition = 'u-alphas.example.com';
    expect(await fates('act')).toEqual({ 'u-0': 'goes', 'u-r0': 'goes', [definition]: 'goes' });
    expect(await fates('never')).toEqual({
      'u-0': 'stays',
      'u-r0': 'stays',
      [definition]: 'stays',
    });
  });

  it('hold back owners that wait for them until all instances go', async () => {
    const held = { ...PLAIN, held: true };
    const text = textOf([PLAIN, held], rolesOf([false, false]), [[1]]);
    const plan = await dumpPlan(text, 'clusterrole/r0', 'foreground');
    const fates = async (finalizers: World['finalizers']) =>
      words(await inPieces(plan, { ...PLAIN_WORLD, finalizers }, budget()));
    const definition = 'u-alphas.example.com';
    const instances = { 'u-0': 'goes', 'u-1': 'goes' };
    const owners = { 'u-r0': 'goes', 'u-r1': 'goes' };
    expect(await fates('act')).toEqual({ ...instances, ...owners, [definition]: 'goes' });
    const waiting = { 'u-r0': 'stays', 'u-r1': 'stays' };
    const stuck = { 'u-0': 'goes', 'u-1': 'stays', [definition]: 'stays', ...waiting };
    expect(await fates('never')).toEqual(stuck);
  });

  it('tell which of the kinds has a definition that goes', async () => {
    const items = [PLAIN, beneath(0, 'Beta'), { ...PLAIN, kind: 'Beta' as const }, beneath(2)];
    const plan = await dumpPlan(textOf(items), ALPHA, 'background');
    expect(words(await inPieces(plan, PLAIN_WORLD, budget()))).toMatchObject({
      ...{ 'u-0': 'goes', 'u-1': 'goes', 'u-2': 'stays', 'u-3': 'goes' },
      'u-alphas.example.com': 'goes',
    });
  });

  it('decide any number of instances with all that they own', async () => {
    const many = Array.from({ length: 30 }, (_, tree): readonly Item[] => [
      { ...PLAIN, held: tree === 0 },
      beneath(3 * tree, 'Beta'),
      beneath(3 * tree + 1, 'ConfigMap'),
    ]);
    const plan = await dumpPlan(textOf(many.flat()), BOTH, 'foreground');
    const world: World = { ...PLAIN_WORLD, finalizers: 'never' };
    const found = words(await inPieces(plan, world, budget()));
    expect(Object.keys(found).length).toBe(92);
    expect(Object.entries(found).filter(([, fate]) => fate !== 'goes')).toEqual([
      ['u-0', 'stays'],
      ['u-alphas.example.com', 'stays'],
    ]);
  });

  it('have the definition of an owner that is not there', async () => {
    const configMap = (name: string, apiVersion: string, kind: string, owner: string) => ({
      ...{ apiVersion: 'v1', kind: 'ConfigMap' },
      metadata: {
        ...{ name, namespace: 'shop', uid: `u-${name}` },
        ownerReferences: [{ apiVersion, kind, name: owner, uid: `u-${owner}` }],
      },
    });
    const planOf = (kind: string, cascade: Cascade) => {
      const more = [
        configMap('beneath', 'example.com/v1', kind, 'lost'),
        configMap('asked', 'v1', 'ConfigMap', 'beneath'),
      ];
      return dumpPlan(textOf([PLAIN], more), `${ALPHA} cm/asked`, cascade);
    };
    const decided = async (kind: string): Promise<boolean> =>
      decidedAsWhole(await planOf(kind, 'background'), PLAIN_WORLD);
    expect(await decided('Beta')).toBe(true);
    // Once it is gone, the collector cannot find out that the owner is absent.
    expect(await decided('Alpha')).toBe(false);
    // In such a tree nothing may wait for dependents.
    expect(piecesOf((await planOf('Beta', 'foreground')).setup)).not.toBe(null);
    expect(piecesOf((await planOf('Alpha', 'foreground')).setup)).toBe(null);
  });

  it('are none where an instance may wait for its dependents', async () => {
    const pieces = async (items: readonly Item[]) => {
      const { setup } = await dumpPlan(textOf(items), `${ALPHA} alpha/o0`, 'foreground');
      return piecesOf(setup);
    };
    expect(await pieces([PLAIN])).not.toBe(null);
    expect(await pieces([PLAIN, beneath(0, 'ConfigMap')])).toBe(null);
  });

  it('are none where a definition that goes refuses requests', async () => {
    const { setup } = await dumpPlan(textOf([PLAIN]), ALPHA, 'background');
    expect(isSafe(setup, setup.objects.find(({ uid }) => uid === 'u-0')!)).toBe(false);
    const rules = { ...setup.rules, terminatingDefinition: 'rejectsWrites' as const };
    expect(piecesOf(setup)).not.toBe(null);
    expect(piecesOf({ ...setup, rules })).toBe(null);
    expect(piecesOf({ ...setup, definitionLookup: 'cached' })).toBe(null);
  });
});
