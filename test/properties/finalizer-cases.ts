import { DELETION_IS_ONE_WAY } from '../../properties/objects/deletion.ts';
import {
  FINALIZERS_RESPECTED,
  NO_FINALIZER_ADDED_LATE,
  NO_REMOVAL_WITH_FINALIZER,
} from '../../properties/objects/finalizers.ts';
import type { Cases } from './cases.ts';
import {
  alice,
  clusterOf,
  configMap,
  deleteCall,
  deletedWith,
  HOLD,
  object,
  setupOf,
  updateCall,
} from './clusters.ts';

const A = 'ConfigMap/default/a';
const bare = configMap('a');
const held = configMap('a', { finalizers: [HOLD] });
const setup = setupOf([held]);
const serveAlice = { name: 'serve', parameters: { client: 'alice' } };

const background = { propagationPolicy: 'Background' } as const;
const getting = { calls: { alice: deleteCall(A, 'get', background) } };
const removing = { calls: { alice: deleteCall(A, 'remove', background) } };
const updating = { calls: { alice: deleteCall(A, 'update', background) } };

const namespace = object('Namespace', 'shop', {
  namespace: '',
  specFinalizers: ['kubernetes'],
  ...deletedWith(),
});
const SHOP = 'Namespace//shop';

const collection = (at: 'get' | 'remove') => ({
  calls: {
    alice: {
      verb: 'deleteCollection',
      client: 'alice',
      kind: 'ConfigMap',
      namespace: 'default',
      options: background,
      at: 'items',
      remaining: [],
      current: deleteCall(A, at, background),
      listed: 1,
    } as const,
  },
});

export const finalizerCases: Cases = {
  [FINALIZERS_RESPECTED.name]: {
    violated: {
      'a DELETE finds a finalizer and decides to remove': {
        run: {
          setup,
          states: [clusterOf([held], getting), clusterOf([held], removing)],
          steps: [serveAlice],
        },
        explained: [`ConfigMap/a is to be removed with finalizer ${HOLD} on it`],
      },
      'an item of a collection is removed in spite of its finalizer': {
        run: {
          setup,
          states: [clusterOf([held], collection('get')), clusterOf([held], collection('remove'))],
          steps: [serveAlice],
        },
        explained: [`ConfigMap/a is to be removed with finalizer ${HOLD} on it`],
      },
      'an update that removes another finalizer than the remaining one': {
        run: {
          setup,
          states: [
            clusterOf([configMap('a', deletedWith(HOLD))], {
              calls: {
                alice: updateCall(A, 'update', {
                  do: 'removeFinalizer',
                  finalizer: 'x.test/other',
                }),
              },
            }),
            clusterOf([configMap('a', deletedWith(HOLD))], {
              calls: {
                alice: updateCall(A, 'remove', {
                  do: 'removeFinalizer',
                  finalizer: 'x.test/other',
                }),
              },
            }),
          ],
          steps: [serveAlice],
        },
        explained: [`ConfigMap/a is to be removed with finalizer ${HOLD} on it`],
      },
      'a namespace whose contents were not removed': {
        run: {
          setup: setupOf([namespace]),
          states: [
            clusterOf([namespace], { calls: { alice: deleteCall(SHOP, 'get') } }),
            clusterOf([namespace], { calls: { alice: deleteCall(SHOP, 'remove') } }),
          ],
          steps: [serveAlice],
        },
        explained: ['Namespace/shop is to be removed with finalizer kubernetes of its spec on it'],
      },
    },
    holds: {
      'a DELETE finds none and decides to remove': {
        setup,
        states: [clusterOf([bare], getting), clusterOf([bare], removing)],
        steps: [serveAlice],
      },
      'an update removes the only finalizer': {
        setup: setupOf(
          [held],
          alice({
            do: 'update',
            key: A,
            change: { do: 'removeFinalizer', finalizer: HOLD },
            put: false,
            uid: null,
            resourceVersion: false,
          }),
        ),
        states: [
          clusterOf([configMap('a', deletedWith(HOLD))]),
          clusterOf([configMap('a', deletedWith(HOLD))], {
            users: { alice: 1 },
            calls: { alice: updateCall(A, 'remove', { do: 'removeFinalizer', finalizer: HOLD }) },
          }),
        ],
        steps: [{ name: 'request', parameters: { user: 'alice' } }],
      },
    },
    vacuous: {
      'a DELETE finds a finalizer and continues with the update': {
        setup,
        states: [clusterOf([held], getting), clusterOf([held], updating)],
        steps: [serveAlice],
      },
    },
  },
  [NO_REMOVAL_WITH_FINALIZER.name]: {
    violated: {
      'a finalizer was stored after the decision': {
        run: {
          setup,
          states: [clusterOf([held], removing), clusterOf([])],
          steps: [serveAlice],
        },
        explained: [`ConfigMap/a is removed with finalizer ${HOLD} on it`],
      },
      'an Orphan delete was answered while the last finalizer was removed': {
        run: {
          setup,
          states: [
            clusterOf([configMap('a', deletedWith(HOLD, 'orphan'))], {
              calls: { alice: updateCall(A, 'remove', { do: 'removeFinalizer', finalizer: HOLD }) },
            }),
            clusterOf([]),
          ],
          steps: [serveAlice],
        },
        explained: ['ConfigMap/a is removed with finalizer orphan on it'],
      },
    },
    holds: {
      'a Background delete itself removes the finalizer of the collector': {
        setup,
        states: [
          clusterOf([configMap('a', deletedWith('foregroundDeletion'))], removing),
          clusterOf([]),
        ],
        steps: [serveAlice],
      },
      'the collector removes its own finalizer, the last one': {
        setup,
        states: [
          clusterOf([configMap('a', deletedWith('orphan'))], {
            orphanWorkers: {
              'orphan-1': {
                node: 'n',
                at: 'patchFinalizer',
                attempt: 1,
                call: updateCall(A, 'remove', { do: 'setFinalizers', finalizers: [] }),
              },
            },
          }),
          clusterOf([]),
        ],
        steps: [{ name: 'attemptToOrphan', parameters: { worker: 'orphan-1' } }],
      },
    },
    vacuous: {
      'no object is removed': {
        setup,
        states: [clusterOf([held], updating), clusterOf([configMap('a', deletedWith(HOLD))])],
        steps: [serveAlice],
      },
    },
  },
  [NO_FINALIZER_ADDED_LATE.name]: {
    violated: {
      'a PATCH adds one': {
        run: {
          setup,
          states: [
            clusterOf([configMap('a', deletedWith(HOLD))], {
              calls: {
                alice: updateCall(A, 'update', { do: 'addFinalizer', finalizer: 'x.test/more' }),
              },
            }),
            clusterOf([configMap('a', deletedWith(HOLD, 'x.test/more'))]),
          ],
          steps: [serveAlice],
        },
        explained: ['ConfigMap/a gains finalizer x.test/more while it is being deleted'],
      },
    },
    holds: {
      'a repeated DELETE replaces the finalizer of the collector': {
        setup,
        states: [
          clusterOf([configMap('a', deletedWith('foregroundDeletion'))], {
            calls: { alice: deleteCall(A, 'update', { propagationPolicy: 'Orphan' }) },
          }),
          clusterOf([configMap('a', deletedWith('orphan'))]),
        ],
        steps: [serveAlice],
      },
    },
    vacuous: {
      'the object is not being deleted': {
        setup,
        states: [
          clusterOf([bare], {
            calls: { alice: updateCall(A, 'update', { do: 'addFinalizer', finalizer: HOLD }) },
          }),
          clusterOf([held]),
        ],
        steps: [serveAlice],
      },
    },
  },
  [DELETION_IS_ONE_WAY.name]: {
    violated: {
      'a PATCH clears deletionTimestamp': {
        run: {
          setup,
          states: [
            clusterOf([configMap('a', deletedWith(HOLD))], {
              calls: { alice: updateCall(A, 'update', { do: 'touch' }) },
            }),
            clusterOf([held]),
          ],
          steps: [serveAlice],
        },
        explained: ['ConfigMap/a loses its deletionTimestamp'],
      },
    },
    holds: {
      'the object is removed': {
        setup,
        states: [clusterOf([configMap('a', deletedWith())], removing), clusterOf([])],
        steps: [serveAlice],
      },
      'a finalizer is removed': {
        setup,
        states: [
          clusterOf([configMap('a', deletedWith(HOLD, 'orphan'))], {
            calls: { alice: updateCall(A, 'update', { do: 'removeFinalizer', finalizer: HOLD }) },
          }),
          clusterOf([configMap('a', deletedWith('orphan'))]),
        ],
        steps: [serveAlice],
      },
    },
    vacuous: {
      'deletion begins': {
        setup,
        states: [clusterOf([held], updating), clusterOf([configMap('a', deletedWith(HOLD))])],
        steps: [serveAlice],
      },
    },
  },
};
