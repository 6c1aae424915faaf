import {
  EVERY_DELETION_FINISHES,
  NO_STUCK_FINALIZER,
  NOTHING_STUCK,
} from '../../properties/objects/deletion.ts';
import { CASCADE_COMPLETES } from '../../properties/ownership/cascade.ts';
import { FOREGROUND_CYCLES_BROKEN } from '../../properties/ownership/foreground.ts';
import { ORPHANING_COMPLETES } from '../../properties/ownership/orphans.ts';
import type { Cases } from './cases.ts';
import { clusterOf, configMap, deletedWith, HOLD, object, ownedBy, setupOf } from './clusters.ts';

const node = object('Node', 'n', { namespace: '', ownerReferences: [ownedBy('a')] });
const waiting = configMap('a', deletedWith('foregroundDeletion'));
const held = configMap('a', deletedWith(HOLD));
const b = configMap('b', { ownerReferences: [ownedBy('a')] });
const deletedB = { ...b, ...deletedWith(HOLD) };
const setup = setupOf([configMap('a'), b]);
const stuckOwner = setupOf([configMap('a'), b], { finalizers: { [HOLD]: 'stuck' } });

const ring = (...finalizers: readonly string[]) => [
  configMap('a', { ...deletedWith(...finalizers), ownerReferences: [ownedBy('b')] }),
  configMap('b', { ...deletedWith('foregroundDeletion'), ownerReferences: [ownedBy('a')] }),
];
const ringSetup = setupOf(ring('foregroundDeletion'));
const self = configMap('a', {
  ...deletedWith('foregroundDeletion'),
  ownerReferences: [ownedBy('a')],
});

const orphaning = configMap('a', deletedWith('orphan'));
const promised = { promisedOrphans: { 'uid-b': 'uid-a' } };

const pod = object('Pod', 'p', { deletionTimestamp: 30, deletionGracePeriodSeconds: 30 });
const namespace = object('Namespace', 'shop', {
  namespace: '',
  specFinalizers: ['kubernetes'],
  ...deletedWith(),
});

export const progressCases: Cases = {
  [EVERY_DELETION_FINISHES.name]: {
    violated: {
      'an object stays behind a finalizer of the collector': {
        run: { setup, states: [clusterOf([waiting])] },
        explained: ['ConfigMap/a is blocked by: finalizer foregroundDeletion'],
      },
      'a cooperative owner is no excuse': {
        run: { setup, states: [clusterOf([held])] },
        explained: [`ConfigMap/a is blocked by: finalizer ${HOLD}`],
      },
      'a blocking dependent that nothing holds is no excuse': {
        run: { setup, states: [clusterOf([waiting, b])] },
        explained: [
          'ConfigMap/a is blocked by: finalizer foregroundDeletion',
          'ConfigMap/a is blocked by: dependent ConfigMap/b',
        ],
      },
      'the hold has ended, and the object stays': {
        run: {
          setup: stuckOwner,
          states: [clusterOf([waiting, deletedB]), clusterOf([waiting])],
        },
        explained: ['ConfigMap/a is blocked by: finalizer foregroundDeletion'],
      },
    },
    holds: {
      'the object goes': { setup, states: [clusterOf([waiting]), clusterOf([])] },
      'another object has its name by now': {
        setup,
        states: [clusterOf([waiting]), clusterOf([configMap('a', { uid: 'uid-a-2' })])],
      },
      'an owner of a finalizer is stuck': { setup: stuckOwner, states: [clusterOf([held])] },
      'a blocking dependent is held by a stuck owner': {
        setup: stuckOwner,
        states: [clusterOf([waiting, deletedB])],
      },
      'a pod is in its grace period': { setup: setupOf([pod]), states: [clusterOf([pod])] },
      'a namespace has contents': {
        setup: setupOf([namespace]),
        states: [clusterOf([namespace])],
      },
    },
    vacuous: {
      'nothing is being deleted': { setup, states: [clusterOf([configMap('a'), b])] },
    },
  },
  [NO_STUCK_FINALIZER.name]: {
    violated: {
      'nothing blocks the owner any more': {
        run: { setup, states: [clusterOf([waiting])] },
        explained: ['ConfigMap/a is blocked by: finalizer foregroundDeletion'],
      },
      'a third-party finalizer on the owner is no excuse': {
        run: {
          setup: stuckOwner,
          states: [clusterOf([configMap('a', deletedWith(HOLD, 'foregroundDeletion'))])],
        },
        explained: [
          `ConfigMap/a is blocked by: finalizer ${HOLD}`,
          'ConfigMap/a is blocked by: finalizer foregroundDeletion',
        ],
      },
      'a held dependent is no excuse for orphan': {
        run: { setup: stuckOwner, states: [clusterOf([orphaning, deletedB])] },
        explained: ['ConfigMap/a is blocked by: finalizer orphan'],
      },
    },
    holds: {
      'the finalizer is removed, another one stays': {
        setup,
        states: [
          clusterOf([configMap('a', deletedWith(HOLD, 'foregroundDeletion'))]),
          clusterOf([held]),
        ],
      },
      'the object goes': { setup, states: [clusterOf([orphaning]), clusterOf([])] },
    },
    vacuous: {
      'a blocking dependent is held by a stuck owner': {
        setup: stuckOwner,
        states: [clusterOf([waiting, deletedB])],
      },
      'no finalizer of the collector': { setup, states: [clusterOf([held])] },
    },
  },
  [CASCADE_COMPLETES.name]: {
    violated: {
      'the owner is gone': {
        run: { setup, states: [clusterOf([b])] },
        explained: ['ConfigMap/b stays: its owner ConfigMap/a (uid uid-a) is gone'],
      },
      'another object has the name of the owner': {
        run: { setup, states: [clusterOf([configMap('a', { uid: 'uid-a-2' }), b])] },
        explained: ['ConfigMap/b stays: its owner ConfigMap/a (uid uid-a) is gone'],
      },
      'the owner is in another namespace': {
        run: { setup, states: [clusterOf([configMap('a', { namespace: 'other' }), b])] },
        explained: ['ConfigMap/b stays: its owner ConfigMap/a (uid uid-a) is gone'],
      },
      'the owner of a cluster-scoped object is gone, which cannot be looked up': {
        run: { setup: setupOf([configMap('a'), node]), states: [clusterOf([node])] },
        explained: [
          'Node/n stays: its owner ConfigMap/a (uid uid-a) is gone, but has a namespace and ' +
            'cannot be looked up without one',
        ],
      },
    },
    holds: {
      'the object is deleted': { setup, states: [clusterOf([b]), clusterOf([])] },
      'its deletion begins': { setup, states: [clusterOf([b]), clusterOf([deletedB])] },
      'it loses its references': { setup, states: [clusterOf([b]), clusterOf([configMap('b')])] },
    },
    vacuous: {
      'the owner of a cluster-scoped object cannot be looked up, but is there': {
        setup: setupOf([configMap('a'), node]),
        states: [clusterOf([configMap('a'), node])],
      },
      'one of two owners exists': {
        setup: setupOf([configMap('b', { ownerReferences: [ownedBy('a'), ownedBy('c')] })]),
        states: [
          clusterOf([
            configMap('b', { ownerReferences: [ownedBy('a'), ownedBy('c')] }),
            configMap('c'),
          ]),
        ],
      },
    },
  },
  [FOREGROUND_CYCLES_BROKEN.name]: {
    violated: {
      'two objects wait for each other': {
        run: { setup: ringSetup, states: [clusterOf(ring('foregroundDeletion'))] },
        explained: [
          'ConfigMap/a is blocked by: finalizer foregroundDeletion',
          'ConfigMap/a is blocked by: dependent ConfigMap/b',
        ],
      },
      'an object waits for itself': {
        run: { setup: setupOf([self]), states: [clusterOf([self])] },
        explained: [
          'ConfigMap/a is blocked by: finalizer foregroundDeletion',
          'ConfigMap/a is blocked by: itself, as its own dependent',
        ],
      },
    },
    holds: {
      'a reference no longer blocks': {
        setup: ringSetup,
        states: [
          clusterOf(ring('foregroundDeletion')),
          clusterOf([
            configMap('a', {
              ...deletedWith('foregroundDeletion'),
              ownerReferences: [ownedBy('b', { blockOwnerDeletion: false })],
            }),
            configMap('b', {
              ...deletedWith('foregroundDeletion'),
              ownerReferences: [ownedBy('a')],
            }),
          ]),
        ],
      },
      'one of them is held by a stuck owner': {
        setup: { ...ringSetup, finalizers: { [HOLD]: 'stuck' } },
        states: [clusterOf(ring(HOLD, 'foregroundDeletion'))],
      },
    },
    vacuous: {
      'one of them is not in foreground deletion': {
        setup: ringSetup,
        states: [clusterOf(ring(HOLD))],
      },
    },
  },
  [ORPHANING_COMPLETES.name]: {
    violated: {
      'the finalizer stays': {
        run: { setup, states: [clusterOf([orphaning])] },
        explained: ['ConfigMap/a is blocked by: finalizer orphan'],
      },
      'the owner goes, a promised orphan still names it': {
        run: { setup, states: [clusterOf([orphaning, b], promised), clusterOf([b], promised)] },
        explained: ['ConfigMap/b still names its owner'],
      },
    },
    holds: {
      'the dependents are orphaned and the owner is removed': {
        setup,
        states: [clusterOf([orphaning, b], promised), clusterOf([configMap('b')], promised)],
      },
      'a repeated delete removes the finalizer': {
        setup,
        states: [clusterOf([orphaning]), clusterOf([held])],
      },
    },
    vacuous: { 'foreground deletion': { setup, states: [clusterOf([waiting, b])] } },
  },
  [NOTHING_STUCK.name]: {
    violated: {
      'nothing holds the object and it stays': {
        run: { setup, states: [clusterOf([waiting])] },
        explained: ['ConfigMap/a is blocked by: finalizer foregroundDeletion'],
      },
      'an item waits forever': {
        run: { setup, states: [clusterOf([], { attemptToOrphan: { n: 'current' } })] },
        explained: ['work is left that nobody does'],
      },
    },
    holds: {
      'all is gone': { setup, states: [clusterOf([])] },
      'a third party holds it': {
        setup,
        states: [clusterOf([waiting, deletedB])],
      },
    },
    vacuous: {},
  },
};
