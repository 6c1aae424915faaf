import { produce } from 'immer';
import { describe, expect, it } from 'vitest';
import { check } from '../../checker/index.ts';
import { outcomeProperties } from '../../input/scenarios/outcomes.ts';
import { NAMESPACES } from '../../model/actors/namespaces/actor.ts';
import type { Cluster, ClusterDraft } from '../../model/state/cluster.ts';
import { setState } from '../../model/state/controllers.ts';
import { BUILT_IN_KINDS } from '../../model/state/kind-table.ts';
import { keyOf } from '../../model/state/objects.ts';
import type { Setup } from '../../model/state/setup.ts';
import { deletionModel, worldOf } from '../../model/system.ts';
import { deletionProperties } from '../../properties/index.ts';
import { clusterOf, deletedWith, HOLD, object, setupOf } from '../properties/clusters.ts';
import { scenarioOf } from '../scenarios/read.ts';
import { judged, sentences } from './judged-scenario.ts';

const LEFT_BEHIND = 'nothing is left in a namespace or of a kind that is gone';
const FINISHES = 'every deletion finishes';
const PODS_FIRST = 'a namespace is emptied of pods first';

describe('the namespace controller', () => {
  it('that remembers a 404 skips contents of other namespaces (kubernetes/kubernetes#93790)', async () => {
    const rules = { namespaceContentNotFound: 'remembered' } as const;
    const before = await judged('namespace-kind-comes-back', rules, LEFT_BEHIND);
    expect(before.verdict).toBe('violated');
    const [, later] = sentences(before).join('\n').split('alice: DELETE Namespace/second');
    expect(sentences(before).join('\n')).toContain(
      'namespace controller: DELETE collection Widget.example.com in first propagationPolicy=Background -> 404 NotFound',
    );
    expect(later).not.toContain('Widget');
    expect(before.broken).toEqual([
      'Widget.example.com/w.second is left, although Namespace/second is gone',
    ]);
    expect((await judged('namespace-kind-comes-back', {}, LEFT_BEHIND)).verdict).toBe('holds');
  });

  it('that treats held contents as an error gives up (kubernetes/kubernetes#32519)', async () => {
    const rules = {
      namespaceContentPolicy: 'none',
      namespaceContentFinalizers: 'unexpected',
    } as const;
    const before = await judged('namespace-held-contents', rules, FINISHES);
    expect(before.verdict).toBe('violated');
    expect(sentences(before)).toContain(
      'namespace controller: DELETE collection ReplicationController in shop',
    );
    const waited = { ...rules, namespaceContentFinalizers: 'waited' } as const;
    expect((await judged('namespace-held-contents', waited, FINISHES)).verdict).toBe('holds');
    const patient = await judged(
      'namespace-held-contents',
      rules,
      FINISHES,
      ({ namespaceRetries: _, ...setup }) => setup,
    );
    expect(patient.verdict).toBe('holds');
  });

  it('goes through the kinds in any order, or pods first (kubernetes/kubernetes#126587)', async () => {
    const rules = { namespaceContentOrder: 'anyOrder' } as const;
    const before = await judged('namespace-pods-first', rules, PODS_FIRST);
    expect(before.verdict).toBe('violated');
    expect(sentences(before).join('\n')).not.toContain('DELETE collection Pod');
    expect((await judged('namespace-pods-first', {}, PODS_FIRST)).verdict).toBe('holds');
  });
});

it('makes another pass over a namespace once a kind of contents is installed', async () => {
  const { setup } = scenarioOf('late', 'late.yaml', LATE_KIND);
  const properties = outcomeProperties(setup);
  const result = await check({ model: deletionModel(setup), properties, auditEvery: 10 });
  expect(result.properties.map(({ verdict }) => verdict)).toEqual(['holds', 'violated']);
});

const LATE_KIND = `
about: A namespace that is held, with a kind that is installed after the first pass.
objects:
  - {apiVersion: v1, kind: Namespace, metadata: {name: shop}, spec: {finalizers: [kubernetes]}}
  - {apiVersion: v1, kind: Secret, metadata: {name: s, namespace: shop, finalizers: [example.com/hold]}}
  - {apiVersion: example.com/v1, kind: Widget, metadata: {name: w, namespace: shop}}
requests:
  - delete: Namespace/shop
environment:
  notInstalled: [Widget]
  namespaceController: true
  finalizers: {example.com/hold: stuck}
outcomes:
  the widget goes: {Widget/w: gone}
  the widget stays: {Widget/w: there}
`;

describe.each(['removedByUpdate', 'deletedByController'] as const)(
  'a namespace with a finalizer of others in its spec, %s',
  (finalizedNamespace) => {
    it.each([
      ['cooperative', 'holds'],
      ['stuck', 'violated'],
    ])('whose owner is %s', async (owner, goes) => {
      const { setup } = scenarioOf('held', 'held.yaml', heldInSpec(owner));
      const changed = { ...setup, rules: { ...setup.rules, finalizedNamespace } };
      const properties = [...outcomeProperties(changed), ...deletionProperties(changed)];
      const result = await check({ model: deletionModel(changed), properties, auditEvery: 10 });
      const [outcome, ...others] = result.properties;
      expect(outcome?.verdict).toBe(goes);
      expect(others.filter(({ verdict }) => verdict === 'violated')).toEqual([]);
    });
  },
);

function heldInSpec(owner: string): string {
  return `
about: A namespace that another controller finalizes as well.
objects:
  - apiVersion: v1
    kind: Namespace
    metadata: {name: shop}
    spec: {finalizers: [kubernetes, example.com/quota]}
  - {apiVersion: v1, kind: Secret, metadata: {name: s, namespace: shop}}
requests:
  - delete: Namespace/shop
environment:
  namespaceController: true
  finalizers: {example.com/quota: ${owner}}
outcomes:
  it goes: {Namespace/shop: gone}
`;
}

describe('a namespace that a pass has left as it is', () => {
  const secret = object('Secret', 's', { namespace: 'shop', ...deletedWith(HOLD) });
  const waiting = object('Pod', 'p', {
    namespace: 'shop',
    deletionTimestamp: 0,
    deletionGracePeriodSeconds: 30,
    pod: { scheduled: true, terminationGracePeriodSeconds: 30, finished: false },
  });
  const shop = object('Namespace', 'shop', {
    namespace: '',
    deletionTimestamp: 0,
    phase: 'Terminating',
    specFinalizers: ['kubernetes'],
  });
  const setup = setupOf([shop, secret, waiting], { emptiedNamespaces: ['shop'] });
  const pass = NAMESPACES.actions.emptyNamespace!.reducer(setup, worldOf(setup));
  const isIdle = (cluster: Cluster) => NAMESPACES.isIdle(setup, cluster);

  function afterPasses(start: Cluster): Cluster {
    let cluster = start;
    for (let steps = 0; !isIdle(cluster); steps++) {
      if (steps > 1_000) throw new Error('the controller does not come to rest');
      cluster = produce(cluster, (draft) => pass(draft, { namespace: 'shop' }));
    }
    return cluster;
  }

  const CHANGES: readonly (readonly [string, (draft: ClusterDraft) => void])[] = [
    ['an object goes', ({ store }) => delete store[keyOf(secret)]],
    ['a pod ends', ({ store }) => Object.assign(store[keyOf(waiting)]!.pod!, { finished: true })],
    [
      'a pass over another namespace remembers that a kind cannot be listed',
      (draft) => {
        const role = 'namespaceMemory';
        const operations = ['list /v1 secrets'];
        setState(draft, 'memory of the namespace controller', { role, operations } as never);
      },
    ],
  ];
  it.each(CHANGES)('gets another pass once %s', (_, change) => {
    const rested = afterPasses(clusterOf(setup.objects));
    const later = produce(rested, (draft) => void change(draft));
    expect(isIdle(later)).toBe(false);
  });
});

it('makes another pass over a namespace if an object came and went during the last one', async () => {
  const found = await judged('namespace-object-comes-and-goes', {}, 'nothing is stuck');
  expect(found.verdict).toBe('holds');
  const later = await judged('namespace-object-comes-and-goes', {}, FINISHES);
  expect(later.verdict).toBe('holds');
});

describe('admission', () => {
  it('lets an object into a namespace that is being deleted if its cache lags', async () => {
    const late = 'outcome: it is left behind';
    expect((await judged('namespace-late-create', {}, late)).verdict).toBe('holds');
    const found = await judged('namespace-late-create', {}, LEFT_BEHIND);
    expect(found.verdict).toBe('violated');
  });

  it('does not, if the controller waits longer than its cache lags', async () => {
    const waits = await judged('namespace-waits-for-admission', {}, LEFT_BEHIND);
    expect(waits.verdict).toBe('holds');
    const lags = (setup: Setup) => ({ ...setup, namespaceAdmission: 'cached' as const });
    const late = await judged('namespace-waits-for-admission', {}, LEFT_BEHIND, lags);
    expect(late.verdict).toBe('violated');
  });

  it('does not let the controller begin before the child of another one is stored', async () => {
    const child = object('ConfigMap', 'child', { namespace: 'shop' });
    const operator = {
      name: 'example-operator',
      parent: { key: 'PersistentVolume//p', uid: 'uid-p' },
      ...{ addsFinalizer: false, creates: [child], deletes: [], waitsFor: [] },
      ...{ reads: 'live' as const, fairness: 'weak' as const },
    };
    const parent = object('PersistentVolume', 'p', { namespace: '' });
    const withChild = (setup: Setup): Setup => ({
      ...setup,
      kinds: BUILT_IN_KINDS,
      objects: [...setup.objects, parent],
      operators: [operator],
      users: { alice: setup.users.alice ?? [] },
    });
    const found = await judged('namespace-waits-for-admission', {}, LEFT_BEHIND, withChild);
    expect(found.verdict).toBe('holds');
  });
});
