import { describe, expect, it } from 'vitest';
import type { RuleName, Rules } from '../../model/rules/rules.ts';
import { BUILT_IN_KINDS, customKind } from '../../model/state/kind-table.ts';
import type { Setup } from '../../model/state/setup.ts';
import { explored, violatedIn } from '../model/discovery/explore.ts';
import { alice, configMap, deletedWith, object, ownedBy, setupOf } from './clusters.ts';

/** The effects of the rules of the collector's workers and its graph, before and after a repair. */

const A = 'ConfigMap/default/a';
const del = (key: string, propagationPolicy: 'Background' | 'Orphan') =>
  ({ do: 'delete', key, options: { propagationPolicy } }) as const;

const WIDGET = {
  ...customKind('example.com/v1alpha1', 'Widget', true),
  laterVersions: ['example.com/v1'],
};
const kinds = { ...BUILT_IN_KINDS, [WIDGET.name]: WIDGET };
const widget = (name: string, owner: string) =>
  object(WIDGET.name, name, {
    ownerReferences: [ownedBy(owner, { apiVersion: 'example.com/v1alpha1', kind: 'Widget' })],
  });
const a = configMap('a');
const b = configMap('b', { ownerReferences: [ownedBy('a')] });
const patchOwners = (ownerReferences: ReturnType<typeof ownedBy>[]) =>
  ({
    do: 'update',
    key: 'ConfigMap/default/b',
    change: { do: 'setOwnerReferences', ownerReferences },
    put: false,
    uid: null,
    resourceVersion: false,
  }) as const;

interface Difference {
  readonly before: Partial<Rules>;
  readonly after: Partial<Rules>;
  readonly setup: Setup;
  readonly violated: readonly string[];
}

const DIFFERENCES: Readonly<Record<string, Difference>> = {
  'kubernetes/kubernetes#54940, a cluster-scoped owner is looked for in a namespace': {
    before: { collectorRequestNamespace: 'item' },
    after: {},
    setup: setupOf(
      [
        object('Node', 'n', { namespace: '' }),
        configMap('child', { ownerReferences: [ownedBy('n', { kind: 'Node' })] }),
      ],
      { caches: 'cold' },
    ),
    // The node of the owner is removed as well, and returns without its dependents.
    violated: [
      'nothing with a live owner is collected',
      'owners and dependents in the graph match',
    ],
  },
  'kubernetes/kubernetes#56348, a dependent refuses the type of the patch': {
    before: { ownerPatchFallback: 'none' },
    after: {},
    setup: setupOf([object(WIDGET.name, 'w'), widget('x', 'w')], {
      kinds,
      ...alice(del(`${WIDGET.name}/default/w`, 'Orphan')),
    }),
    violated: [
      'every deletion finishes',
      'no collector finalizer is stuck',
      'orphaning completes',
      'the collector comes to rest',
    ],
  },
  'kubernetes/kubernetes#56121, an owner comes and goes while the watch is broken': {
    before: { unobservedItem: 'forgotten' },
    after: {},
    setup: setupOf([a, object('Secret', 's', { ownerReferences: [ownedBy('a')] })], {
      caches: 'cold',
      relists: { ConfigMap: 1 },
      ...alice(del(A, 'Background')),
    }),
    violated: [
      'no object stays whose owners are all gone',
      'the graph mirrors the store when all is quiet',
    ],
  },
  'kubernetes/kubernetes#102641, a node keeps a version that is not served any more': {
    before: { nodeVersion: 'frozen' },
    after: { nodeVersion: 'refreshed' },
    setup: setupOf([a, object(WIDGET.name, 'x', { ownerReferences: [ownedBy('a')] })], {
      kinds,
      users: {
        alice: [{ request: del(A, 'Background'), after: [] }],
        bob: [
          {
            request: { do: 'serveVersion', kind: WIDGET.name, version: 'example.com/v1' },
            after: [],
          },
        ],
      },
    }),
    violated: [
      'no object stays whose owners are all gone',
      'the graph mirrors the store when all is quiet',
    ],
  },
  'kubernetes/kubernetes#114603, a dependent is adopted between look-up and DELETE': {
    before: { collectorDeletePrecondition: 'uid' },
    after: { collectorDeletePrecondition: 'uidAndResourceVersion' },
    setup: setupOf([a, b, configMap('c')], {
      users: {
        alice: [{ request: del(A, 'Background'), after: [] }],
        bob: [{ request: patchOwners([ownedBy('c')]), after: [] }],
      },
    }),
    violated: ['nothing with a live owner is collected'],
  },
  'a PATCH that empties the finalizers removes by name, a PUT by uid': {
    before: { finalizerRemoval: 'patch' },
    after: { finalizerRemoval: 'put' },
    setup: setupOf(
      [configMap('a', deletedWith('foregroundDeletion'))],
      alice(del(A, 'Background'), { do: 'create', object: configMap('a', { uid: 'uid-a-2' }) }),
    ),
    violated: ['no other object of the same name is deleted'],
  },
};

describe('a rule of the collector', () => {
  for (const [title, { before, after, setup, violated }] of Object.entries(DIFFERENCES)) {
    const [name] = Object.keys(before) as readonly RuleName[];
    it(`${name}: ${title}`, async () => {
      expect(violatedIn(await explored(setup, before))).toEqual(violated);
      expect(violatedIn(await explored(setup, after))).toEqual([]);
    });
  }
});
