import { describe, expect, it, test } from 'vitest';
import { check, defineModel, type Property, statusesOf } from '../../../checker/index.ts';

interface Level {
  readonly level: number;
}

const RUN: readonly Level[] = [0, 1, 2, 3, 2].map((level) => ({ level }));
const ACTIONS = RUN.slice(1).map(({ level }) => ({
  name: level > 1 ? 'up' : 'go',
  parameters: {},
}));

/** The status of each kind of property at each point of a run over the levels 0 1 2 3 2. */
const CASES: readonly [string, Property<Level>, string][] = [
  [
    'an invariant',
    { kind: 'invariant', name: '', holds: ({ level }) => level < 3 },
    'holds holds holds broken holds',
  ],
  [
    'an invariant is idle without its trigger',
    {
      kind: 'invariant',
      name: '',
      trigger: ({ level }) => level > 1,
      holds: ({ level }) => level < 3,
    },
    'idle idle holds broken holds',
  ],
  [
    'a rule over steps is judged in the steps of its actions',
    {
      kind: 'step',
      name: '',
      actions: ['up'],
      trigger: (before) => before.level > 1,
      holds: (before, _action, after) => after.level > before.level,
    },
    'idle idle idle holds broken',
  ],
  [
    'a leads-to is pending from its trigger to its goal',
    {
      kind: 'eventually',
      name: '',
      trigger: ({ level }) => level === 1,
      goal: ({ level }) => level === 3,
    },
    'idle pending pending met idle',
  ],
  [
    'a leads-to without a trigger is asked at the start',
    { kind: 'eventually', name: '', goal: ({ level }) => level === 2 },
    'pending pending met idle idle',
  ],
  [
    'a goal that is there with the trigger',
    {
      kind: 'eventually',
      name: '',
      trigger: ({ level }) => level > 1,
      goal: ({ level }) => level === 2,
    },
    'idle idle met pending met',
  ],
  [
    'a witness',
    { kind: 'witness', name: '', reached: ({ level }) => level === 3 },
    'idle idle idle reached idle',
  ],
  [
    'a settled state is asked for at the end',
    { kind: 'settled', name: '', settled: ({ level }) => level === 3 },
    'idle idle idle idle broken',
  ],
];

describe('the status of a property during a run', () => {
  it.each(CASES)('%s', (_name, property, expected) => {
    const run = { property, parameters: {}, states: RUN, actions: ACTIONS };
    expect(statusesOf(run, true).join(' ')).toBe(expected);
  });

  it('is idle for `settled` where a step is possible', () => {
    const property: Property<Level> = { kind: 'settled', name: '', settled: () => false };
    const run = { property, parameters: {}, states: RUN, actions: ACTIONS };
    expect(statusesOf(run, false)).not.toContain('broken');
  });
});

/** A loop of three steps. The lamp can be lit in one of its states only. */
test('a lasso shows why it is fair to each instance', async () => {
  const next = (from: number, to: number) => ({
    fairness: 'weak' as const,
    reduce(draft: { at: number }) {
      if (draft.at === from) draft.at = to;
    },
  });
  const { properties } = await check({
    model: defineModel<{ at: number }>({
      name: 'a loop',
      slots: { at: 'value' },
      initial: [{ at: 9 }],
      actions: {
        enter: next(9, 0),
        first: next(0, 1),
        second: next(1, 2),
        third: next(2, 0),
        light: next(1, 7),
        never: next(8, 7),
        may: { reduce: () => undefined },
      },
    }),
    properties: [{ kind: 'eventually', name: 'the lamp is lit', goal: ({ at }) => at === 7 }],
  });
  const { trace } = properties[0]!;
  expect(trace?.loopStart).toBe(1);
  expect(trace?.fairness.map(({ action, by, step }) => [action, by, step])).toEqual([
    ['first', 'taken', 1],
    ['second', 'taken', 2],
    ['third', 'taken', 3],
    // Enabled after step 1 only. It is disabled in the first state of the loop, which follows
    // the last step.
    ['light', 'disabled', 3],
  ]);
  expect(trace?.initialStatus).toBe('pending');
  expect(trace?.steps.map(({ status }) => status)).toEqual(Array(4).fill('pending'));
});
