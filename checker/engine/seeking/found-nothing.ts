import { allocateWords, type Guard, UNGUARDED } from '../../guard.ts';
import type { Dependencies } from '../dependencies.ts';

/** Projections are kept once nothing was learnt in so many states: to begin anew takes longer. */
const STATES_BEFORE = 64;
/** So many projections are kept, each at the place that its hash gives: a power of two. */
const ROOM = 1 << 14;
/** After each so many questions, it gives up unless one of `LEAST` was known. */
const QUESTIONS = 1 << 14;
const LEAST = 8;

/**
 * States in which none of some predicates had the answer that is sought, each as its row without
 * the bits that none of them has ever read. A state with the same bits has the same answers. Many
 * states differ only in what no predicate reads.
 */
export class FoundNothing {
  private readonly dependencies: Dependencies;
  private readonly guard: Guard;
  /** The predicates, as a bit set. */
  private asked: Int32Array = new Int32Array(0);
  /** Those that had the answer in no state so far, as they were asked in all of them; null: all. */
  private unfound: Int32Array | null = null;
  /** Of what was learnt when the bits were compiled. */
  private version = -1;
  private wait = STATES_BEFORE;
  private questions = 0;
  private known = 0;
  private hasGivenUp = false;
  /** The words in which some bit was read, and these bits. */
  private words = new Int32Array(0);
  private bits = new Int32Array(0);
  /** By place: a number that is `turn` if the projection is right, and its words. */
  private places = new Int32Array(0);
  private turn = 0;
  /** The projection asked for last, and its place; -1: it is not to be kept. */
  private last = new Int32Array(0);
  private place = -1;

  constructor(dependencies: Dependencies, guard: Guard = UNGUARDED) {
    this.dependencies = dependencies;
    this.guard = guard;
  }

  /**
   * From now on, these predicates are asked: a bit set. If some were not asked before, or found, it
   * gives up: that nothing is found in a state, as it is like its predecessor, then says nothing
   * about others.
   */
  ask(predicates: Int32Array): void {
    const { unfound } = this;
    this.hasGivenUp =
      unfound !== null && predicates.some((word, at) => (word & ~unfound[at]!) !== 0);
    this.unfound = predicates.map((word, at) => word & (unfound?.[at] ?? -1));
    this.asked = predicates;
    this.version = -1;
  }

  /** Call this if the predicate had the answer: it gives up until others are asked. */
  found(predicate: number): void {
    this.unfound![predicate >> 5]! &= ~(1 << (predicate & 31));
    this.hasGivenUp = true;
  }

  /**
   * Whether nothing was found in a state that the predicates cannot tell from this one.
   *
   * @param generation another number after rows were re-encoded, or entries were present for the
   * first time.
   */
  has(rows: Int32Array, offset: number, width: number, generation: number): boolean {
    this.place = -1;
    if (this.hasGivenUp || !this.isReady(width, generation)) return false;
    const { words, bits, last, places, turn } = this;
    let hash = 0;
    for (let index = 0; index < words.length; index++) {
      const part = rows[offset + words[index]!]! & bits[index]!;
      last[index] = part;
      hash = Math.imul(hash ^ part, 0x9e3779b1);
      hash ^= hash >>> 15;
    }
    const place = (hash & (ROOM - 1)) * (words.length + 1);
    this.place = place;
    if (places[place] !== turn) return false;
    for (let index = 0; index < words.length; index++) {
      if (places[place + 1 + index] !== last[index]) return false;
    }
    this.known++;
    return true;
  }

  /** Call this if nothing was found in the state that `has` was asked of last. */
  add(): void {
    const { place, places, last } = this;
    // If something was learnt meanwhile, all that was kept is forgotten at the next question.
    if (place < 0) return;
    places[place] = this.turn;
    for (let index = 0; index < last.length; index++) places[place + 1 + index] = last[index]!;
  }

  private isReady(width: number, generation: number): boolean {
    const version = this.dependencies.version + generation;
    if (version !== this.version) {
      this.version = version;
      this.wait = STATES_BEFORE;
    }
    if (this.wait > 0) {
      this.wait--;
      if (this.wait === 0) this.begin(width);
      return false;
    }
    if (++this.questions < QUESTIONS) return true;
    this.hasGivenUp = LEAST * this.known < this.questions;
    this.questions = 0;
    this.known = 0;
    return !this.hasGivenUp;
  }

  private begin(width: number): void {
    const all = Int32Array.from({ length: width }, (_, word) =>
      this.dependencies.bitsRead(this.asked, word),
    );
    this.words = Int32Array.from(all.keys()).filter((word) => all[word] !== 0);
    this.bits = Int32Array.from(this.words, (word) => all[word]!);
    this.last = new Int32Array(this.words.length);
    const size = ROOM * (this.words.length + 1);
    if (this.places.length !== size) this.places = allocateWords(size, this.guard);
    this.turn++;
    this.questions = 0;
    this.known = 0;
  }
}
