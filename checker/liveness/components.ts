import type { BitSet } from '../values/bit-set.ts';
import {
  type EdgePredicate,
  type StateGraph,
  type TransitionBuffer,
  transitionBuffer,
} from './graph.ts';
import { type Resumable, UNITS_PER_YIELD } from './resumable.ts';

/** The part of the graph to search: all states reachable from `roots` inside `includes`. */
export interface Region {
  readonly roots: BitSet;
  includes(state: number): boolean;
  /** Transitions that are left out. */
  readonly avoids?: EdgePredicate | undefined;
}

/**
 * Called for each strongly connected component of two or more states: `members[from]` to
 * `members[to - 1]`, in no particular order. `numberOf(member)` is `component` for these states
 * only. The graph has no self-loops, so no run stays in a component of one state; there is no call
 * for these.
 */
export type ComponentVisitor = (
  members: Int32Array,
  from: number,
  to: number,
  component: number,
) => Resumable<void>;

/**
 * How many targets are remembered: enough for the end of a path, and few enough to stay in the
 * processor's cache.
 */
const REMEMBERED = 1 << 18;

/**
 * Finds the strongly connected components of an implicit graph by depth-first search with one
 * number a state, without recursion (D. J. Pearce, "A space-efficient algorithm for finding
 * strongly connected components", Information Processing Letters 116, 2016).
 *
 * The number is 0 before the visit. Then it is an index that increases with each visit: the lowest
 * index known to be reachable. In the end it is the number of the component, which is above all
 * indices in use. Memory: 4 bytes a state, and 7 to 9 bytes a state of stack at full depth.
 *
 * Transitions are not stored. A ring keeps the targets that states on the path have still to visit.
 * Targets that a deep path has overwritten are computed again.
 */
export class ComponentSearch {
  readonly #graph: StateGraph;
  readonly #transitions: TransitionBuffer;
  readonly #numbers: Int32Array;
  /** The path from the front; from the back, visited states whose component is not known yet. */
  readonly #stack: Int32Array;
  /** By state on the path: how many targets it has still to visit. */
  readonly #open: Uint16Array | Uint32Array;
  /** By state on the path: 1 if it is known to reach a state that was visited before it. */
  readonly #reachesUp: Uint8Array;
  /**
   * The open targets of the path, with the last state's on top. Position p is at p modulo the
   * length.
   */
  readonly #ring: Int32Array;
  #used = false;
  #ringTop = 0;
  /** Positions below this one were overwritten. */
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
    // A new array is zero, and untouched memory costs nothing.
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
          // A target visited since then is below this state on the path, and has updated its
          // number.
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
          // The place before the waiting states is free, as the path has just become shorter.
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
      if (region.avoids?.(state, transitions.actions[position]!, target) === true) continue;
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
