import type { DeleteOptions, UpdateCall } from '../../model/state/calls.ts';
import type { Cluster } from '../../model/state/cluster.ts';
import type { ApiObject } from '../../model/state/objects.ts';
import { VALID_REQUEST_CARRIED_OUT } from '../../properties/clients/answers.ts';
import {
  PRECONDITIONS_ENFORCED,
  REQUEST_DOES_ONLY_WHAT_IT_ASKS,
} from '../../properties/clients/requests.ts';
import {
  VERSION_OUTDATED_ONLY_BY_WRITE,
  WATCH_REPORTS_EVERY_CHANGE,
} from '../../properties/clients/versions.ts';
import type { Cases } from './cases.ts';
import {
  clusterOf,
  configMap,
  deleteCall,
  deletedWith,
  HOLD,
  object,
  ownedBy,
  setupOf,
  updateCall,
} from './clusters.ts';
import type { Run } from './judge.ts';

const A = 'ConfigMap/default/a';
const a = configMap('a', { finalizers: [HOLD], generation: 1 });
const b = configMap('b');
const serve = { name: 'serve', parameters: { client: 'alice' } };

/** The request of alice takes a step. `going` is the rest of the request. */
function served(
  call: NonNullable<Cluster['calls'][string]>,
  before: readonly ApiObject[],
  after: readonly ApiObject[],
  more: { readonly going?: Cluster['calls'][string]; readonly known?: boolean } = {},
): Run {
  return {
    setup: setupOf([a, b]),
    states: [
      clusterOf(before, {
        calls: { alice: call },
        unchangedSince: more.known === true ? { alice: A } : {},
      }),
      clusterOf(after, { calls: more.going === undefined ? {} : { alice: more.going } }),
    ],
    steps: [serve],
  };
}

const deletion = (options: DeleteOptions = {}) => deleteCall(A, 'update', options);
const marked = { ...a, ...deletedWith(HOLD), generation: 2 };
const removal = updateCall(A, 'update', { do: 'removeFinalizer', finalizer: HOLD });
const freed = { ...a, finalizers: [] };
const ofVersion: UpdateCall = { ...removal, resourceVersion: true };
const POD = 'Pod/default/p';
const ending = object('Pod', 'p', { deletionTimestamp: 5, deletionGracePeriodSeconds: 5 });

/**
 * The request of alice takes a step while bob holds a copy of `a`, current before and after the
 * step or not.
 */
function readByBob(call: UpdateCall, after: readonly ApiObject[], isUpToDate: boolean): Run {
  return {
    setup: setupOf([a, b]),
    states: [
      clusterOf([a, b], { calls: { alice: call }, unchangedSince: { bob: A } }),
      clusterOf(after, { unchangedSince: isUpToDate ? { bob: A } : {} }),
    ],
    steps: [serve],
  };
}

const ADDED = {
  type: 'add',
  key: A,
  object: {
    identity: {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      namespace: 'default',
      name: 'a',
      uid: a.uid,
    },
    ownerReferences: [],
    deletion: { beingDeleted: false, orphan: false, foreground: false },
  },
} as const;

/** Only its initializers see the object. */
const unseen = { initializers: { pending: ['example.com/check'] } };

/** An actor has a cache of ConfigMaps. */
const withCache = setupOf([a], {
  operators: [
    {
      name: 'operator',
      parent: { key: A, uid: a.uid },
      addsFinalizer: false,
      creates: [],
      deletes: [],
      waitsFor: [],
      reads: 'cache',
      fairness: 'weak',
    },
  ],
});

/** The watch breaks while the object is on its way as added, and the new list reports it again. */
function relisted(stored: readonly ApiObject[]): Run {
  const state = clusterOf(stored, { watch: { ConfigMap: [ADDED] } });
  return {
    setup: setupOf([a]),
    states: [state, state],
    steps: [{ name: 'relist', parameters: { kind: 'ConfigMap' } }],
  };
}

/** The request of alice takes a step, after which this many events are on their way. */
function told(
  call: NonNullable<Cluster['calls'][string]>,
  after: readonly ApiObject[],
  events: number,
  before = a,
): Run {
  return {
    setup: setupOf([a]),
    states: [
      clusterOf([before], { calls: { alice: call } }),
      clusterOf(after, { watch: { ConfigMap: Array.from({ length: events }, () => ADDED) } }),
    ],
    steps: [serve],
  };
}

const ofB = updateCall('ConfigMap/default/b', 'update', { do: 'addFinalizer', finalizer: HOLD });
const heldB = { ...b, finalizers: [HOLD] };

export const writeCases: Cases = {
  [REQUEST_DOES_ONLY_WHAT_IT_ASKS.name]: {
    violated: {
      'an update changes something else': {
        run: served(removal, [a], [{ ...freed, ownerReferences: [ownedBy('b')] }]),
        explained: [
          'an update changes ownerReferences of ConfigMap/a ([] -> [{apiVersion=v1, kind=ConfigMap, name=b, uid=uid-b, blockOwnerDeletion=true}])',
        ],
      },
      'an update changes its field in another way than requested': {
        run: served(removal, [a], [{ ...a, finalizers: [HOLD, 'orphan'] }]),
        explained: [
          'an update sets another finalizers of ConfigMap/a ([] -> [example.com/hold, orphan])',
        ],
      },
      'another object is changed': {
        run: served(removal, [a, b], [freed, { ...b, finalizers: [HOLD] }]),
        explained: ['ConfigMap/b is changed by a request for another object'],
      },
      'a dry run removes': {
        run: served(deletion({ dryRun: true }), [a], []),
        explained: ['ConfigMap/a is changed by a dry run'],
      },
      'deletion does not raise the generation': {
        run: served(deletion(), [a], [{ ...marked, generation: 1 }]),
        explained: ['ConfigMap/a has generation 1 instead of 2'],
      },
      'a grace period grows': {
        run: {
          ...served(
            deleteCall(POD, 'update', { gracePeriodSeconds: 30 }),
            [ending],
            [{ ...ending, deletionGracePeriodSeconds: 30 }],
          ),
          setup: setupOf([ending]),
        },
        explained: ['the grace period of Pod/p grows from 5 s to 30 s'],
      },
      'no request has asked for it': {
        run: { ...served(removal, [a], [freed]), steps: [{ name: 'relist', parameters: {} }] },
        explained: ['ConfigMap/a is changed by no request'],
      },
    },
    holds: {
      'a finalizer is removed': served(removal, [a], [freed]),
      'deletion begins': served(deletion(), [a], [marked]),
    },
    vacuous: { 'nothing is written': served(removal, [a], [a]) },
  },
  [PRECONDITIONS_ENFORCED.name]: {
    violated: {
      'another uid is deleted': {
        run: served(deletion({ preconditions: { uid: 'uid-other' } }), [a], [marked]),
        explained: ['a request takes effect on ConfigMap/a, although it is for uid uid-other'],
      },
      'the object has been written since': {
        run: served(ofVersion, [a], [freed]),
        explained: [
          'a request takes effect on ConfigMap/a, although it is for the version that was read, and that has been written since',
        ],
      },
    },
    holds: {
      'that uid': served(deletion({ preconditions: { uid: a.uid } }), [a], [marked]),
      'that version': served(ofVersion, [a], [freed], { known: true }),
    },
    vacuous: {
      'no condition': served(deletion(), [a], [marked]),
      'nothing is written': served(ofVersion, [a], [a]),
    },
  },
  [VERSION_OUTDATED_ONLY_BY_WRITE.name]: {
    violated: {
      'a write is not noticed': {
        run: readByBob(removal, [freed, b], true),
        explained: ['the copy of ConfigMap/a that bob has still counts as the stored one'],
      },
      'another object is written': {
        run: readByBob(ofB, [a, heldB], false),
        explained: [
          'the copy of ConfigMap/a that bob has counts as outdated, although nobody has written the object',
        ],
      },
    },
    holds: {
      'a write outdates it': readByBob(removal, [freed, b], false),
      'another object is written': readByBob(ofB, [a, heldB], true),
    },
    vacuous: { 'no client has read it': served(removal, [a], [freed]) },
  },
  [WATCH_REPORTS_EVERY_CHANGE.name]: {
    violated: {
      'a change is not reported': {
        run: told(deletion(), [marked], 0),
        explained: ['no event tells of the change of ConfigMap/a'],
      },
      'nothing has changed': {
        run: told(deletion(), [a], 1),
        explained: ['an event tells of ConfigMap/a, which nobody has changed'],
      },
      'an object that watches do not show changes': {
        run: told(deletion(), [{ ...marked, ...unseen }], 1, { ...a, ...unseen }),
        explained: ['an event tells of ConfigMap/a, which nobody has changed'],
      },
      'a new list reports an object that is gone': {
        run: relisted([]),
        explained: ['the new list tells add of ConfigMap/default/a instead of nothing'],
      },
      'a cache does not receive a change': {
        run: { ...told(deletion(), [marked], 1), setup: withCache },
        explained: ['the cache of operator is not told rightly of ConfigMap/a'],
      },
    },
    holds: {
      'one event for one change': told(deletion(), [marked], 1),
      'a new list reports an existing object': relisted([a]),
      'the collector does not read what has changed': told(removal, [freed], 0),
    },
    vacuous: {
      'it is a request for another object': {
        setup: setupOf([a]),
        states: [clusterOf([a], { calls: { alice: ofB } }), clusterOf([a])],
        steps: [serve],
      },
    },
  },
  [VALID_REQUEST_CARRIED_OUT.name]: {
    violated: {
      'a DELETE without effect': {
        run: served(deletion(), [a], [a]),
        explained: ['a DELETE of ConfigMap/a is answered and not carried out'],
      },
      'an object that should be removed stays': {
        run: served(deleteCall(A, 'removeMarked'), [marked], [marked]),
        explained: ['a DELETE of ConfigMap/a is answered and not carried out'],
      },
      'a finalizer stays': {
        run: served(removal, [a], [a]),
        explained: ['an update of ConfigMap/a is answered and not carried out'],
      },
      'a request is abandoned': {
        run: {
          ...served(deletion(), [a], [marked]),
          steps: [{ name: 'request', parameters: { user: 'alice' } }],
        },
        explained: ['alice sends a request, and one of it is under way'],
      },
    },
    holds: {
      'it is gone': served(deletion(), [a], []),
      'the finalizer is removed': served(removal, [a], [freed]),
    },
    vacuous: {
      'the uid is another one': served(deletion({ preconditions: { uid: 'other' } }), [a], [a]),
      'it continues': served(deletion(), [a], [a], { going: deleteCall(A, 'remove') }),
      'the change may be invalid': served(
        updateCall(A, 'update', { do: 'addFinalizer', finalizer: 'bad' }),
        [a],
        [a],
      ),
    },
  },
};
