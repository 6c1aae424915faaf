import { defineModel, defineProperty } from 'reapcheck/checker';

/** The alternating-bit protocol: messages in order over channels that lose some. */
interface Channel {
  /** Messages that the sender knows to have arrived; the bit is their number modulo 2. */
  readonly sent: number;
  /** The messages that were delivered, in order. */
  readonly delivered: readonly number[];
  readonly wires: {
    readonly data: readonly { readonly bit: number; readonly message: number }[];
    readonly acks: readonly number[];
  };
}

const MESSAGES = 3;
const ROOM = 2;
const start: Channel = { sent: 0, delivered: [], wires: { data: [], acks: [] } };

/** Without the bit, the receiver takes each copy for a new message. */
export const alternatingBitWith = (alternates: boolean) =>
  defineModel({
    name: 'alternating bit',
    initial: [start],
    slots: { sent: 'value', delivered: 'value', wires: 'queues' },
    actions: {
      send: {
        fairness: 'weak',
        reduce({ sent, wires }) {
          if (sent === MESSAGES || wires.data.length === ROOM) return;
          wires.data.push({ bit: sent % 2, message: sent });
        },
      },
      receive: {
        fairness: 'strong',
        reduce({ delivered, wires }) {
          const head = wires.data.shift();
          if (head === undefined) return;
          const isNew = !alternates || head.bit === delivered.length % 2;
          if (isNew && delivered.length < MESSAGES) delivered.push(head.message);
          if (wires.acks.length < ROOM) wires.acks.push(head.bit);
        },
      },
      confirm: {
        fairness: 'strong',
        reduce(draft) {
          if (draft.wires.acks.shift() === draft.sent % 2) draft.sent++;
        },
      },
      lose: {
        parameters: [{ wire: 'data' }, { wire: 'acks' }],
        reduce({ wires }, { wire }) {
          wires[wire].shift();
        },
      },
    },
  });

export const alternatingBit = alternatingBitWith(true);

export const alternatingBitProperties = [
  defineProperty(alternatingBit, {
    kind: 'invariant',
    name: 'messages arrive in order, each once',
    holds: ({ delivered }) => delivered.every((message, index) => message === index),
  }),
  defineProperty(alternatingBit, {
    kind: 'invariant',
    name: 'what is confirmed has arrived',
    holds: ({ sent, delivered }) => sent <= delivered.length,
  }),
  defineProperty(alternatingBit, {
    kind: 'eventually',
    name: 'all messages arrive',
    goal: ({ delivered }) => delivered.length === MESSAGES,
  }),
];

export { alternatingBit as model, alternatingBitProperties as properties };
