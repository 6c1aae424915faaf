import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withoutTeardowns } from '../../input/cluster/teardowns.ts';
import { PLAIN_WORLD, setupIn } from '../../input/cluster/worlds.ts';
import type { Cascade } from '../../input/plan.ts';
import type { Operator, Setup } from '../../model/index.ts';
import { grown } from '../../run/questions/deciding/grow.ts';
import { inPieces } from '../../run/questions/deciding/in-pieces.ts';
import { randomRuns } from '../checker/support/random-runs.ts';
import { budget, words } from './deciding.ts';
import { dumpPlan } from './dump-plan.ts';

/** What an Application of Argo CD deletes, and waits for. */
interface Tracked {
  readonly held: boolean;
  readonly wave: 0 | 1;
  /** It is being deleted already. */
  readonly goes: boolean;
  /** An object that it owns. */
  readonly child: 'none' | 'free' | 'held';
}

const STUCK = 'example.com/stuck';
const ARGO = 'resources-finalizer.argocd.argoproj.io';

/**
 * @param isEmptied whether the namespace is there as well.
 * @param isDefined whether the definition of Applications is there, too.
 */
function textOf(
  apps: readonly (readonly Tracked[])[],
  isEmptied = false,
  isDefined = false,
): string {
  const shop = {
    ...{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop', uid: 'u-shop' } },
    spec: { finalizers: ['kubernetes'] },
  };
  const items = apps.flatMap((tracked, app) => {
    // Each Application but the first is tracked by the one before it.
    const by = (owner: number, id: string) => ({
      annotations: { 'argocd.argoproj.io/tracking-id': `app${owner}:${id}` },
    });
    const application = {
      ...{ apiVersion: 'argoproj.io/v1alpha1', kind: 'Application' },
      metadata: {
        ...{ name: `app${app}`, namespace: 'shop', uid: `u-app${app}` },
        finalizers: [ARGO],
        ...(app === 0 ? {} : by(app - 1, `argoproj.io/Application:shop/app${app}`)),
      },
      spec: { destination: { namespace: 'shop' } },
    };
    const contents = tracked.flatMap(({ held, child, wave, goes }, index) => {
      const name = `t${app}-${index}`;
      const metadata = {
        ...{ name, namespace: 'shop', uid: `u-${name}`, finalizers: held || goes ? [STUCK] : [] },
        ...(goes ? { deletionTimestamp: '2026-03-02T10:00:00Z' } : {}),
        annotations: {
          ...by(app, `/ConfigMap:shop/${name}`).annotations,
          'argocd.argoproj.io/sync-wave': String(wave),
        },
      };
      const owner = { apiVersion: 'v1', kind: 'ConfigMap', name, uid: `u-${name}` };
      const beneath = {
        ...{ name: `c${app}-${index}`, namespace: 'shop', uid: `u-c${app}-${index}` },
        finalizers: child === 'held' ? [STUCK] : [],
        ownerReferences: [{ ...owner, blockOwnerDeletion: true }],
      };
      const own = { apiVersion: 'v1', kind: 'ConfigMap', metadata };
      return child === 'none'
        ? [own]
        : [own, { apiVersion: 'v1', kind: 'Secret', metadata: beneath }];
    });
    return [application, ...contents];
  });
  const crd = {
    ...{ apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' },
    metadata: { name: 'applications.argoproj.io', uid: 'u-crd' },
    spec: {
      ...{ group: 'argoproj.io', scope: 'Namespaced' },
      names: { plural: 'applications', kind: 'Application' },
    },
  };
  const all = [...(isEmptied ? [shop] : []), ...(isDefined ? [crd] : []), ...items];
  return JSON.stringify({ apiVersion: 'v1', kind: 'List', items: all });
}

function planOf(apps: readonly (readonly Tracked[])[], cascade: Cascade = 'background') {
  const isHeld = apps.flat().some(({ held, child }) => held || child === 'held');
  return dumpPlan(textOf(apps), 'application/app0', cascade, isHeld ? [STUCK] : []);
}

/** The namespace is deleted, with all that is in it. */
function planOfEmptied(tracked: readonly Tracked[]) {
  return dumpPlan(textOf([tracked], true), 'ns/shop', 'background');
}

const FREE: Tracked = { held: false, child: 'none', wave: 0, goes: false };

async function setupOf(apps: readonly (readonly Tracked[])[]): Promise<Setup> {
  const plan = await planOf(apps);
  return setupIn(plan.setup, plan.cluster!, PLAIN_WORLD).setup;
}

describe('operators that delete other objects and wait for them', () => {
  it('leave what they leave in the whole', async () => {
    const tracked = fc.record({
      held: fc.constantFrom(false, false, false, true),
      child: fc.constantFrom('none' as const, 'free' as const, 'free' as const, 'held' as const),
      wave: fc.constantFrom(0 as const, 1 as const),
      goes: fc.constantFrom(false, false, false, true),
    });
    const apps = fc.oneof(
      fc.tuple(fc.array(tracked, { minLength: 1, maxLength: 2 })),
      fc.tuple(fc.array(tracked, { maxLength: 1 }), fc.array(tracked, { maxLength: 1 })),
    );
    const cascades = fc.constantFrom<Cascade[]>('background', 'foreground', 'orphan');
    let decided = 0;
    await fc.assert(
      fc.asyncProperty(apps, cascades, async (some, cascade) => {
        const plan = await planOf(some, cascade);
        const pieces = await inPieces(plan, PLAIN_WORLD, budget());
        if (pieces === null) return;
        decided++;
        const whole = words(await grown(plan, PLAIN_WORLD, budget()));
        expect(whole).toMatchObject(words(pieces));
        if (pieces.by === 'search') expect(words(pieces)).toEqual(whole);
      }),
      { numRuns: randomRuns(10) },
    );
    expect(decided).toBeGreaterThan(1);
  });

  it('leave what they leave in the whole where the definition of their objects goes', async () => {
    const tracked = fc.record({
      held: fc.constantFrom(false, false, false, true),
      child: fc.constantFrom('none' as const, 'none' as const, 'free' as const, 'held' as const),
      wave: fc.constantFrom(0 as const, 1 as const),
      goes: fc.constantFrom(false, false, false, false, true),
    });
    const list = fc.array(tracked, { maxLength: 1 });
    const apps = fc.array(list, { minLength: 1, maxLength: 2 });
    const targets = fc.constantFrom(
      'crd/applications.argoproj.io',
      'crd/applications.argoproj.io',
      'application/app0',
      'crd/applications.argoproj.io application/app0',
      'crd/applications.argoproj.io ns/shop',
    );
    let decided = 0;
    await fc.assert(
      fc.asyncProperty(apps, targets, fc.boolean(), async (some, target, isForeground) => {
        const isHeld = some.flat().some(({ held, child }) => held || child === 'held');
        const text = textOf(some, target.endsWith('shop'), true);
        const cascade = isForeground ? 'foreground' : 'background';
        const plan = await dumpPlan(text, target, cascade, isHeld ? [STUCK] : []);
        const pieces = await inPieces(plan, PLAIN_WORLD, budget());
        if (pieces === null) return;
        const whole = await grown(plan, PLAIN_WORLD, {
          ...budget(),
          limits: { states: 300_000 },
        });
        if (whole === null) return;
        decided++;
        expect(words(whole)).toMatchObject(words(pieces));
      }),
      { numRuns: randomRuns(6), seed: 3 },
    );
    expect(decided).toBeGreaterThan(0);
  });

  it('are as users who send the same, where all that they delete goes', async () => {
    const setup = await setupOf([[FREE], [FREE]]);
    const { operators, users } = withoutTeardowns(setup, new Set());
    expect(operators).toBeUndefined();
    const keys = Object.values(users).flatMap((steps) =>
      steps.map(({ request }) => ('key' in request ? request.key : '')),
    );
    expect(keys.sort()).toEqual([
      'Application.argoproj.io/shop/app0',
      'Application.argoproj.io/shop/app1',
      'ConfigMap/shop/t0-0',
      'ConfigMap/shop/t1-0',
    ]);
    // In a run, each DELETE comes under the name of its operator.
    const [first, second] = setup.operators!.map(({ name }) => name);
    const names = [`${first}, for Application.argoproj.io/app1.shop`, second];
    expect(Object.keys(users)).toEqual(expect.arrayContaining(names));
    const held = await planOf([[FREE, { ...FREE, held: true }]]);
    expect(await inPieces(held, PLAIN_WORLD, budget())).toBeNull();
  });

  it('keep no order in a namespace that is emptied', async () => {
    const plan = await planOfEmptied([FREE]);
    const pieces = words(await inPieces(plan, PLAIN_WORLD, budget()));
    expect(pieces).toEqual(words(await grown(plan, PLAIN_WORLD, budget())));
  });

  it.each(inEmptied)('keep their order in a namespace where %s', async (_, held, change) => {
    const { setup, cluster } = await planOfEmptied([FREE]);
    const given = setupIn(setup, cluster!, PLAIN_WORLD).setup;
    expect(withoutTeardowns(given, new Set()).operators).toBeUndefined();
    const changed = change(given);
    expect(withoutTeardowns(changed, held)).toBe(changed);
  });

  it('wait for all that is in a namespace that they delete', async () => {
    const tracked = { 'argocd.argoproj.io/tracking-id': 'app:/Namespace:/data' };
    const about = (name: string, finalizers: readonly string[], rest: object) => ({
      ...{ name, uid: `u-${name}`, finalizers, ...rest },
    });
    const items = [
      {
        ...{ apiVersion: 'v1', kind: 'Namespace', spec: { finalizers: ['kubernetes'] } },
        metadata: about('data', [], { annotations: tracked }),
      },
      // The piece of this one shows that the namespace goes.
      ...[[], [STUCK]].map((finalizers, index) => ({
        ...{ apiVersion: 'v1', kind: 'ConfigMap' },
        metadata: about(`c${index}`, finalizers, { namespace: 'data' }),
      })),
      {
        ...{ apiVersion: 'argoproj.io/v1alpha1', kind: 'Application' },
        metadata: about('app', [`${ARGO}/background`], { namespace: 'shop' }),
        spec: { destination: { namespace: 'data' } },
      },
    ];
    const text = JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
    const plan = await dumpPlan(text, 'application/app', 'background', [STUCK]);
    expect(words(await grown(plan, PLAIN_WORLD, budget()))).toMatchObject({ 'u-app': 'stays' });
    expect(await inPieces(plan, PLAIN_WORLD, budget())).toBeNull();
  });

  it('wait for all instances of a definition that they delete', async () => {
    const asked = 'crd/applications.argoproj.io';
    const { setup, cluster } = await dumpPlan(textOf([[FREE]], false, true), asked, 'background');
    const given = setupIn(setup, cluster!, PLAIN_WORLD).setup;
    expect(withoutTeardowns(given, new Set()).operators).toBeUndefined();
    // So the Application would wait for itself.
    const [key] = given.definitions!;
    const operators = given.operators!.map((one) => ({
      ...{ ...one, deletes: one.deletes.map((deletion) => ({ ...deletion, key: key! })) },
      ...{ waitsFor: [key!], pausedBy: [key!] },
    }));
    const changed = { ...given, operators };
    expect(withoutTeardowns(changed, new Set())).toBe(changed);
  });

  it('take all of their finalizers off', async () => {
    const dump = JSON.parse(textOf([[FREE], [FREE]])) as {
      items: { metadata: { name: string; finalizers: string[] } }[];
    };
    for (const { metadata } of dump.items) {
      if (metadata.name === 'app0') metadata.finalizers.push(`${ARGO}/background`);
      if (metadata.name === 'app1') metadata.finalizers = [`${ARGO}/background`];
    }
    const plan = await dumpPlan(JSON.stringify(dump), 'application/app0', 'background');
    const whole = words(await grown(plan, PLAIN_WORLD, budget()));
    expect(new Set(Object.values(whole))).toEqual(new Set(['goes']));
    expect(words(await inPieces(plan, PLAIN_WORLD, budget()))).toEqual(whole);
  });

  const changes: [string, (setup: Setup) => Setup][] = [
    ['may stop', withOperator((operator) => ({ ...operator, fairness: 'none' }))],
    ['deletes one after the other', withOperator(inSequence)],
    ['has another finalizer', withOperator((one) => ({ ...one, finalizer: 'example.com/other' }))],
    ['leaves its finalizer on another object', onSecret],
    [
      'has its finalizer taken off by a user',
      (setup) => ({
        ...setup,
        users: {
          ...setup.users,
          bob: [
            {
              request: {
                ...{ do: 'update', key: 'Application.argoproj.io/shop/app1' },
                change: { do: 'removeFinalizer', finalizer: ARGO },
                ...{ put: false, uid: null, resourceVersion: false },
              },
              after: [],
            },
          ],
        },
      }),
    ],
    ['reads a cache', withOperator((operator) => ({ ...operator, reads: 'cache' }))],
    ['waits for more', withOperator((operator) => ({ ...operator, waitsFor: ['dependents'] }))],
    ['deletes its own object', withOperator((one) => deleting(one, one.parent.key))],
    ['deletes what leads back', withOperator((one) => deleting(one, FIRST))],
    ['deletes what is not there', withOperator((one) => deleting(one, 'ConfigMap/shop/none'))],
    [
      'deletes what has an owner',
      (setup) => ({
        ...setup,
        objects: setup.objects.map((object) =>
          object.name === 't1-0'
            ? {
                ...object,
                ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name: 'n', uid: 'n' }],
              }
            : object,
        ),
      }),
    ],
    [
      'deletes what is being deleted',
      (setup) => ({
        ...setup,
        objects: setup.objects.map((object) =>
          object.name === 't1-0' ? { ...object, deletionTimestamp: 0 } : object,
        ),
      }),
    ],
    [
      'is followed by one that deletes in the same tree',
      (setup) => ({
        ...setup,
        objects: setup.objects.map((object) =>
          object.name === 'c1-0'
            ? { ...object, ownerReferences: [] }
            : object.name === 'c0-0'
              ? {
                  ...object,
                  ownerReferences: [
                    ...object.ownerReferences,
                    { apiVersion: 'v1', kind: 'ConfigMap', name: 't1-0', uid: 'u-t1-0' },
                  ],
                }
              : object,
        ),
      }),
    ],
  ];

  it.each(changes)('stay where one %s', async (_, change) => {
    const tracked: Tracked = { ...FREE, child: 'free' };
    const setup = change(await setupOf([[tracked], [tracked, FREE]]));
    expect(withoutTeardowns(setup, new Set())).toBe(setup);
  });
});

const FIRST = 'Application.argoproj.io/shop/app0';

/** Changes the operator of the last Application. */
function withOperator(change: (operator: Operator) => Operator) {
  return (setup: Setup): Setup => {
    const operators = setup.operators ?? [];
    return { ...setup, operators: [...operators.slice(0, -1), change(operators.at(-1)!)] };
  };
}

function inSequence(operator: Operator): Operator {
  const deletes = operator.deletes.map(({ wave: _, ...deletion }) => deletion);
  return { ...operator, deletes };
}

/** An object of nobody has the finalizer of the operators. */
function onSecret(setup: Setup): Setup {
  const objects = setup.objects.map((object) =>
    object.name === 'c1-0' ? { ...object, finalizers: [ARGO] } : object,
  );
  return { ...setup, objects };
}

function deleting(operator: Operator, key: string): Operator {
  const options = { propagationPolicy: 'Foreground' } as const;
  return { ...operator, deletes: [...operator.deletes, { key, options, wave: 0 }] };
}

/** Where something may wait for an operator, though the namespace is deleted. */
const inEmptied: [string, held: ReadonlySet<string>, (setup: Setup) => Setup][] = [
  ['a pod stays', new Set(['shop']), (setup) => setup],
  ['one deletes the namespace', new Set(), withOperator((one) => deleting(one, 'Namespace//shop'))],
  ['one deletes its own object', new Set(), withOperator((one) => deleting(one, one.parent.key))],
  [
    'one is of a pod',
    new Set(),
    (setup) => {
      const isApp = ({ kind }: { readonly kind: string }) => kind === 'Application.argoproj.io';
      const objects = setup.objects.map((one) => (isApp(one) ? { ...one, kind: 'Pod' } : one));
      const key = 'Pod/shop/app0';
      const ofPod = withOperator((one) => ({ ...one, parent: { ...one.parent, key } }));
      return ofPod({ ...setup, objects });
    },
  ],
];
