import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pieceIn, piecesOf } from '../../../input/cluster/pieces.ts';
import { randomRuns } from '../../checker/support/random-runs.ts';
import { missingStep } from './beside-others.ts';
import { beneath, type Forest, forests, setupOfForest } from './forests.ts';

function oneWorker(cascade: Forest['cascade']): Pick<Forest, 'workers' | 'cascade'> {
  return { workers: 1, cascade };
}

/** Forests that tell what is around a piece from what is not, one each. */
const TELLING: [Forest][] = [
  // An old event of a held dependent recalls its owner.
  [
    {
      below: [beneath({ block: false, held: true }), beneath({ block: false })],
      ...oneWorker('Foreground'),
    },
  ],
  // Such an event brings a dependent back that blocks.
  [{ below: [beneath(), beneath({ held: true })], ...oneWorker('Foreground') }],
  // Orphaned dependents no longer block, and queue the owner.
  [{ below: [beneath(), beneath()], ...oneWorker('Orphan') }],
  // The others block.
  [{ below: [beneath(), beneath()], ...oneWorker('Foreground') }],
  // An orphaned dependent queues an owner that an old event has brought back.
  [{ below: [beneath({ held: true }), beneath({ pod: true })], ...oneWorker('Orphan') }],
  // An event of its own owner brings back an owner that is gone.
  [
    {
      below: [
        beneath({ pod: true, block: false, deletion: 'foreground' }),
        beneath({ owner: 1, block: false }),
      ],
      ...oneWorker('Orphan'),
    },
  ],
  // A worker holds the owner while another one deletes a dependent that has dependents.
  [
    {
      below: [beneath(), beneath({ owner: 1, deletion: 'foreground' })],
      ...oneWorker('Foreground'),
    },
  ],
  // Events of the others show an owner that is not there, while a worker holds a dependent of it.
  [
    {
      below: [beneath({ kind: 'Secret' }), beneath(), beneath({ owner: 1 })],
      ...{ rootless: 'cold', ...oneWorker('Background') },
    },
  ],
  // The collector orphans what is beneath an owner that it deletes.
  [{ below: [beneath({ orphans: true }), beneath({ owner: 1 })], ...oneWorker('Background') }],
  // An owner is released while it is being deleted, and an event of that brings it back.
  [{ below: [beneath({ deletion: 'foreground' }), beneath({ owner: 1 })], ...oneWorker('Orphan') }],
  // One of the owners of an owner keeps it.
  [{ below: [beneath({ also: 'keeper' }), beneath({ owner: 1 })], ...oneWorker('Foreground') }],
  // An owner loses one of its owners before it is deleted for the other one.
  [
    {
      below: [beneath(), beneath({ also: 1 }), beneath({ owner: 2 })],
      ...oneWorker('Background'),
    },
  ],
  // One leaves before its owner is being deleted.
  [{ below: [beneath(), beneath()], asked: 0, ...oneWorker('Foreground') }],
  // An owner of the owner waits, and is gone.
  [{ below: [beneath(), beneath({ owner: 1 })], ...oneWorker('Foreground') }],
  [{ below: [beneath({ block: false }), beneath({ owner: 1 })], ...oneWorker('Foreground') }],
];

describe('pieces', () => {
  it('have all runs that they have in the whole', () => {
    let count = 0;
    fc.assert(
      fc.property(forests(2), (forest) => {
        const setup = setupOfForest(forest);
        for (const piece of piecesOf(setup) ?? []) {
          const above = new Set(piece.ownersAbove.keys());
          const deleted = piece.uids.flatMap((uid, place) => (above.has(uid) ? [place] : []));
          const part = pieceIn(setup, piece, {
            ...{ deleted, waiting: [], left: [], kept: [], released: [], used: [] },
          });
          const missing = missingStep(setup, part, above);
          if (missing === 'too large') continue;
          expect(missing).toBe(null);
          count++;
        }
      }),
      { numRuns: randomRuns(TELLING.length), seed: 7, examples: TELLING },
    );
    expect(count).toBeGreaterThan(10);
  });
});
