import type { ApiObject, OwnerReference } from '../../model/state/objects.ts';
import type { Operator } from '../../model/state/programs/operator.ts';
import { DEAD_UIDS_FORGOTTEN } from '../../properties/collector/memory.ts';
import { REFERENCES_HAVE_CURRENT_UID } from '../../properties/ownership/cascade.ts';
import { COLLECTOR_ADDS_NO_REFERENCE } from '../../properties/ownership/collection.ts';
import { CREATED_OBJECTS_GO } from '../../properties/workloads/created.ts';
import type { Cases } from './cases.ts';
import {
  clusterOf,
  configMap,
  deletedWith,
  graphNode,
  graphOf,
  HOLD,
  nodeOf,
  object,
  ownedBy,
  setupOf,
  updateCall,
} from './clusters.ts';
import type { Run } from './judge.ts';

const a = configMap('a');
const again = configMap('a', { uid: 'uid-a-2' });
const b = configMap('b', { ownerReferences: [ownedBy('a')] });
const B = 'ConfigMap/default/b';
const setup = setupOf([a, b]);

/** The collector's patch of b leaves these owner references. */
function patched(before: ApiObject, ...ownerReferences: readonly OwnerReference[]): Run {
  const call = {
    ...updateCall(B, 'update', { do: 'unblockOwners', ownerReferences }),
    client: 'delete-1',
  };
  return {
    setup,
    states: [
      clusterOf([a, before], {
        deleteWorkers: { 'delete-1': { at: 'unblockOwners', node: nodeOf(b), call } },
      }),
      clusterOf([a, { ...before, ownerReferences }]),
    ],
    steps: [{ name: 'attemptToDelete', parameters: { worker: 'delete-1' } }],
  };
}

const disk = object('Secret', 'disk');
const child = configMap('child', { ownerReferences: [ownedBy('a')] });
const other = configMap('other');
const operator: Operator = {
  name: 'operator',
  parent: { key: 'ConfigMap/default/a', uid: a.uid },
  addsFinalizer: false,
  creates: [child],
  deletes: [{ key: 'Secret/default/disk', options: {} }],
  waitsFor: [],
  reads: 'live',
  fairness: 'weak',
};
const operated = setupOf([a, disk, other], { operators: [operator] });

/** States one after the other, each with these objects. */
function seen(...states: readonly (readonly ApiObject[])[]): Run {
  return { setup: operated, states: states.map((objects) => clusterOf(objects)) };
}

const limiter = { deleteFailures: { [nodeOf(a)]: true } } as const;

export const generalCases: Cases = {
  [COLLECTOR_ADDS_NO_REFERENCE.name]: {
    violated: {
      'it puts back a reference that is gone': {
        run: patched(
          configMap('b', { ownerReferences: [ownedBy('c')] }),
          ownedBy('c'),
          ownedBy('a', { blockOwnerDeletion: false }),
        ),
        explained: [
          'the collector gives ConfigMap/b a reference that it does not have: ownerReferences=[ConfigMap/a uid=uid-a]',
        ],
      },
    },
    holds: {
      'it changes a flag': patched(b, ownedBy('a', { blockOwnerDeletion: false })),
      'it takes a reference off': patched(b),
    },
    vacuous: { 'it changes nothing': patched(b, ...b.ownerReferences) },
  },
  [REFERENCES_HAVE_CURRENT_UID.name]: {
    violated: {
      'the owner has been created again': {
        run: { setup, states: [clusterOf([again, b])] },
        explained: [
          'ConfigMap/b names ConfigMap/a as an owner with uid uid-a, which is stored with uid uid-a-2',
        ],
      },
    },
    holds: { 'the uid is right': { setup, states: [clusterOf([a, b])] } },
    vacuous: {
      'no object has that name': { setup, states: [clusterOf([b])] },
      'the object is being deleted': {
        setup,
        states: [clusterOf([again, { ...b, ...deletedWith(HOLD) }])],
      },
      'the collector is at work': {
        setup,
        states: [clusterOf([again, b], { attemptToDelete: { [nodeOf(b)]: 'current' } })],
      },
    },
  },
  [CREATED_OBJECTS_GO.name]: {
    violated: {
      'a child stays': {
        run: seen([a, child], [child]),
        explained: ['ConfigMap/child stays: ConfigMap/a, to which it belongs, is gone'],
      },
      'what it deletes with its object stays': {
        run: seen([a, disk], [disk]),
        explained: ['Secret/disk stays: ConfigMap/a, to which it belongs, is gone'],
      },
    },
    holds: {
      'all is deleted': seen([a, child, disk], [child, disk], []),
      'the child is being deleted': seen([child], [{ ...child, ...deletedWith(HOLD) }]),
      'the child is orphaned': seen([child], [{ ...child, ownerReferences: [] }]),
      'another object owns the child': seen(
        [child, other],
        [{ ...child, ownerReferences: [ownedBy('a'), ownedBy('other')] }, other],
      ),
    },
    vacuous: {
      'its object stays': seen([a, child, disk]),
      'its object has not been created': {
        setup: setupOf([disk], { operators: [operator] }),
        states: [clusterOf([disk])],
      },
    },
  },
  [DEAD_UIDS_FORGOTTEN.name]: {
    violated: {
      'the graph has the object': {
        run: { setup, states: [clusterOf([], graphOf([a]))] },
        explained: ['the graph has ConfigMap/a (uid uid-a), and the object is gone'],
      },
      'a list of dependents is left': {
        run: { setup, states: [clusterOf([], { dependents: { 'uid-a': ['uid-b'] } })] },
        explained: ['the graph lists dependents of uid uid-a, and the object is gone'],
      },
      'a rate limiter has an entry': {
        run: { setup, states: [clusterOf([], limiter)] },
        explained: ['a rate limiter remembers ConfigMap/a (uid uid-a), and the object is gone'],
      },
    },
    holds: {
      'nothing is left': { setup, states: [clusterOf([a])] },
    },
    vacuous: {
      'nothing is gone': { setup, states: [clusterOf([a, b], limiter)] },
      'a stored object names the owner that is gone': {
        setup: setupOf([b]),
        states: [
          clusterOf([b], {
            graph: { 'uid-a': graphNode(a, { virtual: true }), 'uid-b': graphNode(b) },
          }),
        ],
      },
      'the collector is at work': {
        setup,
        states: [clusterOf([], { ...graphOf([a]), attemptToDelete: { [nodeOf(a)]: 'current' } })],
      },
      'the object has not been created yet': { setup: setupOf([]), states: [clusterOf([])] },
    },
  },
};
