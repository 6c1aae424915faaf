import { describe, expect, it } from 'vitest';
import { check, type Property } from '../../checker/index.ts';
import { isOver } from '../../model/actors/quiescence.ts';
import type { Cluster } from '../../model/state/cluster.ts';
import type { Setup } from '../../model/state/setup.ts';
import { deletionModel } from '../../model/system.ts';
import { alice, configMap, object, setupOf } from '../properties/clusters.ts';

/** Whether some run ends like this. The whole space must have been searched. */
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
  });
  expect(outcome).toBe('complete');
  return properties[0]?.verdict === 'holds';
}

describe('a namespace that something holds', () => {
  const shop = object('Namespace', 'shop', {
    namespace: '',
    specFinalizers: ['kubernetes'],
    phase: 'Active',
  });
  const held = object('ConfigMap', 'a', { namespace: 'shop', finalizers: ['example.com/hold'] });
  const setup = setupOf([shop, held], {
    ...alice({ do: 'delete', key: 'Namespace//shop', options: {} }),
    finalizers: { 'example.com/hold': 'stuck' },
    emptiedNamespaces: ['shop'],
  });

  it('is quiet while its controller retries without effect, and stays', async () => {
    const stays = (cluster: Cluster) =>
      cluster.store['ConfigMap/shop/a']?.deletionTimestamp === 0 &&
      cluster.store['Namespace//shop']?.phase === 'Terminating';
    expect(await canEnd(setup, stays)).toBe(true);
    expect(await canEnd(setup, (cluster) => cluster.store['Namespace//shop'] === undefined)).toBe(
      false,
    );
  });

  it('is removed once nothing holds it', async () => {
    const freed: Setup = { ...setup, finalizers: { 'example.com/hold': 'cooperative' } };
    expect(await canEnd(freed, (cluster) => Object.keys(cluster.store).length === 0)).toBe(true);
  });
});

describe('a restart of the controller manager', () => {
  const down = alice(
    { do: 'stopControllers' },
    { do: 'delete', key: 'ConfigMap/default/a', options: { propagationPolicy: 'Orphan' } },
    { do: 'startControllers' },
  );
  const reference = { apiVersion: 'v1', kind: 'ConfigMap', name: 'a', uid: 'uid-a' };
  const objects = [configMap('a'), configMap('b', { ownerReferences: [reference] })];

  it('can show the owner before or after its dependent', async () => {
    const setup = setupOf(objects, down);
    const dependent = (cluster: Cluster) => cluster.store['ConfigMap/default/b'];
    expect(await canEnd(setup, (cluster) => dependent(cluster)?.ownerReferences.length === 0)).toBe(
      true,
    );
    expect(await canEnd(setup, (cluster) => dependent(cluster) === undefined)).toBe(true);
  });

  it('does nothing while it is down', async () => {
    const [stop, remove] = down.users.alice ?? [];
    const users = { alice: [stop, remove].flatMap((step) => step ?? []) };
    const setup = setupOf(objects, { users });
    const waits = (cluster: Cluster) =>
      cluster.store['ConfigMap/default/a']?.finalizers.includes('orphan') === true &&
      cluster.store['ConfigMap/default/b']?.ownerReferences.length === 1;
    expect(await canEnd(setup, waits)).toBe(true);
    expect(await canEnd(setup, (cluster) => !waits(cluster))).toBe(false);
  });
});
