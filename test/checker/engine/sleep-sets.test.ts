import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Independence } from '../../../checker/engine/sleep/independence.ts';
import { SleepSets } from '../../../checker/engine/sleep/sleep-sets.ts';
import { check, type Model, type Property } from '../../../checker/index.ts';

/*
 * Where steps are independent, most successors are not looked up, and instances that have no step
 * are not asked again. The naive engine looks up each of them, and asks all, so it is the slow twin:
 * it must find as many states and transitions.
 */

interface Cells {
  readonly cells: Record<string, number>;
  readonly seen: { count: number };
}

interface Ticks {
  readonly is: { readonly grows: boolean };
  readonly ticks: number;
  readonly tocks: number;
  readonly keys: Record<string, true>;
}

/** Where the cell `if` has the value `is`, the cells `set` get the value `to`. */
interface Rule {
  readonly if: number;
  readonly is: number;
  readonly set: readonly number[];
  readonly to: number;
  /** Counts the cells instead, whatever their names. */
  readonly counts: boolean;
}

const CELLS = 4;
const VALUES = 3;
const ABSENT = 0;

const cell = fc.nat({ max: CELLS - 1 });
const value = fc.nat({ max: VALUES - 1 });
const rules: fc.Arbitrary<readonly Rule[]> = fc.array(
  fc.record({
    if: cell,
    is: value,
    set: fc.array(cell, { minLength: 1, maxLength: 2 }),
    to: value,
    counts: fc.boolean(),
  }),
  { minLength: 2, maxLength: 7 },
);

function modelOf(given: readonly Rule[]): Model<Cells> {
  return {
    name: 'rules on cells',
    slots: { cells: 'entries', seen: 'value' },
    initial: [{ cells: {}, seen: { count: 0 } }],
    actions: {
      apply: {
        fairness: 'none',
        parameters: given.map((_, rule) => ({ rule })),
        reduce(draft, { rule }) {
          const { if: read, is, set, to, counts } = given[Number(rule)]!;
          if ((draft.cells[`c${read}`] ?? ABSENT) !== is) return;
          if (counts) draft.seen.count = Object.keys(draft.cells).length;
          else {
            for (const written of set) {
              if (to === ABSENT) delete draft.cells[`c${written}`];
              else draft.cells[`c${written}`] = to;
            }
          }
        },
      },
    },
  };
}

const HOLDS: Property<Cells> = { kind: 'invariant', name: 'holds', holds: () => true };

/** Its steps are watched, so they are looked up. */
function rarely(given: readonly Rule[]): Property<Cells> {
  return {
    kind: 'step',
    name: 'the first rule is not applied twice',
    trigger: (_, { parameters }) => parameters.rule === 0,
    holds: (before, _, after) => given.length > 0 && before !== after,
  };
}

it('finds as many states and transitions as where each successor is looked up', async () => {
  await fc.assert(
    fc.asyncProperty(rules, fc.boolean(), async (given, isWatched) => {
      const model = modelOf(given);
      const properties = isWatched ? [HOLDS, rarely(given)] : [HOLDS];
      const [tracked, naive] = await Promise.all(
        (['tracked', 'naive'] as const).map((engine) => check({ model, properties, engine })),
      );
      expect(tracked!.statistics.states).toBe(naive!.statistics.states);
      expect(tracked!.statistics.transitions).toBe(naive!.statistics.transitions);
      expect(tracked!.statistics.layers).toBe(naive!.statistics.layers);
      expect(tracked!.properties).toEqual(naive!.properties);
    }),
    { numRuns: 200 },
  );
});

// Under a constraint each instance is asked in each state.
it('runs as many reducers as where all instances are asked, also after a new key', async () => {
  const model: Model<Ticks> = {
    name: 'ticks',
    slots: { is: 'value', ticks: 'value', tocks: 'value', keys: 'flags' },
    initial: [true, false].map((grows) => ({ is: { grows }, ticks: 0, tocks: 0, keys: {} })),
    actions: {
      count: {
        reduce(draft) {
          if (Object.keys(draft.keys).length > (draft.is.grows ? 1 : 2)) draft.ticks = 0;
        },
      },
      tick: {
        reduce(draft) {
          draft.ticks = Math.min(3, draft.ticks + 1);
        },
      },
      tock: {
        reduce(draft) {
          draft.tocks = Math.min(3, draft.tocks + 1);
        },
      },
      grow: {
        reduce(draft) {
          if (draft.is.grows && draft.ticks === 2) draft.keys.late = true;
        },
      },
    },
  };
  const properties: readonly Property<Ticks>[] = [
    { kind: 'invariant', name: 'holds', holds: () => true },
  ];
  const [skipping, asking] = await Promise.all(
    [{}, { within: () => true }].map((limits) => check({ model, properties, ...limits })),
  );
  expect(skipping!.statistics.reducerRuns).toBe(asking!.statistics.reducerRuns);
});

it('looks up each successor if states outside of a constraint are not expanded', async () => {
  // `b` is not applied in the state outside, so its target from the other one is not stored before.
  const model = modelOf([
    { if: 0, is: ABSENT, set: [0], to: 1, counts: false },
    { if: 1, is: ABSENT, set: [1], to: 1, counts: false },
  ]);
  const within = ({ cells }: Cells): boolean => cells.c0 === undefined || cells.c1 === 1;
  const [tracked, naive] = await Promise.all(
    (['tracked', 'naive'] as const).map((engine) =>
      check({ model, within, properties: [HOLDS], engine }),
    ),
  );
  expect(naive!.statistics.states).toBe(4);
  expect(tracked!.statistics.states).toBe(4);
});

it('keeps the sets of all states that wait, and knows none of other states', () => {
  const FRONTIER = 5000;
  const sets = new SleepSets(new Independence(3));
  sets.enter(0);
  // Instance 0 leads to a known state, instance 1 to new ones: in these, instance 0 is asleep.
  for (let state = 1; state <= FRONTIER; state += 2) {
    sets.pass(Int32Array.of(0, 1), 0, 2, Int32Array.of(0, state), state);
  }
  for (let state = 1; state <= FRONTIER; state++) {
    sets.enter(state);
    expect([...sets.asleep]).toEqual([state % 2]);
  }
  // Their places may be those of states before.
  for (let state = FRONTIER + 1; state <= 4 * FRONTIER; state++) {
    sets.enter(state);
    expect([...sets.asleep, ...sets.skipped]).toEqual([0, 0]);
  }
});

it('keeps no more sets than it may, and no set for states without a place', () => {
  const MOST = 1024;
  const sets = new SleepSets(new Independence(2), undefined, MOST);
  const isAsleep = (state: number): boolean => {
    sets.enter(state);
    return sets.asleep[0] === 1;
  };
  const find = (state: number): void => {
    sets.pass(Int32Array.of(0, 1), 0, 2, Int32Array.of(0, state), state);
  };
  sets.enter(0);
  for (let state = 1; state <= 3 * MOST; state++) find(state);
  expect([1, 2, 3].map(isAsleep)).toEqual([true, true, true]);
  for (let state = 3 * MOST + 1; state <= 3 * MOST + 5; state++) find(state);
  expect([MOST, MOST + 1, MOST + 9, 3 * MOST].map(isAsleep)).toEqual([true, false, false, false]);
  // The states 1, 2 and 3 had left their places by then.
  expect([1, 2, 3, 4].map((more) => isAsleep(3 * MOST + more))).toEqual([true, true, true, false]);
});
