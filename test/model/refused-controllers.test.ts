import { describe, expect, it } from 'vitest';
import { check, type Property } from '../../checker/index.ts';
import { isOver } from '../../model/settled.ts';
import type { Cluster } from '../../model/state.ts';
import { deletionModel } from '../../model/system.ts';
import { alice, configMap, object, ownedBy, setupOf } from '../properties/clusters.ts';
import { canEnd, gone, key, operator } from './operators.ts';

describe('a controller that is refused for what no cache shows', () => {
  it.each(['cache', 'live'] as const)(
    'goes on once a kind is installed, with: %s',
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

describe('a controller whose children return', () => {
  const returning = (child: string) =>
    operator({ creates: [configMap(child)], uidsReturn: true, parent });
  const parent = { key: key('a-1'), uid: 'uid-a-1' };
  const isThere = (name: string) => (cluster: Cluster) => !gone(name)(cluster);

  it('takes no longer uid for that of its child', async () => {
    const setup = setupOf([configMap('a-1')], returning('a'));
    expect(await canEnd(setup, isThere('a'))).toBe(true);
    expect(await canEnd(setup, gone('a'))).toBe(false);
  });

  it('creates again what was promised to be orphaned and has gone since', async () => {
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
