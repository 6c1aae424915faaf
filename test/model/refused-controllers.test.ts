import { produce } from 'immer';
import { describe, expect, it } from 'vitest';
import { check, type Property } from '../../checker/index.ts';
import { isOver } from '../../model/actors/quiescence.ts';
import type { Cluster } from '../../model/state/cluster.ts';
import type { Setup } from '../../model/state/setup.ts';
import { deletionModel } from '../../model/system.ts';
import { alice, configMap, object, ownedBy, setupOf } from '../properties/clusters.ts';
import { scenarioOf } from '../scenarios/read.ts';
import { canEnd, gone, key, operator } from './operators.ts';

describe('a controller that is refused for a reason that no cache shows', () => {
  it.each(['cache', 'live'] as const)(
    'continues once a kind is installed, with: %s',
    async (reads) => {
      const setup = setupOf([configMap('a')], {
        ...operator({ creates: [object('Secret', 'b')], reads }),
        notInstalled: ['Secret'],
      });
      const isThere = (cluster: Cluster) => cluster.store['Secret/default/b'] !== undefined;
      expect(await canEnd(setup, isThere)).toBe(true);
      expect(await canEnd(setup, (cluster) => !isThere(cluster))).toBe(false);
    },
  );
});

it('a controller without caches decides again once somebody else has created its object', async () => {
  const setup = setupOf([configMap('a')], {
    ...operator({ creates: [object('Secret', 'b'), object('Secret', 'c')], reads: 'live' }),
    ...alice({ do: 'create', object: object('Secret', 'b', { uid: 'uid-of-alice' }) }),
  });
  const isThere = (cluster: Cluster) => cluster.store['Secret/default/c'] !== undefined;
  expect(await canEnd(setup, isThere)).toBe(true);
  expect(await canEnd(setup, (cluster) => !isThere(cluster))).toBe(false);
});

const DEFINED_AGAIN = `
about: The definition of an object that waits for its controller is created again.
objects:
  - apiVersion: example.com/v1
    kind: Widget
    metadata: {name: w, namespace: default, finalizers: [example.com/teardown], deletionTimestamp: "2024-01-01T00:00:00Z"}
requests:
  - create: {apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {name: widgets.example.com}}
environment:
  definitionController: true
  controllers: [{name: example-operator, watches: Widget/w, finalizer: example.com/teardown, reads: READS}]
`;

it.each(['cache', 'live'])(
  'a controller whose object was not served goes on, with: %s',
  async (reads) => {
    const { setup } = scenarioOf('again', 'again.yaml', DEFINED_AGAIN.replace('READS', reads));
    const isThere = ({ store }: Cluster) => store['Widget.example.com/default/w'] !== undefined;
    expect(await canEnd(setup, isThere)).toBe(false);
    expect(await canEnd(setup, (cluster) => !isThere(cluster))).toBe(true);
  },
);

describe('an object that its validation no longer accepts', () => {
  const hold = 'example.com/hold';
  const setup = setupOf([configMap('a', { finalizers: [hold] })], {
    finalizers: { [hold]: 'cooperative' },
    refusesUpdates: ['ConfigMap'],
  });
  const path = { key: key('a'), put: false, uid: null, resourceVersion: false } as const;

  it.each([
    ['addFinalizer', { do: 'addFinalizer', finalizer: 'example.com/b' }, 'Invalid'],
    ['removeFinalizer', { do: 'removeFinalizer', finalizer: hold }, 'Invalid'],
    ['setOwnerReferences', { do: 'setOwnerReferences', ownerReferences: [] }, 'Invalid'],
    ['a change of the status', { do: 'finishPod' }, 'success'],
  ] as const)('answers an update: %s', async (_, change, answer) => {
    const request = { do: 'update', change, ...path } as const;
    const users = { alice: [{ request, after: [], answer }] };
    const isAsExpected = ({ surprises }: Cluster) => surprises.alice === undefined;
    expect(await canEnd({ ...setup, users }, isAsExpected)).toBe(true);
    expect(await canEnd({ ...setup, users }, (cluster) => !isAsExpected(cluster))).toBe(false);
  });

  it('can be deleted, and keeps its finalizers', async () => {
    const asked = { ...setup, ...alice({ do: 'delete', key: key('a'), options: {} }) };
    const isGoing = ({ store }: Cluster) => store[key('a')]?.deletionTimestamp === 0;
    expect(await canEnd(asked, isGoing)).toBe(true);
    expect(await canEnd(asked, gone('a'))).toBe(false);
    const { refusesUpdates: _, ...valid } = asked;
    expect(await canEnd(valid, gone('a'))).toBe(true);
  });
});

it('a workload does not use up a child of a kind that is not installed', async () => {
  const setup = setupOf([configMap('a')], {
    workloads: [
      {
        parent: { key: key('a'), uid: 'uid-a' },
        replicas: 1,
        children: [object('Secret', 'b', { ownerReferences: [ownedBy('a')] })],
      },
    ],
    notInstalled: ['Secret'],
  });
  const rest: Property<Cluster> = {
    kind: 'eventually',
    name: 'it comes to rest with the child',
    goal: (cluster) => isOver(setup, cluster) && 'Secret/default/b' in cluster.store,
  };
  const { properties } = await check({ model: deletionModel(setup), properties: [rest] });
  expect(properties[0]?.verdict).toBe('holds');
});

const GOES_AND_RETURNS = {
  namespace: {
    goes: {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: 'shop' },
      spec: { finalizers: ['kubernetes'] },
    },
    parent: { apiVersion: 'v1', kind: 'PersistentVolume', metadata: { name: 'p' } },
    child: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c', namespace: 'shop' } },
    environment: { namespaceController: true },
  },
  definition: {
    goes: {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'widgets.example.com' },
    },
    parent: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'p' } },
    child: {
      apiVersion: 'example.com/v1',
      kind: 'Widget',
      metadata: { name: 'c', namespace: 'default' },
    },
    environment: { definitionController: true },
  },
} as const;

describe.each(Object.entries(GOES_AND_RETURNS))(
  'a workload whose children a %s refuses',
  (_, { goes, parent, child, environment }) => {
    const named = (uid: string) => ({ ...child, metadata: { ...child.metadata, uid } });
    const controls = `${parent.kind}/p`;
    /** The controller can create a child before the removal, and another one after the return. */
    const children = ['uid-1', 'uid-2'].map((uid) => ({ object: named(uid) }));
    const workload = { workloads: [{ controls, replicas: 1, children }] };
    const returning = { watches: controls, creates: [named('uid-1')], uidsReturn: true };
    const scenario = (requests: readonly unknown[], controllers: object = workload): Setup => {
      const text = JSON.stringify({
        about: 'What children stand in goes, and may return.',
        objects: [goes, parent],
        requests,
        environment: { ...environment, ...controllers },
      });
      return scenarioOf('by hand', 'by-hand.yaml', text).setup;
    };
    const { kind, metadata } = goes;
    const removal = { delete: `${kind}/${metadata.name}` };
    const again = { create: { ...goes, metadata: { ...metadata, uid: 'uid-again' } } };

    it.each([
      ['uses up none of them, and creates one once that is back', workload],
      [
        'or an operator whose children return: the same',
        { controllers: [{ name: 'example-operator', ...returning }] },
      ],
      [
        'or one without a cache: the same',
        { controllers: [{ name: 'example-operator', ...returning, reads: 'live' }] },
      ],
    ])('%s', async (_name, controllers) => {
      const setup = scenario([removal, again], controllers);
      const users = Object.keys(setup.users);
      const isBack = (cluster: Cluster) =>
        Object.values(cluster.store).some(({ uid }) => uid === 'uid-again');
      const hasChild = (cluster: Cluster) =>
        Object.values(cluster.store).some(({ name }) => name === 'c');
      const property: Property<Cluster> = {
        kind: 'eventually',
        name: 'a child is there',
        trigger: (cluster) => cluster.users[users[0]!] === 2 && isBack(cluster),
        goal: hasChild,
      };
      const { properties } = await check({ model: deletionModel(setup), properties: [property] });
      expect(properties[0]?.verdict).toBe('holds');
    });

    it('still has to create the child whose POST came too late', () => {
      const model = deletionModel(scenario([removal]));
      const [start] = model.initial as readonly [Cluster];
      const done = (cluster: Cluster, name: string, parameters = {}) =>
        produce(cluster, (draft) => model.actions[name]?.reduce(draft, parameters));
      let cluster = done(start, 'createChild', { workload: 0 });
      expect(cluster.budget).not.toEqual(start.budget);
      const [client] = Object.keys(cluster.calls);
      cluster = done(cluster, 'request', { user: 'user' });
      while (cluster.calls.user) cluster = done(cluster, 'serve', { client: 'user' });
      cluster = done(cluster, 'serve', { client });
      expect(cluster.calls).toEqual({});
      expect(cluster.budget).toEqual(start.budget);
    });

    it('has nothing to do while the removed object is gone', async () => {
      const setup = scenario([removal]);
      const isThere = (cluster: Cluster, sought: string) =>
        Object.values(cluster.store).some(({ name }) => name === sought);
      const end = (cluster: Cluster) => !isThere(cluster, metadata.name) && !isThere(cluster, 'c');
      expect(await canEnd(setup, end)).toBe(true);
    });
  },
);

describe('a controller whose children return', () => {
  const returning = (child: string) =>
    operator({ creates: [configMap(child)], uidsReturn: true, parent });
  const parent = { key: key('a-1'), uid: 'uid-a-1' };
  const isThere = (name: string) => (cluster: Cluster) => !gone(name)(cluster);

  it('does not confuse a longer uid with that of its child', async () => {
    const setup = setupOf([configMap('a-1')], returning('a'));
    expect(await canEnd(setup, isThere('a'))).toBe(true);
    expect(await canEnd(setup, gone('a'))).toBe(false);
  });

  it('creates a child again that was promised to be orphaned and is gone', async () => {
    const orphan = {
      do: 'delete',
      key: key('o'),
      options: { propagationPolicy: 'Orphan' },
    } as const;
    const objects = [
      configMap('a-1'),
      configMap('o'),
      configMap('b', { ownerReferences: [ownedBy('o')] }),
    ];
    const setup = setupOf(objects, {
      ...alice(orphan, { do: 'settle' }, { do: 'delete', key: key('b'), options: {} }),
      ...returning('b'),
    });
    expect(await canEnd(setup, isThere('b'))).toBe(true);
    expect(await canEnd(setup, gone('b'))).toBe(false);
  });
});
