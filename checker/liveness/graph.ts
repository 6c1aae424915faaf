/** The successors of one state, filled in by a `StateGraph`. Callers reuse it. */
export interface TransitionBuffer {
  /** Action instance numbers. */
  actions: Int32Array;
  /** State numbers. */
  targets: Int32Array;
}

/**
 * The explored graph as numbers, for passes after the search. States are numbered in breadth-first
 * order, the initial ones first. Edges are computed again, not stored.
 */
export interface StateGraph {
  readonly stateCount: number;
  readonly initialCount: number;
  readonly actionCount: number;
  /**
   * Fills the buffer, which it may enlarge, and returns the number of transitions. An instance has
   * at most one. None leads back to `state`, except to its own orbit in a quotient graph.
   */
  successors(state: number, into: TransitionBuffer): number;
}

/** A predicate on transitions: numbers of the state, the action instance and the next state. */
export type EdgePredicate = (state: number, action: number, target: number) => boolean;

/** A buffer that `successors` never has to enlarge, as an instance has one transition a state. */
export function transitionBuffer(graph: StateGraph): TransitionBuffer {
  return {
    actions: new Int32Array(graph.actionCount),
    targets: new Int32Array(graph.actionCount),
  };
}

export function emptyTransitionBuffer(): TransitionBuffer {
  return { actions: new Int32Array(0), targets: new Int32Array(0) };
}

/** Makes room for this many transitions. */
export function reserve(buffer: TransitionBuffer, count: number): void {
  if (buffer.actions.length >= count && buffer.targets.length >= count) return;
  buffer.actions = new Int32Array(count);
  buffer.targets = new Int32Array(count);
}
