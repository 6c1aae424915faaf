import { BitSet } from '../values/bit-set.ts';
import { ComponentSearch } from './components.ts';
import type { FairStates } from './fairness.ts';
import type { EdgePredicate, StateGraph, TransitionBuffer } from './graph.ts';
import { transitionBuffer } from './graph.ts';
import { type Obligations, STRONG, WEAK } from './obligations.ts';
import type { TransitionStep } from './prefix.ts';
import { type Resumable, UNITS_PER_YIELD } from './resumable.ts';

/**
 * A short closed walk from a recurring state that meets all its fairness obligations, without the
 * transitions that it must avoid. Empty if the state has no obligations.
 *
 * It is the shorter of two candidates. One is the shortest cycle through the start, if that is
 * fair. The other goes to the nearest place where an open obligation is met until none is left, and
 * then back. Neither need be the shortest fair walk, which is NP-hard to find.
 */
export function* fairClosedWalk(
  graph: StateGraph,
  obligations: Obligations,
  fair: FairStates,
  start: number,
  avoids?: EdgePredicate,
): Resumable<readonly TransitionStep[]> {
  const paths = new PathSearch(graph, yield* componentOf(graph, fair, start, avoids), avoids);
  const home: Wanted = { edge: (_action, target) => target === start, state: () => false };
  const toEach = new Walk(graph, obligations, start, avoids);
  while (toEach.isOpen || toEach.end !== start) {
    toEach.append(yield* paths.shortest(toEach.end, toEach.isOpen ? toEach.obligations : home));
  }
  if (toEach.steps.length === 0) return [];
  const cycle = new Walk(graph, obligations, start, avoids);
  cycle.append(yield* paths.shortest(start, home));
  return !cycle.isOpen && cycle.steps.length < toEach.steps.length ? cycle.steps : toEach.steps;
}

/** Where a path may end: with this edge, or in a state with these transitions. */
interface Wanted {
  edge(action: number, target: number): boolean;
  state(transitions: TransitionBuffer, count: number): boolean;
}

/** The fair component of a recurring state: its component in the subgraph of recurring states. */
function* componentOf(
  graph: StateGraph,
  fair: FairStates,
  start: number,
  avoids?: EdgePredicate,
): Resumable<BitSet> {
  const members = new BitSet(graph.stateCount);
  members.add(start);
  const roots = new BitSet(graph.stateCount);
  roots.add(start);
  const search = new ComponentSearch(graph);
  const region = { roots, includes: (state: number) => fair.recurring.has(state), avoids };
  yield* search.run(region, function* (states, from, to, component) {
    if (search.numberOf(start) !== component) return;
    for (let position = from; position < to; position++) {
      if ((position - from) % UNITS_PER_YIELD === UNITS_PER_YIELD - 1) yield position - from;
      members.add(states[position]!);
    }
  });
  return members;
}

/** A walk inside a component, and the obligations that it has not met so far. */
class Walk {
  readonly steps: TransitionStep[] = [];
  readonly #graph: StateGraph;
  readonly #obligations: Obligations;
  readonly #transitions: TransitionBuffer;
  readonly #start: number;
  readonly #avoids: EdgePredicate | undefined;
  readonly #taken: Uint8Array;
  /**
   * Weak obligations that were enabled in every state so far and not taken; strong ones that were
   * enabled and not taken.
   */
  readonly #open = new Set<number>();

  constructor(
    graph: StateGraph,
    obligations: Obligations,
    start: number,
    avoids: EdgePredicate | undefined,
  ) {
    this.#graph = graph;
    this.#obligations = obligations;
    this.#transitions = transitionBuffer(graph);
    this.#start = start;
    this.#avoids = avoids;
    this.#taken = new Uint8Array(obligations.kinds.length);
    const count = graph.successors(start, this.#transitions);
    for (let position = 0; position < count; position++) {
      for (const owed of this.#owed(this.#transitions.actions[position]!)) this.#open.add(owed);
    }
  }

  get isOpen(): boolean {
    return this.#open.size > 0;
  }

  get end(): number {
    return this.steps.at(-1)?.state ?? this.#start;
  }

  /** The nearest such place takes an open obligation, or disables a weak one. */
  get obligations(): Wanted {
    return {
      edge: (action) => this.#meets(action),
      state: (transitions, count) => this.#disabled(transitions, count).length > 0,
    };
  }

  /** Of several edges between two states, takes one that meets an obligation, or the first. */
  append(states: readonly number[]): void {
    for (const state of states) {
      const count = this.#graph.successors(this.end, this.#transitions);
      let chosen = -1;
      for (let position = 0; position < count; position++) {
        if (this.#transitions.targets[position] !== state) continue;
        const action = this.#transitions.actions[position]!;
        if (this.#avoids?.(this.end, action, state) === true) continue;
        const isBetter = chosen === -1 || (this.#meets(action) && !this.#meets(chosen));
        const isSmaller = action < chosen && this.#meets(action) === this.#meets(chosen);
        if (isBetter || isSmaller) chosen = action;
      }
      this.#take(chosen, state);
    }
  }

  #take(action: number, state: number): void {
    this.steps.push({ action, state });
    for (const met of this.#owed(action)) {
      this.#taken[met] = 1;
      this.#open.delete(met);
    }
    const count = this.#graph.successors(state, this.#transitions);
    for (const disabled of this.#disabled(this.#transitions, count)) this.#open.delete(disabled);
    for (let position = 0; position < count; position++) {
      for (const owed of this.#owed(this.#transitions.actions[position]!)) {
        const isStrong = this.#obligations.kinds[owed] === STRONG;
        if (isStrong && this.#taken[owed] === 0) this.#open.add(owed);
      }
    }
  }

  #owed(action: number): readonly number[] {
    return this.#obligations.of[action]!;
  }

  /** Whether an open obligation is taken with the action. */
  #meets(action: number): boolean {
    return this.#owed(action).some((owed) => this.#open.has(owed));
  }

  /** The open weak obligations that have none of these transitions. */
  #disabled(transitions: TransitionBuffer, count: number): readonly number[] {
    const { kinds, members } = this.#obligations;
    const enabled = transitions.actions.subarray(0, count);
    return [...this.#open].filter(
      (open) => kinds[open] === WEAK && !members[open]!.some((one) => enabled.includes(one)),
    );
  }
}

/** Breadth-first search inside a component. */
class PathSearch {
  readonly #graph: StateGraph;
  readonly #component: BitSet;
  readonly #avoids: EdgePredicate | undefined;
  readonly #transitions: TransitionBuffer;
  /** Plus 1; 0 means not visited. */
  readonly #predecessors: Int32Array;
  readonly #queue: Int32Array;

  constructor(graph: StateGraph, component: BitSet, avoids: EdgePredicate | undefined) {
    this.#graph = graph;
    this.#component = component;
    this.#avoids = avoids;
    this.#transitions = transitionBuffer(graph);
    this.#predecessors = new Int32Array(graph.stateCount);
    this.#queue = new Int32Array(graph.stateCount);
  }

  /** The states after `from` on a shortest path to a wanted place, at least one edge long. */
  *shortest(from: number, wanted: Wanted): Resumable<readonly number[]> {
    const queue = this.#queue;
    const predecessors = this.#predecessors;
    queue[0] = from;
    predecessors[from] = from + 1;
    let tail = 1;
    let layerEnd = 1;
    let last = -1;
    let lastButOne = -1;
    for (let head = 0; head < tail; head++) {
      if (head % UNITS_PER_YIELD === UNITS_PER_YIELD - 1) yield head;
      if (head === layerEnd) {
        // A wanted edge makes the path one longer than a wanted state of the same layer does.
        if (last !== -1) break;
        layerEnd = tail;
      }
      const state = queue[head]!;
      const count = this.#graph.successors(state, this.#transitions);
      if (head > 0 && wanted.state(this.#transitions, count)) {
        last = state;
        lastButOne = predecessors[state]! - 1;
        break;
      }
      if (last !== -1) continue;
      for (let position = 0; position < count; position++) {
        const target = this.#transitions.targets[position]!;
        if (!this.#component.has(target)) continue;
        const action = this.#transitions.actions[position]!;
        if (this.#avoids?.(state, action, target) === true) continue;
        if (wanted.edge(action, target)) {
          last = target;
          lastButOne = state;
          break;
        }
        if (predecessors[target] !== 0) continue;
        predecessors[target] = state + 1;
        queue[tail++] = target;
      }
    }
    if (last === -1) throw new Error('a fair component has no path to what it should contain');
    const path = [last];
    for (let state = lastButOne; state !== from; state = predecessors[state]! - 1) path.push(state);
    for (let position = 0; position < tail; position++) predecessors[queue[position]!] = 0;
    return path.reverse();
  }
}
