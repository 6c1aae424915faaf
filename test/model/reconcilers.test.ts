import { produce } from 'immer';
import { describe, expect, it } from 'vitest';
import { check, type Property } from '../../checker/index.ts';
import { isKeptByActor, isRemovedByNone } from '../../model/actors/registry.ts';
import type { Cluster } from '../../model/state/cluster.ts';
import { keyOf } from '../../model/state/objects.ts';
import type { Setup } from '../../model/state/setup.ts';
import { deletionModel } from '../../model/system.ts';
import {
  alice,
  clusterOf,
  configMap,
  HOLD,
  object,
  ownedBy,
  setupOf,
} from '../properties/clusters.ts';
import { canEnd, FINALIZER, gone, key, operator, removal } from './operators.ts';

describe('a controller with a finalizer', () => {
  const held = configMap('a', { finalizers: [FINALIZER] });

  it.each(['cache', 'live'] as const)('lets its object go, deciding on: %s', async (reads) => {
    const setup = setupOf([held], { ...removal, ...operator({ reads }) });
    expect(await canEnd(setup, gone('a'))).toBe(true);
    expect(await canEnd(setup, (cluster) => !gone('a')(cluster))).toBe(false);
  });

  it('can stop before, if it is not fair', async () => {
    const setup = setupOf([held], { ...removal, ...operator({ fairness: 'none' }) });
    const model = deletionModel(setup);
    expect(model.actions.reconcileObjectAtWill?.fairness).toBe('none');
    const isDeleting = (cluster: Cluster) => cluster.store[key('a')]?.deletionTimestamp === 0;
    expect(await canEnd(setup, isDeleting)).toBe(true);
    expect(await canEnd(setup, gone('a'))).toBe(true);
  });

  it.each([
    ['its own object', held, {}, 'goes'],
    ['its own object, if it may stop', held, { fairness: 'none' }, 'may stay'],
    ['another one of that name', { ...held, uid: 'uid-later' }, {}, 'nobody removes it'],
    ['an object of another name', { ...held, name: 'b', uid: 'uid-b' }, {}, 'nobody removes it'],
  ] as const)('removes its finalizer from its object only: %s', (_, found, more, fate) => {
    const setup = setupOf([found], operator(more));
    const isKept = isKeptByActor(setup, clusterOf([found]), keyOf(found), FINALIZER);
    const byNone = isRemovedByNone(setup, FINALIZER, keyOf(found), found.uid);
    expect(byNone ? 'nobody removes it' : isKept ? 'may stay' : 'goes').toBe(fate);
  });

  it('never removes its finalizer, if the scenario says that it is stuck', async () => {
    const stuck = { finalizers: { [FINALIZER]: 'stuck' as const } };
    const setup = setupOf([held], { ...removal, ...operator({}), ...stuck });
    expect(await canEnd(setup, gone('a'))).toBe(false);
  });

  it('deletes one object after the other, and waits', async () => {
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

  it('adds its finalizer before it creates anything', async () => {
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

  it('can create a child of a parent that is being deleted', async () => {
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

  it('creates no more than it wants, though it sees its pods late', async () => {
    const other = { ...pod, name: 'q', uid: 'uid-q' };
    const workload = { parent, replicas: 1, children: [pod, other], caches: 'own' as const };
    const many: Property<Cluster> = {
      kind: 'invariant',
      name: 'one pod at a time',
      holds: ({ store }) =>
        store['Pod/default/p'] === undefined || store['Pod/default/q'] === undefined,
    };
    // The controller reads its caches again after this change.
    const scaling = alice({
      do: 'update',
      key: parent.key,
      change: { do: 'scale', replicas: 1 },
      put: false,
      uid: null,
      resourceVersion: false,
    });
    const model = deletionModel(setupOf([set], { workloads: [workload], ...scaling }));
    const { properties } = await check({ model, properties: [many] });
    expect(properties[0]?.verdict).toBe('holds');
  });

  it('does nothing while the controller manager is down, and reads its caches again afterwards', async () => {
    const users = {
      alice: [
        { request: { do: 'stopControllers' as const }, after: [] },
        { request: { do: 'startControllers' as const }, after: [] },
      ],
    };
    const restarted: Setup = { ...setup, users };
    const idle: Property<Cluster> = {
      kind: 'step',
      name: 'nothing while it is down',
      actions: ['reconcile'],
      holds: (before) => before.stopped.controllers === undefined,
    };
    const { properties } = await check({ model: deletionModel(restarted), properties: [idle] });
    expect(properties[0]?.verdict).toBe('holds');
    expect(await canEnd(restarted, (cluster) => cluster.store['Pod/default/p'] === undefined)).toBe(
      false,
    );
  });
});

/** A model that is driven action by action. */
class Run {
  private readonly model;
  private cluster: Cluster;

  constructor(setup: Setup) {
    this.model = deletionModel(setup);
    this.cluster = this.model.initial[0] as Cluster;
  }

  /** How often the action can be taken in a row, at most `most` times. */
  all(name: string, most = 20): number {
    const { parameters, reduce } = this.model.actions[name]!;
    const step = (): Cluster =>
      parameters.reduce<Cluster>(
        (now, one) => (now === this.cluster ? produce(now, (draft) => reduce(draft, one)) : now),
        this.cluster,
      );
    let times = 0;
    for (let next = step(); next !== this.cluster && times < most; next = step()) {
      this.cluster = next;
      times += 1;
    }
    return times;
  }
}

describe('a sync', () => {
  const set = object('Deployment.apps', 'x', { generation: 1 });
  const parent = { key: 'Deployment.apps/default/x', uid: 'uid-x' };
  const found = ['a', 'b'].map((name) => object('ReplicaSet.apps', name, { generation: 1 }));
  const selects = found.map(({ name }) => `ReplicaSet.apps/default/${name}`);
  const workload = { parent, replicas: 1, children: [], selects, caches: 'own' as const };

  it('reads its parent once for all adoptions, and is not repeated before they reach the cache', () => {
    const run = new Run(setupOf([set, ...found], { workloads: [workload] }));
    // The read of the caches, the GET, and a PATCH for each.
    expect(run.all('reconcile')).toBe(4);
    expect(run.all('deliverToInformer')).toBe(2);
    expect(run.all('reconcile')).toBe(0);
  });

  it('that fails is repeated only after a change has reached the caches', () => {
    const taken = object('ReplicaSet.apps', 'a', { generation: 1 });
    const child = { ...taken, uid: 'uid-child' };
    const labels = [false, true].map((matches) => ({
      do: 'update' as const,
      key: keyOf(taken),
      change: { do: 'relabel' as const, matches },
      put: false,
      uid: null,
      resourceVersion: false,
    }));
    const owner = { parent, replicas: 1, children: [child], caches: 'own' as const };
    const run = new Run(setupOf([set, taken], { workloads: [owner], ...alice(...labels) }));
    run.all('request', 1);
    expect(run.all('deliverToInformer')).toBe(1);
    // The read of the caches, and a POST under a name that is taken.
    expect(run.all('reconcile')).toBe(2);
    run.all('request');
    expect(run.all('reconcile')).toBe(0);
    expect(run.all('deliverToInformer')).toBe(1);
    expect(run.all('reconcile')).toBe(3);
  });
});
