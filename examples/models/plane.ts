import { combinations, type Describer, defineModel, defineProperty } from 'reapcheck/checker';

/** Two cashiers book seats of a small plane: the model of docs/writing-a-model.md. */
interface Plane {
  /** The seat that a cashier believes to be free, until the booking is written. */
  readonly looking: Readonly<Record<string, string>>;
  /** By seat: who has booked it, in order. */
  readonly bookings: Readonly<Record<string, readonly string[]>>;
}

const seats = ['1A', '1B'] as const;
const cashiers = ['ann', 'bob'] as const;
const each = combinations({ cashier: cashiers });
const start: Plane = { looking: {}, bookings: { '1A': [], '1B': [] } };

export const model = defineModel({
  name: 'plane',
  initial: [start],
  slots: { looking: 'entries', bookings: 'queues' },
  actions: {
    look: {
      parameters: combinations({ cashier: cashiers, seat: seats }),
      reduce(draft, { cashier, seat }) {
        if (cashier in draft.looking || draft.bookings[seat]?.length !== 0) return;
        draft.looking[cashier] = seat;
      },
    },
    book: {
      parameters: each,
      fairness: 'weak',
      reduce(draft, { cashier }) {
        const seat = draft.looking[cashier];
        if (seat === undefined) return;
        draft.bookings[seat]?.push(cashier);
        delete draft.looking[cashier];
      },
    },
  },
});

export const properties = [
  defineProperty(model, {
    kind: 'invariant',
    name: 'a seat is booked once',
    parameters: combinations({ seat: seats }),
    holds: ({ bookings }, { seat }) => (bookings[seat]?.length ?? 0) <= 1,
  }),
  defineProperty(model, {
    kind: 'eventually',
    name: 'a cashier who looks gets done',
    parameters: each,
    trigger: ({ looking }, { cashier }) => cashier in looking,
    goal: ({ looking }, { cashier }) => !(cashier in looking),
  }),
  defineProperty(model, {
    kind: 'witness',
    name: 'the plane can be full',
    reached: ({ bookings }) => seats.every((seat) => bookings[seat]?.length === 1),
  }),
];

/** How steps print. Without it they print as `look(cashier=ann, seat=1A)`. */
export const words: Partial<Describer<Plane>> = {
  actor: ({ parameters }) => `${parameters.cashier}`,
  action: ({ name, parameters: { cashier, seat } }) =>
    name === 'look' ? `${cashier}: looks at ${seat}` : `${cashier}: books`,
};

/** How the page draws a state. */
export const picture = ({ bookings }: Plane): string =>
  seats.map((seat) => `${seat} [${(bookings[seat] ?? []).join(' and ')}]`).join('\n');
