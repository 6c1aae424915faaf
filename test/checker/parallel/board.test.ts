import { expect, it } from 'vitest';
import { CHUNK_STATES, HelperBoard, OwnerBoard } from '../../../checker/parallel/board.ts';

/** The chunks that a helper with this lead claims one after the other. */
function claimed(lead: number, count: number): readonly (number | undefined)[] {
  const owner = new OwnerBoard();
  const helper = new HelperBoard(owner.memory, lead);
  owner.enter(0, 0);
  return Array.from({ length: count }, () => helper.claim(1000 * CHUNK_STATES)?.chunk);
}

it('helpers claim chunks from their lead on', () => {
  expect(claimed(32, 3)).toEqual([32, 33, 34]);
});

it('many helpers do not begin at the end of what can be prepared', () => {
  const chunks = claimed(16 + 16 * 15, 254);
  expect(chunks.slice(0, 2)).toEqual([128, 129]);
  expect(chunks.slice(-2)).toEqual([3, 2]);
});
