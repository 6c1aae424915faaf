import type { ApiObject } from '../../model/state/objects.ts';
import type { DeleteWorker } from '../../model/state/workers.ts';
import {
  FOREGROUND_WAITS_FOR_BLOCKERS,
  FOREGROUND_WAITS_FOR_OBSERVED_BLOCKERS,
} from '../../properties/ownership/foreground.ts';
import type { Cases } from './cases.ts';
import {
  clusterOf,
  collecting,
  configMap,
  deletedWith,
  graphOf,
  HOLD,
  nodeOf,
  ownedBy,
  setupOf,
  updateCall,
} from './clusters.ts';

const A = 'ConfigMap/default/a';
const a = configMap('a', deletedWith('foregroundDeletion'));
const b = configMap('b', { ownerReferences: [ownedBy('a')] });
const loose = configMap('b', { ownerReferences: [ownedBy('a', { blockOwnerDeletion: false })] });
const self = configMap('a', {
  ...deletedWith('foregroundDeletion'),
  ownerReferences: [ownedBy('a')],
});
const setup = setupOf([a, b]);
const step = { name: 'attemptToDelete', parameters: { worker: 'delete-1' } };

function worker(one: ApiObject, at: DeleteWorker['at']) {
  const node = nodeOf(one);
  const call = updateCall(A, 'update', { do: 'setFinalizers', finalizers: [] });
  const now = { node, at, attempt: 1, call } as DeleteWorker;
  return { deleteWorkers: { 'delete-1': now } };
}

export const foregroundCases: Cases = {
  [FOREGROUND_WAITS_FOR_OBSERVED_BLOCKERS.name]: {
    violated: {
      'a dependent that blocks according to the graph is skipped': {
        run: {
          setup,
          states: [
            clusterOf([a, b], worker(a, 'readBlockingDependents')),
            clusterOf([a, b], worker(a, 'getForFinalizer')),
          ],
          steps: [step],
        },
        explained: [
          'ConfigMap/a is let go, ConfigMap/b still blocks it (ownerReferences=[ConfigMap/a uid=uid-a blocking])',
        ],
      },
    },
    holds: {
      'the graph has not seen the dependent': {
        setup,
        states: [
          clusterOf([a, b], { ...worker(a, 'readBlockingDependents'), ...graphOf([a]) }),
          clusterOf([a, b], { ...worker(a, 'getForFinalizer'), ...graphOf([a]) }),
        ],
        steps: [step],
      },
      'the graph still shows the reference as one that does not block': {
        setup,
        states: [
          clusterOf([a, b], { ...worker(a, 'readBlockingDependents'), ...graphOf([a, loose]) }),
          clusterOf([a, b], { ...worker(a, 'getForFinalizer'), ...graphOf([a, loose]) }),
        ],
        steps: [step],
      },
    },
    vacuous: {
      'a conflict leads back to the GET': {
        setup,
        states: [
          clusterOf([a, b], worker(a, 'patchFinalizer')),
          clusterOf([a, b], worker(a, 'getForFinalizer')),
        ],
        steps: [step],
      },
      'the owner has gone already': {
        setup,
        states: [
          clusterOf([b], worker(a, 'readBlockingDependents')),
          clusterOf([b], worker(a, 'getForFinalizer')),
        ],
        steps: [step],
      },
    },
  },
  [FOREGROUND_WAITS_FOR_BLOCKERS.name]: {
    violated: {
      'the owner leaves before a blocking dependent': {
        run: {
          setup,
          states: [clusterOf([a, b], worker(a, 'patchFinalizer')), clusterOf([b])],
          steps: [step],
        },
        explained: [
          'ConfigMap/a is let go, ConfigMap/b still blocks it (ownerReferences=[ConfigMap/a uid=uid-a blocking])',
        ],
      },
      'the finalizer is removed, another one stays': {
        run: {
          setup,
          states: [
            clusterOf(
              [configMap('a', deletedWith(HOLD, 'foregroundDeletion')), b],
              worker(a, 'patchFinalizer'),
            ),
            clusterOf([configMap('a', deletedWith(HOLD)), b]),
          ],
          steps: [step],
        },
        explained: [
          'ConfigMap/a is let go, ConfigMap/b still blocks it (ownerReferences=[ConfigMap/a uid=uid-a blocking])',
        ],
      },
      'a DELETE of the collector removes the finalizer': {
        run: {
          setup,
          states: [clusterOf([a, b], collecting(a, 'remove')), clusterOf([b])],
          steps: [step],
        },
        explained: [
          'ConfigMap/a is let go, ConfigMap/b still blocks it (ownerReferences=[ConfigMap/a uid=uid-a blocking])',
        ],
      },
    },
    holds: {
      'a dependent that does not block is left': {
        setup,
        states: [clusterOf([a, loose], worker(a, 'patchFinalizer')), clusterOf([loose])],
        steps: [step],
      },
      'the owner blocks only itself': {
        setup: setupOf([self]),
        states: [clusterOf([self], worker(self, 'patchFinalizer')), clusterOf([])],
        steps: [step],
      },
    },
    vacuous: {
      'a user removes the finalizer by hand': {
        setup,
        states: [
          clusterOf([a, b], {
            calls: {
              alice: updateCall(A, 'remove', {
                do: 'removeFinalizer',
                finalizer: 'foregroundDeletion',
              }),
            },
          }),
          clusterOf([b]),
        ],
        steps: [{ name: 'serve', parameters: { client: 'alice' } }],
      },
      'an owner without the finalizer is removed': {
        setup,
        states: [
          clusterOf([configMap('a', deletedWith('orphan')), b], worker(a, 'patchFinalizer')),
          clusterOf([b]),
        ],
        steps: [step],
      },
    },
  },
};
