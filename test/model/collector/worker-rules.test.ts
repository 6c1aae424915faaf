import { describe, expect, it } from 'vitest';
import { remove, write } from '../../../model/apiserver/store.ts';
import { type ApiObject, FOREGROUND, ORPHAN } from '../../../model/state/objects.ts';
import type { World } from '../../../model/state/world.ts';
import { configMap, DELETING, WIDGET, world } from '../apiserver/fixtures.ts';
import { changed, gone, ownedBy, queue, stored, told, type Worked, work } from './fixtures.ts';

/** Each value of each rule of the collector, in a case in which it makes the difference. */

const owner = configMap('owner');
const dependent = configMap('dependent', { ownerReferences: [ownedBy(owner)] });
const cluster = (kind: string, name: string, more: Partial<ApiObject> = {}): ApiObject =>
  configMap(name, { kind, namespace: '', ...more });

/** A Node is known through a reference of a namespaced object, so its node has a namespace. */
const node = cluster('Node', 'node');
const child = configMap('child', { ownerReferences: [ownedBy(node)] });

describe('absentOwnerKey', () => {
  // The owner is gone, but a reference with its uid and another name is still looked up.
  const renamed = configMap('renamed', { ownerReferences: [ownedBy(owner, { name: 'other' })] });

  it.each([
    ['uid', ['get renamed 200', 'delete renamed Background 200']],
    ['coordinates', ['get renamed 200', 'get other 404', 'delete renamed Background 200']],
  ] as const)('%s', (absentOwnerKey, requests) => {
    const rules = world({ absentOwnerKey, ownerMismatch: 'ignored' });
    const state = gone(told(stored(renamed), rules, owner, renamed), rules, owner);
    expect(work(state, rules).requests).toEqual(requests);
  });

  it('the least recently used entry is evicted', () => {
    const rules = world({}, { absentOwnerCapacity: 2 });
    const names = ['a', 'b', 'a', 'c'];
    const ghosts = names.map((name, index) => {
      const ghost = { apiVersion: 'v1', kind: 'ConfigMap', name, uid: `u-${name}` };
      return configMap(`of-${name}-${index}`, { ownerReferences: [ghost] });
    });
    let state = stored(...ghosts);
    for (const ghost of ghosts) {
      const known = told(state, rules, ghost);
      const id = JSON.stringify(['v1', 'ConfigMap', 'default', ghost.name, ghost.uid]);
      state = work({ ...known, attemptToDelete: { [id]: 'current' } }, rules).cluster;
    }
    const left = Object.keys(state.absentOwners).map((key) => (JSON.parse(key) as string[])[3]);
    expect(left).toEqual(['a', 'c']);
  });
});

describe('missingNamespace', () => {
  const scoped = cluster('Node', 'scoped', { ownerReferences: [ownedBy(owner)] });

  it.each([
    ['lookedUp', ['get scoped 200', 'get owner 404', 'delete scoped Background 200'], []],
    ['dropped', ['get scoped 200'], []],
  ] as const)('%s', (missingNamespace, requests, left) => {
    const rules = world({ missingNamespace });
    const state = told(stored(owner, scoped), rules, owner, scoped);
    const worked = work(state, rules);
    expect(worked.requests).toEqual(requests);
    expect(queue(worked.cluster, 'attemptToDelete')).toEqual(left);
  });
});

describe('the DELETE of the collector', () => {
  const id = JSON.stringify(['v1', 'ConfigMap', 'default', 'dependent', 'u-dependent']);
  const renewed = { ...dependent, uid: 'u-renewed' };

  it.each([
    ['none', 'delete dependent Background 200'],
    ['uid', 'delete dependent Background 409'],
  ] as const)('collectorDeletePrecondition %s', (collectorDeletePrecondition, last) => {
    const rules = world({ collectorDeletePrecondition });
    const known = { ...told(stored(dependent), rules, dependent), attemptToDelete: {} };
    const start = { ...known, attemptToDelete: { [id]: 'current' as const } };
    const { requests } = work(start, rules, 'attemptToDelete', (draft, request) => {
      if (request?.verb === 'delete') Object.assign(draft.store, stored(renewed).store);
    });
    expect(requests.at(-1)).toBe(last);
  });

  it.each([
    ['none', 'delete dependent null 200'],
    ['explicit', 'delete dependent Background 200'],
  ] as const)('collectorDeletePolicy %s', (collectorDeletePolicy, last) => {
    const rules = world({ collectorDeletePolicy });
    const known = told(stored(dependent), rules, dependent);
    const { requests } = work({ ...known, attemptToDelete: { [id]: 'current' } }, rules);
    expect(requests.at(-1)).toBe(last);
  });
});

describe('a DELETE under the resourceVersion', () => {
  const id = JSON.stringify(['v1', 'ConfigMap', 'default', 'dependent', 'u-dependent']);
  const key = 'ConfigMap/default/dependent';
  const rules = world({
    collectorDeletePrecondition: 'uidAndResourceVersion',
    collectorDeleteNotFound: 'virtualDelete',
  });
  const known = told(stored(dependent), rules, dependent);
  const start = { ...known, attemptToDelete: { [id]: 'current' as const } };

  /** Before each request from the first DELETE on, another client stores or removes the object. */
  const meanwhile = (...objects: readonly (ApiObject | null | 'same')[]): Worked =>
    meanwhileUnder(rules, ...objects);
  const meanwhileUnder = (
    used: World,
    ...objects: readonly (ApiObject | null | 'same')[]
  ): Worked => {
    let left = [...objects];
    return work(start, used, 'attemptToDelete', (draft, request) => {
      if (request === null || (request.verb !== 'delete' && left.length === objects.length)) return;
      const [next = 'same', ...rest] = left;
      left = rest;
      if (next === 'same') return;
      if (next === null) remove(draft, rules, key);
      else write(draft, rules, 'somebody', next);
    });
  };
  const adopted = { ...dependent, ownerReferences: [ownedBy(configMap('other'))] };
  const touched = { ...dependent, finalizers: ['example.com/hold'] };
  const read = ['get dependent 200', 'get owner 404'];
  const conflict = [...read, 'delete dependent Background 409'];

  it.each([
    ['finds that version', [], [...read, 'delete dependent Background 200'], []],
    [
      'is sent again with the uid alone if the owners are the same',
      [touched],
      [...conflict, 'get dependent 200', 'delete dependent Background 200'],
      [],
    ],
    [
      'is not sent again under any version',
      [touched, 'same', { ...adopted, finalizers: touched.finalizers }],
      [...conflict, 'get dependent 200', 'delete dependent Background 200'],
      [],
    ],
    [
      'is abandoned if the owners differ',
      [adopted],
      [...conflict, 'get dependent 200'],
      ['dependent'],
    ],
    [
      'is abandoned if the name belongs to another object',
      [null, { ...dependent, uid: 'u-renewed' }],
      [...read, 'delete dependent Background 404'],
      [],
    ],
    [
      'treats a GET that finds nothing like a 404',
      [touched, null],
      [...conflict, 'get dependent 404'],
      [],
    ],
  ] as const)('%s', (_, changes, requests, left) => {
    const { cluster: after, requests: sent } = meanwhile(...changes);
    expect(sent).toEqual(requests);
    expect(queue(after, 'attemptToDelete')).toEqual(left);
    const events = requests.at(-1)?.endsWith('404') ? [id] : [];
    expect(Object.keys(after.graphChanges)).toEqual(events);
    expect(after.unchangedSince).toEqual({});
  });

  it.each([
    ['retried', []],
    ['virtualDelete', [id]],
  ] as const)('ends at a GET that finds nothing, %s', (collectorDeleteNotFound, events) => {
    const used = world({ ...rules.rules, collectorDeleteNotFound });
    const { cluster: after } = meanwhileUnder(used, touched, null);
    expect(queue(after, 'attemptToDelete')).toEqual([]);
    expect(Object.keys(after.graphChanges)).toEqual(events);
  });

  it('its own patch that unblocks the owners also counts as a change of owners', () => {
    const blocking = { blockOwnerDeletion: true };
    const waiting = { ...owner, ...DELETING, finalizers: [FOREGROUND] };
    const item = configMap('dependent', { ownerReferences: [ownedBy(owner, blocking)] });
    const leaf = { ...waiting, name: 'leaf', uid: 'u-leaf', ownerReferences: [ownedBy(item)] };
    const state = told(stored(waiting, item, leaf), rules, waiting, item, leaf);
    const cyclic = { ...state, attemptToDelete: { [id]: 'current' as const } };
    const first = work(cyclic, rules);
    expect(first.requests.slice(2)).toEqual([
      'patch dependent unblockOwners 200',
      'delete dependent Foreground 409',
      'get dependent 200',
    ]);
    const again = work({ ...first.cluster, attemptToDelete: { [id]: 'current' } }, rules);
    expect(again.requests.slice(2)).toEqual([
      'patch dependent unblockOwners 200',
      'delete dependent Foreground 200',
    ]);
  });
});

describe('collectorRequestNamespace', () => {
  it.each([
    ['item', ['get child 200', 'get node 404', 'delete child Background 200']],
    ['scope', ['get child 200', 'get node 200']],
  ] as const)('%s', (collectorRequestNamespace, requests) => {
    const rules = world({ collectorRequestNamespace });
    const state = told(stored(node, child), rules, node, child);
    const id = JSON.stringify(['v1', 'ConfigMap', 'default', 'child', 'u-child']);
    expect(work({ ...state, attemptToDelete: { [id]: 'current' } }, rules).requests).toEqual(
      requests,
    );
  });
});

describe('ownerPatchFallback', () => {
  const orphaning = { ...owner, ...DELETING, finalizers: [ORPHAN] };
  const widget = configMap('widget', { kind: WIDGET.name, ownerReferences: [ownedBy(owner)] });
  const start = (rules: World) =>
    changed(told(stored(orphaning, widget), rules, owner, widget), rules, owner, orphaning);

  it.each([
    ['none', ['patch widget removeOwners 415'], ['owner']],
    [
      'jsonMerge',
      [
        'patch widget removeOwners 415',
        'patch widget setOwners 200',
        'get owner 200',
        'patch owner setFinalizers 200',
      ],
      [],
    ],
  ] as const)('%s', (ownerPatchFallback, requests, left) => {
    const rules = world({ ownerPatchFallback });
    const { cluster: after, requests: sent } = work(start(rules), rules, 'attemptToOrphan');
    expect(sent).toEqual(requests);
    expect(queue(after, 'attemptToOrphan')).toEqual(left);
    expect(after.unchangedSince).toEqual({});
  });

  it('a write after the refusal is a conflict', () => {
    const rules = world();
    const { cluster: after, requests } = work(
      start(rules),
      rules,
      'attemptToOrphan',
      (draft, to) => {
        if (to?.verb !== 'patch' || to.patch.type !== 'merge' || to.patch.do !== 'setOwners')
          return;
        write(draft, rules, 'somebody', { ...widget, finalizers: ['example.com/hold'] });
      },
    );
    expect(requests.at(-1)).toBe('patch widget setOwners 409');
    expect(queue(after, 'attemptToOrphan')).toEqual(['owner']);
    expect(after.unchangedSince).toEqual({});
  });
});

describe('finalizerRemoval', () => {
  const waiting = { ...owner, ...DELETING, finalizers: [FOREGROUND] };

  // Between the transaction and the removal another object takes the name.
  it.each([
    ['put', 'put owner 409', true],
    ['patch', 'patch owner setFinalizers 200', false],
  ] as const)('%s', (finalizerRemoval, last, stays) => {
    const rules = world({ finalizerRemoval });
    const start = changed(told(stored(waiting), rules, owner), rules, owner, waiting);
    let sent = 0;
    const { cluster: after, requests } = work(start, rules, 'attemptToDelete', (draft) => {
      const worker = draft.deleteWorkers['worker-1'];
      if (worker?.at !== 'patchFinalizer' || worker.call.at !== 'remove' || sent++ > 0) return;
      draft.store['ConfigMap/default/owner'] = { ...owner, uid: 'u-renewed' } as never;
    });
    expect(requests).toContain(last);
    expect(after.store['ConfigMap/default/owner'] !== undefined).toBe(stays);
  });
});

describe('unobservedItem', () => {
  it.each([
    ['forgotten', []],
    ['requeued', ['owner*']],
  ] as const)('%s', (unobservedItem, left) => {
    const rules = world({ unobservedItem });
    const looked = work(told(stored(owner, dependent), rules, dependent), rules);
    expect(looked.requests).toEqual(['get owner 200']);
    expect(queue(looked.cluster, 'attemptToDelete')).toEqual(left);
  });
});
