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
