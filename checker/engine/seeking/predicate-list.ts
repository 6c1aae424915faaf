/** A list of state predicates as a bit set, with the position of each. */
export class PredicateList {
  readonly predicates: Int32Array;
  readonly bits: Int32Array;
  readonly position: Int32Array;

  constructor(predicates: Int32Array, predicateCount: number) {
    this.predicates = predicates;
    this.bits = new Int32Array(Math.ceil(predicateCount / 32));
    this.position = new Int32Array(predicateCount);
    predicates.forEach((predicate, index) => {
      this.bits[predicate >> 5]! |= 1 << (predicate & 31);
      this.position[predicate] = index;
    });
  }
}
