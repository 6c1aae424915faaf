import { describe, expect, test } from 'vitest';
import { StateStore } from '../../checker/engine/state-store.ts';
import { LimitHitError } from '../../checker/errors.ts';
import type { Guard } from '../../checker/guard.ts';
import { check, defineModel, type Property, simulate } from '../../checker/index.ts';
import { machineMegabytes } from '../../checker/memory.ts';
import { Tries } from '../../checker/values/tries.ts';
import { countingClock } from '../clock.ts';

interface Cells {
  readonly cells: Readonly<Record<string, number>>;
}

const ENDLESS = 10_000_000;

/** Runs `reduce` for each of so many parameters. */
function cellModel(instances: number, reduce: (cells: Record<string, number>) => void) {
  return defineModel<Cells>({
    name: 'cells',
    slots: { cells: 'entries' },
    initial: [{ cells: {} }],
    actions: {
      fill: {
        parameters: Array.from({ length: instances }, (_, cell) => ({ cell })),
        reduce: (draft) => reduce(draft.cells),
      },
    },
  });
}

const empty: Property<Cells> = { kind: 'invariant', name: 'empty', holds: () => true };

describe('a limit on time ends', () => {
  test('one run of a reducer', async () => {
    countingClock(1);
    let reads = 0;
    const model = cellModel(1, (cells) => {
      for (; reads < ENDLESS; reads++) if (cells.one === 1) return;
    });
    const result = await check({ model, properties: [empty], limits: { seconds: 0.5 } });
    expect(result.limit).toMatchObject({ kind: 'time', value: 0.5 });
    expect(reads).toBeLessThan(100_000);
  });

  test('one run of a reducer, if the user interrupts', async () => {
    countingClock(1);
    let reads = 0;
    const model = cellModel(1, (cells) => {
      for (; reads < ENDLESS; reads++) if (cells.one === 1) return;
    });
    const interrupted = () => reads > 1000;
    const { limit } = await check({ model, properties: [empty], limits: {}, interrupted });
    expect(limit?.kind).toBe('interrupted');
    expect(reads).toBeLessThan(100_000);
  });

  test('a reducer that catches every error, which is no defect then', async () => {
    countingClock(1);
    const model = cellModel(1, (cells) => {
      try {
        for (let reads = 0; reads < 1_000_000; reads++) if (cells.one === 1) return;
      } catch {
        cells.one = 2;
      }
    });
    const result = await check({ model, properties: [empty], limits: { seconds: 0.5 } });
    expect(result).toMatchObject({ outcome: 'limited', limit: { kind: 'time' }, defect: null });
    expect(result.statistics.states).toBe(1);
  });

  test('one expansion, and keeps what was found before it', async () => {
    countingClock(1);
    let runs = 0;
    const model = cellModel(50_000, (cells) => {
      runs++;
      cells[String(runs)] = 1;
    });
    const seen: Property<Cells> = { kind: 'witness', name: 'seen', reached: () => true };
    const ask = { model, properties: [seen, empty], limits: { seconds: 0.5 } };
    const { limit, properties, statistics } = await check({ ...ask, reductions: [] });
    expect(limit?.kind).toBe('time');
    expect(runs).toBeLessThan(2000);
    expect(statistics.states).toBe(1);
    expect(properties.map(({ verdict }) => verdict)).toEqual(['holds', 'inconclusive']);
  });

  test('one step of a walk', async () => {
    countingClock(1);
    let reads = 0;
    const model = cellModel(1, (cells) => {
      for (; reads < ENDLESS; reads++) if (cells.one === 1) return;
    });
    const ask = { model, properties: [empty], walks: 1, steps: 1, seed: 1 };
    const { limit, simulation } = await simulate({ ...ask, limits: { seconds: 0.5 } });
    expect(limit?.kind).toBe('time');
    expect(simulation).toMatchObject({ walks: 1, steps: 0 });
  });

  test.each(['check', 'simulate'])('the validation of %s', async (how) => {
    countingClock(1);
    let reads = 0;
    const state = (): Cells => ({
      get cells() {
        reads++;
        return {};
      },
    });
    const model = { ...cellModel(1, () => {}), initial: Array.from({ length: 20_000 }, state) };
    const ask = { model, properties: [empty], limits: { seconds: 0.5 } };
    const { limit, properties } = await (how === 'check'
      ? check(ask)
      : simulate({ ...ask, walks: 1, steps: 1, seed: 1 }));
    expect(limit?.kind).toBe('time');
    expect(properties[0]?.verdict).toBe('inconclusive');
    expect(reads).toBeLessThan(5000);
  });

  test.each(['tracked', 'naive'] as const)('the start of engine %s', async (engine) => {
    let reads = 0;
    const state = (number: number): Cells => ({
      get cells() {
        reads++;
        return { one: number };
      },
    });
    const model = {
      ...cellModel(1, () => {}),
      initial: Array.from({ length: 400 }, (_, n) => state(n)),
    };
    const ask = { model, properties: [empty], engine };
    await check(ask);
    const all = reads;
    reads = 0;
    countingClock(1);
    const result = await check({ ...ask, limits: { seconds: 0.5 } });
    expect(result).toMatchObject({ limit: { kind: 'time' }, statistics: { states: 0 } });
    expect(reads).toBeLessThan(0.75 * all);
  });

  test('a set-up, also if it began before the check', async () => {
    const model = cellModel(1, (cells) => {
      cells.one = 1;
    });
    // The process may be young.
    const [since, limits] = [0, { seconds: performance.now() / 2000 }];
    const result = await check({ model, properties: [empty], limits, since });
    expect(result).toMatchObject({ outcome: 'limited', limit: { kind: 'time' } });
    expect(result.statistics).toMatchObject({ states: 0, layers: 0 });
    expect(result.properties[0]).toMatchObject({ name: 'empty', verdict: 'inconclusive' });
    const walked = { model, properties: [empty], walks: 1, steps: 1, seed: 1, since };
    const simulated = await simulate({ ...walked, limits });
    expect(simulated).toMatchObject({ limit: { kind: 'time' }, simulation: { walks: 0 } });
  });
});

test('a limit on memory ends a set-up before a large table is allocated', async () => {
  const model = cellModel(2000, (cells) => {
    cells.one = 1;
  });
  const rule: Property<Cells> = {
    kind: 'step',
    name: 'rule',
    parameters: Array.from({ length: 2000 }, (_, rule) => ({ rule })),
    holds: () => true,
  };
  const result = await check({ model, properties: [rule], limits: { megabytes: 1 } });
  expect(result).toMatchObject({ outcome: 'limited', limit: { kind: 'memory', value: 1 } });
  expect(result.statistics.states).toBe(0);
});

test('advice may be in the words of the domain', async () => {
  const model = cellModel(1, (cells) => {
    cells.one = (cells.one ?? 0) + 1;
  });
  const advice = (kind: string) => `fewer cells (${kind})`;
  const ask = { model, properties: [empty], advice, limits: { states: 3 } };
  const { limit, properties } = await check(ask);
  expect(limit?.advice).toBe('fewer cells (states)');
  expect(properties[0]?.reason).toMatch(/fewer cells/);
});

describe('where memory is refused', () => {
  /** Refuses everything from the given number of bytes on. */
  const refusing = (most: number): Guard => ({
    look: () => {},
    confirm: () => {},
    room: (bytes) => {
      if (bytes >= most) throw new LimitHitError('memory');
    },
  });

  test('the stored states stay readable', () => {
    const store = new StateStore(1, refusing(1 << 20));
    store.reserve(1);
    const put = (value: number): void => {
      store.next[0] = value;
      store.hash(0);
    };
    const fill = (): void => {
      for (let value = 1; value < 1_000_000; value++) {
        put(value);
        store.insertAll(1, -1);
      }
    };
    expect(fill).toThrow(LimitHitError);
    const { count } = store;
    expect(count).toBeGreaterThan(1000);
    const move = { fromWord: 0, mask: -1, toWord: 0, distance: 0 };
    expect(() => store.changeLayout(64, [move])).toThrow(LimitHitError);
    expect(store.width).toBe(1);
    for (const value of [1, 2, count]) {
      put(value);
      store.findAll(1);
      expect(store.found[0]).toBe(value - 1);
    }
  });

  test('what was learnt is kept', () => {
    const tries = new Tries(1, refusing(1 << 20));
    const learn = (column: number): void =>
      tries.learn(0, { columns: [1, column], answers: [column, 0] }, 1);
    expect(() => {
      for (let column = 2; column < 1_000_000; column++) learn(column);
    }).toThrow(LimitHitError);
    const root = tries.roots[0]!;
    const known = tries.nodes[root + 3 + 2 - tries.nodes[root + 2]!]!;
    expect(tries.nodes[known]).toBe(2);
  });
});

test('the default limit is a share of what the machine or its container has', () => {
  expect(machineMegabytes(16e9, undefined)).toBe(12_000);
  expect(machineMegabytes(16e9, 0)).toBe(12_000);
  expect(machineMegabytes(16e9, 2 ** 64)).toBe(12_000);
  expect(machineMegabytes(16e9, 512e6)).toBe(384);
});
