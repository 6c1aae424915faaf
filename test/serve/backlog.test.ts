import { array, assert, constantFrom, integer, property, record } from 'fast-check';
import { expect, it } from 'vitest';
import { Backlog } from '../../serve/http/backlog.ts';

/** How much the clients of watches may leave unread. */

const MOST_OF_ONE = 16;
const MOST_OF_ALL = 40;

function clients(count: number) {
  const backlog = new Backlog(MOST_OF_ONE, MOST_OF_ALL);
  const ended: number[] = [];
  const waiting = Array.from({ length: count }, () => 0);
  const readers = waiting.map((_, index) => ({
    waiting: () => waiting[index]!,
    close() {
      waiting[index] = 0;
      ended.push(index);
      // As a watch does that ends.
      backlog.forget(this);
    },
  }));
  const write = (index: number, bytes: number): void => {
    if (ended.includes(index)) return;
    waiting[index]! += bytes;
    backlog.wrote(readers[index]!);
  };
  const read = (index: number): void => {
    waiting[index] = 0;
  };
  return { ended, waiting, write, read };
}

it('ends a watch whose client does not read, and no other', () => {
  const { ended, write } = clients(2);
  write(0, 16);
  write(1, 1);
  expect(ended).toEqual([]);
  write(0, 1);
  expect(ended).toEqual([0]);
});

it('ends the slowest of many that are slow together', () => {
  const { ended, write, read } = clients(5);
  for (const [index, bytes] of [10, 14, 12, 4].entries()) write(index, bytes);
  expect(ended).toEqual([]);
  read(0);
  write(4, 8);
  // The first has read, so there is room.
  expect(ended).toEqual([]);
  write(4, 3);
  expect(ended).toEqual([1]);
});

it('never leaves more unread than it may, and ends nothing without need', () => {
  const step = record({
    index: integer({ min: 0, max: 7 }),
    bytes: integer({ min: 0, max: 20 }),
    does: constantFrom('write', 'write', 'read'),
  });
  assert(
    property(array(step, { maxLength: 60 }), (steps) => {
      const { ended, waiting, write, read } = clients(8);
      for (const { index, bytes, does } of steps) {
        const before = waiting.reduce((sum, one) => sum + one, 0);
        const known = ended.length;
        if (does === 'read') read(index);
        else write(index, bytes);
        expect(waiting.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(MOST_OF_ALL);
        expect(Math.max(...waiting)).toBeLessThanOrEqual(MOST_OF_ONE);
        if (ended.length > known) expect(before + bytes).toBeGreaterThan(MOST_OF_ONE);
      }
    }),
  );
});
