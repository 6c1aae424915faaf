import { describe, expect, it } from 'vitest';
import { check, type Property } from '../../checker/index.ts';
import { isOver } from '../../model/actors/quiescence.ts';
import type { Cluster } from '../../model/state/cluster.ts';
import type { Setup } from '../../model/state/setup.ts';
import { controllerReference } from '../../model/state/workloads.ts';
import { deletionModel } from '../../model/system.ts';
import { alice, object, setupOf } from '../properties/clusters.ts';

const nightly = object('CronJob.batch', 'nightly');
const parent = { key: 'CronJob.batch/default/nightly', uid: nightly.uid };
const base = setupOf([nightly]);
const jobs = ['nightly-1', 'nightly-2'].map((name) =>
  object('Job.batch', name, { ownerReferences: [controllerReference(base, parent)] }),
);

function setupWith(more: Partial<Setup> = {}): Setup {
  const workload = { parent, controller: 'cronjob', replicas: 1, children: jobs };
  return { ...setupOf([nightly], more), workloads: [workload] };
}

/** The sets of objects that are stored when everything is done. */
async function endings(setup: Setup): Promise<readonly string[]> {
  const found = new Set<string>();
  const property: Property<Cluster> = {
    kind: 'invariant',
    name: 'endings',
    trigger: (cluster) => isOver(setup, cluster),
    holds: (cluster) => {
      if (isOver(setup, cluster)) {
        found.add(
          Object.values(cluster.store)
            .map(({ name }) => name)
            .sort()
            .join(' '),
        );
      }
      return true;
    },
  };
  const { outcome } = await check({
    model: deletionModel(setup),
    properties: [property],
    limits: { states: 50_000 },
  });
  expect(outcome).toBe('complete');
  return [...found].sort();
}

describe('the CronJob controller', () => {
  it('creates each Job once and keeps as many as the history limit says', async () => {
    expect(await endings(setupWith())).toEqual(['nightly nightly-2']);
  });

  it('creates no Job for a CronJob that is being deleted, but cleans up its history', async () => {
    const going = { ...nightly, deletionTimestamp: 0, finalizers: ['example.com/hold'] };
    const finalizers = { 'example.com/hold': 'stuck' } as const;
    expect(await endings({ ...setupWith({ finalizers }), objects: [going] })).toEqual(['nightly']);
    expect(await endings({ ...setupWith({ finalizers }), objects: [going, ...jobs] })).toEqual([
      'nightly nightly-2',
    ]);
  });

  it('leaves orphans only if the deletion asks for it', async () => {
    const deleted = (propagationPolicy: 'Background' | 'Orphan') =>
      alice({ do: 'delete', key: parent.key, options: { propagationPolicy } });
    expect(await endings(setupWith(deleted('Background')))).toEqual(['']);
    expect(await endings(setupWith(deleted('Orphan')))).toContain('nightly-2');
  });
});
