import { describe, expect, it } from 'vitest';
import { withoutTeardowns } from '../../input/cluster/teardowns.ts';
import { PLAIN_WORLD, setupIn } from '../../input/cluster/worlds.ts';
import type { ObjectKey, Operator, OwnerReference, Setup } from '../../model/index.ts';
import { grown } from '../../run/questions/deciding/grow.ts';
import { inPieces } from '../../run/questions/deciding/in-pieces.ts';
import { budget, words } from './deciding.ts';
import { dumpPlan } from './dump-plan.ts';

const HOLD = 'example.com/hold';

function ownerOf(apiVersion: string, kind: string, name: string): OwnerReference {
  return { apiVersion, kind, name, uid: `u-${name}` };
}

const RBAC = 'rbac.authorization.k8s.io/v1';

function definition(
  uid: string,
  group: string,
  kind: string,
  ownerReferences: readonly OwnerReference[],
): object {
  const plural = `${kind.toLowerCase()}s`;
  return {
    ...{ apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' },
    metadata: { name: `${plural}.${group}`, uid, ownerReferences },
    spec: { group, scope: 'Namespaced', names: { plural, kind } },
  };
}

/**
 * An Application tracks the role that owns the definition of Applications, and has an owner that
 * never goes, unless the owner of its finalizer acts.
 */
function textOf(isOwned: boolean): string {
  const items = [
    {
      ...{ apiVersion: 'v1', kind: 'ConfigMap' },
      metadata: { name: 'root', namespace: 'shop', uid: 'u-root', finalizers: [HOLD] },
    },
    {
      ...{ apiVersion: 'argoproj.io/v1alpha1', kind: 'Application' },
      metadata: {
        ...{ name: 'app', namespace: 'shop', uid: 'u-app' },
        finalizers: ['resources-finalizer.argocd.argoproj.io/background'],
        ownerReferences: [ownerOf('v1', 'ConfigMap', 'root')],
      },
      spec: { destination: { namespace: 'shop' } },
    },
    {
      ...{ apiVersion: RBAC, kind: 'ClusterRole', rules: [] },
      metadata: {
        ...{ name: 'role', uid: 'u-role' },
        annotations: { 'argocd.argoproj.io/tracking-id': `app:${RBAC}/ClusterRole:shop/role` },
      },
    },
    {
      ...{ apiVersion: 'example.com/v1', kind: 'Widget' },
      metadata: { name: 'widget', namespace: 'shop', uid: 'u-widget' },
    },
    definition('u-crd-of-widgets', 'example.com', 'Widget', []),
    definition(
      ...(['u-crd', 'argoproj.io', 'Application'] as const),
      isOwned ? [ownerOf(RBAC, 'ClusterRole', 'role')] : [],
    ),
  ];
  return JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
}

describe('operators that delete what owns the definition of their objects', () => {
  it('never begin where nothing else does', async () => {
    const plan = await dumpPlan(textOf(true), 'cm/root', 'background', [HOLD]);
    const whole = words(await grown(plan, PLAIN_WORLD, budget()));
    expect(new Set(Object.values(whole))).toEqual(new Set(['stays']));
    expect(Object.keys(whole).length).toBe(4);
    const pieces = await inPieces(plan, PLAIN_WORLD, budget());
    expect(pieces?.by).not.toBe('search');
    expect(whole).toMatchObject(words(pieces));
  });

  it('are left out where it goes without them', async () => {
    const targets = 'cm/root crd/applications.argoproj.io';
    const plan = await dumpPlan(textOf(false), targets, 'background', [HOLD]);
    const pieces = words(await inPieces(plan, PLAIN_WORLD, budget()));
    expect(pieces).toEqual({
      'u-root': 'stays',
      'u-app': 'goes',
      'u-role': 'goes',
      'u-crd': 'goes',
    });
  });

  it('may wait for themselves through definitions', async () => {
    const targets = 'cm/root crd/widgets.example.com';
    const plan = await dumpPlan(textOf(true), targets, 'background', [HOLD]);
    const { setup } = setupIn(plan.setup, plan.cluster!, PLAIN_WORLD);
    const isLeftOut = (changed: Setup): boolean =>
      withoutTeardowns(changed, new Set()).operators === undefined;
    expect(isLeftOut(setup)).toBe(false);
    const [role, root] = [ownerOf(RBAC, 'ClusterRole', 'role'), ownerOf('v1', 'ConfigMap', 'root')];
    const alone = withOwners(withParent(setup, 'ConfigMap/shop/root', 'u-root'), { 'u-app': [] });
    expect(isLeftOut(alone)).toBe(true);
    // The definition begins once the operator has ended.
    const last = withOwners(alone, { 'u-crd': [root] });
    expect(isLeftOut(last)).toBe(true);
    expect(isLeftOut(withOwners(last, { 'u-app': [role] }))).toBe(false);
    // It begins with the role, then its instance owns another definition.
    const app = ownerOf('argoproj.io/v1alpha1', 'Application', 'app');
    const further = withOwners(alone, { 'u-crd-of-widgets': [app] });
    expect(isLeftOut(further)).toBe(true);
    const widget = ownerOf('example.com/v1', 'Widget', 'widget');
    expect(isLeftOut(withOwners(further, { 'u-root': [widget] }))).toBe(false);
    // Both trees of the operator have a widget, whose definition may go once another one is gone.
    const owners = { 'u-crd': [], 'u-crd-of-widgets': [app], 'u-root': [widget] };
    const apart = withOwners(alone, owners);
    const one = apart.objects.find(({ uid }) => uid === 'u-widget')!;
    const other = { ...one, name: 'other', uid: 'u-other', ownerReferences: [role] };
    const two = { ...apart, objects: [...apart.objects, other] };
    expect(isLeftOut(two)).toBe(true);
    const key = 'Application.argoproj.io/shop/app' as ObjectKey;
    const options = { propagationPolicy: 'Foreground' } as const;
    const bob = [{ request: { do: 'delete', key, options }, after: [] }] as const;
    expect(isLeftOut({ ...two, users: { ...two.users, bob } })).toBe(false);
  });
});

/** The setup where the operator is of this object. */
function withParent(setup: Setup, key: string, uid: string): Setup {
  const names: readonly (string | undefined)[] = (setup.operators ?? []).map(
    (one) => one.finalizer,
  );
  const operators = setup.operators?.map((one): Operator => ({ ...one, parent: { key, uid } }));
  const objects = setup.objects.map((one) =>
    one.uid === uid
      ? { ...one, finalizers: names.flatMap((name) => name ?? []) }
      : { ...one, finalizers: one.finalizers.filter((name) => !names.includes(name)) },
  );
  return { ...setup, objects, ...(operators === undefined ? {} : { operators }) };
}

/** The setup where these objects, by uid, have these owners. */
function withOwners(
  setup: Setup,
  owners: Readonly<Record<string, readonly OwnerReference[]>>,
): Setup {
  const objects = setup.objects.map((one) => {
    const { [one.uid]: ownerReferences = one.ownerReferences } = owners;
    return { ...one, ownerReferences };
  });
  return { ...setup, objects };
}
