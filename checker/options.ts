import type { Model } from './model.ts';
import type { ActionInstance, Property } from './property.ts';

export interface Limits {
  /** Distinct states. */
  readonly states?: number;
  /** Layers beyond the initial one. */
  readonly depth?: number;
  /** Wall-clock seconds. */
  readonly seconds?: number;
  /** Megabytes (10^6) of resident memory of the process. */
  readonly megabytes?: number;
}

/** Sent at the end of a layer and at least about once a second. */
export interface ProgressEvent {
  readonly phase: 'search' | 'liveness' | 'walks' | 'distinct';
  /** Of walks: how many were begun. */
  readonly layer: number;
  /**
   * States of this layer; in the liveness phase, of the component search, those done; of walks, how
   * many were asked for.
   */
  readonly frontier: number;
  readonly previousFrontier: number;
  readonly states: number;
  readonly transitions: number;
  readonly statesPerSecond: number;
  readonly megabytes: number;
  readonly elapsedSeconds: number;
}

/** Words for traces; without it action names and JSON differences are used. */
export interface Describer<State> {
  action(action: ActionInstance, before: State, after: State): string;
  /** Who takes the step; without it, the name of the action. */
  actor?(action: ActionInstance, before: State, after: State): string;
  /** What somebody takes to be so in this step and is not. */
  beliefs?(action: ActionInstance, before: State, after: State): readonly string[];
  changes(before: State, after: State): readonly string[];
  state(state: State): readonly string[];
  /** What else tells a state from others, where all states are shown. */
  details?(state: State): readonly string[];
}

export interface CheckOptions<State> {
  readonly model: Model<State>;
  readonly properties: readonly Property<State>[];
  /** `tracked` (default) or the slow reference, which must agree with it. */
  readonly engine?: 'tracked' | 'naive';
  /** Take states together that differ in the names of interchangeable things only (default true). */
  readonly symmetry?: boolean;
  /**
   * Take steps at once that the model calls confluent (default false). Counterexamples may be longer
   * than the shortest. Properties that look at what such steps write are judged by a second search
   * without it; with `only` there is none, and they are inconclusive. Not for the naive engine, which
   * cannot tell what properties look at.
   */
  readonly confluence?: boolean | 'only';
  readonly limits?: Limits;
  /** Re-execute one transition in this many through `produce` during the search; 0 means never. */
  readonly auditEvery?: number;
  /** Stop as soon as every property is decided or violated (default false: search it all). */
  readonly stopWhenDecided?: boolean;
  readonly describe?: Describer<State>;
  /** Write the whole graph into the result, if it has at most so many states (default: never). */
  readonly stateGraph?: number;
  readonly onProgress?: (event: ProgressEvent) => void;
  /** Asked now and then; true ends the search with the limit `interrupted`. */
  readonly interrupted?: () => boolean;
}
