import { describe, expect, it } from 'vitest';
import { modelApiServer } from '../../../model/apiserver/port.ts';
import type { Failure } from '../../../model/state/calls.ts';
import type { Cluster } from '../../../model/state/cluster.ts';
import { FOREGROUND, ORPHAN } from '../../../model/state/objects.ts';
import type { ApiServer } from '../../../model/state/world.ts';
import { configMap, DELETING, WIDGET, world } from '../apiserver/fixtures.ts';
import { changed, ownedBy, queue, stored, told, work } from './fixtures.ts';

const WORLD = world();

/** Fails the named requests. The model's own API server answers the others. */
function failing(wanted: string, failure: Failure): ApiServer {
  return {
    get: (cluster, outer, key) =>
      wanted === `get ${key}` ? failure : modelApiServer.get(cluster, outer, key),
    advance: (cluster, outer, call) =>
      'key' in call && wanted === `${call.verb} ${call.key}`
        ? { done: true, answer: failure }
        : modelApiServer.advance(cluster, outer, call),
  };
}

const UNAVAILABLE: Failure = { code: 503, reason: 'ServiceUnavailable', message: 'later' };
const NOT_FOUND: Failure = { code: 404, reason: 'NotFound', message: 'gone' };

/** The same cluster with only this item in the queue. */
function only(name: string, cluster: Cluster): Cluster {
  const id = JSON.stringify(['v1', 'ConfigMap', 'default', name, `u-${name}`]);
  return { ...cluster, attemptToDelete: { [id]: 'current' } };
}

describe('a dependent of an absent owner', () => {
  const ghost = { apiVersion: 'v1', kind: 'ConfigMap', name: 'ghost', uid: 'u-ghost' };
  const dependent = configMap('dependent', { ownerReferences: [ghost] });
  // The virtual owner first. Its virtual delete event then queues the dependent.
  const known = told(stored(dependent), WORLD, dependent);

  it('is looked up with its owner and deleted with its uid', () => {
    const queued = only('dependent', known);
    const { cluster, requests } = work(queued, WORLD);
    expect(requests).toEqual([
      'get dependent 200',
      'get ghost 404',
      'delete dependent Background 200',
    ]);
    expect(cluster.store).toEqual({});
    expect(queue(cluster, 'attemptToDelete')).toEqual([]);
  });

  it.each([
    ['get ConfigMap/default/dependent', ['get dependent 503']],
    ['get ConfigMap/default/ghost', ['get dependent 200', 'get ghost 503']],
    [
      'delete ConfigMap/default/dependent',
      ['get dependent 200', 'get ghost 404', 'delete dependent Background 503'],
    ],
  ])('an error other than 404 to %s puts it back', (wanted, expected) => {
    const queued = only('dependent', known);
    const { cluster, requests } = work(queued, { ...WORLD, api: failing(wanted, UNAVAILABLE) });
    expect(requests).toEqual(expected);
    expect(queue(cluster, 'attemptToDelete')).toEqual(['dependent']);
    expect(queue(cluster, 'graphChanges')).toEqual([]);
  });

  it.each([
    ['retried', ['dependent'], []],
    ['virtualDelete', [], ['dependent']],
  ] as const)('a 404 to its DELETE is %s', (collectorDeleteNotFound, left, events) => {
    const queued = only('dependent', known);
    const api = failing('delete ConfigMap/default/dependent', NOT_FOUND);
    const { cluster } = work(queued, { ...world({ collectorDeleteNotFound }), api });
    expect(queue(cluster, 'attemptToDelete')).toEqual(left);
    expect(queue(cluster, 'graphChanges')).toEqual(events);
  });
});

describe('custom resources refuse strategic merge patches', () => {
  const owner = configMap('owner', { finalizers: [ORPHAN] });
  const other = configMap('other');
  const widget = configMap('widget', {
    kind: WIDGET.name,
    ownerReferences: [ownedBy(owner), ownedBy(other)],
  });

  it('a merge patch with the remaining references follows', () => {
    const deleting = { ...owner, ...DELETING };
    const seen = told(stored(deleting, other, widget), WORLD, owner, other, widget);
    const start = changed(seen, WORLD, owner, deleting);
    const { cluster, requests } = work(start, WORLD, 'attemptToOrphan');
    expect(requests).toEqual([
      'patch widget removeOwners 415',
      'patch widget setOwners 200',
      'get owner 200',
      'patch owner setFinalizers 200',
    ]);
    expect(cluster.store['Widget.example.test/default/widget']?.ownerReferences).toEqual([
      ownedBy(other),
    ]);
    expect(cluster.store['ConfigMap/default/owner']).toBeUndefined();
  });

  it('the merge patch carries no uid, so it also changes a new object of the same name', () => {
    const deleting = { ...owner, ...DELETING };
    const renewed = { ...widget, uid: 'u-renewed' };
    const seen = told(stored(deleting, other, renewed), WORLD, owner, other, widget);
    const { cluster } = work(changed(seen, WORLD, owner, deleting), WORLD, 'attemptToOrphan');
    expect(cluster.store['Widget.example.test/default/widget']?.ownerReferences).toHaveLength(1);
  });
});

describe('the finalizer of a foreground owner', () => {
  const owner = configMap('owner', { finalizers: [FOREGROUND, 'example.com/hold'] });
  const deleting = { ...owner, ...DELETING };
  const start = changed(told(stored(deleting), WORLD, owner), WORLD, owner, deleting);

  it('is removed with the resourceVersion that was read', () => {
    const { cluster, requests } = work(start, WORLD);
    expect(requests).toEqual(['get owner 200', 'get owner 200', 'patch owner setFinalizers 200']);
    expect(cluster.store['ConfigMap/default/owner']?.finalizers).toEqual(['example.com/hold']);
  });

  it.each([
    [1, 'and then it goes', ['example.com/hold'], []],
    [3, 'and then it goes', ['example.com/hold'], []],
    [4, 'and then it is queued again', owner.finalizers, ['owner']],
  ])('%i conflicts are tried again, %s', (conflicts, _, finalizers, left) => {
    let writes = 0;
    const { cluster, requests } = work(start, WORLD, 'attemptToDelete', (draft, request) => {
      if (request?.verb !== 'patch' || writes === conflicts) return;
      writes++;
      delete draft.unchangedSince['worker-1'];
    });
    expect(requests.filter((request) => request.endsWith('409'))).toHaveLength(conflicts);
    expect(cluster.store['ConfigMap/default/owner']?.finalizers).toEqual(finalizers);
    expect(queue(cluster, 'attemptToDelete')).toEqual(left);
  });

  it('needs no patch if another client has already removed it', () => {
    const { requests } = work(
      { ...start, store: { [keyOfOwner]: { ...deleting, finalizers: ['example.com/hold'] } } },
      WORLD,
    );
    expect(requests).toEqual(['get owner 200', 'get owner 200']);
  });

  const keyOfOwner = 'ConfigMap/default/owner';
});

describe('orphaning', () => {
  const owner = configMap('owner', { finalizers: [ORPHAN] });
  const deleting = { ...owner, ...DELETING };
  const first = configMap('first', { ownerReferences: [ownedBy(owner)] });
  const second = configMap('second', { ownerReferences: [ownedBy(owner)] });
  const seen = told(stored(deleting, first, second), WORLD, owner, first, second);
  const start = changed(seen, WORLD, owner, deleting);

  it('fails as a whole if one patch fails, and succeeds once no patch fails', () => {
    const api = failing('update ConfigMap/default/second', UNAVAILABLE);
    const { cluster, requests } = work(start, { ...WORLD, api }, 'attemptToOrphan');
    expect(requests).toEqual(['patch first removeOwners 200', 'patch second removeOwners 503']);
    expect(queue(cluster, 'attemptToOrphan')).toEqual(['owner']);
    const again = work(cluster, WORLD, 'attemptToOrphan');
    expect(again.requests.slice(2)).toEqual(['get owner 200', 'patch owner setFinalizers 200']);
  });

  it('skips a dependent that is gone', () => {
    const { cluster } = work(
      { ...start, store: { ...stored(deleting, first).store } },
      WORLD,
      'attemptToOrphan',
    );
    expect(cluster.store['ConfigMap/default/first']?.ownerReferences).toEqual([]);
    expect(cluster.store['ConfigMap/default/owner']).toBeUndefined();
  });
});

describe('a cycle of blocking references', () => {
  const a = configMap('a');
  const b = configMap('b', { ownerReferences: [ownedBy(a, { blockOwnerDeletion: true })] });
  const cyclic = { ...a, ownerReferences: [ownedBy(b, { blockOwnerDeletion: true })] };
  const waiting = { ...b, finalizers: [FOREGROUND], ...DELETING };

  it.each([
    ['unblockOwners', ['patch a unblockOwners 200', 'delete a Foreground 200'], false],
    ['none', ['delete a Foreground 200'], true],
  ] as const)('is broken by rule %s', (cycleBreaking, requests, blocking) => {
    const rules = world({ cycleBreaking });
    const seen = told(stored(cyclic, waiting), rules, cyclic, b);
    const start = only('a', changed(seen, rules, b, waiting));
    const { cluster, requests: sent } = work(start, rules);
    expect(sent).toEqual(['get a 200', 'get b 200', ...requests]);
    expect(cluster.store['ConfigMap/default/a']?.ownerReferences).toEqual([
      ownedBy(b, { blockOwnerDeletion: blocking }),
    ]);
  });

  it('the patch restores a reference that the object has lost in the meantime', () => {
    const seen = told(stored(cyclic, waiting), WORLD, cyclic, b);
    const start = only('a', changed(seen, WORLD, b, waiting));
    const { cluster } = work(start, WORLD, 'attemptToDelete', (draft, request) => {
      const object = draft.store['ConfigMap/default/a'];
      if (request?.verb === 'patch' && object !== undefined) object.ownerReferences = [];
    });
    expect(cluster.store['ConfigMap/default/a']?.ownerReferences).toEqual([
      ownedBy(b, { blockOwnerDeletion: false }),
    ]);
  });
});
