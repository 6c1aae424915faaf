import { describe, expect, it } from 'vitest';
import type { Model, Property } from '../../checker/index.ts';
import { type Cluster, EMPTY_CLUSTER, SLOTS } from '../../model/state/cluster.ts';
import { notShown } from '../../run/replay.ts';

describe('a run is judged again', () => {
  const at = (step: number): Cluster => ({ ...EMPTY_CLUSTER, users: { alice: step } });
  const step = ({ users }: Cluster): number => users.alice ?? 0;
  const model: Model<Cluster> = {
    name: 'a line',
    slots: SLOTS,
    initial: [at(0)],
    actions: { stop: { reduce: () => undefined } },
  };
  const go = { name: 'go', parameters: {} };
  const path = { shape: 'path', loopStart: null } as const;
  const stays = { shape: 'stutter', loopStart: null } as const;

  const CASES: readonly [string, Property<Cluster>, typeof path | typeof stays, string | null][] = [
    ['an invariant', { kind: 'invariant', name: '', holds: (now) => step(now) < 2 }, path, null],
    [
      'not where its trigger is false',
      { kind: 'invariant', name: '', trigger: (now) => step(now) < 2, holds: () => false },
      path,
      'the last state is not judged',
    ],
    [
      'not in steps of other actions',
      { kind: 'step', name: '', actions: ['serve'], holds: () => false },
      path,
      'the last step is not judged',
    ],
    [
      'not in steps without its trigger',
      { kind: 'step', name: '', trigger: () => false, holds: () => false },
      path,
      'the last step is not judged',
    ],
    [
      'a leads-to that stays pending',
      { kind: 'eventually', name: '', trigger: (now) => step(now) === 1, goal: () => false },
      stays,
      null,
    ],
    [
      'not once the goal has come, though it is gone at the end',
      {
        kind: 'eventually',
        name: '',
        trigger: (now) => step(now) === 0,
        goal: (now) => step(now) === 1,
      },
      stays,
      'the goal is reached',
    ],
    [
      'not at the end, without a trigger that asks again',
      { kind: 'eventually', name: '', goal: (now) => step(now) === 0 },
      stays,
      'the goal is reached',
    ],
  ];

  it.each(CASES)('%s', (_name, property, shape, expected) => {
    const run = { ...shape, states: [at(0), at(1), at(2)], actions: [go, go] };
    expect(notShown(model, property, {}, run)).toBe(expected);
  });

  it('not where the goal comes in the loop, though it is asked for again after that', () => {
    const property: Property<Cluster> = {
      kind: 'eventually',
      name: '',
      trigger: (now) => step(now) === 0,
      goal: (now) => step(now) === 1,
    };
    const lasso = (loopStart: number) => ({
      ...{ shape: 'lasso' as const, loopStart },
      states: [at(0), at(1), at(0), at(2), at(0)],
      actions: [go, go, go, go],
    });
    expect(notShown(model, property, {}, lasso(0))).toBe('the goal is reached');
    expect(notShown(model, property, {}, lasso(2))).toBe(null);
  });
});
