import { RIGHT_OBJECT_DELETED } from '../../properties/objects/deletion.ts';
import {
  LIVE_OWNER_PROTECTS_DEPENDENT,
  UNOWNED_NEVER_COLLECTED,
} from '../../properties/ownership/collection.ts';
import { ORPHANS_SURVIVE } from '../../properties/ownership/orphans.ts';
import type { Cases } from './cases.ts';
import {
  clusterOf,
  collecting,
  configMap,
  deleteCall,
  deletedWith,
  HOLD,
  object,
  ownedBy,
  setupOf,
  updateCall,
} from './clusters.ts';

const a = configMap('a');
const waiting = configMap('a', deletedWith('foregroundDeletion'));
const b = configMap('b', { ownerReferences: [ownedBy('a')] });
const heldB = configMap('b', { ownerReferences: [ownedBy('a')], finalizers: [HOLD] });
const B = 'ConfigMap/default/b';
const setup = setupOf([a, b]);
const collect = { name: 'attemptToDelete', parameters: { worker: 'delete-1' } };
const serveAlice = { name: 'serve', parameters: { client: 'alice' } };
const promised = { promisedOrphans: { 'uid-b': 'uid-a' } };
const node = object('Node', 'n', { namespace: '', ownerReferences: [ownedBy('a')] });

export const collectionCases: Cases = {
  [LIVE_OWNER_PROTECTS_DEPENDENT.name]: {
    violated: {
      'the owner is there when the object is removed': {
        run: {
          setup,
          states: [clusterOf([a, b], collecting(b, 'remove')), clusterOf([a])],
          steps: [collect],
        },
        explained: [
          'the collector deletes ConfigMap/b, whose owner ConfigMap/a is there (uid=uid-a, deletionTimestamp unset, finalizers=[])',
        ],
      },
      'the owner is there when deletion begins': {
        run: {
          setup: setupOf([a, heldB]),
          states: [
            clusterOf([a, heldB], collecting(heldB, 'update')),
            clusterOf([a, { ...heldB, ...deletedWith(HOLD) }]),
          ],
          steps: [collect],
        },
        explained: [
          'the collector deletes ConfigMap/b, whose owner ConfigMap/a is there (uid=uid-a, deletionTimestamp unset, finalizers=[])',
        ],
      },
      'an owner that is being deleted but does not wait for dependents is live': {
        run: {
          setup,
          states: [
            clusterOf([configMap('a', deletedWith(HOLD)), b], collecting(b, 'remove')),
            clusterOf([configMap('a', deletedWith(HOLD))]),
          ],
          steps: [collect],
        },
        explained: [
          'the collector deletes ConfigMap/b, whose owner ConfigMap/a is there (uid=uid-a, deletionTimestamp set, finalizers=[example.com/hold])',
        ],
      },
    },
    holds: {
      'the owner waits for its dependents': {
        setup,
        states: [clusterOf([waiting, b], collecting(b, 'remove')), clusterOf([waiting])],
        steps: [collect],
      },
      'the owner is another object of that name': {
        setup,
        states: [
          clusterOf([configMap('a', { uid: 'uid-a-2' }), b], collecting(b, 'remove')),
          clusterOf([configMap('a', { uid: 'uid-a-2' })]),
        ],
        steps: [collect],
      },
      'a cluster-scoped object cannot have a namespaced owner': {
        setup: setupOf([a, node]),
        states: [clusterOf([a, node], collecting(node, 'remove')), clusterOf([a])],
        steps: [collect],
      },
    },
    vacuous: {
      'the DELETE has only read so far': {
        setup,
        states: [
          clusterOf([a, b], collecting(b, 'get')),
          clusterOf([a, b], collecting(b, 'remove')),
        ],
        steps: [collect],
      },
      'another client had begun the deletion': {
        setup: setupOf([a, heldB]),
        states: [
          clusterOf([a, { ...heldB, ...deletedWith() }], collecting(heldB, 'remove')),
          clusterOf([a]),
        ],
        steps: [collect],
      },
      'a user deletes a dependent': {
        setup,
        states: [clusterOf([a, b], { calls: { alice: deleteCall(B, 'remove') } }), clusterOf([a])],
        steps: [serveAlice],
      },
    },
  },
  [UNOWNED_NEVER_COLLECTED.name]: {
    violated: {
      'the reference was removed while the DELETE was in progress': {
        run: {
          setup,
          states: [clusterOf([a, configMap('b')], collecting(b, 'remove')), clusterOf([a])],
          steps: [collect],
        },
        explained: ['the collector deletes ConfigMap/b, which has no owner reference (any more)'],
      },
    },
    holds: {
      'a dependent of an owner that is gone': {
        setup,
        states: [clusterOf([b], collecting(b, 'remove')), clusterOf([])],
        steps: [collect],
      },
    },
    vacuous: {
      'a user deletes an object without owners': {
        setup,
        states: [
          clusterOf([configMap('b')], { calls: { alice: deleteCall(B, 'remove') } }),
          clusterOf([]),
        ],
        steps: [serveAlice],
      },
    },
  },
  [RIGHT_OBJECT_DELETED.name]: {
    violated: {
      'the collector removes a later object of the same name': {
        run: {
          setup,
          states: [
            clusterOf([configMap('b', { uid: 'uid-b-2' })], collecting(b, 'remove', {})),
            clusterOf([]),
          ],
          steps: [collect],
        },
        explained: [
          'the collector deletes ConfigMap/b, and means an earlier object of that name (uid=uid-b-2 is stored, uid=uid-b was looked at)',
        ],
      },
      'a PATCH that emptied the finalizers of an earlier object removes a new one': {
        run: {
          setup,
          states: [
            clusterOf([configMap('b', { uid: 'uid-b-2' })], {
              calls: { alice: updateCall(B, 'remove', { do: 'removeFinalizer', finalizer: HOLD }) },
            }),
            clusterOf([]),
          ],
          steps: [serveAlice],
        },
        explained: [
          'a PATCH or PUT removes ConfigMap/b, whose deletion nobody has asked for (uid=uid-b-2, deletionTimestamp unset, finalizers=[])',
        ],
      },
    },
    holds: {
      'the collector removes the object that it has read': {
        setup,
        states: [clusterOf([b], collecting(b, 'remove')), clusterOf([])],
        steps: [collect],
      },
      'a DELETE by name means any object with that name': {
        setup,
        states: [
          clusterOf([configMap('b', { uid: 'uid-b-2' })], {
            calls: { alice: deleteCall(B, 'remove') },
          }),
          clusterOf([]),
        ],
        steps: [serveAlice],
      },
    },
    vacuous: {
      'an update changes an object': {
        setup,
        states: [
          clusterOf([b], {
            calls: { alice: updateCall(B, 'update', { do: 'addFinalizer', finalizer: HOLD }) },
          }),
          clusterOf([heldB]),
        ],
        steps: [serveAlice],
      },
    },
  },
  [ORPHANS_SURVIVE.name]: {
    violated: {
      'a promised orphan is collected': {
        run: {
          setup,
          states: [
            clusterOf([b], { ...promised, ...collecting(b, 'remove') }),
            clusterOf([], promised),
          ],
          steps: [collect],
        },
        explained: [
          'the collector deletes ConfigMap/b, which was to be orphaned (promised by the DELETE of its owner uid=uid-a; ownerReferences=[ConfigMap/a uid=uid-a blocking])',
        ],
      },
      'a promised orphan is collected after it has lost its reference': {
        run: {
          setup,
          states: [
            clusterOf([configMap('b')], { ...promised, ...collecting(b, 'remove') }),
            clusterOf([], promised),
          ],
          steps: [collect],
        },
        explained: [
          'the collector deletes ConfigMap/b, which was to be orphaned (promised by the DELETE of its owner uid=uid-a; ownerReferences=[])',
        ],
      },
    },
    holds: {
      'the collector removes the reference': {
        setup,
        states: [
          clusterOf([waiting, b], {
            ...promised,
            orphanWorkers: {
              'orphan-1': {
                node: 'n',
                at: 'patchDependents',
                failed: false,
                calls: {
                  'uid-b': updateCall(B, 'update', { do: 'removeOwners', uids: ['uid-a'] }),
                },
              },
            },
          }),
          clusterOf([waiting, configMap('b')], promised),
        ],
        steps: [
          { name: 'orphanDependent', parameters: { worker: 'orphan-1', dependent: 'uid-b' } },
        ],
      },
      'the orphan has got another owner, which is gone': {
        setup,
        states: [
          clusterOf([configMap('b', { ownerReferences: [ownedBy('z')] })], {
            ...promised,
            ...collecting(b, 'remove'),
          }),
          clusterOf([], promised),
        ],
        steps: [collect],
      },
    },
    vacuous: {
      'no orphans were promised': {
        setup,
        states: [clusterOf([b], collecting(b, 'remove')), clusterOf([])],
        steps: [collect],
      },
      'the collector does nothing to the API server': {
        setup,
        states: [clusterOf([b], promised), clusterOf([], promised)],
        steps: [collect],
      },
    },
  },
};
