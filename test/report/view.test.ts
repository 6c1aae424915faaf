import { describe, expect, it } from 'vitest';
import type { Cluster } from '../../model/state/cluster.ts';
import { FOREGROUND } from '../../model/state/objects.ts';
import { beliefDifferences } from '../../report/view/belief.ts';
import { type Snapshot, snapshotOf } from '../../report/view/snapshot.ts';
import {
  clusterOf,
  collecting,
  configMap,
  deletedWith,
  graphNode,
  graphOf,
  HOLD,
  nodeOf,
  ownedBy,
  setupOf,
} from '../properties/clusters.ts';

const owner = configMap('owner');
const dependent = configMap('dependent', { ownerReferences: [ownedBy('owner')] });

function shown(more: Partial<Cluster>, objects = [owner, dependent]): Snapshot {
  return snapshotOf(setupOf([owner, dependent]), clusterOf(objects, more));
}

/** The graph as it was before this object was changed. */
function remembering(...objects: readonly Parameters<typeof graphOf>[0][number][]) {
  return graphOf(objects);
}

function differences(snapshot: Snapshot): readonly string[] {
  return beliefDifferences(snapshot).map(
    ({ name, stored, believed }) => `${name} ${stored}; in the graph it ${believed}`,
  );
}

describe('a snapshot', () => {
  it('shows what is stored beside what the graph has', () => {
    const deleted = configMap('owner', deletedWith(FOREGROUND, HOLD));
    const { objects, owners } = shown(remembering(owner), [deleted, dependent]);
    expect(objects).toEqual({
      'uid-dependent': {
        name: 'ConfigMap/dependent',
        stored: { beingDeleted: false, finalizers: [], notes: [] },
        believed: null,
      },
      'uid-owner': {
        name: 'ConfigMap/owner',
        stored: { beingDeleted: true, finalizers: [FOREGROUND, HOLD], notes: [] },
        believed: { virtual: false, beingDeleted: false, deletingDependents: false },
      },
    });
    expect(Object.values(owners)).toEqual([
      { dependent: 'uid-dependent', owner: 'uid-owner', stored: 'blocking', believed: null },
    ]);
  });

  it('shows an owner that only a reference names', () => {
    const { objects } = shown({ graph: {} }, [dependent]);
    expect(objects['uid-owner']).toEqual({
      name: 'ConfigMap/owner',
      stored: null,
      believed: null,
    });
  });

  it('says what waits and who is at work, and nothing of what is at rest', () => {
    const { waiting, work } = shown({
      ...collecting(dependent, 'remove'),
      attemptToDelete: { [nodeOf(owner)]: 'current' },
      watch: {
        ConfigMap: [
          {
            type: 'delete',
            key: 'ConfigMap/default/owner',
            object: {
              identity: graphNode(owner).identity,
              ownerReferences: [],
              deletion: { beingDeleted: true, orphan: false, foreground: false },
            },
          },
        ],
      },
    });
    expect(waiting).toEqual({
      'watch of ConfigMap': ['DELETED ConfigMap/owner'],
      attemptToDelete: ['ConfigMap/owner'],
    });
    expect(work).toEqual({ 'gc worker': 'DELETE ConfigMap/dependent: to be removed' });
  });
});

describe('where the graph differs from the store', () => {
  const cases: readonly (readonly [string, Snapshot, readonly string[]])[] = [
    ['nowhere', shown({}), []],
    [
      'it does not know an object yet',
      shown(remembering(owner)),
      ['ConfigMap/dependent is stored; in the graph it is not known'],
    ],
    [
      'it has an object that is gone',
      shown(remembering(owner, dependent), [owner]),
      ['ConfigMap/dependent is not stored; in the graph it is there'],
    ],
    [
      'it has not seen the deletion',
      shown(remembering(owner), [configMap('owner', deletedWith(FOREGROUND))]),
      [
        'ConfigMap/owner is being deleted; in the graph it is not being deleted',
        'ConfigMap/owner waits for its dependents; in the graph it does not wait for dependents',
      ],
    ],
    [
      'it knows an object from a reference only',
      shown({ graph: { 'uid-owner': graphNode(owner, { virtual: true }) } }, [owner]),
      ['ConfigMap/owner is stored; in the graph it is known from a reference only'],
    ],
    [
      'it has an owner that has been taken off',
      shown(remembering(owner, dependent), [owner, configMap('dependent')]),
      [
        'ConfigMap/dependent has no owner ConfigMap/owner; in the graph it has owner ConfigMap/owner (blocking)',
      ],
    ],
  ];
  it.each(cases)('%s', (_, snapshot, expected) => {
    expect(differences(snapshot)).toEqual(expected);
  });
});
