import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { besideOthers, chainsApart } from '../../../input/cluster/chains.ts';
import { divided } from '../../../input/cluster/parts.ts';
import { missingStep } from './beside-others.ts';
import { setupOfTree, trees } from './forests.ts';

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
      { numRuns: 60, seed: 7 },
    );
    expect(chains).toBeGreaterThan(10);
  });
});
