import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withoutTeardowns } from '../../input/cluster/teardowns.ts';
import { PLAIN_WORLD, setupIn } from '../../input/cluster/worlds.ts';
import type { ObjectKey } from '../../model/index.ts';
import { decide } from '../../run/questions/deciding/decide.ts';
import { grown } from '../../run/questions/deciding/grow.ts';
import { inPieces } from '../../run/questions/deciding/in-pieces.ts';
import { budget, words } from './deciding.ts';
import { dumpPlan } from './dump-plan.ts';

const FINALIZER = 'resources-finalizer.argocd.argoproj.io/background';

describe('operators in a namespace that is deleted', () => {
  it('leave or take what they delete, as they may be deleted first', async () => {
    const world = { ...PLAIN_WORLD, finalizers: 'may' } as const;
    const [first, others] = await Promise.all([planOfHome(0), planOfHome(1)]);
    const decision = await decide(first, world, { ...budget(), limits: { states: 300 } });
    expect(decision.apart?.division).toBe('pieces');
    const found = words(decision);
    expect(found).toEqual({
      'u-app': 'either',
      'u-argocd': 'either',
      'u-s': 'either',
      'u-t': 'either',
    });
    expect(words(await grown(first, world, budget()))).toEqual(found);
    // What the operators cannot hold goes, also if they stop halfway.
    expect(words(await inPieces(others, world, budget()))).toEqual({ ...found, 'u-c0': 'goes' });
  });
});

describe('operators that delete a namespace', () => {
  it('are as users, also for what is in it', async () => {
    await fc.assert(
      fc.asyncProperty(fc.boolean(), async (held) => {
        const plan = await planOfNamespace([held]);
        const pieces = words(await inPieces(plan, PLAIN_WORLD, budget()));
        expect(new Set(Object.values(pieces))).toEqual(new Set(['goes']));
        expect(pieces).toEqual(words(await grown(plan, PLAIN_WORLD, budget())));
      }),
      { numRuns: 2, seed: 4 },
    );
    const { setup, cluster } = await planOfNamespace([false, false]);
    const given = setupIn(setup, cluster!, PLAIN_WORLD).setup;
    expect(withoutTeardowns(given, new Set()).operators).toBeUndefined();
    // What else deletes one of these can pause Argo CD before it has sent all DELETEs.
    const key = 'ConfigMap/data/c0' as ObjectKey;
    const bob = [{ request: { do: 'delete', key, options: {} }, after: [] }] as const;
    const asked = { ...given, users: { ...given.users, bob } };
    expect(withoutTeardowns(asked, new Set())).toBe(asked);
    // So can the controller of a namespace that others delete, in which a pod stays.
    const isOther = (name: unknown): boolean => name !== 'Namespace//data';
    const operators = given.operators!.map((one) => ({
      ...{ ...one, deletes: one.deletes.filter((deletion) => isOther(deletion.key)) },
      ...{ pausedBy: one.pausedBy!.filter(isOther), waitsFor: one.waitsFor.filter(isOther) },
    }));
    const emptied = { ...given, operators };
    expect(withoutTeardowns(emptied, new Set(['data']))).toBe(emptied);
  });
});

/** An Application that deletes a namespace, and what is in it. */
function planOfNamespace(contents: readonly boolean[]) {
  const by = (id: string) => ({ annotations: { 'argocd.argoproj.io/tracking-id': `app:${id}` } });
  const items = [
    {
      ...{ apiVersion: 'v1', kind: 'Namespace', spec: { finalizers: ['kubernetes'] } },
      metadata: { ...{ name: 'data', uid: 'u-data' }, ...by('/Namespace:/data') },
    },
    ...contents.map((held, index) => ({
      ...{ apiVersion: 'v1', kind: 'ConfigMap' },
      metadata: {
        ...{ name: `c${index}`, namespace: 'data', uid: `u-c${index}` },
        ...{ ...by(`/ConfigMap:data/c${index}`), finalizers: held ? ['example.com/hold'] : [] },
      },
    })),
    {
      ...{ apiVersion: 'argoproj.io/v1alpha1', kind: 'Application' },
      metadata: {
        ...{ name: 'app', namespace: 'shop', uid: 'u-app' },
        finalizers: [FINALIZER],
      },
      spec: { destination: { namespace: 'data' } },
    },
  ];
  return dumpPlan(JSON.stringify({ kind: 'List', items }), 'application/app', 'background');
}

/** An Application in a namespace that is deleted, and so many ConfigMaps beside it. */
function planOfHome(beside: number) {
  const by = { 'argocd.argoproj.io/tracking-id': 'app:/ConfigMap:shop/t' };
  const configMap = (name: string, namespace: string, rest = {}) => ({
    ...{ apiVersion: 'v1', kind: 'ConfigMap' },
    metadata: { ...{ name, namespace, uid: `u-${name}` }, ...rest },
  });
  const items = [
    {
      ...{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'argocd', uid: 'u-argocd' } },
      spec: { finalizers: ['kubernetes'] },
    },
    {
      ...{ apiVersion: 'argoproj.io/v1alpha1', kind: 'Application' },
      metadata: {
        ...{ name: 'app', namespace: 'argocd', uid: 'u-app' },
        finalizers: [FINALIZER],
      },
      spec: { destination: { namespace: 'shop' } },
    },
    configMap('t', 'shop', { annotations: by }),
    // Where each object is a tree by itself, the whole is searched.
    configMap('s', 'shop', {
      ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 't', uid: 'u-t' }],
    }),
    ...Array.from({ length: beside }, (_, index) => configMap(`c${index}`, 'argocd')),
  ];
  return dumpPlan(JSON.stringify({ kind: 'List', items }), 'ns/argocd', 'background');
}
