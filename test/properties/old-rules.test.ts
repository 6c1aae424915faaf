import { describe, expect, it } from 'vitest';
import { check, type Model } from '../../checker/index.ts';
import type { RuleName, Rules } from '../../model/rules/rules.ts';
import type { Cluster } from '../../model/state/cluster.ts';
import type { Setup } from '../../model/state/setup.ts';
import { deletionModel } from '../../model/system.ts';
import { deletionProperties } from '../../properties/index.ts';
import { alice, configMap, deletedWith, HOLD, object, ownedBy, setupOf } from './clusters.ts';

/** Defects of earlier versions return with their rule, and the properties detect them. */

const A = 'ConfigMap/default/a';
const del = (key: string, propagationPolicy: 'Foreground' | 'Background' | 'Orphan') =>
  ({ do: 'delete', key, options: { propagationPolicy } }) as const;
const patch = { put: false, uid: null, resourceVersion: false } as const;
const a = configMap('a');
const b = configMap('b', { ownerReferences: [ownedBy('a')] });

interface Defect {
  readonly rules: Partial<Rules>;
  readonly setup: Setup;
  readonly violated: readonly string[];
}

const DEFECTS: Readonly<Record<string, Defect>> = {
  'kubernetes/kubernetes#77081, foregroundDeletion comes back unnoticed': {
    rules: { deletionStart: 'deletionTimestamp' },
    setup: setupOf([configMap('a', { finalizers: [HOLD] })], {
      ...alice(del(A, 'Foreground'), { do: 'settle' }, del(A, 'Foreground'), {
        do: 'update',
        key: A,
        change: { do: 'removeFinalizer', finalizer: HOLD },
        ...patch,
      }),
      finalizers: { [HOLD]: 'stuck' },
    }),
    violated: ['nothing is stuck', 'every deletion finishes', 'no collector finalizer is stuck'],
  },
  'kubernetes/kubernetes#32628, a cycle in foreground deletion': {
    rules: { cycleBreaking: 'none' },
    setup: setupOf(
      [configMap('a', { ownerReferences: [ownedBy('b')] }), b],
      alice(del(A, 'Foreground')),
    ),
    violated: [
      'nothing is stuck',
      'every deletion finishes',
      'no collector finalizer is stuck',
      'cycles in foreground deletion are broken',
    ],
  },
  'kubernetes/kubernetes#25169, a later object of the same name is deleted': {
    rules: { collectorDeletePrecondition: 'none' },
    setup: setupOf([a, b], {
      users: {
        alice: [{ request: del(A, 'Background'), after: [] }],
        bob: [
          { request: del('ConfigMap/default/b', 'Background'), after: [] },
          { request: { do: 'create', object: configMap('b', { uid: 'uid-b-2' }) }, after: [] },
        ],
      },
    }),
    violated: [
      'no other object of the same name is deleted',
      'nothing without owner references is collected',
    ],
  },
  'kubernetes/kubernetes#32157, finalizers do not hold a pod back': {
    rules: { pendingFinalizersOnDelete: 'ignored' },
    setup: setupOf(
      [
        object('Pod', 'p', {
          finalizers: [HOLD],
          pod: { terminationGracePeriodSeconds: 30, scheduled: true, finished: false },
        }),
      ],
      alice({ do: 'delete', key: 'Pod/default/p', options: { gracePeriodSeconds: 0 } }),
    ),
    violated: ['finalizers are respected', 'nothing leaves with a finalizer on it'],
  },
  'kubernetes/kubernetes#32339, a finalizer is added after deletion began': {
    rules: { finalizersWhileDeleting: 'free' },
    setup: setupOf(
      [configMap('a', deletedWith(HOLD))],
      alice({
        do: 'update',
        key: A,
        change: { do: 'addFinalizer', finalizer: 'example.com/late' },
        ...patch,
      }),
    ),
    violated: [
      'nothing leaves with a finalizer on it',
      'updates add no finalizer after deletion began',
    ],
  },
  'kubernetes/kubernetes#77944, the last finalizer goes and the object stays': {
    rules: { removeOnEmptyFinalizers: 'gracePeriodZero' },
    setup: setupOf([
      configMap('a', {
        finalizers: [HOLD],
        deletionTimestamp: 0,
        deletionGracePeriodSeconds: null,
      }),
    ]),
    violated: ['nothing is stuck', 'every deletion finishes'],
  },
  'kubernetes/kubernetes#92743, a wrong reference of one dependent proves the owner of another gone':
    {
      rules: {
        virtualNodeIdentity: 'frozen',
        virtualDelete: 'removes',
        ownerMismatch: 'ignored',
        absentOwnerKey: 'uid',
        dequeuedVirtualNode: 'processed',
      },
      setup: setupOf(
        [configMap('wrong', { ownerReferences: [ownedBy('a', { kind: 'Secret' })] }), a, b],
        { caches: 'cold' },
      ),
      violated: ['nothing with a live owner is collected'],
    },
  'kubernetes/kubernetes#48354, a collector finalizer on a kind that is not watched': {
    rules: { unsupportedPolicy: 'ignored' },
    setup: setupOf([object('Event', 'e')], alice(del('Event/default/e', 'Foreground'))),
    violated: ['nothing is stuck', 'every deletion finishes', 'no collector finalizer is stuck'],
  },
};

async function violatedIn(setup: Setup): Promise<readonly string[]> {
  const model: Model<Cluster> = deletionModel(setup);
  const { properties } = await check({ model, properties: deletionProperties(setup) });
  return properties.filter(({ verdict }) => verdict === 'violated').map(({ name }) => name);
}

describe('a rule of an earlier version', () => {
  for (const [title, { rules, setup, violated }] of Object.entries(DEFECTS)) {
    const names = Object.keys(rules) as readonly RuleName[];
    it(`${names[0]} brings back ${title}`, async () => {
      const earlier = { ...setup, rules: { ...setup.rules, ...rules } };
      expect(await violatedIn(earlier)).toEqual(expect.arrayContaining([...violated]));
      expect(await violatedIn(setup)).toEqual([]);
    });
  }
});
