import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { besideOthers, chainsApart } from '../../../input/cluster/chains.ts';
import { divided } from '../../../input/cluster/parts.ts';
import { missingStep } from './beside-others.ts';
import { setupOfTree, type Tree, trees } from './forests.ts';

const leaf = { owner: 0, pod: false, held: false } as const;

/** Trees that tell what the other dependents do from what they do not, one each. */
const TELLING: [Tree][] = [
  // An old event of a held dependent recalls its owner.
  [{ below: [{ ...leaf, held: true }, leaf], block: false, workers: 1, cascade: 'Foreground' }],
  // Such an event brings a dependent back that blocks.
  [{ below: [leaf, { ...leaf, held: true }], block: true, workers: 1, cascade: 'Foreground' }],
  // Orphaned dependents no longer block, and queue the owner.
  [{ below: [leaf, leaf], block: true, workers: 1, cascade: 'Orphan' }],
  // The others block.
  [{ below: [leaf, leaf], block: true, workers: 1, cascade: 'Foreground' }],
];

describe('chains beside others', () => {
  it('have all runs that they have in the whole', () => {
    let chains = 0;
    fc.assert(
      fc.property(trees(2), (tree) => {
        const setup = setupOfTree(tree);
        if (chainsApart(setup) === null) return;
        for (const part of divided(setup, 'chains')) {
          chains++;
          expect(missingStep(setup, besideOthers(setup, part, []))).toBe(null);
        }
      }),
      { numRuns: 12, seed: 7, examples: TELLING },
    );
    expect(chains).toBeGreaterThan(10);
  });
});
