import { DANGLING_REFERENCES_GO, ROOTLESS_OBJECTS_GO } from '../../properties/ownership/cascade.ts';
import { OWNER_FINALIZERS_BEFORE_DEPENDENTS } from '../../properties/ownership/collection.ts';
import type { Cases } from './cases.ts';
import {
  clusterOf,
  collecting,
  configMap,
  deletedWith,
  HOLD,
  ownedBy,
  setupOf,
} from './clusters.ts';

const r = configMap('r');
const a = configMap('a', { ownerReferences: [ownedBy('r'), ownedBy('b')] });
const b = configMap('b', { ownerReferences: [ownedBy('r'), ownedBy('a')] });
const cutA = configMap('a', { ownerReferences: [ownedBy('b')] });
const cutB = configMap('b', { ownerReferences: [ownedBy('a')] });
const setup = setupOf([r, a, b]);

const collect = { name: 'attemptToDelete', parameters: { worker: 'delete-1' } };
const held = configMap('o', deletedWith('foregroundDeletion', HOLD));
const waiting = configMap('o', deletedWith('foregroundDeletion'));
const d = configMap('d', { ownerReferences: [ownedBy('o')] });

export const cascadeCases: Cases = {
  [ROOTLESS_OBJECTS_GO.name]: {
    violated: {
      'two dependents of a root that is gone keep each other': {
        run: { setup, states: [clusterOf([r, a, b]), clusterOf([a, b]), clusterOf([cutA, cutB])] },
        explained: ['ConfigMap/a stays without a root: it has only ConfigMap/b, ConfigMap/a'],
      },
    },
    holds: {
      'both go': { setup, states: [clusterOf([r, a, b]), clusterOf([a, b]), clusterOf([])] },
      'they get a root again': {
        setup,
        states: [clusterOf([a, b]), clusterOf([cutA, configMap('b')])],
      },
      'an owner is held for good': {
        setup: { ...setup, finalizers: { [HOLD]: 'stuck' } },
        states: [clusterOf([a, { ...b, ...deletedWith(HOLD) }])],
      },
    },
    vacuous: {
      'a cycle that never had a root': { setup, states: [clusterOf([cutA, cutB])] },
      'the root is there': { setup, states: [clusterOf([r, a, b])] },
      'all owners are gone': { setup, states: [clusterOf([cutA])] },
    },
  },
  [DANGLING_REFERENCES_GO.name]: {
    violated: {
      'a reference stays': {
        run: { setup, states: [clusterOf([r, a])] },
        explained: ['ConfigMap/a keeps a reference to b, which is gone (uid=uid-b)'],
      },
    },
    holds: {
      'it goes': {
        setup,
        states: [clusterOf([r, a]), clusterOf([r, { ...a, ownerReferences: [ownedBy('r')] }])],
      },
      'the object is deleted': { setup, states: [clusterOf([r, a]), clusterOf([r])] },
    },
    vacuous: {
      'both owners are there': { setup, states: [clusterOf([r, a, b])] },
      'no owner is there': { setup, states: [clusterOf([a])] },
    },
  },
  [OWNER_FINALIZERS_BEFORE_DEPENDENTS.name]: {
    violated: {
      'the owner waits for its dependents, and a third party holds it': {
        run: {
          setup: setupOf([held, d]),
          states: [clusterOf([held, d], collecting(d, 'remove')), clusterOf([held])],
          steps: [collect],
        },
        explained: [`the collector deletes ConfigMap/d while ${HOLD} holds its owner ConfigMap/o`],
      },
    },
    holds: {
      'the owner waits for its dependents only': {
        setup: setupOf([waiting, d]),
        states: [clusterOf([waiting, d], collecting(d, 'remove')), clusterOf([waiting])],
        steps: [collect],
      },
    },
    vacuous: {
      'the DELETE has only read so far': {
        setup: setupOf([held, d]),
        states: [
          clusterOf([held, d], collecting(d, 'get')),
          clusterOf([held, d], collecting(d, 'remove')),
        ],
        steps: [collect],
      },
    },
  },
};
