import { NondeterminismError } from '../errors.ts';
import { allocateWords, type Guard, UNGUARDED } from '../guard.ts';

/** Leaves are stored as complements, so that 0 can mean "not learnt". */
export const NOT_LEARNT = 0;

/** Words of a node before its children. */
const HEAD = 3;
const FIRST_CAPACITY = 2;

/** The readings of one run: column numbers and their answers, in order. */
export interface Readings {
  readonly columns: readonly number[];
  readonly answers: readonly number[];
}

/**
 * Decision tries in one array. An inner node is `[column, capacity, least, child...]`, one child
 * for each answer of the column from `least` on. A child is 0 (not learnt), the offset of a node,
 * or a complemented leaf. A column may have a hundred thousand answers, and most nodes meet a few
 * of them.
 */
export class Tries {
  nodes = new Int32Array(1 << 12);
  /** By trie: 0, a node or a complemented leaf. */
  roots: Int32Array;
  private used = 1;

  private readonly guard: Guard;

  constructor(trieCount: number, guard: Guard = UNGUARDED) {
    this.guard = guard;
    this.roots = allocateWords(trieCount, guard);
  }

  /** Forgets what a trie has learnt. Its nodes are not reused. */
  drop(trie: number): void {
    this.roots[trie] = NOT_LEARNT;
  }

  /**
   * Adds a path. Throws `NondeterminismError` if the same answers led to another reading or leaf
   * before, and `LimitHitError`.
   */
  learn(trie: number, readings: Readings, leaf: number): void {
    // Where the pointer to the current node is stored; -1 for the root.
    let place = -1;
    let node = this.roots[trie]!;
    for (let index = 0; index < readings.columns.length; index++) {
      const column = readings.columns[index]!;
      const answer = readings.answers[index]!;
      if (node < 0 || (node > 0 && this.nodes[node] !== column)) throw otherReading();
      if (node === NOT_LEARNT) {
        node = this.allocate(column, FIRST_CAPACITY, Math.max(0, answer - 1));
        this.point(trie, place, node);
      } else if (!this.covers(node, answer)) {
        node = this.widen(node, answer);
        this.point(trie, place, node);
      }
      place = node + HEAD + answer - this.nodes[node + 2]!;
      node = this.nodes[place]!;
    }
    if (node !== NOT_LEARNT && node !== ~leaf) throw otherReading();
    this.point(trie, place, ~leaf);
  }

  private covers(node: number, answer: number): boolean {
    const place = answer - this.nodes[node + 2]!;
    return place >= 0 && place < this.nodes[node + 1]!;
  }

  private point(trie: number, place: number, node: number): void {
    if (place < 0) this.roots[trie] = node;
    else this.nodes[place] = node;
  }

  private allocate(column: number, capacity: number, least: number): number {
    const node = this.used;
    const used = node + capacity + HEAD;
    if (used > this.nodes.length) {
      // Half as much again: the tables of large models are nearly all of the memory.
      const longer = allocateWords(Math.ceil(1.5 * used), this.guard);
      longer.set(this.nodes);
      this.nodes = longer;
    }
    this.used = used;
    this.nodes[node] = column;
    this.nodes[node + 1] = capacity;
    this.nodes[node + 2] = least;
    return node;
  }

  /** Covers the answer as well, and about as many others beyond it. */
  private widen(node: number, answer: number): number {
    const former = this.nodes[node + 1]!;
    const formerLeast = this.nodes[node + 2]!;
    const end = Math.max(formerLeast + former, answer + 1);
    const from = Math.min(formerLeast, answer);
    const capacity = Math.max(2 * former, end - from);
    const least = answer < formerLeast ? Math.max(0, end - capacity) : from;
    const wider = this.allocate(this.nodes[node]!, capacity, least);
    const target = wider + HEAD + formerLeast - least;
    this.nodes.copyWithin(target, node + HEAD, node + HEAD + former);
    return wider;
  }
}

function otherReading(): NondeterminismError {
  return new NondeterminismError(
    'in the same situation it has read or done different things; it must depend on its ' +
      'arguments only',
  );
}
