import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type LeadsTo, triggeredStates } from '../../../checker/liveness/pending.ts';
import { runToEnd } from '../../../checker/liveness/resumable.ts';

/** Triggers in the same word of a set, and in others. */
const NUMBERS = [0, 1, 31, 32, 70] as const;

const answers = fc.record({
  /** By state: a predecessor, if it is lower, and the answers of the predicates. */
  states: fc.array(
    fc.record({
      predecessor: fc.integer({ min: -1, max: 12 }),
      answers: fc.array(fc.boolean(), { minLength: NUMBERS.length, maxLength: NUMBERS.length }),
      /** Predicates that may differ as well, and do not. */
      others: fc.subarray([...NUMBERS]),
    }),
    { minLength: 1, maxLength: 12 },
  ),
  /** By question: its predicate, and whether that is known. */
  questions: fc.array(fc.tuple(fc.nat(NUMBERS.length - 1), fc.boolean()), {
    minLength: 1,
    maxLength: 32,
  }),
});

it('triggers that are evaluated where they may differ come out as if they were evaluated everywhere', () => {
  fc.assert(
    fc.property(answers, ({ states, questions }) => {
      const predecessor = (state: number): number => {
        const earlier = states[state]!.predecessor;
        return earlier < state ? earlier : -1;
      };
      const differing = (state: number): Int32Array => {
        const before = states[predecessor(state)]!;
        const set = new Int32Array(3);
        NUMBERS.forEach((number, predicate) => {
          const differs = before.answers[predicate] !== states[state]!.answers[predicate];
          if (!differs && !states[state]!.others.includes(number)) return;
          set[number >> 5] = set[number >> 5]! | (1 << (number & 31));
        });
        return set;
      };
      const compared = { predecessor, differing };
      const leadsTos = questions.map(
        ([predicate, isKnown]): LeadsTo => ({
          trigger: (state) => states[state]!.answers[predicate]!,
          goal: () => false,
          compared: isKnown ? { states: compared, number: NUMBERS[predicate]! } : undefined,
        }),
      );
      const fast = runToEnd(triggeredStates(states.length, leadsTos));
      const plain = leadsTos.map(({ trigger, goal }) => ({ trigger, goal }));
      expect(fast).toEqual(runToEnd(triggeredStates(states.length, plain)));
      const counts = questions.map(
        ([predicate]) => states.filter((state) => state.answers[predicate]).length,
      );
      expect(fast.counts).toEqual(counts);
    }),
  );
});
