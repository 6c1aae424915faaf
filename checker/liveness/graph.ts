/** Successors of one state, filled by a `StateGraph`; reused from call to call. */
export interface TransitionBuffer {
  /** Action instance numbers. */
  actions: Int32Array;
  /** State numbers. */
  targets: Int32Array;
}

/**
 * The explored graph as numbers, for passes after the search. States are numbered in breadth-first
 * order, the initial ones first. Edges are recomputed, not stored.
 */
export interface StateGraph {
  readonly stateCount: number;
  readonly initialCount: number;
  readonly actionCount: number;
  /**
   * Fills the buffer (growing it if needed) and returns the number of transitions. An action
   * instance has at most one, and none of them leads back to `state`.
   */
  successors(state: number, into: TransitionBuffer): number;
}

/** A buffer that no call of `successors` has to grow, as an instance has one transition a state. */
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
