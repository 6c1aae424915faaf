import { GRAPH_EDGES_CONSISTENT, GRAPH_MIRRORS_STORE } from '../../properties/collector/graph.ts';
import {
  COLLECTOR_COMES_TO_REST,
  COLLECTOR_KEEPS_WORKING,
} from '../../properties/collector/queues.ts';
import type { Cases } from './cases.ts';
import {
  clusterOf,
  collecting,
  configMap,
  deletedWith,
  graphNode,
  graphOf,
  HOLD,
  nodeOf,
  object,
  ownedBy,
  setupOf,
} from './clusters.ts';

const a = configMap('a');
const b = configMap('b', { ownerReferences: [ownedBy('a')] });
const setup = setupOf([a, b]);
const busy = { attemptToDelete: { [nodeOf(a)]: 'current' } } as const;
const held = {
  monitors: { Secret: 'unsynced' },
  stopped: { workers: true },
  syncing: { round: { at: 'wait' } },
} as const;
const taken = collecting(a, 'get');
const orphaning = {
  'orphan-1': { at: 'getForFinalizer', node: nodeOf(a), attempt: 1 },
} as const;
const event = object('Event', 'e');
const unserved = configMap('b', {
  ownerReferences: [ownedBy('x', { kind: 'Unheard', apiVersion: 'example.com/v1' })],
});
const unservedOwner = {
  apiVersion: 'example.com/v1',
  kind: 'Unheard',
  namespace: 'default',
  name: 'x',
  uid: 'uid-x',
};

export const quietCases: Cases = {
  [GRAPH_MIRRORS_STORE.name]: {
    violated: {
      'an object is unknown': {
        run: { setup, states: [clusterOf([a, b], graphOf([a]))] },
        explained: ['ConfigMap/b is stored, the graph does not know it'],
      },
      'a node has no object': {
        run: { setup, states: [clusterOf([a], graphOf([a, configMap('c')]))] },
        explained: ['the graph has ConfigMap/c (uid uid-c), which is not stored'],
      },
      'the object of that name has another uid': {
        run: {
          setup,
          states: [clusterOf([configMap('a', { uid: 'uid-a-2' })], graphOf([a]))],
        },
        explained: [
          'ConfigMap/a is stored, the graph does not know it',
          'the graph has ConfigMap/a (uid uid-a), which is not stored',
        ],
      },
      'the owners differ in what blocks': {
        run: {
          setup,
          states: [
            clusterOf([a, b], {
              ...graphOf([
                a,
                configMap('b', { ownerReferences: [ownedBy('a', { blockOwnerDeletion: false })] }),
              ]),
            }),
          ],
        },
        explained: [
          'the graph has other owners for ConfigMap/b than the store (graph: ownerReferences=[ConfigMap/a uid=uid-a]; stored: ownerReferences=[ConfigMap/a uid=uid-a blocking])',
        ],
      },
      'a node is known by a reference only': {
        run: {
          setup,
          states: [clusterOf([a], { graph: { 'uid-a': graphNode(a, { virtual: true }) } })],
        },
        explained: ['the graph knows ConfigMap/a by a reference only'],
      },
      'a deletion was not noticed': {
        run: {
          setup,
          states: [clusterOf([configMap('a', deletedWith(HOLD))], graphOf([a]))],
        },
        explained: [
          'the graph has not noticed that ConfigMap/a is being deleted (uid=uid-a, deletionTimestamp set, finalizers=[example.com/hold])',
        ],
      },
    },
    holds: {
      'all is known': { setup, states: [clusterOf([a, b])] },
      'the collector does not watch events': {
        setup: setupOf([a, event]),
        states: [clusterOf([a, event], graphOf([a]))],
      },
      'a namespaced object without a known namespace cannot be looked up': {
        setup: setupOf([b]),
        states: [
          clusterOf([b], {
            graph: {
              'uid-b': graphNode(b),
              'uid-a': graphNode(configMap('a', { namespace: '' }), { virtual: true }),
            },
          }),
        ],
      },
      'an object of a kind that is not served cannot be looked up': {
        setup: setupOf([unserved]),
        states: [
          clusterOf([unserved], {
            graph: {
              'uid-b': graphNode(unserved),
              'uid-x': graphNode(a, { identity: unservedOwner, virtual: true }),
            },
          }),
        ],
      },
    },
    vacuous: {
      'an item is queued': { setup, states: [clusterOf([a, b], { ...graphOf([]), ...busy })] },
      'an event is on its way': {
        setup,
        states: [
          clusterOf([b], {
            ...graphOf([a, b]),
            watch: {
              ConfigMap: [
                {
                  type: 'delete',
                  key: 'ConfigMap/default/a',
                  object: {
                    identity: graphNode(a).identity,
                    ownerReferences: [],
                    deletion: { beingDeleted: false, orphan: false, foreground: false },
                  },
                },
              ],
            },
          }),
        ],
      },
    },
  },
  [GRAPH_EDGES_CONSISTENT.name]: {
    violated: {
      'the owner does not list its dependent': {
        run: { setup, states: [clusterOf([a, b], { dependents: {} })] },
        explained: ['ConfigMap/b has the owner ConfigMap/a, which does not list it'],
      },
      'an object is listed that is no dependent': {
        run: {
          setup,
          states: [clusterOf([a, configMap('b')], { dependents: { 'uid-a': ['uid-b'] } })],
        },
        explained: ['the node with uid uid-a lists a dependent with uid uid-b, which is none'],
      },
    },
    holds: {
      'both directions agree': { setup, states: [clusterOf([a, b])] },
      'the owner is not in the graph': {
        setup,
        states: [clusterOf([a, b], { graph: { 'uid-b': graphNode(b) }, dependents: {} })],
      },
      'an old event has brought back the node of an owner that is gone': {
        setup,
        states: [clusterOf([b], { graph: graphOf([a, b]).graph, dependents: {} })],
      },
    },
    vacuous: { 'the graph is empty': { setup, states: [clusterOf([a, b], graphOf([]))] } },
  },
  [COLLECTOR_COMES_TO_REST.name]: {
    violated: {
      'an item stays queued': {
        run: { setup, states: [clusterOf([a], busy)] },
        explained: ['ConfigMap/a waits for a delete worker'],
      },
    },
    holds: { 'all is done': { setup, states: [clusterOf([a], busy), clusterOf([a])] } },
    vacuous: { 'nothing ever happens': { setup, states: [clusterOf([a])] } },
  },
  [COLLECTOR_KEEPS_WORKING.name]: {
    violated: {
      'the workers wait for a monitor that never syncs': {
        run: { setup, states: [clusterOf([a], { ...busy, ...held })] },
        explained: [
          'ConfigMap/a waits in attemptToDelete, no worker takes it',
          'the workers have not started',
          'a sync of the monitors holds the workers',
          'the monitor of Secret has not synced',
        ],
      },
      'an orphan worker does not do the work of a delete worker': {
        run: { setup, states: [clusterOf([a], { ...busy, orphanWorkers: orphaning })] },
        explained: ['ConfigMap/a waits in attemptToDelete, no worker takes it'],
      },
    },
    holds: {
      'a worker takes it': { setup, states: [clusterOf([a], busy), clusterOf([a], taken)] },
      'the queue becomes empty': { setup, states: [clusterOf([a], busy), clusterOf([a])] },
    },
    vacuous: { 'a worker is busy': { setup, states: [clusterOf([a], { ...busy, ...taken })] } },
  },
};
