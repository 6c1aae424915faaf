import type { DeleteCall, DeleteOptions } from '../../model/state/calls.ts';
import type { Cluster } from '../../model/state/cluster.ts';
import type { ApiObject } from '../../model/state/objects.ts';
import { DELETE_NEVER_CONFLICTS_WITH_ITSELF } from '../../properties/clients/answers.ts';
import { PROPAGATION_POLICY_HONORED } from '../../properties/ownership/propagation.ts';
import { POD_GRACE_PERIOD_HONORED } from '../../properties/workloads/pods.ts';
import type { Cases } from './cases.ts';
import {
  alice,
  clusterOf,
  collecting,
  configMap,
  deleteCall,
  deletedWith,
  HOLD,
  object,
  ownedBy,
  setupOf,
} from './clusters.ts';
import type { Run } from './judge.ts';

const A = 'ConfigMap/default/a';
const a = configMap('a');
const held = configMap('a', { finalizers: [HOLD] });
const owned = configMap('a', { ownerReferences: [ownedBy('o')] });
const serve = { name: 'serve', parameters: { client: 'alice' } };
const collect = { name: 'attemptToDelete', parameters: { worker: 'delete-1' } };

/** The DELETE of alice changes the one object, or removes it. */
function deleted(before: ApiObject, after: ApiObject | null, options: DeleteOptions): Run {
  return {
    setup: setupOf([before]),
    states: [
      clusterOf([before], { calls: { alice: deleteCall(A, 'update', options) } }),
      clusterOf(after === null ? [] : [after]),
    ],
    steps: [serve],
  };
}

const marked = (...finalizers: readonly string[]): ApiObject =>
  configMap('a', deletedWith(...finalizers));

const POD = 'Pod/default/p';
const pod = object('Pod', 'p', {
  pod: { terminationGracePeriodSeconds: 30, scheduled: true, finished: false },
});
const deleting = { ...pod, deletionTimestamp: 30, deletionGracePeriodSeconds: 30 };
const unscheduled = { ...pod, pod: { ...pod.pod!, scheduled: false } };

/** The second of alice's requests, which concerns the pod, takes its step. */
function ended(options: DeleteOptions, grace: number | null, before = pod): Run {
  const after = { ...before, deletionTimestamp: grace, deletionGracePeriodSeconds: grace };
  return {
    setup: setupOf([before], {
      ...alice({ do: 'settle' }, { do: 'delete', key: POD, options }),
    }),
    states: [
      clusterOf([before], {
        users: { alice: 2 },
        calls: { alice: deleteCall(POD, 'update', { ...options, gracePeriodSeconds: 0 }) },
      }),
      clusterOf(grace === null ? [] : [after]),
    ],
    steps: [serve],
  };
}

const versioned: DeleteOptions = { preconditions: { resourceVersion: true } };

function removal(options: DeleteOptions, known: boolean, after: readonly ApiObject[]): Run {
  return {
    setup: setupOf([a]),
    states: [
      clusterOf([a], {
        calls: { alice: deleteCall(A, 'removeMarked', options) },
        unchangedSince: known ? { alice: A } : {},
      }),
      clusterOf(after),
    ],
    steps: [serve],
  };
}

/** The request of alice ends with the object gone. */
function ends(call: DeleteCall, after: Partial<Cluster>): Run {
  return {
    setup: setupOf([a], alice({ do: 'delete', key: A, options: {} })),
    states: [clusterOf([], { calls: { alice: call } }), clusterOf([], after)],
    steps: [serve],
  };
}

export const requestCases: Cases = {
  [PROPAGATION_POLICY_HONORED.name]: {
    violated: {
      'Background leaves orphan': {
        run: deleted(configMap('a', { finalizers: ['orphan'] }), marked('orphan'), {
          propagationPolicy: 'Background',
        }),
        explained: [
          "the DELETE of ConfigMap/a asks for neither of them of the collector's finalizers and leaves orphan",
        ],
      },
      'orphanDependents=false adds foregroundDeletion': {
        run: deleted(held, marked(HOLD, 'foregroundDeletion'), { orphanDependents: false }),
        explained: [
          "the DELETE of ConfigMap/a asks for neither of them of the collector's finalizers and leaves foregroundDeletion",
        ],
      },
      'Orphan is lost': {
        run: deleted(held, marked(HOLD), { propagationPolicy: 'Orphan' }),
        explained: [
          "the DELETE of ConfigMap/a asks for orphan of the collector's finalizers and leaves neither of them",
        ],
      },
      'a cascade without a policy begins to orphan': {
        run: {
          setup: setupOf([owned]),
          states: [
            clusterOf([owned], collecting(owned, 'update', {})),
            clusterOf([{ ...owned, ...deletedWith('orphan') }]),
          ],
          steps: [collect],
        },
        explained: [
          "the DELETE of ConfigMap/a asks for neither of them of the collector's finalizers and leaves orphan",
        ],
      },
    },
    holds: {
      'Foreground adds foregroundDeletion': deleted(held, marked(HOLD, 'foregroundDeletion'), {
        propagationPolicy: 'Foreground',
      }),
      'Background removes orphan': deleted(configMap('a', { finalizers: ['orphan'] }), null, {
        propagationPolicy: 'Background',
      }),
    },
    vacuous: {
      'a user names no policy': deleted(held, marked(HOLD, 'orphan'), {}),
      'nothing is written': deleted(held, held, { propagationPolicy: 'Orphan' }),
    },
  },
  [POD_GRACE_PERIOD_HONORED.name]: {
    violated: {
      'none was asked for, and it is gone at once': {
        run: ended({}, null),
        explained: ['Pod/p is to have 30 s of grace and gets 0 s'],
      },
      'it is shorter than asked for': {
        run: ended({ gracePeriodSeconds: 60 }, 30),
        explained: ['Pod/p is to have 60 s of grace and gets 30 s'],
      },
      'it is shortened by a DELETE that does not ask for it': {
        run: ended({}, null, deleting),
        explained: ['Pod/p is to have 30 s of grace and gets 0 s'],
      },
    },
    holds: {
      'a shorter one is asked for later': ended({ gracePeriodSeconds: 5 }, 5, deleting),
      'that of its spec': ended({}, 30),
      'none, as asked for': ended({ gracePeriodSeconds: 0 }, null),
    },
    vacuous: { 'it has no node yet': ended({}, null, unscheduled) },
  },
  [DELETE_NEVER_CONFLICTS_WITH_ITSELF.name]: {
    violated: {
      'it stays, although no other client has written it': {
        run: removal(versioned, true, [a]),
        explained: ['ConfigMap/a is not removed, although nobody else has changed it'],
      },
      'it has marked the object and finds none': {
        run: ends(deleteCall(A, 'removeMarked'), { unearned: { alice: A } }),
        explained: [
          'the request that has begun to remove ConfigMap/a is answered 404: there is no ConfigMap/a',
        ],
      },
      'it begins again after it has marked the object': {
        run: ends({ ...deleteCall(A, 'get'), marked: true }, { unearned: { alice: A } }),
        explained: [
          'the request that has begun to remove ConfigMap/a is answered 404: there is no ConfigMap/a',
        ],
      },
    },
    holds: {
      'it is removed': removal(versioned, true, []),
      'another client has written it': removal(versioned, false, [a]),
      'no version is demanded': removal({}, true, []),
      'it has marked the object, and is not told that there is none': ends(
        deleteCall(A, 'removeMarked'),
        {},
      ),
    },
    vacuous: {
      'it has not begun to remove the object': ends(deleteCall(A, 'get'), {}),
    },
  },
};
