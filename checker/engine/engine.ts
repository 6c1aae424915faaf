import type { Instance, StatePredicate, StepPredicate } from '../instances.ts';
import type { Model } from '../model.ts';
import type { AmpleSelector, ReducedGraph, Reductions } from '../reductions/reduction.ts';

/** What an engine is built from. Predicates and instances are known to it by their index. */
export interface Question<State> {
  readonly model: Model<State>;
  readonly instances: readonly Instance<State>[];
  readonly statePredicates: readonly StatePredicate<State>[];
  readonly stepPredicates: readonly StepPredicate<State>[];
  readonly reductions: Reductions<State>;
}

/** Told of the transitions of watched instances while a state is expanded. */
export interface TransitionObserver {
  /** By instance: 1 if `transition` is to be called. */
  readonly watched: Uint8Array;
  /** `Engine.testStep` may be called for this transition until it returns. */
  transition(instance: number, target: number): void;
}

/**
 * Stores states and computes transitions. States are numbered from 0 in order of insertion, the
 * initial ones first. All methods throw `DefectError` when the model misbehaves.
 *
 * Where a reduction canonicalises states, only representatives are stored, and targets are those of
 * the successors' orbits; so a transition may lead back to the state that it comes from. Where one
 * selects ample sets, `expand` and `successors` give the transitions of those.
 *
 * `successors` gives a target of -1 for a state that is not stored (only met in searches cut short).
 */
export interface Engine<State> extends ReducedGraph<State> {
  readonly kind: 'tracked' | 'naive';
  /** Misses of the memo, or, without one, runs of reducers; by instance. */
  readonly reducerRuns: Float64Array;
  /** By instance: transitions found by `expand`. */
  readonly transitions: Float64Array;
  /** Rows, index table and predecessors; 0 if the engine does not know. */
  readonly bytes: number;
  /** After `successors`, by transition: the renaming that takes the successor to the target. */
  readonly renamings: Int32Array;
  /** One for each reduction that selects steps. */
  readonly selectors: readonly AmpleSelector<State>[];
  /** Makes a state the subject of `test` and `expand`. */
  load(state: number): void;
  /** Evaluates a state predicate in the loaded state. */
  test(predicate: number): boolean;
  /**
   * Evaluates those predicates in the loaded state that hang on something that differs from its
   * predecessor (all of them in an initial state). Puts the indexes of those with the sought answer
   * into `found`, in order, and returns their number. `predicates` is in ascending order.
   */
  seek(predicates: Int32Array, sought: Uint8Array, found: Int32Array): number;
  /** Evaluates a step predicate for the transition being observed. */
  testStep(predicate: number): boolean;
  /** Stores the successors of the loaded state and returns the number of its transitions. */
  expand(observer: TransitionObserver): number;
  /** The state from which this one was found first; -1 for initial states. */
  predecessor(state: number): number;
  /** The deep-frozen plain state, keys in sorted order. */
  decode(state: number): State;
}
