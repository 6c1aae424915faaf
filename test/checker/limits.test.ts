import { describe, expect, test } from 'vitest';
import { consistent, twoPhaseCommit } from '../../bench/models/two-phase-commit.ts';
import { check, defineModel, type ProgressEvent, type Property } from '../../checker/index.ts';
import { countingClock } from '../clock.ts';

interface Counter {
  readonly n: number;
}

/** Never ends by itself. */
const endless = defineModel<Counter>({
  name: 'endless',
  slots: { n: 'value' },
  initial: [{ n: 0 }],
  actions: {
    up: {
      fairness: 'weak',
      reduce: (draft) => {
        draft.n++;
      },
    },
  },
});

const small: Property<Counter> = { kind: 'invariant', name: 'small', holds: ({ n }) => n < 10 };
const positive: Property<Counter> = {
  kind: 'invariant',
  name: 'positive',
  holds: ({ n }) => n >= 0,
};
const reaches20: Property<Counter> = {
  kind: 'witness',
  name: 'twenty',
  reached: ({ n }) => n === 20,
};
const reaches9999: Property<Counter> = {
  kind: 'witness',
  name: '9999',
  reached: ({ n }) => n === 9999,
};
const grows: Property<Counter> = { kind: 'eventually', name: 'grows', goal: ({ n }) => n > 5 };
const settles: Property<Counter> = { kind: 'settled', name: 'settles', settled: () => false };
const all = [small, positive, reaches20, reaches9999, grows, settles];

describe.each(['tracked', 'naive'] as const)('%s', (engine) => {
  test('a limit on states makes properties inconclusive, except violated ones', async () => {
    const result = await check({ model: endless, properties: all, engine, limits: { states: 30 } });
    expect(result.outcome).toBe('limited');
    expect(result.limit).toMatchObject({ kind: 'states', value: 30 });
    expect(result.limit?.advice).toMatch(/Raise the limit of 30 states/);
    expect(result.properties.map(({ verdict }) => verdict)).toEqual([
      'violated',
      'inconclusive',
      'holds',
      'inconclusive',
      'inconclusive',
      'inconclusive',
    ]);
    expect(result.properties[0]?.trace?.steps).toHaveLength(10);
    expect(result.properties[1]?.reason).toMatch(/limit \(states\)/);
  });

  test('a limit on depth judges the last layer', async () => {
    const result = await check({ model: endless, properties: all, engine, limits: { depth: 10 } });
    expect(result.limit).toMatchObject({ kind: 'depth', value: 10 });
    expect(result.statistics).toMatchObject({ states: 11, layers: 11 });
    expect(result.properties[0]).toMatchObject({ verdict: 'violated' });
    const shallower = await check({
      model: endless,
      properties: all,
      engine,
      limits: { depth: 9 },
    });
    expect(shallower.properties[0]).toMatchObject({ verdict: 'inconclusive' });
  });

  test('a limit that is just enough is not hit', async () => {
    const model = twoPhaseCommit(3);
    const properties = [consistent(3)];
    const enough = await check({ model, properties, engine, limits: { states: 288, depth: 10 } });
    expect(enough).toMatchObject({ outcome: 'complete', limit: null });
    expect(enough.statistics).toMatchObject({ states: 288, transitions: 761 });
    const states = await check({ model, properties, engine, limits: { states: 287 } });
    expect(states.limit?.kind).toBe('states');
    const depth = await check({ model, properties, engine, limits: { depth: 9 } });
    expect(depth.limit?.kind).toBe('depth');
    expect(depth.properties[0]?.verdict).toBe('inconclusive');
  });

  test('time, memory and interruption end it', async () => {
    const question = { model: endless, properties: [positive], engine };
    const time = await check({ ...question, limits: { seconds: 0.05 } });
    expect(time.limit).toMatchObject({ kind: 'time', value: 0.05 });
    const memory = await check({ ...question, limits: { megabytes: 1 } });
    expect(memory.limit).toMatchObject({ kind: 'memory', value: 1 });
    let asked = 0;
    const interrupted = await check({ ...question, interrupted: () => ++asked === 2 });
    expect(interrupted.limit).toMatchObject({ kind: 'interrupted' });
    expect(interrupted.properties[0]?.verdict).toBe('inconclusive');
  });

  test('the event loop turns during a search', async () => {
    let turns = 0;
    const timer = setInterval(() => turns++, 10);
    const interrupted = () => turns > 0;
    const { limit } = await check({ model: endless, properties: [positive], engine, interrupted });
    clearInterval(timer);
    expect(limit?.kind).toBe('interrupted');
  });
});

test('stops when everything is decided', async () => {
  const question = { model: endless, properties: [small, reaches20], stopWhenDecided: true };
  const result = await check(question);
  expect(result).toMatchObject({ outcome: 'complete', limit: null });
  expect(result.properties.map(({ verdict }) => verdict)).toEqual(['violated', 'holds']);
  expect(result.statistics.states).toBeLessThan(30);
});

test('progress is reported for each layer', async () => {
  const model = twoPhaseCommit(3);
  const all: ProgressEvent[] = [];
  await check({ model, properties: [consistent(3)], onProgress: (event) => all.push(event) });
  // The first one says that the search has begun.
  const [begun, ...events] = all;
  expect(begun).toMatchObject({ layer: 0, states: 1, transitions: 0 });
  expect(events.map(({ layer }) => layer)).toEqual([...Array(11).keys()]);
  expect(events.reduce((sum, { frontier }) => sum + frontier, 0)).toBe(288);
  const frontiers = events.map(({ frontier }) => frontier);
  expect(events.map(({ previousFrontier }) => previousFrontier)).toEqual([
    0,
    ...frontiers.slice(0, -1),
  ]);
  expect(events.at(-1)).toMatchObject({ phase: 'search', states: 288, transitions: 761 });
});

test('advice names the action that runs most', async () => {
  const wide = defineModel<{ readonly a: number; readonly b: number; readonly c: number }>({
    name: 'wide',
    slots: { a: 'value', b: 'value', c: 'value' },
    initial: [{ a: 0, b: 0, c: 0 }],
    actions: {
      simple: {
        reduce: (draft) => {
          draft.a++;
        },
      },
      greedy: {
        reduce: (draft) => {
          draft.b = draft.a + draft.c > 9 ? draft.b : draft.b + 1;
        },
      },
    },
  });
  const fine = { kind: 'invariant', name: 'fine', holds: () => true } as const;
  countingClock(1);
  const result = await check({ model: wide, properties: [fine], limits: { seconds: 0.2 } });
  expect(result.limit?.advice).toMatch(/reducer of greedy ran \d+ times/);
});
