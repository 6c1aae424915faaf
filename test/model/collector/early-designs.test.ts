import { produce } from 'immer';
import { describe, expect, it } from 'vitest';
import { isInForegroundCycle } from '../../../model/collector/owners.ts';
import { SYNCHRONOUS_WORKER } from '../../../model/collector/synchronous-worker.ts';
import type { Cluster } from '../../../model/state/cluster.ts';
import {
  type ApiObject,
  FOREGROUND,
  isBeingDeleted,
  keyOf,
  ORPHAN,
} from '../../../model/state/objects.ts';
import type { World } from '../../../model/state/world.ts';
import { stopControllers } from '../../../model/users/restart.ts';
import { configMap, DELETING, world } from '../apiserver/fixtures.ts';
import { changed, gone, ownedBy, queue, stored, told, work } from './fixtures.ts';

/** How the collector differs under the rules of the designs before any release. */

const HELD = 'example.com/hold';
const owner = configMap('owner');
const other = configMap('other');
const dependent = configMap('dependent', { ownerReferences: [ownedBy(owner)] });
const shared = configMap('shared', { ownerReferences: [ownedBy(owner), ownedBy(other)] });
const foreground = { ...owner, ...DELETING, finalizers: [FOREGROUND] };
const held = { ...owner, ...DELETING, finalizers: [HELD] };

function idOf({ kind, name, uid }: ApiObject): string {
  return JSON.stringify(['v1', kind, 'default', name, uid]);
}

function only(object: ApiObject, cluster: Cluster): Cluster {
  return { ...cluster, attemptToDelete: { [idOf(object)]: 'current' } };
}

describe('unknownOwner', () => {
  it.each([
    ['ignored', ['u-dependent'], []],
    ['enqueueDependent', ['u-dependent'], ['dependent']],
    ['virtualNode', ['u-dependent', 'u-owner'], ['owner*']],
  ] as const)('%s', (unknownOwner, nodes, queued) => {
    const rules = world({ unknownOwner });
    const state = told(stored(dependent), rules, dependent);
    expect(Object.keys(state.graph).sort()).toEqual(nodes);
    expect(queue(state, 'attemptToDelete')).toEqual(queued);
    const after = told({ ...state, attemptToDelete: {} }, rules, owner);
    expect(queue(gone(after, rules, owner), 'attemptToDelete')).toEqual(['dependent']);
  });

  it('an owner that was never observed forgets a dependent that goes', () => {
    const rules = world({ unknownOwner: 'ignored' });
    const state = gone(told(stored(), rules, dependent), rules, dependent);
    expect(state.dependents).toEqual({});
  });
});

describe('absenceProof', () => {
  it.each([
    ['graph', ['get dependent 200']],
    ['liveRead', ['get dependent 200', 'get owner 404', 'delete dependent Background 200']],
  ] as const)(
    '%s: the owner is gone, which the graph has yet to learn',
    (absenceProof, requests) => {
      const rules = world({ absenceProof });
      const state = told(stored(dependent), rules, owner, dependent);
      expect(work(only(dependent, state), rules).requests).toEqual(requests);
    },
  );

  it.each([
    ['graph', ['get dependent 200', 'delete dependent Background 200']],
    ['liveRead', ['get dependent 200', 'get owner 200']],
  ] as const)(
    '%s: the owner is there, and the graph does not know it',
    (absenceProof, requests) => {
      const rules = world({ absenceProof, unknownOwner: 'ignored' });
      const state = told(stored(owner, dependent), rules, dependent);
      expect(work(only(dependent, state), rules).requests).toEqual(requests);
    },
  );
});

describe('waitingOwner', () => {
  it.each([
    ['none', foreground, false],
    ['none', held, false],
    ['deletedWithoutOrphan', foreground, true],
    ['deletedWithoutOrphan', held, true],
    ['deletedWithoutOrphan', { ...held, finalizers: [HELD, ORPHAN] }, false],
    ['foreground', foreground, true],
    ['foreground', held, false],
  ] as const)('%s (%#)', (waitingOwner, last, collected) => {
    const rules = world({ waitingOwner });
    const state = told(stored(last, dependent), rules, owner, dependent);
    const { store } = work(only(dependent, state), rules).cluster;
    expect(store['ConfigMap/default/dependent'] === undefined).toBe(collected);
  });
});

describe('mixedOwners', () => {
  const third = configMap('third');
  const mixed = { ...shared, ownerReferences: [...shared.ownerReferences, ownedBy(third)] };

  it.each([
    ['allStay', ['u-owner', 'u-other', 'u-third']],
    ['waitingGo', ['u-other', 'u-third']],
    ['danglingAndWaitingGo', ['u-other']],
  ] as const)('%s', (mixedOwners, left) => {
    const rules = world({ mixedOwners });
    const state = told(stored(foreground, other, mixed), rules, owner, other, third, mixed);
    const { store } = work(only(mixed, state), rules).cluster;
    const owners = store['ConfigMap/default/shared']?.ownerReferences ?? [];
    expect(owners.map(({ uid }) => uid)).toEqual(left);
  });
});

it('referenceRemoval: an update writes to another object of the same name, a patch does not', () => {
  const marked = { ...owner, ...DELETING, finalizers: [ORPHAN] };
  const renewed = { ...dependent, uid: 'u-renewed', ownerReferences: [] };
  const codes = (['update', 'patch'] as const).map((referenceRemoval) => {
    const rules = world({ referenceRemoval });
    const state = told(stored(marked, renewed), rules, dependent, marked);
    return work(state, rules, 'attemptToOrphan').requests[0]?.split(' ').at(-1);
  });
  expect(codes).toEqual(['200', '422']);
});

describe('itemsBeingDeleted', () => {
  it.each([
    ['processed', ['get dependent 200', 'get owner 404', 'delete dependent Background 200']],
    ['skipped', []],
  ] as const)('%s', (itemsBeingDeleted, requests) => {
    const rules = world({ itemsBeingDeleted });
    const last = { ...dependent, ...DELETING, finalizers: [HELD] };
    const state = told(stored(last), rules, owner, last);
    expect(work(only(last, state), rules).requests).toEqual(requests);
  });
});

describe('collectorDeletePolicy', () => {
  const collected = (
    collectorDeletePolicy: World['rules']['collectorDeletePolicy'],
    last: ApiObject,
  ) => {
    const marked = { ...dependent, finalizers: [ORPHAN] };
    const rules = world({ collectorDeletePolicy, foregroundDeletion: 'synchronousQueue' });
    const store = isBeingDeleted(last) ? stored(last, marked) : stored(marked);
    const state = told(store, rules, owner, marked);
    return work(only(marked, state), rules).cluster.store['ConfigMap/default/dependent'];
  };

  it.each([
    ['none', [ORPHAN]],
    ['orphanDependentsFalse', undefined],
    ['ofOwner', undefined],
    ['explicit', [ORPHAN]],
  ] as const)('%s, the owner is gone', (policy, finalizers) => {
    expect(collected(policy, owner)?.finalizers).toEqual(finalizers);
  });

  it.each([
    ['orphanDependentsFalse', undefined],
    ['ofOwner', [FOREGROUND]],
  ] as const)('%s, the owner is in foreground deletion', (policy, finalizers) => {
    expect(collected(policy, foreground)?.finalizers).toEqual(finalizers);
  });
});

describe('unblockedOwners', () => {
  it.each([
    ['ignored', []],
    ['enqueued', ['owner']],
  ] as const)('%s', (unblockedOwners, queued) => {
    const rules = world({ unblockedOwners });
    const blocking = {
      ...dependent,
      ownerReferences: [ownedBy(owner, { blockOwnerDeletion: true })],
    };
    const state = told(stored(), rules, owner, blocking);
    const after = changed(state, rules, blocking, { ...blocking, ownerReferences: [] });
    expect(queue(after, 'attemptToDelete')).toEqual(queued);
  });
});

it('deletionTimestampInUpdate: an object that is already marked when it is added is not orphaned', () => {
  const marked = { ...owner, ...DELETING, finalizers: [ORPHAN] };
  const queues = (['deletionTimestampInUpdate', 'deletionTimestamp'] as const).map(
    (deletionStart) => queue(told(stored(), world({ deletionStart }), marked), 'attemptToOrphan'),
  );
  expect(queues).toEqual([[], ['owner']]);
});

describe('the search for a cycle', () => {
  const ring = (...names: readonly string[]): readonly ApiObject[] =>
    names.map((name, index) => {
      const above = configMap(names[(index + names.length - 1) % names.length] ?? '');
      return {
        ...configMap(name),
        ...DELETING,
        finalizers: [FOREGROUND],
        ownerReferences: [ownedBy(above)],
      };
    });
  const search = (...objects: readonly ApiObject[]): boolean => {
    let found = false;
    produce(told(stored(), world(), ...objects), (draft) => {
      found = isInForegroundCycle(draft, 'u-a');
    });
    return found;
  };

  it.each([
    ['an object that owns itself', ring('a'), true],
    ['two objects', ring('a', 'b'), true],
    ['three objects', ring('a', 'b', 'c'), true],
    ['a cycle above it', [...ring('b', 'c'), { ...dependent, name: 'a', uid: 'u-a' }], false],
    [
      'a chain',
      ring('a', 'b').map((one, index) => (index === 0 ? { ...one, ownerReferences: [] } : one)),
      false,
    ],
    [
      'an object that is not being deleted',
      ring('a', 'b', 'c').map((one, index) => (index === 1 ? { ...one, finalizers: [] } : one)),
      false,
    ],
  ] as const)('%s', (_, objects, found) => {
    expect(search(...objects)).toBe(found);
  });
});

it('a restart forgets what the routine for foreground deletion has read', () => {
  const worker = { node: idOf(owner), at: 'readDependents', finalizers: [FOREGROUND] } as const;
  const busy: Cluster = {
    ...stored(foreground),
    synchronousWorkers: { [SYNCHRONOUS_WORKER]: worker },
    unchangedSince: { [SYNCHRONOUS_WORKER]: keyOf(foreground) },
  };
  const after = produce(busy, (draft) => {
    stopControllers(draft, world());
  });
  expect(after.unchangedSince).toEqual({});
});
