import { combinations, defineModel, defineProperty } from 'reapcheck/checker';

/**
 * Peterson's algorithm: two processes exclude each other by reading and writing shared variables.
 */
interface Peterson {
  readonly at: Readonly<Record<string, 'idle' | 'wants' | 'waits' | 'critical'>>;
  readonly flags: Readonly<Record<string, true>>;
  readonly turn: 'p' | 'q';
}

const other = { p: 'q', q: 'p' } as const;
const processes = combinations({ process: ['p', 'q'] });
const start: Peterson = { at: { p: 'idle', q: 'idle' }, flags: {}, turn: 'p' };

/** With `politeness` left out, a process does not give the other one its turn: a famous mistake. */
export const petersonWith = (politeness: boolean) =>
  defineModel({
    name: 'Peterson',
    initial: [start],
    slots: { at: 'entries', flags: 'flags', turn: 'value' },
    actions: {
      want: {
        parameters: processes,
        reduce(draft, { process }) {
          if (draft.at[process] !== 'idle') return;
          draft.at[process] = 'wants';
          draft.flags[process] = true;
        },
      },
      yieldTurn: {
        parameters: processes,
        fairness: 'weak',
        reduce(draft, { process }) {
          if (draft.at[process] !== 'wants') return;
          draft.at[process] = 'waits';
          if (politeness) draft.turn = other[process];
        },
      },
      enter: {
        parameters: processes,
        fairness: 'weak',
        reduce(draft, { process }) {
          if (draft.at[process] !== 'waits') return;
          if (draft.flags[other[process]] && draft.turn !== process) return;
          draft.at[process] = 'critical';
        },
      },
      leave: {
        parameters: processes,
        fairness: 'weak',
        reduce(draft, { process }) {
          if (draft.at[process] !== 'critical') return;
          draft.at[process] = 'idle';
          delete draft.flags[process];
        },
      },
    },
  });

export const peterson = petersonWith(true);

export const petersonProperties = [
  defineProperty(peterson, {
    kind: 'invariant',
    name: 'never both in the critical section',
    holds: ({ at }) => at.p !== 'critical' || at.q !== 'critical',
  }),
  defineProperty(peterson, {
    kind: 'eventually',
    name: 'a process that wants to enter does',
    parameters: processes,
    trigger: ({ at }, { process }) => at[process] === 'wants',
    goal: ({ at }, { process }) => at[process] === 'critical',
  }),
];

export { peterson as model, petersonProperties as properties };
