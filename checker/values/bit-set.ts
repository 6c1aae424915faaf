/** A set of the numbers below `capacity`, one bit each. */
export class BitSet {
  readonly #words: Uint32Array;

  constructor(capacity: number) {
    this.#words = new Uint32Array(Math.ceil(capacity / 32));
  }

  has(element: number): boolean {
    return ((this.#words[element >>> 5]! >>> (element & 31)) & 1) === 1;
  }

  add(element: number): void {
    this.#words[element >>> 5]! |= 1 << (element & 31);
  }

  delete(element: number): void {
    this.#words[element >>> 5]! &= ~(1 << (element & 31));
  }

  get isEmpty(): boolean {
    return this.next(0) === -1;
  }

  /** The smallest element that is not below `from`, or -1. */
  next(from: number): number {
    const words = this.#words;
    let position = from >>> 5;
    if (position >= words.length) return -1;
    // A shift by 32 would be a shift by 0, so the bits below `from` are masked, not shifted out.
    let word = words[position]! & (-1 << (from & 31));
    while (word === 0) {
      position++;
      if (position >= words.length) return -1;
      word = words[position]!;
    }
    return position * 32 + 31 - Math.clz32(word & -word);
  }
}

/** A predicate on states that is evaluated at most once a state. */
export class RememberedPredicate {
  readonly #ask: (state: number) => boolean;
  readonly #asked: BitSet;
  readonly #true: BitSet;

  constructor(ask: (state: number) => boolean, stateCount: number) {
    this.#ask = ask;
    this.#asked = new BitSet(stateCount);
    this.#true = new BitSet(stateCount);
  }

  holds(state: number): boolean {
    if (this.#asked.has(state)) return this.#true.has(state);
    const answer = this.#ask(state);
    this.#asked.add(state);
    if (answer) this.#true.add(state);
    return answer;
  }
}
