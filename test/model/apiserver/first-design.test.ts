import { produce } from 'immer';
import { describe, expect, it } from 'vitest';
import { type ApiObject, keyOf, ORPHAN } from '../../../model/state/objects.ts';
import { deletionModel } from '../../../model/system.ts';
import { object, setupOf } from '../../properties/clusters.ts';
import {
  clusterOf,
  configMap,
  DELETING,
  deletion,
  serve,
  serveUntil,
  stored,
  update,
  world,
} from './fixtures.ts';

/** How the API server and its clients differ in the first design. */

describe('a finalizer that a DELETE removes', () => {
  const held = configMap('x', { finalizers: ['orphan'] });

  it.each([
    ['written', ['update', 'delete']],
    ['goesWithObject', ['delete']],
  ] as const)('%s', (strippedFinalizer, events) => {
    const call = deletion(keyOf(held), { orphanDependents: false });
    const { cluster, steps } = serve(clusterOf(held), world({ strippedFinalizer }), call);
    expect(steps).toEqual(['get', 'update', 'remove']);
    expect([cluster.store, cluster.watch.ConfigMap?.map(({ type }) => type)]).toEqual([{}, events]);
  });

  it('is stored without deletionTimestamp', () => {
    const call = deletion(keyOf(held), { orphanDependents: false });
    const { cluster } = serveUntil(
      clusterOf(held),
      world({ strippedFinalizer: 'written' }),
      call,
      'remove',
    );
    expect(stored(cluster, held)).toEqual({ ...held, finalizers: [] });
  });
});

describe('an update that empties the finalizers', () => {
  it.each([
    ['only marked', { deletionTimestamp: 0 }, false],
    ['only with a grace period', { deletionGracePeriodSeconds: 0 }, false],
    ['both', DELETING, true],
  ] as const)('removes what has deletionTimestamp and grace period 0: %s', (_, part, removed) => {
    const env = world({ removeOnEmptyFinalizers: 'deletionTimestampAndGracePeriodZero' });
    const held: ApiObject = { ...configMap('x', { finalizers: ['a/b'] }), ...part };
    const { cluster } = serve(
      clusterOf(held),
      env,
      update(keyOf(held), { do: 'setFinalizers', finalizers: [] }),
    );
    expect(stored(cluster, held) === null).toBe(removed);
  });
});

describe('children that controllers create', () => {
  const made = (createdChildren: 'plain' | 'withOrphan', child: ApiObject) => {
    const parent = { key: 'ConfigMap/default/parent', uid: 'uid-parent' };
    const usual = setupOf([object('ConfigMap', 'parent')], {
      workloads: [{ parent, replicas: 1, children: [child] }],
    });
    const model = deletionModel({ ...usual, rules: { ...usual.rules, createdChildren } });
    const [state] = model.initial;
    if (state === undefined) throw new Error('no initial state');
    const { calls } = produce(state, (draft) =>
      model.actions.createChild?.reduce(draft, { workload: 0 }),
    );
    return Object.values(calls).map((call) => call.verb === 'create' && call.object.finalizers);
  };

  it.each([
    ['withOrphan', 'ReplicaSet.apps', [ORPHAN]],
    ['withOrphan', 'Job.batch', [ORPHAN]],
    ['withOrphan', 'ReplicationController', [ORPHAN]],
    ['withOrphan', 'Pod', []],
    ['plain', 'ReplicaSet.apps', []],
  ] as const)('%s, %s', (createdChildren, kind, finalizers) => {
    expect(made(createdChildren, object(kind, 'child'))).toEqual([finalizers]);
  });

  it('get the finalizer once', () => {
    const marked = object('ReplicaSet.apps', 'child', { finalizers: ['a/b', ORPHAN] });
    expect(made('withOrphan', marked)).toEqual([['a/b', ORPHAN]]);
  });
});
