import type { StateGraph, TransitionBuffer } from './graph.ts';
import { reserve } from './graph.ts';

/** A graph, and what reductions have made of its edges. */
export interface EdgeGraph extends StateGraph {
  /** By transition of the last call of `successors`: the renaming that leads to its target. */
  readonly renamings: Int32Array;
  /** Of the last call of `successors`: the selector whose ample set it was; null: all steps. */
  readonly reducedBy: object | null;
}

const FIRST_WORDS = 1 << 8;
/** 64 megabytes. Graphs with more edges are too large to gain much. */
const MOST_WORDS = 1 << 24;
/** 16 megabytes: a search may end before anything is asked about its edges. */
const MOST_WORDS_OF_SEARCH = 1 << 22;
/** Of the number of transitions and the selector, before the transitions of a state. */
const HEAD = 2;
/** Of a transition: its action, its target and its renaming. */
const EACH = 3;
const NOT_STORED = 0;
/** Bytes for each state that are left to the passes, which cannot do without. */
const PASSES = 32;

/** The transitions of a state, from `from` on in these arrays. */
export interface Transitions {
  readonly count: number;
  readonly from: number;
  readonly actions: ArrayLike<number>;
  readonly targets: ArrayLike<number>;
  /** Null: none is renamed. */
  readonly renamings: ArrayLike<number> | null;
}

/** Edges by state. A state may be left out: then they are computed. */
export class EdgeTable {
  private readonly hasRoom: (bytes: number) => boolean;
  private mostWords = MOST_WORDS_OF_SEARCH;
  /** Bytes for each state that must stay free. The passes come after the search. */
  private passes = 0;
  /** By state: where its edges begin. */
  private starts: Int32Array = new Int32Array(FIRST_WORDS);
  private words: Int32Array = new Int32Array(FIRST_WORDS);
  /** Place 0 is that of states whose edges are not stored. */
  private end = 1;
  private isFull: boolean;

  /**
   * @param hasRoom whether the memory has room for so many bytes. If not, nothing more is stored.
   */
  constructor(hasRoom: (bytes: number) => boolean) {
    this.hasRoom = hasRoom;
    this.isFull = !hasRoom(8 * FIRST_WORDS);
  }

  /**
   * Call this after the search, with the number of its states. From now on, the table may take more
   * memory.
   */
  finish(stateCount: number): void {
    this.mostWords = MOST_WORDS;
    this.passes = PASSES;
    const { hasRoom, starts } = this;
    this.isFull = !hasRoom((4 + PASSES) * stateCount);
    if (this.isFull || stateCount <= starts.length) return;
    this.starts = new Int32Array(stateCount);
    this.starts.set(starts);
  }

  /** Stores the transitions of a state, with a number of their selector. */
  store(state: number, selector: number, transitions: Transitions): void {
    const { count, from, actions, targets, renamings } = transitions;
    if (!this.hasPlaceFor(state, HEAD + EACH * count)) return;
    const { words } = this;
    this.starts[state] = this.end;
    words[this.end++] = count;
    words[this.end++] = selector;
    for (let index = 0; index < count; index++) {
      words[this.end++] = actions[from + index]!;
      words[this.end++] = targets[index]!;
      words[this.end++] = renamings === null ? 0 : renamings[from + index]!;
    }
  }

  /** Reads the transitions of a state, and returns their number; -1: they are not stored. */
  read(state: number, into: TransitionBuffer, renamings: Int32Array): number {
    const start = this.starts[state] ?? NOT_STORED;
    if (start === NOT_STORED) return -1;
    const { words } = this;
    const count = words[start]!;
    reserve(into, count);
    const { actions, targets } = into;
    for (let index = 0, at = start + HEAD; index < count; index++, at += EACH) {
      actions[index] = words[at]!;
      targets[index] = words[at + 1]!;
      renamings[index] = words[at + 2]!;
    }
    return count;
  }

  /** The number of the selector of a state whose transitions are stored. */
  selectorOf(state: number): number {
    return this.words[this.starts[state]! + 1]!;
  }

  /** Grows the tables if it may. After the first refusal, nothing more is stored. */
  private hasPlaceFor(state: number, count: number): boolean {
    if (this.isFull) return false;
    this.words = this.grown(this.words, this.end + count);
    if (!this.isFull) this.starts = this.grown(this.starts, state + 1);
    return !this.isFull;
  }

  private grown(words: Int32Array, wanted: number): Int32Array {
    if (wanted <= words.length) return words;
    const length = 2 * Math.max(wanted, words.length);
    const bytes = 4 * length + this.passes * this.starts.length;
    this.isFull = length > this.mostWords || !this.hasRoom(bytes);
    if (this.isFull) return words;
    const longer = new Int32Array(length);
    longer.set(words);
    return longer;
  }
}

/**
 * The same graph, which stores edges when they are asked for: the passes over a graph ask for them
 * several times, and to compute them, all enabled steps are applied and their targets are looked
 * up.
 *
 * @param table what the search has stored of them.
 */
export function withStoredEdges(graph: EdgeGraph, table: EdgeTable): EdgeGraph {
  return new StoredEdges(graph, table);
}

class StoredEdges implements EdgeGraph {
  readonly stateCount: number;
  readonly initialCount: number;
  readonly actionCount: number;
  readonly renamings: Int32Array;
  reducedBy: EdgeGraph['reducedBy'] = null;
  private readonly graph: EdgeGraph;
  private readonly table: EdgeTable;
  /** Number 0 is none. */
  private readonly selectors: EdgeGraph['reducedBy'][] = [null];

  constructor(graph: EdgeGraph, table: EdgeTable) {
    this.graph = graph;
    this.table = table;
    this.stateCount = graph.stateCount;
    this.initialCount = graph.initialCount;
    this.actionCount = graph.actionCount;
    this.renamings = new Int32Array(graph.actionCount);
    table.finish(graph.stateCount);
  }

  successors(state: number, into: TransitionBuffer): number {
    const { table } = this;
    const count = table.read(state, into, this.renamings);
    if (count < 0) return this.computed(state, into);
    this.reducedBy = this.selectors[table.selectorOf(state)]!;
    return count;
  }

  private computed(state: number, into: TransitionBuffer): number {
    const { graph, renamings } = this;
    const count = graph.successors(state, into);
    this.reducedBy = graph.reducedBy;
    for (let index = 0; index < count; index++) renamings[index] = graph.renamings[index]!;
    const { actions, targets } = into;
    const selector = this.numberOf(this.reducedBy);
    this.table.store(state, selector, { count, from: 0, actions, targets, renamings });
    return count;
  }

  private numberOf(selector: EdgeGraph['reducedBy']): number {
    const known = this.selectors.indexOf(selector);
    return known === -1 ? this.selectors.push(selector) - 1 : known;
  }
}
