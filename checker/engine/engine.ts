import type { Guard } from '../guard.ts';
import type { Instance, StatePredicate, StepPredicate } from '../instances.ts';
import type { Model } from '../model.ts';
import type { AmpleSelector, ReducedGraph, Reductions } from '../reductions/reduction.ts';
import type { RowStorage } from './filed/row-storage.ts';
import type { EngineSaver } from './saved.ts';

/** What an engine is built from. It knows predicates and instances by their index. */
export interface Question<State> {
  readonly model: Model<State>;
  readonly instances: readonly Instance<State>[];
  readonly statePredicates: readonly StatePredicate<State>[];
  readonly stepPredicates: readonly StepPredicate<State>[];
  readonly reductions: Reductions<State>;
  /** Default: no limits. */
  readonly guard?: Guard;
  /** Whether other threads may read the states (default: no). */
  readonly sharesStates?: boolean;
  /** Where rows of old states go (default: they stay in memory). The naive engine has no rows. */
  readonly storage?: RowStorage;
}

/**
 * Predicates, in ascending order, and the answer to look for of each. Neither array changes: other
 * predicates or answers take another object.
 */
export interface SoughtAnswers {
  readonly predicates: Int32Array;
  /** By position: 1 if the sought answer is true. */
  readonly sought: Uint8Array;
}

/** Receives the transitions of watched instances while a state is expanded. */
export interface TransitionObserver {
  /** By instance: 1 if `transition` must be called. It does not change: it is replaced. */
  readonly watched: ArrayLike<number>;
  /** `Engine.testStep` and `Engine.seekStep` may be called for this transition until it returns. */
  transition(instance: number, target: number): void;
}

/**
 * Stores states and computes transitions. States are numbered from 0 in order of insertion, the
 * initial ones first. All methods throw `DefectError` if the model misbehaves.
 *
 * If a reduction canonicalises states, only representatives are stored, and the targets of
 * transitions are representatives too. A transition may then lead back to its source. If a
 * reduction selects ample sets, `expand` and `successors` give the transitions of those.
 *
 * `successors` gives a target of -1 for a state that is not stored, which happens only if the
 * search was cut short.
 */
export interface Engine<State> extends ReducedGraph<State> {
  readonly kind: 'tracked' | 'naive';
  /** By instance: runs of reducers. The tracked engine runs them for new local views only. */
  readonly reducerRuns: Float64Array;
  /** By instance: transitions found by `expand`. */
  readonly transitions: Float64Array;
  /** Rows, index table and predecessors; 0 if the engine does not know. */
  readonly bytes: number;
  /** After `successors`, by transition: the renaming that takes the successor to the target. */
  readonly renamings: Int32Array;
  /** One for each reduction that selects steps. */
  readonly selectors: readonly AmpleSelector<State>[];
  /** Null: the engine cannot be saved. */
  readonly saving: EngineSaver | null;
  /** Makes a state the subject of `test` and `expand`. */
  load(state: number): void;
  /** That state. */
  readonly loaded: number;
  /** Evaluates a state predicate in the loaded state. */
  test(predicate: number): boolean;
  /**
   * Evaluates the predicates that may have another answer in the loaded state than in its
   * predecessor (all of them in an initial state). Puts the positions of those with the sought
   * answer into `found`, in order, and returns their number.
   */
  seek(answers: SoughtAnswers, found: Int32Array): number;
  /**
   * The state predicates that may have another answer in a state than in its predecessor, in which
   * they were evaluated; all for an initial state. A bit set, which the next call may change.
   */
  differing(state: number): Int32Array;
  /**
   * What `seekStep` is to look for on the transitions of each instance; null: nothing. Before any
   * state is expanded, or with less than before.
   */
  askSteps(questions: readonly (SoughtAnswers | null)[]): void;
  /**
   * Puts the positions of the questions with the sought answer for the transition being observed
   * into `found`, in order, and returns their number. It evaluates what may have that answer.
   */
  seekStep(found: Int32Array): number;
  /** Evaluates a step predicate for the transition being observed. */
  testStep(predicate: number): boolean;
  /** Evaluates a step predicate for a step of the instance that leads back to the loaded state. */
  testStutter(predicate: number, instance: number): boolean;
  /**
   * Call this if from now on every stored state is expanded, in ascending order, or the search
   * ends. Then `expand` need not look up successors that are stored for certain.
   */
  expandInOrder(): void;
  /**
   * Stores the successors of the loaded state and returns the number of its transitions.
   *
   * @param known instances whose transitions were found by an earlier call; they are left out.
   */
  expand(observer: TransitionObserver, known?: readonly number[]): number;
  /** The state from which the search found this one; -1 for initial states. */
  predecessor(state: number): number;
  /** The deep-frozen plain state, keys in sorted order. */
  decode(state: number): State;
}
