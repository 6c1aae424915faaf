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
/** Of the number of transitions and the selector, before the transitions of a state. */
const HEAD = 2;
/** Of a transition: its action, its target and its renaming. */
const EACH = 3;
const NOT_STORED = 0;
/** Bytes for each state that are left to the passes, which cannot do without. */
const PASSES = 32;

/**
 * The same graph, which stores edges when they are asked for: the passes over a graph ask for them
 * several times, and to compute them, all enabled steps are applied and their targets are looked
 * up.
 *
 * @param hasRoom whether the memory has room for so many bytes. If not, edges are computed again.
 */
export function withStoredEdges(graph: EdgeGraph, hasRoom: (bytes: number) => boolean): EdgeGraph {
  return new StoredEdges(graph, hasRoom);
}

class StoredEdges implements EdgeGraph {
  readonly stateCount: number;
  readonly initialCount: number;
  readonly actionCount: number;
  readonly renamings: Int32Array;
  reducedBy: EdgeGraph['reducedBy'] = null;
  private readonly graph: EdgeGraph;
  private readonly hasRoom: (bytes: number) => boolean;
  /** By state: where its edges begin. */
  private readonly starts: Int32Array;
  private words = new Int32Array(FIRST_WORDS);
  /** Place 0 is that of states whose edges are not stored. */
  private end = 1;
  private isFull = false;
  /** Number 0 is none. */
  private readonly selectors: EdgeGraph['reducedBy'][] = [null];

  constructor(graph: EdgeGraph, hasRoom: (bytes: number) => boolean) {
    this.graph = graph;
    this.hasRoom = hasRoom;
    this.stateCount = graph.stateCount;
    this.initialCount = graph.initialCount;
    this.actionCount = graph.actionCount;
    this.renamings = new Int32Array(graph.actionCount);
    this.isFull = !hasRoom(4 * FIRST_WORDS + (4 + PASSES) * graph.stateCount);
    this.starts = new Int32Array(this.isFull ? 0 : graph.stateCount);
  }

  successors(state: number, into: TransitionBuffer): number {
    const start = this.starts[state] ?? NOT_STORED;
    if (start === NOT_STORED) return this.computed(state, into);
    const { words, renamings } = this;
    const count = words[start]!;
    this.reducedBy = this.selectors[words[start + 1]!]!;
    reserve(into, count);
    const { actions, targets } = into;
    for (let index = 0, at = start + HEAD; index < count; index++, at += EACH) {
      actions[index] = words[at]!;
      targets[index] = words[at + 1]!;
      renamings[index] = words[at + 2]!;
    }
    return count;
  }

  private computed(state: number, into: TransitionBuffer): number {
    const { graph, renamings } = this;
    const count = graph.successors(state, into);
    this.reducedBy = graph.reducedBy;
    for (let index = 0; index < count; index++) renamings[index] = graph.renamings[index]!;
    if (this.hasPlaceFor(HEAD + EACH * count)) this.store(state, into, count);
    return count;
  }

  private store(state: number, { actions, targets }: TransitionBuffer, count: number): void {
    const { words, renamings } = this;
    this.starts[state] = this.end;
    words[this.end++] = count;
    words[this.end++] = this.numberOf(this.reducedBy);
    for (let index = 0; index < count; index++) {
      words[this.end++] = actions[index]!;
      words[this.end++] = targets[index]!;
      words[this.end++] = renamings[index]!;
    }
  }

  /** Grows the table if it may. After the first refusal, nothing more is stored. */
  private hasPlaceFor(count: number): boolean {
    if (this.isFull) return false;
    const wanted = this.end + count;
    if (wanted <= this.words.length) return true;
    const length = 2 * Math.max(wanted, this.words.length);
    this.isFull = length > MOST_WORDS || !this.hasRoom(4 * length + PASSES * this.stateCount);
    if (this.isFull) return false;
    const longer = new Int32Array(length);
    longer.set(this.words);
    this.words = longer;
    return true;
  }

  private numberOf(selector: EdgeGraph['reducedBy']): number {
    const known = this.selectors.indexOf(selector);
    return known === -1 ? this.selectors.push(selector) - 1 : known;
  }
}
