import { expect } from 'vitest';
import { check, type Property } from '../../checker/index.ts';
import { isOver } from '../../model/actors/quiescence.ts';
import type { Cluster } from '../../model/state/cluster.ts';
import type { Operator } from '../../model/state/programs/operator.ts';
import type { Setup } from '../../model/state/setup.ts';
import { deletionModel } from '../../model/system.ts';
import { alice } from '../properties/clusters.ts';

/** Whether some run ends like this. */
export async function canEnd(setup: Setup, end: (cluster: Cluster) => boolean): Promise<boolean> {
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

export const FINALIZER = 'example.com/teardown';
export const key = (name: string) => `ConfigMap/default/${name}`;
export const gone = (name: string) => (cluster: Cluster) => cluster.store[key(name)] === undefined;
export const removal = alice({ do: 'delete', key: key('a'), options: {} });

export function operator(more: Partial<Operator>): Pick<Setup, 'operators'> {
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
