import type { BitSet } from '../values/bit-set.ts';
import { type StateGraph, type TransitionBuffer, transitionBuffer } from './graph.ts';
import { type Resumable, UNITS_PER_YIELD } from './resumable.ts';

/** The part of the graph to search: all that is reachable from `roots` inside `includes`. */
export interface Region {
  readonly roots: BitSet;
  includes(state: number): boolean;
}

/**
 * Told of a strongly connected component of two or more states: `members[from]` to `members[to - 1]`,
 * in no particular order. `numberOf(member)` is `component` for these states only. The graph has no
 * self-loops, so components of one state have no run that stays in them and are not told of.
 */
export type ComponentVisitor = (
  members: Int32Array,
  from: number,
  to: number,
  component: number,
) => Resumable<void>;

/** Remembered targets: plenty for the end of a path, few enough to stay in the processor's cache. */
const REMEMBERED = 1 << 18;

/**
 * Strongly connected components of an implicit graph by depth-first search with one number a state
 * (D. J. Pearce, "A space-efficient algorithm for finding strongly connected components",
 * Information Processing Letters 116, 2016), without recursion.
 *
 * The number is 0 before the visit, then an index that rises with the order of visits (the lowest
 * one that can be reached, as far as known), and in the end the number of the component, which is
 * above all indices in use. Memory: 4 bytes a state, and 7 to 9 bytes a state of stack at full depth.
 *
 * Transitions are not stored. The targets that a state on the path has still to visit are kept in a
 * ring; when a deep path has overwritten them they are computed again.
 */
export class ComponentSearch {
  readonly #graph: StateGraph;
  readonly #transitions: TransitionBuffer;
  readonly #numbers: Int32Array;
  /** From the front the path, from the back visited states whose component is not known yet. */
  readonly #stack: Int32Array;
  /** Of each state on the path: how many targets it has still to visit. */
  readonly #open: Uint16Array | Uint32Array;
  /** Of each state on the path: 1 when it is known to reach a state that was visited before it. */
  readonly #reachesUp: Uint8Array;
  /** Open targets of the path, the last state's on top; position p is at p modulo the length. */
  readonly #ring: Int32Array;
  #used = false;
  #ringTop = 0;
  /** Positions below this one are overwritten. */
  #ringFloor = 0;

  /** `remembered` is about how many targets the ring holds. */
  constructor(graph: StateGraph, remembered = REMEMBERED) {
    this.#graph = graph;
    this.#transitions = transitionBuffer(graph);
    this.#numbers = new Int32Array(graph.stateCount);
    this.#stack = new Int32Array(graph.stateCount);
    this.#open =
      graph.actionCount < 65_536
        ? new Uint16Array(graph.stateCount)
        : new Uint32Array(graph.stateCount);
    this.#reachesUp = new Uint8Array(graph.stateCount);
    let length = 1;
    const most = Math.min(remembered, graph.stateCount * graph.actionCount);
    while (length < Math.max(most, graph.actionCount)) length *= 2;
    this.#ring = new Int32Array(length);
  }

  /** The number of the component of a state that `run` has visited, 0 for the others. */
  numberOf(state: number): number {
    return this.#numbers[state]!;
  }

  /** Visits the region. */
  *run(region: Region, visit: ComponentVisitor): Resumable<void> {
    const { stateCount } = this.#graph;
    const numbers = this.#numbers;
    const stack = this.#stack;
    const open = this.#open;
    const reachesUp = this.#reachesUp;
    const ring = this.#ring;
    const ringMask = ring.length - 1;
    // A new array is zero already, and memory that is not touched costs nothing.
    if (this.#used) numbers.fill(0);
    this.#used = true;
    this.#ringTop = 0;
    this.#ringFloor = 0;
    let index = 1;
    let component = stateCount;
    let waiting = stateCount;
    let done = 0;
    let work = 0;

    for (let root = region.roots.next(0); root !== -1; root = region.roots.next(root + 1)) {
      if (numbers[root] !== 0) continue;
      let depth = -1;
      let entering = root;
      for (;;) {
        if (++work === UNITS_PER_YIELD) {
          work = 0;
          yield done;
        }
        if (entering !== -1) {
          depth++;
          stack[depth] = entering;
          numbers[entering] = index++;
          reachesUp[depth] = 0;
          open[depth] = this.#scan(entering, depth, region);
          entering = -1;
        }
        const state = stack[depth]!;
        if (open[depth]! > 0) {
          if (this.#ringTop - open[depth]! < this.#ringFloor) {
            this.#ringTop -= open[depth]!;
            this.#ringFloor = this.#ringTop;
            open[depth] = this.#scan(state, depth, region);
            continue;
          }
          open[depth]!--;
          const target = ring[--this.#ringTop & ringMask]!;
          // A target visited since is below this state on the path, and has told what it reaches.
          if (numbers[target] === 0) entering = target;
          continue;
        }
        depth--;
        if (reachesUp[depth + 1] === 1) {
          stack[--waiting] = state;
          this.#lower(stack[depth]!, numbers[state]!, depth);
          continue;
        }
        const from = waiting;
        const lowest = numbers[state]!;
        while (waiting < stateCount && numbers[stack[waiting]!]! >= lowest) {
          numbers[stack[waiting++]!] = component;
        }
        numbers[state] = component;
        const size = waiting - from + 1;
        index -= size;
        if (size > 1) {
          // The place before the waiting states is free: the path has just become shorter.
          stack[from - 1] = state;
          yield* visit(stack, from - 1, waiting, component);
        }
        component--;
        done += size;
        if (depth < 0) break;
      }
    }
  }

  /** Puts the targets to visit into the ring and returns their number. */
  #scan(state: number, depth: number, region: Region): number {
    const transitions = this.#transitions;
    const count = this.#graph.successors(state, transitions);
    const { targets } = transitions;
    const ring = this.#ring;
    const ringMask = ring.length - 1;
    const bottom = this.#ringTop;
    for (let position = count - 1; position >= 0; position--) {
      const target = targets[position]!;
      if (!region.includes(target)) continue;
      const number = this.#numbers[target]!;
      if (number !== 0) this.#lower(state, number, depth);
      else ring[this.#ringTop++ & ringMask] = target;
    }
    this.#ringFloor = Math.max(this.#ringFloor, this.#ringTop - ring.length);
    return this.#ringTop - bottom;
  }

  /** The state at `depth` of the path reaches a state of this number. */
  #lower(state: number, number: number, depth: number): void {
    if (number >= this.#numbers[state]!) return;
    this.#numbers[state] = number;
    this.#reachesUp[depth] = 1;
  }
}
