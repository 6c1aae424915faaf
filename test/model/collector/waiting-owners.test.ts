import { produce } from 'immer';
import { describe, expect, it } from 'vitest';
import {
  SYNCHRONOUS_WORKER,
  stepSynchronousWorker,
  takeForSynchronousDeletion,
} from '../../../model/collector/synchronous-worker.ts';
import type { Cluster } from '../../../model/state/cluster.ts';
import { type ApiObject, FOREGROUND, ORPHAN } from '../../../model/state/objects.ts';
import { configMap, DELETING, world } from '../apiserver/fixtures.ts';
import { changed, gone, ownedBy, queue, stored, told, work } from './fixtures.ts';

/** Owners that wait for their dependents and for their controllers, as in the proposals. */

const owner = configMap('owner');
const other = configMap('other');
const dependent = configMap('dependent', { ownerReferences: [ownedBy(owner)] });
const shared = configMap('shared', { ownerReferences: [ownedBy(owner), ownedBy(other)] });
const foreground = { ...owner, ...DELETING, finalizers: [FOREGROUND] };

function idOf({ kind, name, uid }: ApiObject): string {
  const apiVersion = kind.includes('.') ? 'apps/v1' : 'v1';
  return JSON.stringify([apiVersion, kind.split('.')[0], 'default', name, uid]);
}

describe('the routine for owners in foreground deletion', () => {
  const rules = world({
    foregroundDeletion: 'synchronousQueue',
    observedGeneration: 'awaited',
    unknownOwner: 'enqueueDependent',
  });
  const run = (start: Cluster, object: ApiObject, steps = 9): Cluster =>
    produce(start, (draft) => {
      takeForSynchronousDeletion(draft, idOf(object));
      for (let step = 0; step < steps; step++) stepSynchronousWorker(draft, rules);
    });
  const waiting = (cluster: Cluster): readonly string[] => Object.keys(cluster.synchronousDeletion);

  it('removes the finalizer once no dependent is left', () => {
    const state = told(stored(foreground), rules, foreground);
    expect(waiting(state)).toEqual([idOf(owner)]);
    const after = run(state, owner);
    expect(after.store).toEqual({});
    expect(after.unchangedSince).toEqual({});
  });

  it('queues each dependent once, however often it reads the graph', () => {
    const state = told(stored(foreground, dependent), rules, foreground, dependent);
    const first = run(state, owner);
    expect(queue(first, 'attemptToDelete')).toEqual(['dependent']);
    const again = changed({ ...first, attemptToDelete: {} }, rules, foreground, foreground);
    const second = run(again, owner);
    expect(queue(second, 'attemptToDelete')).toEqual([]);
    const late = told(second, rules, shared);
    const third = run(
      changed({ ...late, attemptToDelete: {} }, rules, foreground, foreground),
      owner,
    );
    expect(queue(third, 'attemptToDelete')).toEqual(['shared']);
    expect(third.store['ConfigMap/default/owner']).toBeDefined();
  });

  it('checks an owner again when a dependent goes, and ignores an owner that is not being deleted', () => {
    const state = told(stored(owner), rules, owner, dependent);
    const after = gone({ ...state, attemptToDelete: {} }, rules, dependent);
    expect(waiting(after)).toEqual([idOf(owner)]);
    const ignored = run(after, owner, 0);
    expect([waiting(ignored), Object.keys(ignored.synchronousWorkers)]).toEqual([[], []]);
  });

  it('retries until the controller has observed the deletion', () => {
    const apps = configMap('web', {
      kind: 'Deployment.apps',
      ...DELETING,
      finalizers: [FOREGROUND],
      generation: 2,
    });
    const lagging = { ...apps, observedGeneration: 1 };
    const after = run(told(stored(lagging), rules, lagging), apps);
    expect(waiting(after)).toEqual([idOf(apps)]);
    const caughtUp = { ...after, store: stored({ ...apps, observedGeneration: 2 }).store };
    expect(run(caughtUp, apps).store).toEqual({});
  });

  it('does not overwrite a change that it has not seen', () => {
    const state = run(told(stored(foreground), rules, foreground), owner, 2);
    const after = run({ ...state, unchangedSince: {} }, owner, 1);
    expect(after.store['ConfigMap/default/owner']?.finalizers).toEqual([FOREGROUND]);
    expect(waiting(after)).toEqual([idOf(owner)]);
    expect(after.synchronousWorkers[SYNCHRONOUS_WORKER]).toBeUndefined();
  });
});

describe('observedGeneration', () => {
  const apps = configMap('web', { kind: 'Deployment.apps', generation: 1, observedGeneration: 1 });
  const marked = { ...apps, ...DELETING, finalizers: [ORPHAN], generation: 2 };

  it.each([
    ['awaited', 1, ['get web 200']],
    ['awaited', 2, ['get web 200', 'get web 200', 'put web 200']],
    ['ignored', 1, ['get web 200', 'put web 200']],
  ] as const)('%s, generation %s observed', (observedGeneration, observed, requests) => {
    const rules = world({ observedGeneration, finalizerRemoval: 'put' });
    const last = { ...marked, observedGeneration: observed };
    const state = changed(told(stored(last), rules, apps), rules, apps, last);
    const { requests: sent, cluster } = work(state, rules, 'attemptToOrphan');
    expect(sent).toEqual(requests);
    expect(queue(cluster, 'attemptToOrphan')).toEqual(requests.length === 1 ? ['web'] : []);
  });

  it('waits for the generation of the deletion, not for later ones', () => {
    const rules = world({ observedGeneration: 'awaited' });
    const state = changed(told(stored(), rules, apps), rules, apps, marked);
    const later = stored({ ...marked, generation: 3, observedGeneration: 2 }).store;
    expect(work({ ...state, store: later }, rules, 'attemptToOrphan').cluster.store).toEqual({});
  });
});
