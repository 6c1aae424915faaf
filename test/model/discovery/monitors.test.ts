import { describe, expect, it } from 'vitest';
import { isQuiet } from '../../../model/actors/quiescence.ts';
import type { Rules } from '../../../model/rules/rules.ts';
import type { Cluster } from '../../../model/state/cluster.ts';
import type { Setup } from '../../../model/state/setup.ts';
import { alice, configMap, object, ownedBy, setupOf } from '../../properties/clusters.ts';
import { isEnabled, reached } from './explore.ts';

/** `GarbageCollector.Sync` step by step. */

const a = configMap('a');
const secret = object('Secret', 's', { ownerReferences: [ownedBy('gone')] });
const web = object('Deployment.apps', 'web');
const del = { do: 'delete', key: 'ConfigMap/default/a', options: {} } as const;

function setupWith(more: Partial<Setup>, rules: Partial<Rules> = {}): Setup {
  const setup = setupOf([a, secret, web], more);
  return { ...setup, rules: { ...setup.rules, ...rules } };
}

const FAILS = { empty: 0, failing: { 'apps/v1': 1 } };
const EMPTY = { empty: 1, failing: {} };
const fail = (answer: string) => ['failDiscovery', { answer }] as const;
const RESYNC = ['resyncMonitors', {}] as const;
const DISCOVER = ['discover', {}] as const;
const RELEASE = ['releaseWorkers', {}] as const;
const LIST = ['listMonitored', { kind: 'Deployment.apps' }] as const;

/** An item waits in the synchronised start: the owner of the Secret does not exist. */
const take = (setup: Setup) => {
  const [node = ''] = Object.keys(reached(setup).attemptToDelete);
  return ['takeForDelete', { worker: 'delete-1', node }] as const;
};

describe('a round of the sync loop', () => {
  it('waits for busy workers, and keeps the others from starting', () => {
    const setup = setupWith({ discovery: FAILS });
    const busy = reached(setup, take(setup), fail('apps/v1'));
    expect(isEnabled(setup, busy, RESYNC)).toBe(false);
    const idle = reached(setup, fail('apps/v1'));
    expect(isEnabled(setup, idle, take(setup))).toBe(false);
    expect(isEnabled(setup, idle, RESYNC)).toBe(true);
  });

  it('stops no worker if the rule lets workers run', () => {
    const setup = setupWith(
      { discovery: FAILS },
      { workersWhileUnsynced: 'running', failedGroupDiscovery: 'dropsMonitors' },
    );
    const busy = reached(setup, take(setup), fail('apps/v1'), RESYNC);
    expect(busy.syncing).toEqual({});
    expect(isEnabled(setup, reached(setup, fail('apps/v1')), take(setup))).toBe(true);
  });

  it.each<[Partial<Rules>, Cluster['monitors'] | 'no round']>([
    [{ sharedInformers: 'allKinds' }, { 'Deployment.apps': 'dropped' }],
    [{ sharedInformers: 'none' }, { 'Deployment.apps': 'stopped' }],
    [{ failedGroupDiscovery: 'keepsMonitors' }, 'no round'],
  ])('drops the monitors of a group that cannot be discovered: %o', (rules, expected) => {
    const setup = setupWith({ discovery: FAILS }, rules);
    const told = reached(setup, fail('apps/v1'));
    expect(told.budget).toEqual({});
    if (expected === 'no round') expect(told.syncing).toEqual({});
    else expect(reached(setup, fail('apps/v1'), RESYNC).monitors).toEqual(expected);
  });

  it('starts a monitor again: a monitor with a shared informer receives every object', () => {
    const setup = setupWith({ discovery: FAILS });
    const dropped = [fail('apps/v1'), RESYNC, RELEASE] as const;
    expect(isQuiet(setup, reached(setup, ...dropped))).toBe(false);
    const again = reached(setup, ...dropped, DISCOVER, RESYNC);
    expect(again.monitors).toEqual({});
    expect(again.watch['Deployment.apps']).toMatchObject([{ type: 'add' }]);
  });

  it('starts a monitor again: a monitor with its own informer must list', () => {
    const setup = setupWith({ discovery: FAILS }, { sharedInformers: 'none' });
    const again = [fail('apps/v1'), RESYNC, RELEASE, DISCOVER, RESYNC] as const;
    const unsynced = reached(setup, ...again);
    expect(unsynced.monitors).toEqual({ 'Deployment.apps': 'unsynced' });
    expect(isEnabled(setup, unsynced, RELEASE)).toBe(false);
    expect(isQuiet(setup, unsynced)).toBe(false);
    const listed = reached(setup, ...again, LIST);
    expect(listed.monitors).toEqual({});
    expect(listed.watch['Deployment.apps']).toMatchObject([{ type: 'add' }]);
    expect(isEnabled(setup, listed, RELEASE)).toBe(true);
  });

  it.each<[Partial<Rules>, boolean]>([
    [{ syncRetry: 'never' }, false],
    [{ syncRetry: 'discoversAgain' }, true],
  ])('after an empty answer that counts recovers only if it asks again: %o', (rules, ends) => {
    const setup = setupWith({ discovery: EMPTY }, { emptyDiscovery: 'noKinds', ...rules });
    const lost = reached(setup, fail('empty'), RESYNC);
    expect(Object.keys(lost.monitors).sort()).toEqual(['ConfigMap', 'Deployment.apps', 'Secret']);
    expect(isEnabled(setup, lost, RELEASE)).toBe(false);
    expect(isEnabled(setup, lost, DISCOVER)).toBe(ends);
    if (ends)
      expect(reached(setup, fail('empty'), RESYNC, DISCOVER, RESYNC, RELEASE).syncing).toEqual({});
  });
});

describe('a kind that never syncs', () => {
  it('is not observed, and the collector waits at the start and after every sync', () => {
    const setup = setupWith({
      neverSyncs: ['Secret'],
      ...alice({ do: 'stopControllers' }, { do: 'startControllers' }),
    });
    const initial = reached(setup);
    expect([initial.monitors, initial.stopped]).toEqual([
      { Secret: 'unsynced' },
      { workers: true },
    ]);
    expect(Object.keys(initial.graph).sort()).toEqual(['uid-a', 'uid-web']);
    const stop = ['request', { user: 'alice' }] as const;
    const start = ['startControllers', { user: 'alice' }] as const;
    const off = reached(setup, stop);
    expect([off.monitors, off.stopped]).toEqual([{}, { controllers: true }]);
    const again = reached(setup, stop, start);
    expect([again.monitors, again.stopped]).toEqual([{ Secret: 'unsynced' }, { workers: true }]);
    expect(again.watch.Secret).toEqual([]);
  });

  it('leaves a halted collector quiet if no item is queued, and not quiet otherwise', () => {
    const setup = setupOf([a, configMap('b', { ownerReferences: [ownedBy('a')] })], {
      neverSyncs: ['Secret'],
      ...alice(del),
    });
    expect(isQuiet(setup, reached(setup))).toBe(true);
    const steps = [
      ['request', { user: 'alice' }],
      ['serve', { client: 'alice' }],
      ['deliver', { kind: 'ConfigMap' }],
    ] as const;
    const halted = reached(setup, ...steps);
    expect(Object.keys(halted.attemptToDelete)).toHaveLength(1);
    expect(isQuiet(setup, halted)).toBe(false);
  });
});

describe('a kind whose first list comes late', () => {
  const late = { syncsLate: ['Secret'], ...alice(del) };
  const list = ['listMonitored', { kind: 'Secret' }] as const;

  it('is unknown to the collector before, and its workers wait for it or not', () => {
    for (const workersWhileUnsynced of ['paused', 'running'] as const) {
      const setup = setupWith(late, { workersWhileUnsynced });
      const start = reached(setup);
      expect([start.monitors, start.graph['uid-s']]).toEqual([{ Secret: 'unsynced' }, undefined]);
      expect(isEnabled(setup, start, RELEASE)).toBe(workersWhileUnsynced === 'running');
      expect(isQuiet(setup, start)).toBe(false);
    }
  });

  it('is handed over as a whole by the list', () => {
    const setup = setupWith(late);
    const listed = reached(setup, list);
    expect(listed.watch.Secret?.map(({ type, key }) => [type, key])).toEqual([
      ['add', 'Secret/default/s'],
    ]);
    expect(isEnabled(setup, listed, RELEASE)).toBe(true);
    expect(isEnabled(setup, listed, list)).toBe(false);
  });
});

describe('the routine for foreground deletion', () => {
  const rules = { foregroundDeletion: 'synchronousQueue' } as const;
  const steps = [
    ['request', { user: 'alice' }],
    ['serve', { client: 'alice' }],
    ['deliver', { kind: 'ConfigMap' }],
  ] as const;
  const foreground = { ...del, options: { propagationPolicy: 'Foreground' } } as const;
  const takeOwner = (cluster: Cluster) => {
    const [node = ''] = Object.keys(cluster.synchronousDeletion);
    return ['takeForSynchronousDeletion', { node }] as const;
  };

  it('waits for the monitors as the workers do', () => {
    const setup = setupWith({ neverSyncs: ['Secret'], ...alice(foreground) }, rules);
    const halted = reached(setup, ...steps);
    expect(Object.keys(halted.synchronousDeletion)).toHaveLength(1);
    expect(isEnabled(setup, halted, takeOwner(halted))).toBe(false);
  });

  it('finishes its item before the monitors change', () => {
    const setup = setupWith({ discovery: FAILS, ...alice(foreground) }, rules);
    const ready = reached(setup, ...steps);
    expect(isEnabled(setup, ready, takeOwner(ready))).toBe(true);
    const busy = reached(setup, ...steps, takeOwner(ready), fail('apps/v1'));
    expect(isEnabled(setup, busy, RESYNC)).toBe(false);
  });
});

describe('a kind that is not installed yet', () => {
  it.each<[Rules['notInstalledKinds'], number]>([
    ['notFound', 404],
    ['unavailable', 503],
  ])('is refused to users too: %s', (notInstalledKinds, code) => {
    const step = { request: del, after: [], answer: 'success' } as const;
    const setup = setupWith(
      { users: { alice: [step] }, notInstalled: ['ConfigMap'] },
      { notInstalledKinds },
    );
    const send = ['request', { user: 'alice' }] as const;
    expect(reached(setup, send).surprises.alice?.code).toBe(code);
    const installed = reached(setup, ['installKind', { kind: 'ConfigMap' }], send);
    expect(installed.surprises).toEqual({});
  });
});
