import { combinations, defineModel, type Model } from '../../checker/index.ts';

/** State of pairs of a sender and a receiver. */
export interface Mail {
  readonly sent: Readonly<Record<string, number>>;
  readonly boxes: Readonly<Record<string, readonly number[]>>;
  /** The last letter that each receiver got; 0 for none. */
  readonly got: Readonly<Record<string, number>>;
}

/**
 * Pairs of a sender and a receiver, each with a mailbox of its own, for three letters.
 * The number of reachable states is 10^pairs.
 *
 * @param add puts a letter into a mailbox.
 */
export function mail(pairs: number, add: (box: number[], letter: number) => void): Model<Mail> {
  const names = Array.from({ length: pairs }, (_, index) => `pair${index}`);
  const parameters = combinations({ pair: names });
  const each = <Value>(value: Value) => Object.fromEntries(names.map((name) => [name, value]));
  return defineModel<Mail>({
    name: 'mail',
    slots: { sent: 'entries', boxes: 'queues', got: 'entries' },
    initial: [{ sent: each(0), boxes: each([]), got: each(0) }],
    actions: {
      send: {
        parameters,
        fairness: 'weak',
        reduce(draft, parameters) {
          const pair = String(parameters.pair);
          const letter = draft.sent[pair]! + 1;
          if (letter > 3) return;
          draft.sent[pair] = letter;
          add(draft.boxes[pair]!, letter);
        },
      },
      receive: {
        parameters,
        fairness: 'weak',
        reduce(draft, parameters) {
          const pair = String(parameters.pair);
          const letter = draft.boxes[pair]!.shift();
          if (letter !== undefined) draft.got[pair] = letter;
        },
      },
    },
  });
}
