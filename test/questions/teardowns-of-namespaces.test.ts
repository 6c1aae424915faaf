import { describe, expect, it } from 'vitest';
import { PLAIN_WORLD } from '../../input/cluster/worlds.ts';
import { decide } from '../../run/questions/deciding/decide.ts';
import { grown } from '../../run/questions/deciding/grow.ts';
import { inBothWays } from '../../run/questions/deciding/in-both-ways.ts';
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
    // Of what goes either way, only a search with operators that stop halfway can say so.
    expect(words(await inBothWays(others, world, budget()))).toEqual(found);
    expect(await inBothWays(others, PLAIN_WORLD, budget())).toBeNull();
  });
});

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
