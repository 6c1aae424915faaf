import { describe, expect, test } from 'vitest';
import {
  type DeletionSize,
  deletion,
  finalizerLast,
  graphTrails,
  ordered,
} from '../../bench/models/deletion.ts';
import { exclusive, philosophers } from '../../bench/models/philosophers.ts';
import { consistent, twoPhaseCommit } from '../../bench/models/two-phase-commit.ts';
import { check } from '../../checker/index.ts';

describe('two-phase commit', () => {
  test.each([
    [3, 288, 761, 11],
    [5, 8_832, 37_345, 17],
    [6, 50_816, 256_001, 20],
    [7, 296_448, 1_735_809, 23],
  ])('%i managers: %i states', async (count, states, transitions, layers) => {
    const model = twoPhaseCommit(count);
    const result = await check({ model, properties: [consistent(count)], auditEvery: 1000 });
    expect(result.outcome).toBe('complete');
    expect(result.statistics).toMatchObject({ states, transitions, layers });
    expect(result.properties[0]).toMatchObject({ verdict: 'holds' });
  });
});

test('ten philosophers: 3^10 - 1 states', async () => {
  const stuck = { kind: 'settled', name: 'never stuck', settled: () => false } as const;
  const properties = [exclusive(10), stuck];
  const result = await check({ model: philosophers(10), properties });
  expect(result.statistics).toMatchObject({ states: 59_048, layers: 28 });
  expect(result.properties[0]?.verdict).toBe('holds');
  // Every philosopher holds the left fork.
  expect(result.properties[1]?.trace?.steps).toHaveLength(10);
});

describe('deletion', () => {
  const small: DeletionSize = { objects: 4, workers: 2, shape: 'chain' };

  test.each<[DeletionSize, number, number]>([
    [small, 24_748, 19],
    [{ objects: 5, workers: 1, shape: 'tree' }, 110_906, 20],
  ])('%o: %i states', async (size, states, layers) => {
    const properties = [graphTrails(size), finalizerLast(size), ordered(size)];
    const result = await check({ model: deletion(size), properties, auditEvery: 1000 });
    expect(result.statistics).toMatchObject({ states, layers });
    expect(result.properties.map(({ verdict }) => verdict)).toEqual(['holds', 'holds', 'violated']);
  });

  test('both engines agree', async () => {
    const size: DeletionSize = { objects: 3, workers: 2, shape: 'tree' };
    const question = {
      model: deletion(size),
      properties: [graphTrails(size), finalizerLast(size), ordered(size)],
    };
    const tracked = await check({ ...question, engine: 'tracked' });
    const naive = await check({ ...question, engine: 'naive' });
    const { states, transitions, layers } = naive.statistics;
    expect(tracked.statistics).toMatchObject({ states, transitions, layers });
    expect(tracked.properties).toEqual(naive.properties);
    expect(tracked.actions).toEqual(naive.actions);
  });
});
