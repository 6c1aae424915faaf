import type { Model } from '../../../checker/model.ts';
import type { Property } from '../../../checker/property.ts';

/** Three counters, and marks that are set while they run. */
export interface Late {
  counts: Record<string, number>;
  marks: Record<string, true>;
}

const MOST = 19;
const COUNTERS = ['a', 'b', 'c'].map((counter) => ({ counter }));

/**
 * A model in which much is new in late states: values, so that rows are re-encoded; entries, so
 * that what enumerates them is learnt again; and what predicates read.
 */
export const late: Model<Late> = {
  name: 'late',
  slots: { counts: 'entries', marks: 'flags' },
  initial: [{ counts: { a: 0, b: 0, c: 0 }, marks: {} }],
  actions: {
    add: {
      parameters: COUNTERS,
      reduce({ counts }, { counter }) {
        if (counts[String(counter)]! < MOST) counts[String(counter)]!++;
      },
    },
    mark: {
      reduce({ counts, marks }) {
        const { a = 0, b = 0, c = 0 } = counts;
        if (a > 0 && a % 4 === 0 && b === a && c >= a) marks[`mark${a}`] = true;
      },
    },
    reset: {
      reduce(draft) {
        if (Object.keys(draft.marks).length > 1 && draft.counts.c === MOST) draft.counts.c = 0;
      },
    },
  },
};

export const lateProperties: readonly Property<Late>[] = [
  {
    kind: 'invariant',
    name: 'few marks',
    trigger: ({ counts }) => counts.a! > 5,
    holds: ({ counts, marks }) => counts.b! < 8 || Object.keys(marks).length < 4,
  },
  {
    kind: 'invariant',
    name: 'the counters are not all at their end',
    holds: ({ counts }) =>
      counts.a! < 9 || counts.b! < 11 || counts.c! < 13 || counts.a! + counts.b! < 2 * MOST,
  },
  {
    kind: 'step',
    name: 'marks stay',
    trigger: (before) => before.counts.b! > 6,
    holds: (before, _, after) => Object.keys(before.marks).every((mark) => mark in after.marks),
  },
  // Each is decided in a state in which nothing else is new.
  ...[7, 9, 11, 13, 15, 17].flatMap((count): readonly Property<Late>[] => [
    {
      kind: 'invariant',
      name: `with a mark, a is not ${count} when b is 6`,
      holds: ({ counts: { a, b }, marks }) => !('mark4' in marks) || a !== count || b !== 6,
    },
    {
      kind: 'step',
      name: `with a mark, c is not added when a is ${count} and b is 5`,
      holds: ({ counts: { a, b }, marks }, { name, parameters }) =>
        !('mark4' in marks) ||
        a !== count ||
        b !== 5 ||
        name !== 'add' ||
        parameters.counter !== 'c',
    },
  ]),
];
