import type { SoughtAnswers } from '../engine.ts';

/** The predicates of a list as a bit set, with the position of each. */
export class PredicateList {
  readonly answers: SoughtAnswers;
  readonly bits: Int32Array;
  readonly position: Int32Array;

  constructor(answers: SoughtAnswers, predicateCount: number) {
    this.answers = answers;
    this.bits = new Int32Array(Math.ceil(predicateCount / 32));
    this.position = new Int32Array(predicateCount);
    answers.predicates.forEach((predicate, index) => {
      this.bits[predicate >> 5]! |= 1 << (predicate & 31);
      this.position[predicate] = index;
    });
  }
}
