import { combinations, defineModel, type Invariant, type Model } from '../../checker/index.ts';

/** State of N dining philosophers who all take their left fork first. */
export interface Philosophers {
  readonly seats: Readonly<Record<string, 'think' | 'one' | 'eat' | 'done'>>;
  /** Forks in use; fork n lies left of philosopher n. */
  readonly taken: Readonly<Record<string, true>>;
}

/** The number of reachable states is 3^count - 1. */
export function philosophers(count: number): Model<Philosophers> {
  const numbers = Array.from({ length: count }, (_, index) => index);
  const parameters = combinations({ seat: numbers });
  const right = (seat: unknown) => (Number(seat) + 1) % count;
  return defineModel<Philosophers>({
    name: `${count} dining philosophers`,
    slots: { seats: 'entries', taken: 'flags' },
    initial: [{ seats: Object.fromEntries(numbers.map((seat) => [seat, 'think'])), taken: {} }],
    actions: {
      takeLeft: {
        parameters,
        reduce(draft, { seat }) {
          if (draft.seats[String(seat)] !== 'think' || draft.taken[String(seat)]) return;
          draft.seats[String(seat)] = 'one';
          draft.taken[String(seat)] = true;
        },
      },
      takeRight: {
        parameters,
        reduce(draft, { seat }) {
          if (draft.seats[String(seat)] !== 'one' || draft.taken[right(seat)]) return;
          draft.seats[String(seat)] = 'eat';
          draft.taken[right(seat)] = true;
        },
      },
      dropLeft: {
        parameters,
        reduce(draft, { seat }) {
          if (draft.seats[String(seat)] !== 'eat') return;
          draft.seats[String(seat)] = 'done';
          delete draft.taken[String(seat)];
        },
      },
      dropRight: {
        parameters,
        reduce(draft, { seat }) {
          if (draft.seats[String(seat)] !== 'done') return;
          draft.seats[String(seat)] = 'think';
          delete draft.taken[right(seat)];
        },
      },
    },
  });
}

/** Neighbours never eat at the same time. */
export function exclusive(count: number): Invariant<Philosophers> {
  const numbers = Array.from({ length: count }, (_, index) => index);
  return {
    kind: 'invariant',
    name: 'neighbours do not eat together',
    parameters: combinations({ seat: numbers }),
    holds: ({ seats }, { seat }) =>
      seats[String(seat)] !== 'eat' || seats[(Number(seat) + 1) % count] !== 'eat',
  };
}
