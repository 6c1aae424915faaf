import fc from 'fast-check';
import { expect, it } from 'vitest';
import { check } from '../../../checker/check.ts';
import { FiledStateStore } from '../../../checker/engine/filed/filed-store.ts';
import type { RowStorage } from '../../../checker/engine/filed/row-storage.ts';
import { tagOf } from '../../../checker/engine/filed/tags.ts';
import { hashRow } from '../../../checker/engine/state-store.ts';
import { UNGUARDED } from '../../../checker/guard.ts';
import type { Model } from '../../../checker/model.ts';
import type { CheckOptions } from '../../../checker/options.ts';
import type { CheckResult } from '../../../checker/result.ts';
import { modelOf, propertiesOf, randomCases } from '../support/random-models.ts';
import { randomRuns } from '../support/random-runs.ts';

/** So little memory that the window has eight rows, and two pages of two rows are cached. */
const TINY = 16;

interface Counted extends RowStorage {
  readonly written: () => number;
  readonly read: () => number;
}

/** Files that are arrays. */
function arrays(bytesInMemory: number, failing: 'read' | 'write' | null = null): Counted {
  let written = 0;
  let read = 0;
  return {
    bytesInMemory,
    written: () => written,
    read: () => read,
    open: () => {
      let content = new Uint8Array(64);
      let isOpen = true;
      return {
        write: (bytes, at) => {
          if (failing === 'write') throw new Error('the disk is full');
          expect(isOpen).toBe(true);
          if (at + bytes.length > content.length) {
            const larger = new Uint8Array(2 * (at + bytes.length));
            larger.set(content);
            content = larger;
          }
          content.set(bytes, at);
          written += bytes.length;
        },
        read: (bytes, at) => {
          if (failing === 'read') throw new Error('the disk is broken');
          expect(isOpen).toBe(true);
          bytes.set(content.subarray(at, at + bytes.length));
          read += bytes.length;
        },
        close: () => {
          isOpen = false;
        },
      };
    },
  };
}

/** All but the times. */
function timeless({ statistics, ...result }: CheckResult) {
  return {
    ...result,
    statistics: { ...statistics, wallSeconds: 0, cpuSeconds: 0, bytesPerState: 0 },
  };
}

async function bothWays<State>(options: CheckOptions<State>) {
  const storage = arrays(TINY);
  const filed = timeless((await check({ ...options, storage })) as CheckResult);
  return { filed, plain: timeless((await check(options)) as CheckResult), storage };
}

interface Counters {
  readonly counters: Readonly<Record<string, number>>;
  readonly last: string;
}

/**
 * Counters that go up to `most`, one at a time; values, and so the widths of slots, are met late.
 */
function counters(count: number, most: number): Model<Counters> {
  const names = Array.from({ length: count }, (_, index) => `c${index}`);
  return {
    name: 'counters',
    slots: { counters: 'entries', last: 'value' },
    initial: [{ counters: Object.fromEntries(names.map((name) => [name, 0])), last: '' }],
    actions: {
      count: {
        parameters: names.map((name) => ({ name })),
        fairness: 'weak',
        reduce: (draft, { name }) => {
          const before = draft.counters[name as string]!;
          if (before === most) return;
          (draft.counters as Record<string, number>)[name as string] = before + 1;
          (draft as { last: string }).last = name as string;
        },
      },
    },
  };
}

it('finds in random models what a search in memory finds', async () => {
  let moved = 0;
  await fc.assert(
    fc.asyncProperty(
      randomCases,
      fc.record({
        states: fc.integer({ min: 1, max: 400 }),
        depth: fc.integer({ min: 1, max: 40 }),
      }),
      async (random, limits) => {
        const model = modelOf(random);
        const properties = propertiesOf(random);
        const given = { model, properties, limits, auditEvery: 7, stateGraph: 30 };
        const { filed, plain, storage } = await bothWays(given);
        expect(filed).toEqual(plain);
        if (storage.written() > 0 && storage.read() > 0) moved++;
      },
    ),
    { numRuns: randomRuns(60) },
  );
  expect(moved).toBeGreaterThan(8);
});

it('re-encodes rows in files, and grows tables over them', async () => {
  const { filed, plain, storage } = await bothWays<Counters>({
    model: counters(4, 6),
    properties: [
      {
        kind: 'eventually',
        name: 'all are full',
        trigger: () => true,
        goal: ({ counters: all }) => Object.values(all).every((counter) => counter === 6),
      },
      {
        kind: 'invariant',
        name: 'they are never 6, 5, 6, 5',
        holds: ({ counters: all }) => Object.values(all).join() !== '6,5,6,5',
      },
    ],
  });
  expect(plain.statistics.states).toBe(8_233);
  expect(plain.properties.map(({ verdict }) => verdict)).toEqual(['holds', 'violated']);
  expect(filed).toEqual(plain);
  expect(storage.read()).toBeGreaterThan(storage.written());
});

/** A row of two words with the hash of the other, and with the tag as well. */
function twinOf(row: readonly [number, number]): readonly [number, number] {
  // As the store hashes the first word.
  const start = (word: number): number => {
    const hash = Math.imul(word, 0x9e3779b1);
    return hash ^ (hash >>> 15);
  };
  const tag = tagOf(Int32Array.from(row), 0, 2);
  for (let word = row[0] + 1; ; word++) {
    const twin = [word, row[1] ^ start(row[0]) ^ start(word)] as const;
    if (tagOf(Int32Array.from(twin), 0, 2) === tag) return twin;
  }
}

it('compares the rows themselves where hash and tag are equal', () => {
  const store = new FiledStateStore(2, UNGUARDED, arrays(TINY));
  const insert = (row: readonly [number, number]): number => {
    store.next.set(row);
    store.hash(0);
    return store.insertOne(0, -1);
  };
  store.reserve(1);
  const row = [1, 1] as const;
  const twin = twinOf(row);
  expect(hashRow(Int32Array.from(twin), 0, 2)).toBe(hashRow(Int32Array.from(row), 0, 2));
  expect(insert(row)).toBe(0);
  for (let other = 1; other < 30; other++) insert([1000, other]);
  store.next.set(twin);
  store.hash(0);
  store.findAll(1);
  expect(store.found[0]).toBe(-1);
  expect(insert(twin)).toBe(30);
  for (let other = 31; other < 60; other++) insert([1000, other]);
  expect(insert(row)).toBe(0);
  expect(insert(twin)).toBe(30);
});

it('stores more rows at a time than the window has', () => {
  const store = new FiledStateStore(2, UNGUARDED, arrays(TINY));
  const numbers = Array.from({ length: 20 }, (_, row) => row);
  store.reserve(numbers.length);
  for (let time = 0; time < 2; time++) {
    for (const row of numbers) {
      store.next.set([row, 7], 2 * row);
      store.hash(row);
    }
    store.insertAll(numbers.length, -1);
    expect([...store.found]).toEqual(numbers);
  }
  expect(store.count).toBe(20);
});

it('has room for more successors than the window has rows', async () => {
  const { filed, plain, storage } = await bothWays<Counters>({
    model: counters(40, 1),
    properties: [{ kind: 'invariant', name: 'any', holds: () => true }],
    limits: { states: 3_000 },
  });
  expect(filed).toEqual(plain);
  expect(storage.written()).toBeGreaterThan(0);
});

it.each(['read', 'write'] as const)('ends with the error if a file fails (%s)', async (failing) => {
  const found = check<Counters>({
    model: counters(4, 4),
    properties: [{ kind: 'invariant', name: 'any', holds: () => true }],
    storage: arrays(TINY, failing),
  });
  await expect(found).rejects.toThrow(/^the disk is/);
});

it.each([
  ['the naive engine', { engine: 'naive' } as const],
  ['checkpoint', { checkpoint: { store: { blocks: () => [], append: () => undefined } } }],
])('does not go with %s', async (name, options) => {
  const found = check<Counters>({
    model: counters(1, 1),
    properties: [{ kind: 'invariant', name: 'any', holds: () => true }],
    storage: arrays(TINY),
    ...options,
  });
  await expect(found).rejects.toThrow(`storage does not go with ${name}`);
});
