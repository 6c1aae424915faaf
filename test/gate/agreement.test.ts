import { expect, it } from 'vitest';
import { disagreements } from '../../gate/agreement.ts';
import type { CellFacts } from '../../gate/cell.ts';
import { cellOf } from './cells.ts';

/** Cells that differ in their reductions only have the same verdicts. */

const reduced = [{ name: 'reduction', value: 'symmetry,confluence' }];
const withTwo = [{ name: 'workers', value: '2' }];

async function comparedWith(
  parameters: readonly { readonly name: string; readonly value: string }[],
  first: Partial<CellFacts>,
  second: Partial<CellFacts>,
): Promise<readonly string[]> {
  const cells = [
    await cellOf('background-chain'),
    await cellOf('background-chain', { name: 'second', parameters }),
  ];
  const [none, found] = disagreements(cells, [facts(first), facts(second)]);
  expect(none).toEqual([]);
  return found!;
}

function facts(given: Partial<CellFacts>): CellFacts {
  const nothing = { triggered: {}, traces: {}, actions: {}, fates: {}, verdicts: {} };
  return { outcome: 'complete', size: null, ...nothing, ...given };
}

it('names each verdict and fate that another choice of reductions turns', async () => {
  const first = { verdicts: { a: 'holds', b: 'violated' }, fates: { pod: 'goes' } } as const;
  const second = { verdicts: { a: 'violated', b: 'violated' }, fates: { pod: 'either' } } as const;
  expect(await comparedWith(reduced, first, second)).toEqual([
    '"a" is violated, and holds in background-chain, which differs in its reductions only',
    '"pod" is either, and goes in background-chain, which differs in its reductions only',
  ]);
});

it('compares nothing that was left open, and no cells that differ in more', async () => {
  const holds = { verdicts: { a: 'holds' }, fates: { pod: 'goes' } } as const;
  const open = { verdicts: { a: 'inconclusive' }, fates: { pod: 'open' } } as const;
  const violated = { verdicts: { a: 'violated' } } as const;
  expect(await comparedWith(reduced, holds, open)).toEqual([]);
  expect(await comparedWith(reduced, open, violated)).toEqual([]);
  expect(await comparedWith([...withTwo, ...reduced], holds, violated)).toEqual([]);
});
