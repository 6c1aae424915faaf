import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Rules } from '../../../model/rules/rules.ts';
import { BUILT_IN_KINDS, customKind } from '../../../model/state/kind-table.ts';
import { kindNamed } from '../../../model/state/kinds.ts';
import type { Setup } from '../../../model/state/setup.ts';
import { alice, configMap, object, ownedBy, setupOf } from '../../properties/clusters.ts';
import { folder, scenarioOf } from '../../scenarios/read.ts';
import { explored, traceOf, violatedIn } from './explore.ts';

/** Defects while the collector does not watch everything, and the changes that ended them. */

const WIDGET = customKind('example.com/v1', 'Widget', true);
const DEFINITION = 'CustomResourceDefinition.apiextensions.k8s.io';
const DEFINITION_KEY = `${DEFINITION}//widgets.example.com`;
const NAMESPACE = kindNamed(BUILT_IN_KINDS, 'Namespace');
const kinds = { ...BUILT_IN_KINDS, [WIDGET.name]: WIDGET };
const widget = object(WIDGET.name, 'w');
const ofWidget = ownedBy('w', { apiVersion: 'example.com/v1', kind: 'Widget' });
const definition = object(DEFINITION, 'widgets.example.com', { namespace: '' });

const del = (key: string, propagationPolicy: 'Foreground' | 'Background' | 'Orphan') =>
  ({ do: 'delete', key, options: { propagationPolicy } }) as const;
const cascade = (more: Partial<Setup>): Setup =>
  setupOf([configMap('a'), configMap('b', { ownerReferences: [ownedBy('a')] })], {
    ...alice(del('ConfigMap/default/a', 'Background')),
    ...more,
  });

const STUCK = ['nothing is stuck', 'every deletion finishes', 'no collector finalizer is stuck'];
const HALTED = [
  'nothing is stuck',
  'no object stays whose owners are all gone',
  'the collector comes to rest',
  'the collector works on',
];

interface Defect {
  readonly setup: Setup;
  readonly before: Partial<Rules>;
  readonly after: Partial<Rules>;
  /** Violated under the earlier rule. Nothing is violated afterwards. */
  readonly violated: readonly string[];
  /** Parts of sentences of the counterexample to the first of them, in this order. */
  readonly shows: readonly string[];
}

const DEFECTS: Readonly<Record<string, Defect>> = {
  'kubernetes/kubernetes#60037, an empty answer of discovery stops the workers for good': {
    setup: cascade({ discovery: { empty: 1, failing: {} } }),
    before: { emptyDiscovery: 'noKinds', syncRetry: 'never' },
    after: { emptyDiscovery: 'skipped', syncRetry: 'never' },
    violated: HALTED,
    shows: ['asks discovery, which answers nothing', 'holds the workers'],
  },
  'kubernetes/kubernetes#101078, one kind that never syncs keeps the workers from starting': {
    setup: cascade({ neverSyncs: ['Secret'] }),
    before: { workersWhileUnsynced: 'paused' },
    after: { workersWhileUnsynced: 'running' },
    violated: HALTED,
    shows: ['DELETE ConfigMap/a', 'sees DELETED ConfigMap/a'],
  },
  'kubernetes/kubernetes#101078, a kind that never syncs appears later': {
    setup: cascade({
      kinds,
      users: {
        alice: [{ request: del('ConfigMap/default/a', 'Background'), after: [] }],
        bob: [{ request: { do: 'create', object: definition }, after: [] }],
      },
      definitions: [DEFINITION_KEY],
      discovery: { empty: 0, failing: {} },
      neverSyncs: [WIDGET.name],
    }),
    before: { workersWhileUnsynced: 'paused' },
    after: { workersWhileUnsynced: 'running' },
    violated: HALTED,
    shows: ['POST CustomResourceDefinition', 'asks discovery', 'holds the workers'],
  },
  'kubernetes/kubernetes#104342, a kind that is not installed yet passes for absent': {
    setup: setupOf([widget, configMap('d', { ownerReferences: [ofWidget] })], {
      kinds,
      caches: 'cold',
      notInstalled: [WIDGET.name],
    }),
    before: { notInstalledKinds: 'notFound' },
    after: { notInstalledKinds: 'unavailable' },
    violated: ['nothing with a live owner is collected'],
    shows: ['sees ADDED ConfigMap/d', 'GET Widget.example.com/w', '404', 'DELETE ConfigMap/d'],
  },
  'kubernetes/kubernetes#104342, the other owner goes meanwhile': {
    setup: setupOf(
      [widget, configMap('a'), configMap('d', { ownerReferences: [ownedBy('a'), ofWidget] })],
      {
        kinds,
        ...alice(del('ConfigMap/default/a', 'Background')),
        notInstalled: [WIDGET.name],
      },
    ),
    before: { notInstalledKinds: 'notFound' },
    after: { notInstalledKinds: 'unavailable' },
    violated: ['nothing with a live owner is collected'],
    shows: ['GET Widget.example.com/w', '404', 'DELETE ConfigMap/d'],
  },
  'kubernetes/kubernetes#104342, a namespace seems to be empty': {
    setup: setupOf(
      [
        object('Namespace', 'shop', { namespace: '', specFinalizers: ['kubernetes'] }),
        object(WIDGET.name, 'w', { namespace: 'shop' }),
      ],
      {
        kinds: { Namespace: NAMESPACE, [WIDGET.name]: WIDGET },
        ...alice(del('Namespace//shop', 'Background')),
        emptiedNamespaces: ['shop'],
        notInstalled: [WIDGET.name],
      },
    ),
    before: { notInstalledKinds: 'notFound' },
    after: { notInstalledKinds: 'unavailable' },
    violated: ['nothing is left in a namespace or of a kind that is gone'],
    shows: ['asks discovery', 'removes Namespace/shop'],
  },
  'kubernetes/kubernetes#65818, a foreground delete of a kind on the ignore list': {
    setup: setupOf(
      [object('APIService.apiregistration.k8s.io', 'v1.example.com', { namespace: '' })],
      alice(del('APIService.apiregistration.k8s.io//v1.example.com', 'Foreground')),
    ),
    before: { ignoredKinds: 'eventsAndApiExtensions' },
    after: { ignoredKinds: 'events' },
    violated: STUCK,
    shows: ['propagationPolicy=Foreground', 'updates APIService'],
  },
  'kubernetes/kubernetes#47431, an orphaning delete of a custom resource': {
    setup: setupOf([widget], { kinds, ...alice(del('Widget.example.com/default/w', 'Orphan')) }),
    before: { customResources: 'unknown' },
    after: { customResources: 'watched' },
    violated: [...STUCK, 'orphaning completes'],
    shows: ['propagationPolicy=Orphan', 'updates Widget.example.com/w'],
  },
  'kubernetes/kubernetes#19902, an owner that a member of etcd does not show yet passes for absent':
    {
      setup: setupOf([], {
        ...alice(
          { do: 'create', object: configMap('a') },
          { do: 'create', object: object('Secret', 'b', { ownerReferences: [ownedBy('a')] }) },
        ),
        lags: 1,
      }),
      before: { etcdReads: 'anyMember' },
      after: { etcdReads: 'quorum' },
      violated: ['nothing with a live owner is collected'],
      shows: ['lags, goes on showing ConfigMap/a', 'POST ConfigMap/a', 'GET ConfigMap/a -> 404'],
    },
  'monitors of custom resources are stopped when their group cannot be discovered': {
    setup: setupOf([widget, configMap('d', { ownerReferences: [ofWidget] })], {
      kinds,
      ...alice(del('Widget.example.com/default/w', 'Background')),
      discovery: { empty: 0, failing: { 'example.com/v1': 1 } },
    }),
    before: { sharedInformers: 'builtInKinds' },
    after: { sharedInformers: 'allKinds' },
    violated: ['no object stays whose owners are all gone'],
    shows: ['asks discovery, which fails for example.com/v1', 'removes Widget.example.com/w'],
  },
};

describe('a rule of an earlier version brings back', () => {
  for (const [title, { setup, before, after, violated, shows }] of Object.entries(DEFECTS)) {
    it(title, async () => {
      const defective = await explored(setup, before);
      expect(violatedIn(defective)).toEqual(expect.arrayContaining([...violated]));
      const lines = traceOf(defective, violated[0] ?? '');
      let from = 0;
      for (const text of shows) {
        const found = lines.findIndex((line, index) => index >= from && line.includes(text));
        expect(found, `${text} in\n${lines.join('\n')}`).toBeGreaterThanOrEqual(from);
        from = found;
      }
      expect(violatedIn(await explored(setup, after))).toEqual([]);
      const naive = await explored(setup, before, 'naive');
      expect(violatedIn(naive)).toEqual(violatedIn(defective));
      expect(naive.statistics.states).toBe(defective.statistics.states);
    });
  }
});

describe('a setup with discovery', () => {
  const same = ['background-chain', 'foreground-chain', 'late-dependent-orphan'];
  it.each(same)('has the same states if discovery never fails: %s', async (name) => {
    const text = readFileSync(join(folder, `${name}.yaml`), 'utf8');
    const { setup } = scenarioOf(name, `${name}.yaml`, text);
    const plain = await explored(setup);
    const asking = await explored({ ...setup, discovery: { empty: 0, failing: {} } });
    expect(asking.statistics.transitions).toBe(plain.statistics.transitions);
    expect(asking.statistics.states).toBe(plain.statistics.states);
    expect(violatedIn(asking)).toEqual(violatedIn(plain));
  });

  it('leaves an owner of an unwatched kind virtual, and comes to rest', async () => {
    const owner = object('Secret', 'a');
    const setup = setupOf(
      [owner, configMap('b', { ownerReferences: [ownedBy('a', { kind: 'Secret' })] })],
      { neverSyncs: ['Secret'] },
    );
    const result = await explored(setup, { workersWhileUnsynced: 'running' });
    expect(violatedIn(result)).toEqual([]);
  });

  it('ignores the dependents of custom resources if the collector does not know their kind', async () => {
    const setup = setupOf([widget, configMap('d', { ownerReferences: [ofWidget] })], {
      kinds,
      ...alice(del('Widget.example.com/default/w', 'Background')),
    });
    const result = await explored(setup, { customResources: 'unknown' });
    expect(violatedIn(result)).toEqual(['no object stays whose owners are all gone']);
  });
});
