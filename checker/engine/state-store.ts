import { LimitHitError } from '../errors.ts';
import { allocateSharedWords, allocateWords, type Guard, UNGUARDED } from '../guard.ts';
import type { Move } from '../values/layout.ts';
import { type PredecessorMemory, Predecessors } from '../values/predecessors.ts';

const FIRST_CAPACITY = 1 << 12;
const FIRST_TABLE_BITS = 13;
/** The table doubles beyond this share of used entries. */
const FULLEST = 0.84;
/** Row numbers and table places are 32-bit integers in all loops. */
const MOST_TABLE_BITS = 30;
const NOT_FOUND = -1;

/** What other threads need to read the states of a store. */
export interface StoreMemory {
  readonly rows: Int32Array;
  readonly predecessors: PredecessorMemory;
}

/**
 * The visited states: packed rows in order of insertion (the queue of the breadth-first search), an
 * open-addressed hash table over them, and the predecessor of each. The store is exact: a table
 * entry holds a row number and, in its spare bits, a part of the hash that avoids most comparisons.
 */
export class StateStore {
  count = 0;
  /** Words of a row. */
  width: number;
  rows: Int32Array;
  protected readonly predecessors: Predecessors;
  /** Rows to look for, filled by the caller. */
  next: Int32Array;
  /** By row that was looked up: the state's number. */
  found = new Int32Array(1);
  protected hashes = new Int32Array(1);
  /** Keeps the compiler from removing the loads of `touch`. */
  seen = 0;
  protected capacity = FIRST_CAPACITY;
  protected tableBits = FIRST_TABLE_BITS;
  protected table: Int32Array;
  protected fullCount = Math.floor(FULLEST * (1 << FIRST_TABLE_BITS));

  protected readonly guard: Guard;
  private readonly allocate: (length: number, guard: Guard) => Int32Array;

  /** @param isShared whether other threads may read the states. */
  constructor(width: number, guard: Guard = UNGUARDED, isShared = false) {
    this.guard = guard;
    this.allocate = isShared ? allocateSharedWords : allocateWords;
    this.width = width;
    this.rows = this.allocate(FIRST_CAPACITY * width, UNGUARDED);
    this.predecessors = new Predecessors(FIRST_CAPACITY, guard, isShared);
    this.table = allocateWords(1 << FIRST_TABLE_BITS, UNGUARDED);
    this.next = new Int32Array(width);
  }

  /**
   * Where the row of a state begins in `rows`. The last two answers are true until a state is
   * stored.
   */
  place(state: number): number {
    return state * this.width;
  }

  /** The state from which this one was found; -1: it is an initial one. */
  parentOf(state: number): number {
    return this.predecessors.of(state);
  }

  /** Makes room for this many rows in `next` and results in `found`. */
  reserve(count: number): void {
    if (count <= this.found.length && count * this.width <= this.next.length) return;
    this.next = allocateWords(count * this.width, this.guard);
    this.found = new Int32Array(count);
    this.hashes = new Int32Array(count);
  }

  /** Hashes a row of `next`; needed before the row is looked up. */
  hash(index: number): void {
    const { width, next } = this;
    this.hashes[index] = hashRow(next, index * width, width);
  }

  /**
   * Touches the table entries of rows of `next`, from one to before another, which are about to be
   * looked up.
   */
  fetch(from: number, to: number): void {
    this.touch(this.hashes, from, to);
  }

  /**
   * Touches the table entries of rows with these hashes, from one to before another. No access
   * depends on another one, so the processor waits for memory only once.
   */
  touch(hashes: Int32Array, from: number, to: number): void {
    const { table } = this;
    const low = (1 << this.tableBits) - 1;
    let seen = 0;
    for (let index = from; index < to; index++) seen ^= table[hashes[index]! & low]!;
    this.seen = seen;
  }

  /**
   * Puts the state numbers of `count` rows of `next`, from one on, into `found`, and stores new
   * ones. Throws `LimitHitError`, before it stores anything, if there is no room.
   */
  insertAll(count: number, parent: number, from = 0): void {
    this.makeRoom(count);
    this.predecessors.expect(parent);
    const { width, next, rows, predecessors, table, tableBits, hashes, found } = this;
    const low = (1 << tableBits) - 1;
    let states = this.count;
    for (let index = 0; index < count; index++) {
      const hash = hashes[from + index]!;
      const start = (from + index) * width;
      for (let place = hash & low; ; place = (place + 1) & low) {
        const entry = table[place]!;
        if (entry === 0) {
          const state = states++;
          table[place] = (hash & ~low) | (state + 1);
          const offset = state * width;
          for (let word = 0; word < width; word++) rows[offset + word] = next[start + word]!;
          predecessors.push(parent);
          found[index] = state;
          break;
        }
        if ((entry ^ hash) >>> tableBits === 0) {
          const state = (entry & low) - 1;
          const offset = state * width;
          let word = 0;
          while (word < width && rows[offset + word] === next[start + word]) word++;
          if (word === width) {
            found[index] = state;
            break;
          }
        }
      }
    }
    this.count = states;
  }

  /**
   * Throws `LimitHitError`, before anything is changed, if there is none for so many new states.
   */
  protected makeRoom(count: number): void {
    while (this.count + count > this.fullCount) this.growTable();
    while (this.count + count > this.capacity) this.growRows();
  }

  /** Stores one row of `next`, moves it to the front and returns its number. */
  insertOne(index: number, parent: number): number {
    const start = index * this.width;
    this.next.copyWithin(0, start, start + this.width);
    this.hash(0);
    this.insertAll(1, parent);
    return this.found[0]!;
  }

  /** Puts a row with this hash into `next`, for `insertAll`. */
  put(index: number, hash: number, words: Int32Array, at: number): void {
    const { width, next } = this;
    this.hashes[index] = hash;
    const start = index * width;
    for (let word = 0; word < width; word++) next[start + word] = words[at + word]!;
  }

  hashOf(index: number): number {
    return this.hashes[index]!;
  }

  /** As `insertAll`, but stores nothing: the number of an unknown state is -1. */
  findAll(count: number): void {
    const { width, next, rows, table, tableBits, hashes, found } = this;
    const low = (1 << tableBits) - 1;
    for (let index = 0; index < count; index++) {
      const hash = hashes[index]!;
      const start = index * width;
      found[index] = NOT_FOUND;
      for (let place = hash & low; table[place] !== 0; place = (place + 1) & low) {
        const entry = table[place]!;
        if ((entry ^ hash) >>> tableBits !== 0) continue;
        const state = (entry & low) - 1;
        const offset = state * width;
        let word = 0;
        while (word < width && rows[offset + word] === next[start + word]) word++;
        if (word === width) {
          found[index] = state;
          break;
        }
      }
    }
  }

  /** What other threads need to read states. Other arrays after the store has grown. */
  get memory(): StoreMemory {
    return { rows: this.rows, predecessors: this.predecessors.memory };
  }

  /** From now on, reads the states of another thread, and finds none. */
  follow({ rows, predecessors }: StoreMemory, width: number): void {
    this.rows = rows;
    this.predecessors.follow(predecessors);
    this.width = width;
    this.next = allocateWords(this.found.length * width, this.guard);
  }

  /** Re-encodes all rows; states keep their numbers. */
  changeLayout(width: number, moves: readonly Move[]): void {
    const { guard } = this;
    // All or nothing: after a limit, the stored states must still be readable.
    const moved = this.movedRows(width, moves);
    const table = allocateWords(2 ** this.tableBits, guard);
    const next = allocateWords(this.found.length * width, guard);
    this.rows = moved;
    this.width = width;
    this.next = next;
    this.fillTable(table, this.tableBits);
  }

  private movedRows(width: number, moves: readonly Move[]): Int32Array {
    const { rows, count } = this;
    const moved = this.emptyRows(this.capacity, width);
    moveRows(
      { words: rows, start: 0, width: this.width },
      { words: moved, start: 0, width },
      count,
      moves,
    );
    return moved;
  }

  /** Entries of the table are numbered by so many bits. */
  get bitsOfTable(): number {
    return this.tableBits;
  }

  /** Forgets all states, for `append`. Until `index`, no state is found. */
  clear(width: number): void {
    this.count = 0;
    this.predecessors.clear();
    this.width = width;
    this.rows = this.emptyRows(this.capacity, width);
  }

  /** Adds rows that are different from each other and from those before. */
  append(rows: Int32Array, parents: Int32Array): void {
    while (this.count + parents.length > this.capacity) this.growRows();
    this.rows.set(rows, this.count * this.width);
    for (const parent of parents) {
      this.predecessors.expect(parent);
      this.predecessors.push(parent);
    }
    this.count += parents.length;
  }

  /** Re-encodes rows that are not indexed. */
  moveRows(width: number, moves: readonly Move[]): void {
    this.rows = this.movedRows(width, moves);
    this.width = width;
  }

  /** Makes all rows known, with a table of this size. Throws `LimitHitError`. */
  index(tableBits: number): void {
    this.next = allocateWords(this.found.length * this.width, this.guard);
    this.fillTable(allocateWords(2 ** tableBits, this.guard), tableBits);
  }

  /** Bytes in use: rows, predecessors and the whole table. */
  get bytes(): number {
    return this.count * this.width * 4 + this.predecessorBytes + this.tableBytes;
  }

  protected get predecessorBytes(): number {
    return this.predecessors.bytes;
  }

  /** The predecessors of the states from one to before another. */
  parentsOf(from: number, to: number): Int32Array {
    return this.predecessors.slice(from, to);
  }

  protected get tableBytes(): number {
    return this.table.byteLength;
  }

  protected growTable(): void {
    const bits = this.moreBits();
    this.fillTable(allocateWords(2 ** bits, this.guard), bits);
  }

  /** Of the next larger table. Throws `LimitHitError` if there is none. */
  protected moreBits(): number {
    // Small tables grow faster: filling a new table costs more than the memory wasted.
    const bits = this.tableBits + (this.tableBits < 20 ? 2 : 1);
    if (bits > MOST_TABLE_BITS) throw new LimitHitError('memory');
    return bits;
  }

  /** Untouched memory costs nothing, so doubling is cheap. */
  private growRows(): void {
    const capacity = 2 * this.capacity;
    const rows = this.emptyRows(capacity, this.width);
    rows.set(this.rows);
    this.predecessors.grow(capacity);
    this.rows = rows;
    this.capacity = capacity;
  }

  /** Asks for the words that are filled at once only: the others take no memory so far. */
  private emptyRows(capacity: number, width: number): Int32Array {
    this.guard.room(4 * this.count * (width + 1));
    return this.allocate(capacity * width, UNGUARDED);
  }

  protected fillTable(table: Int32Array, tableBits: number): void {
    const { rows, width, count } = this;
    enterRows({ table, tableBits }, { words: rows, start: 0, width }, count, 0);
    this.useTable(table, tableBits);
  }

  protected useTable(table: Int32Array, tableBits: number): void {
    this.table = table;
    this.useBits(tableBits);
  }

  protected useBits(tableBits: number): void {
    this.tableBits = tableBits;
    this.fullCount = Math.floor(FULLEST * 2 ** tableBits);
  }
}

/** Rows of so many words, one after the other from `start` on. */
export interface Rows {
  readonly words: Int32Array;
  readonly start: number;
  readonly width: number;
}

/** Enters rows that are not in the table, with the numbers from `first` on. */
function enterRows(
  { table, tableBits }: { readonly table: Int32Array; readonly tableBits: number },
  { words, start, width }: Rows,
  count: number,
  first: number,
): void {
  const low = (1 << tableBits) - 1;
  for (let index = 0; index < count; index++) {
    const hash = hashRow(words, start + index * width, width);
    let place = hash & low;
    while (table[place] !== 0) place = (place + 1) & low;
    table[place] = (hash & ~low) | (first + index + 1);
  }
}

/** Re-encodes rows into zeroed words. */
export function moveRows(from: Rows, to: Rows, count: number, moves: readonly Move[]): void {
  const { words: source } = from;
  const { words: target } = to;
  for (const { fromWord, mask, toWord, distance } of moves) {
    const left = Math.max(distance, 0);
    const right = Math.max(-distance, 0);
    let at = from.start + fromWord;
    let into = to.start + toWord;
    for (let row = 0; row < count; row++) {
      target[into] = target[into]! | (((source[at]! & mask) >>> right) << left);
      at += from.width;
      into += to.width;
    }
  }
}

export function hashRow(words: Int32Array, offset: number, width: number): number {
  let hash = 0;
  for (let word = 0; word < width; word++) {
    hash = Math.imul(hash ^ words[offset + word]!, 0x9e3779b1);
    hash ^= hash >>> 15;
  }
  hash = Math.imul(hash, 0x85ebca6b);
  return hash ^ (hash >>> 13);
}
