import { produce } from 'immer';
import { describe, expect, it } from 'vitest';
import { modelApiServer } from '../../../model/apiserver/port.ts';
import {
  type Discovery,
  isSynced,
  NO_MONITORS,
  syncMonitors,
} from '../../../model/collector/discovery.ts';
import { serveVersion } from '../../../model/collector/versions.ts';
import { deliver, deliverVirtualDelete } from '../../../model/collector/watch.ts';
import type { Cluster } from '../../../model/state/cluster.ts';
import { type ApiObject, FOREGROUND } from '../../../model/state/objects.ts';
import type { ApiServer, World } from '../../../model/state/world.ts';
import { configMap, DELETING, WIDGET, world } from '../apiserver/fixtures.ts';
import { changed, ownedBy, queue, stored, told, work } from './fixtures.ts';

/** Each value of each rule of the collector, in a case in which it makes the difference. */

const WORLD = world();
const owner = configMap('owner');
const dependent = configMap('dependent', { ownerReferences: [ownedBy(owner)] });
const cluster = (kind: string, name: string, more: Partial<ApiObject> = {}): ApiObject =>
  configMap(name, { kind, namespace: '', ...more });

function virtualDelete(state: Cluster, given: World): Cluster {
  return produce(state, (draft) => {
    for (const waiting of Object.keys(state.graphChanges)) {
      deliverVirtualDelete(draft, given, waiting);
    }
  });
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

describe('nodeVersion', () => {
  const later = 'example.test/v2';
  const kinds = { ...WORLD.kinds, [WIDGET.name]: { ...WIDGET, laterVersions: [later] } };
  const widget = configMap('widget', { kind: WIDGET.name, ownerReferences: [ownedBy(owner)] });
  const id = (version: string) =>
    JSON.stringify([version, 'Widget', 'default', 'widget', 'u-widget']);
  const begun = (nodeVersion: 'frozen' | 'refreshed') => {
    const rules = world({ nodeVersion }, { kinds });
    const state = told(stored(owner, widget), rules, owner, widget);
    const queued = { ...state, attemptToDelete: { [id('example.test/v1')]: 'current' as const } };
    const switched = produce(queued, (draft) => {
      serveVersion(draft, rules, WIDGET.name, later);
      deliver(draft, rules, WIDGET.name);
      delete draft.store['ConfigMap/default/owner'];
    });
    return { rules, switched };
  };

  it.each([
    ['frozen', 'example.test/v1', []],
    ['refreshed', later, ['get widget 200', 'get owner 404', 'delete widget Background 200']],
  ] as const)('%s', (nodeVersion, version, requests) => {
    const { rules, switched } = begun(nodeVersion);
    expect(switched.graph['u-widget']?.identity.apiVersion).toBe(version);
    expect(switched.dependents['u-owner']).toEqual(['u-widget']);
    const worked = work(switched, rules);
    expect(worked.requests).toEqual(requests);
    // The queue holds the old node object. Without a mapping it is tried again.
    const left = nodeVersion === 'frozen' ? [id('example.test/v1')] : [];
    expect(Object.keys(worked.cluster.attemptToDelete)).toEqual(left);
  });

  it('an item that was deleting its dependents continues under its new name', () => {
    const rules = world({ nodeVersion: 'refreshed' }, { kinds });
    const waiting = { ...widget, ...DELETING, finalizers: [FOREGROUND] };
    const state = changed(told(stored(waiting), rules, widget), rules, widget, waiting);
    const only = { ...state, attemptToDelete: { [id('example.test/v1')]: 'current' as const } };
    const switched = produce(only, (draft) => {
      serveVersion(draft, rules, WIDGET.name, later);
      deliver(draft, rules, WIDGET.name);
    });
    expect(work(switched, rules).requests).toEqual([
      'get widget 200',
      'get widget 200',
      'patch widget setFinalizers 200',
    ]);
  });

  it('an item that is retried is queued under its old name', () => {
    const { rules, switched } = begun('refreshed');
    const api: ApiServer = {
      ...modelApiServer,
      get: () => ({ code: 503, reason: 'ServiceUnavailable', message: 'later' }),
    };
    const { cluster: after } = work(switched, { ...rules, api });
    expect(after.attemptToDelete).toEqual({ [id('example.test/v1')]: 'detached' });
    expect(after.processing).toEqual({});
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

describe('deletionStart', () => {
  // The object gets the finalizer after its deletion has been seen.
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

  it('a monitor that has never listed is dropped', () => {
    const { rules } = world({ failedGroupDiscovery: 'keepsMonitors' });
    const before = syncMonitors(NO_MONITORS, rules, all, ({ group }) => group === '');
    expect(isSynced(before)).toBe(false);
    expect(Object.keys(syncMonitors(before, rules, partial, always).running)).toEqual(['/v1/pods']);
  });
});
