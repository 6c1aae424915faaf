import { allocateWords, type Guard, UNGUARDED } from '../../guard.ts';
import type { Move } from '../../values/layout.ts';
import { moveRows, StateStore } from '../state-store.ts';
import { FiledRows } from './filed-rows.ts';
import { type RowStorage, rowSizes } from './row-storage.ts';
import { SEGMENT_BITS, SEGMENT_LOW, SegmentedTable } from './segmented-table.ts';
import { Tags, tagOf } from './tags.ts';

/** Rows before the window, for copies of rows in the file. */
const COPIES = 2;
const NO_STATE = -1;

/**
 * A store whose old rows and predecessors are in files. In memory are the hash table, a tag of each
 * row, and a window of the newest rows: a breadth-first search meets mostly these. As exact as its
 * parent: where hash and tag are equal, the row itself is compared.
 */
export class FiledStateStore extends StateStore {
  private readonly storage: RowStorage;
  private filed: FiledRows;
  private readonly filedParents: FiledRows;
  /** Of the states in memory. */
  private parents: Int32Array;
  private tags: Tags;
  private readonly entries: SegmentedTable;
  /** States before this one are in the files. */
  private first = 0;
  /** The states whose rows were copied before the window. */
  private readonly copied = new Int32Array(COPIES).fill(NO_STATE);
  private turn = 0;

  /** Throws what the storage throws. */
  constructor(width: number, guard: Guard, storage: RowStorage) {
    super(width, guard);
    this.storage = storage;
    const sizes = rowSizes(storage, width);
    this.filed = new FiledRows(storage.open(), width, sizes, guard);
    this.filedParents = new FiledRows(storage.open(), 1, rowSizes(storage, 1), guard);
    this.tags = new Tags(guard);
    // That of the parent stays empty.
    this.table = new Int32Array(0);
    this.entries = new SegmentedTable(this.tableBits, guard);
    this.rows = this.emptyWindow(sizes.window, width);
    this.parents = allocateWords(sizes.window, UNGUARDED);
    this.capacity = sizes.window;
  }

  override place(state: number): number {
    const { first, width, copied } = this;
    if (state >= first) return (COPIES + state - first) * width;
    const known = copied.indexOf(state);
    // A copy that is asked for again is the newer one of the two.
    if (known >= 0) {
      this.turn = known;
      return known * width;
    }
    const copy = (this.turn + 1) % COPIES;
    copied[copy] = NO_STATE;
    const { filed } = this;
    const from = filed.place(state);
    for (let word = 0; word < width; word++) {
      this.rows[copy * width + word] = filed.words[from + word]!;
    }
    copied[copy] = state;
    this.turn = copy;
    return copy * width;
  }

  override parentOf(state: number): number {
    const { first, filedParents } = this;
    if (state >= first) return this.parents[state - first]!;
    const at = filedParents.place(state);
    return filedParents.words[at]!;
  }

  protected override get predecessorBytes(): number {
    return 4 * this.count;
  }

  protected override get tableBytes(): number {
    return this.entries.bytes;
  }

  override touch(hashes: Int32Array, from: number, to: number): void {
    const { segments } = this.entries;
    const low = (1 << this.tableBits) - 1;
    let seen = 0;
    for (let index = from; index < to; index++) {
      const place = hashes[index]! & low;
      seen ^= segments[place >>> SEGMENT_BITS]![place & SEGMENT_LOW]!;
    }
    this.seen = seen;
  }

  override insertAll(count: number, parent: number, from = 0): void {
    this.makeRoom(count);
    const { next, found, width, rows, parents, tableBits, hashes, first } = this;
    const { segments } = this.entries;
    const low = (1 << tableBits) - 1;
    let states = this.count;
    for (let index = 0; index < count; index++) {
      const hash = hashes[from + index]!;
      const start = (from + index) * width;
      for (let place = hash & low; ; place = (place + 1) & low) {
        const segment = segments[place >>> SEGMENT_BITS]!;
        const entry = segment[place & SEGMENT_LOW]!;
        if (entry === 0) {
          const state = states++;
          segment[place & SEGMENT_LOW] = (hash & ~low) | (state + 1);
          const offset = (COPIES + state - first) * width;
          for (let word = 0; word < width; word++) rows[offset + word] = next[start + word]!;
          parents[state - first] = parent;
          found[index] = state;
          break;
        }
        if ((entry ^ hash) >>> tableBits === 0 && this.isState((entry & low) - 1, start)) {
          found[index] = (entry & low) - 1;
          break;
        }
      }
      // What the next row is compared with may be in the file, and reading it may fail.
      this.count = states;
    }
  }

  override findAll(count: number): void {
    const { width, tableBits, hashes, found } = this;
    const { segments } = this.entries;
    const low = (1 << tableBits) - 1;
    for (let index = 0; index < count; index++) {
      const hash = hashes[index]!;
      found[index] = NO_STATE;
      for (let place = hash & low; ; place = (place + 1) & low) {
        const entry = segments[place >>> SEGMENT_BITS]![place & SEGMENT_LOW]!;
        if (entry === 0) break;
        if ((entry ^ hash) >>> tableBits !== 0) continue;
        if (!this.isState((entry & low) - 1, index * width)) continue;
        found[index] = (entry & low) - 1;
        break;
      }
    }
  }

  override changeLayout(width: number, moves: readonly Move[]): void {
    const { guard, storage, found } = this;
    const sizes = rowSizes(storage, width);
    const window = Math.max(sizes.window, roomFor(found.length));
    const over = this.count - this.first - window / 2;
    if (over > 0) this.moveToFile(sizes.pageRows * Math.ceil(over / sizes.pageRows));
    // All or nothing: after a limit, the stored states must still be readable.
    const filed = new FiledRows(storage.open(), width, sizes, guard);
    try {
      const tags = this.moveFile(filed, moves);
      const rows = this.emptyWindow(window, width);
      const parents = allocateWords(window, UNGUARDED);
      const inMemory = this.count - this.first;
      const from = { words: this.rows, start: COPIES * this.width, width: this.width };
      moveRows(from, { words: rows, start: COPIES * width, width }, inMemory, moves);
      parents.set(this.parents.subarray(0, inMemory));
      const next = allocateWords(found.length * width, guard);
      this.filed.close();
      this.filed = filed;
      this.tags = tags;
      this.rows = rows;
      this.parents = parents;
      this.capacity = window;
      this.width = width;
      this.next = next;
      this.copied.fill(NO_STATE);
    } catch (error) {
      if (this.filed !== filed) filed.close();
      throw error;
    }
    this.entries.empty();
    this.enterAll();
  }

  /** Writes all rows of the file in another layout. Returns their tags. */
  private moveFile(into: FiledRows, moves: readonly Move[]): Tags {
    const { guard, filed, width } = this;
    const tags = new Tags(guard);
    filed.forEachChunk((words, first, rows) => {
      guard.look();
      const moved = new Int32Array(rows * into.width);
      const to = { words: moved, start: 0, width: into.width };
      moveRows({ words, start: 0, width }, to, rows, moves);
      into.append(moved, 0, rows);
      tags.add(first, to, rows);
    });
    return tags;
  }

  protected override makeRoom(count: number): void {
    while (this.count + count > this.fullCount) this.growTable();
    if (this.count - this.first + count <= this.capacity) return;
    if (count > this.capacity / 2) this.growWindow(count);
    else this.moveToFile(this.capacity / 2);
  }

  protected override growTable(): void {
    const bits = this.moreBits();
    this.entries.grow(bits, this.guard);
    this.useBits(bits);
    this.enterAll();
  }

  /** Enters all rows into the empty table. */
  private enterAll(): void {
    const { width, first, filed, rows, entries } = this;
    filed.forEachChunk((words, from, count) => {
      entries.enter({ words, start: 0, width }, count, from);
    });
    entries.enter({ words: rows, start: COPIES * width, width }, this.count - first, first);
  }

  /** Whether the row in `next` that begins at `start` is this state's. */
  private isState(state: number, start: number): boolean {
    const { next, width, first } = this;
    if (state >= first)
      return isSame(this.rows, (COPIES + state - first) * width, next, start, width);
    if (this.tags.of(state) !== tagOf(next, start, width)) return false;
    const at = this.filed.place(state);
    return isSame(this.filed.words, at, next, start, width);
  }

  /** Moves the oldest rows of the window, whole pages, to the files. */
  private moveToFile(rows: number): void {
    const { width, first, tags, filed, filedParents } = this;
    const start = COPIES * width;
    tags.add(first, { words: this.rows, start, width }, rows);
    filed.append(this.rows, start, rows);
    try {
      filedParents.append(this.parents, 0, rows);
    } catch (error) {
      filed.count = first;
      throw error;
    }
    this.rows.copyWithin(start, start + rows * width, start + (this.count - first) * width);
    this.parents.copyWithin(0, rows, this.count - first);
    this.first += rows;
  }

  /**
   * For models with very many instances: half of a window has room for the successors of a state.
   */
  private growWindow(count: number): void {
    const window = 2 * Math.max(this.capacity, roomFor(count));
    const rows = this.emptyWindow(window, this.width);
    const parents = allocateWords(window, UNGUARDED);
    rows.set(this.rows);
    parents.set(this.parents);
    this.rows = rows;
    this.parents = parents;
    this.capacity = window;
  }

  private emptyWindow(window: number, width: number): Int32Array<ArrayBuffer> {
    return allocateWords((COPIES + window) * width, UNGUARDED);
  }
}

/** A window whose half has room for so many states. */
function roomFor(count: number): number {
  return 2 * 2 ** Math.ceil(Math.log2(count));
}

function isSame(
  words: Int32Array,
  at: number,
  others: Int32Array,
  start: number,
  width: number,
): boolean {
  let word = 0;
  while (word < width && words[at + word] === others[start + word]) word++;
  return word === width;
}
