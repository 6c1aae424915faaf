import { produce } from 'immer';
import { describe, expect, it } from 'vitest';
import {
  type Discovery,
  isSynced,
  NO_MONITORS,
  syncMonitors,
} from '../../../model/collector/discovery.ts';
import { type ApiObject, FOREGROUND } from '../../../model/objects.ts';
import type { Cluster } from '../../../model/state.ts';
import { deliverVirtualDelete } from '../../../model/watch.ts';
import type { World } from '../../../model/world.ts';
import { configMap, DELETING, world } from '../apiserver/fixtures.ts';
import { changed, gone, ownedBy, queue, stored, told, work } from './stage.ts';

/** Each value of each rule of the collector, where it makes the difference. */

const owner = configMap('owner');
const dependent = configMap('dependent', { ownerReferences: [ownedBy(owner)] });
const cluster = (kind: string, name: string, more: Partial<ApiObject> = {}): ApiObject =>
  configMap(name, { kind, namespace: '', ...more });

function virtualDelete(state: Cluster, given: World): Cluster {
  return produce(state, (draft) => deliverVirtualDelete(draft, given));
}

/** A Node is known through a reference of a namespaced object, so its node has a namespace. */
const node = cluster('Node', 'node');
const child = configMap('child', { ownerReferences: [ownedBy(node)] });

describe('virtualNodeIdentity', () => {
  it.each([
    ['frozen', 'default'],
    ['corrected', ''],
  ] as const)('%s', (virtualNodeIdentity, namespace) => {
    const rules = world({ virtualNodeIdentity });
    const state = told(stored(node, child), rules, child, node);
    expect(state.graph['u-node']).toMatchObject({ virtual: false, identity: { namespace } });
  });
});

describe('dequeuedVirtualNode', () => {
  it.each([
    ['processed', ['get node 200']],
    ['skippedWhenObserved', []],
  ] as const)('%s', (dequeuedVirtualNode, requests) => {
    const rules = world({ dequeuedVirtualNode });
    const state = told(stored(node, child), rules, child, node);
    expect(work(state, rules).requests).toEqual(requests);
  });
});

describe('virtualDelete', () => {
  // Two dependents know the same uid by different names; only one of the two names is absent.
  const renamed = configMap('other', { ownerReferences: [ownedBy(owner, { name: 'wrong' })] });

  it.each([
    ['removes', undefined, ['dependent', 'other']],
    ['matchingCoordinates', 'owner', ['other', 'owner*']],
  ] as const)('%s', (rule, name, left) => {
    const rules = world({ virtualDelete: rule, ownerMismatch: 'ignored' });
    const state = told(stored(dependent, renamed), rules, renamed, dependent);
    const looked = work(state, rules);
    expect(looked.requests).toEqual(['get wrong 404']);
    const after = virtualDelete(looked.cluster, rules);
    expect(after.graph['u-owner']?.identity.name).toBe(name);
    expect(queue(after, 'attemptToDelete')).toEqual(left);
  });
});

describe('ownerMismatch', () => {
  const wrong = configMap('wrong', { ownerReferences: [ownedBy(owner, { kind: 'Secret' })] });

  it.each([
    ['ignored', []],
    ['enqueueDependent', ['wrong']],
  ] as const)('%s', (ownerMismatch, left) => {
    const rules = world({ ownerMismatch });
    const state = told(stored(owner, wrong), rules, owner, wrong);
    expect(queue(state, 'attemptToDelete')).toEqual(left);
  });
});

describe('virtualOwnerNamespace', () => {
  const scoped = cluster('Node', 'scoped', { ownerReferences: [ownedBy(owner)] });

  it.each([
    ['trusted', ['owner*']],
    ['checked', ['owner*', 'dependent']],
  ] as const)('%s', (virtualOwnerNamespace, left) => {
    const rules = world({ virtualOwnerNamespace });
    const state = told(stored(scoped, dependent), rules, scoped, dependent);
    expect(queue(state, 'attemptToDelete')).toEqual(left);
  });
});

describe('absentOwnerKey', () => {
  // The owner is gone; a reference with its uid and another name is looked up all the same.
  const renamed = configMap('renamed', { ownerReferences: [ownedBy(owner, { name: 'other' })] });

  it.each([
    ['uid', ['get renamed 200', 'delete renamed Background 200']],
    ['coordinates', ['get renamed 200', 'get other 404', 'delete renamed Background 200']],
  ] as const)('%s', (absentOwnerKey, requests) => {
    const rules = world({ absentOwnerKey, ownerMismatch: 'ignored' });
    const state = gone(told(stored(renamed), rules, owner, renamed), rules, owner);
    expect(work(state, rules).requests).toEqual(requests);
  });

  it('the least recently used entry goes', () => {
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

describe('deletionStart', () => {
  // The finalizer comes on an object whose deletion has been seen before.
  const held = { ...owner, ...DELETING, finalizers: ['example.com/hold'] };
  const marked = { ...held, finalizers: ['example.com/hold', FOREGROUND] };

  it.each([
    ['deletionTimestamp', false],
    ['deletionTimestampAndFinalizer', true],
  ] as const)('%s', (deletionStart, deletingDependents) => {
    const rules = world({ deletionStart });
    const state = changed(told(stored(marked), rules, held), rules, held, marked);
    expect(state.graph['u-owner']).toMatchObject({ beingDeleted: true, deletingDependents });
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

describe('failedGroupDiscovery', () => {
  const list = (groupVersion: string, name: string) => ({
    groupVersion,
    resources: [{ name, verbs: ['delete', 'list', 'watch'] }],
  });
  const all: Discovery = {
    lists: [list('v1', 'pods'), list('apps/v1', 'deployments')],
    error: null,
  };
  const partial: Discovery = {
    lists: [list('v1', 'pods')],
    error: { failedGroups: ['apps/v1'] },
  };
  const always = (): boolean => true;

  it.each([
    ['dropsMonitors', ['/v1/pods']],
    ['keepsMonitors', ['/v1/pods', 'apps/v1/deployments']],
  ] as const)('%s', (failedGroupDiscovery, running) => {
    const { rules } = world({ failedGroupDiscovery });
    const before = syncMonitors(NO_MONITORS, rules, all, always);
    const after = syncMonitors(before, rules, partial, always);
    expect(Object.keys(after.running)).toEqual(running);
    expect(isSynced(after)).toBe(true);
  });

  it('a monitor that never listed is not kept', () => {
    const { rules } = world({ failedGroupDiscovery: 'keepsMonitors' });
    const before = syncMonitors(NO_MONITORS, rules, all, ({ group }) => group === '');
    expect(isSynced(before)).toBe(false);
    expect(Object.keys(syncMonitors(before, rules, partial, always).running)).toEqual(['/v1/pods']);
  });
});
