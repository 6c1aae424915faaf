import { describe, expect, it } from 'vitest';
import { check, type Property } from '../../checker/index.ts';
import { isOver } from '../../model/settled.ts';
import type { Operator, Setup } from '../../model/setup.ts';
import type { Cluster } from '../../model/state.ts';
import { deletionModel } from '../../model/system.ts';
import { alice, configMap, HOLD, object, ownedBy, setupOf } from '../properties/clusters.ts';

/** Whether some run ends like this. */
async function canEnd(setup: Setup, end: (cluster: Cluster) => boolean): Promise<boolean> {
  const property: Property<Cluster> = {
    kind: 'witness',
    name: 'end',
    reached: (cluster) => isOver(setup, cluster) && end(cluster),
  };
  const { outcome, properties } = await check({
    model: deletionModel(setup),
    properties: [property],
    limits: { states: 50_000 },
    auditEvery: 10,
  });
  expect(outcome).toBe('complete');
  return properties[0]?.verdict === 'holds';
}

const FINALIZER = 'example.com/teardown';
const key = (name: string) => `ConfigMap/default/${name}`;
const gone = (name: string) => (cluster: Cluster) => cluster.store[key(name)] === undefined;
const removal = alice({ do: 'delete', key: key('a'), options: {} });

function operator(more: Partial<Operator>): Pick<Setup, 'operators'> {
  const plain: Operator = {
    name: 'example-operator',
    parent: { key: key('a'), uid: 'uid-a' },
    finalizer: FINALIZER,
    addsFinalizer: false,
    creates: [],
    deletes: [],
    waitsFor: [],
    reads: 'cache',
    fairness: 'weak',
  };
  return { operators: [{ ...plain, ...more }] };
}

describe('a controller with a finalizer', () => {
  const held = configMap('a', { finalizers: [FINALIZER] });

  it.each(['cache', 'live'] as const)('lets its object go, deciding on: %s', async (reads) => {
    const setup = setupOf([held], { ...removal, ...operator({ reads }) });
    expect(await canEnd(setup, gone('a'))).toBe(true);
    expect(await canEnd(setup, (cluster) => !gone('a')(cluster))).toBe(false);
  });

  it('may stop before, if it is bound to nothing', async () => {
    const setup = setupOf([held], { ...removal, ...operator({ fairness: 'none' }) });
    const model = deletionModel(setup);
    expect(model.actions.reconcileAtWill?.fairness).toBe('none');
    const isDeleting = (cluster: Cluster) => cluster.store[key('a')]?.deletionTimestamp === 0;
    expect(await canEnd(setup, isDeleting)).toBe(true);
    expect(await canEnd(setup, gone('a'))).toBe(true);
  });

  it('never lets it go, if it is said to be stuck', async () => {
    const stuck = { finalizers: { [FINALIZER]: 'stuck' as const } };
    const setup = setupOf([held], { ...removal, ...operator({}), ...stuck });
    expect(await canEnd(setup, gone('a'))).toBe(false);
  });

  it('deletes one thing after the other, and waits', async () => {
    const deletes = ['b', 'c'].map((name) => ({ key: key(name), options: {} }));
    const objects = [held, configMap('b', { finalizers: [HOLD] }), configMap('c')];
    const setup = setupOf(objects, {
      ...removal,
      ...operator({ deletes, waitsFor: [key('c')] }),
      finalizers: { [HOLD]: 'stuck' },
    });
    expect(await canEnd(setup, (cluster) => cluster.store[key('b')]?.deletionTimestamp === 0)).toBe(
      true,
    );
    expect(await canEnd(setup, (cluster) => gone('a')(cluster) || gone('c')(cluster))).toBe(false);
    const freed: Setup = { ...setup, finalizers: { [HOLD]: 'cooperative' } };
    expect(await canEnd(freed, (cluster) => Object.keys(cluster.store).length === 0)).toBe(true);
  });

  it('puts it on before it creates anything', async () => {
    const creates = [configMap('b', { ownerReferences: [ownedBy('a')] })];
    const setup = setupOf([configMap('a')], operator({ addsFinalizer: true, creates }));
    const early: Property<Cluster> = {
      kind: 'invariant',
      name: 'the finalizer comes first',
      holds: (cluster) =>
        gone('b')(cluster) || cluster.store[key('a')]?.finalizers.includes(FINALIZER) === true,
    };
    const { properties } = await check({ model: deletionModel(setup), properties: [early] });
    expect(properties[0]?.verdict).toBe('holds');
    expect(await canEnd(setup, (cluster) => !gone('b')(cluster))).toBe(true);
  });
});

describe('a controller with a cache', () => {
  const set = object('ReplicaSet.apps', 'x', { generation: 1 });
  const pod = object('Pod', 'p', {
    pod: { terminationGracePeriodSeconds: null, scheduled: false, finished: false },
    ownerReferences: [
      { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'x', uid: 'uid-x', controller: true },
    ],
  });
  const parent = { key: 'ReplicaSet.apps/default/x', uid: 'uid-x' };
  const deletion = alice({
    do: 'delete',
    key: parent.key,
    options: { propagationPolicy: 'Foreground' },
  });
  const setup = setupOf([set], {
    ...deletion,
    workloads: [{ parent, replicas: 1, children: [pod], caches: 'own' }],
  });

  it('may create a child of a parent that is being deleted', async () => {
    const late: Property<Cluster> = {
      kind: 'step',
      name: 'no child of a parent that is being deleted',
      actions: ['reconcile'],
      holds: (before, _action, after) =>
        Object.keys(after.store).length === Object.keys(before.store).length ||
        before.store[parent.key]?.deletionTimestamp === null,
    };
    const { properties } = await check({ model: deletionModel(setup), properties: [late] });
    expect(properties[0]?.verdict).toBe('violated');
  });

  it('does nothing while the controller manager is down, and looks anew after it', async () => {
    const users = {
      alice: [
        { request: { do: 'stopControllers' as const }, after: [] },
        { request: { do: 'startControllers' as const }, after: [] },
      ],
    };
    const restarted: Setup = { ...setup, users };
    expect(await canEnd(restarted, (cluster) => cluster.store['Pod/default/p'] === undefined)).toBe(
      false,
    );
    const down: Setup = { ...setup, users: { alice: users.alice.slice(0, 1) } };
    expect(await canEnd(down, (cluster) => cluster.store['Pod/default/p'] === undefined)).toBe(
      true,
    );
  });
});
