import { CheckerError } from './errors.ts';
import type { Model } from './model.ts';
import type { ActionInstance, Property } from './property.ts';
import type { CheckResult, LimitKind } from './result.ts';

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

/** `check` as its own parts call it again, which must not import it. */
export type Check<State> = (options: CheckOptions<State>) => Promise<CheckResult>;

/** Throws `CheckerError` for limits that no search can keep. */
export function validateLimits(limits: Limits): void {
  const positive = (name: string, value: number | undefined, least: number, whole: boolean) => {
    if (value === undefined) return;
    const fine = whole ? Number.isSafeInteger(value) : Number.isFinite(value);
    if (!fine || value < least) {
      const kind = whole ? 'a whole number' : 'a number';
      throw new CheckerError(
        'badLimit',
        `limit ${name} is ${value}; it must be ${kind} >= ${least}`,
      );
    }
  };
  positive('states', limits.states, 1, true);
  positive('depth', limits.depth, 0, true);
  positive('seconds', limits.seconds, 0, false);
  positive('megabytes', limits.megabytes, 1, false);
}

/** Megabytes (10^6) of resident memory. */
export function residentMegabytes(): number {
  return process.memoryUsage.rss() / 1e6;
}

/**
 * The value of a limit that was hit. For `interrupted`, the seconds that it took; for `memory` when
 * no limit was set but no more was to be had, the megabytes in use.
 */
export function limitValue(kind: LimitKind, limits: Limits, elapsedSeconds: number): number {
  switch (kind) {
    case 'states':
      return limits.states!;
    case 'depth':
      return limits.depth!;
    case 'time':
      return limits.seconds!;
    case 'memory':
      return limits.megabytes ?? Math.ceil(residentMegabytes());
    case 'interrupted':
      return elapsedSeconds;
    case 'walks':
      throw new Error('no search is limited by walks');
    default: {
      const never: never = kind;
      throw new Error(`unknown limit ${String(never)}`);
    }
  }
}

/** An action whose reducer ran much more often than that of others. */
export interface WorstAction {
  readonly name: string;
  /** Share of all reducer runs, from 0 to 1. */
  readonly share: number;
  readonly runs: number;
}

/**
 * What to do next, in one or two sentences.
 *
 * @param further other ways to make the search smaller, each as the end of "..., or ...".
 */
export function limitAdvice(
  kind: LimitKind,
  limits: Limits,
  worst: WorstAction | null,
  further: readonly string[],
): string {
  const smaller = ['make the model smaller (fewer objects, workers or requests)', ...further].join(
    ', or ',
  );
  const slow =
    worst === null
      ? ''
      : ` The reducer of ${worst.name} ran ${worst.runs} times (${Math.round(100 * worst.share)} % of all runs): let it read less, or split what it reads into more slots.`;
  switch (kind) {
    case 'states':
      return `Raise the limit of ${limits.states} states, or ${smaller}.`;
    case 'depth':
      return `Raise the limit of ${limits.depth} steps, or remove it: a search without it ends by itself if there are finitely many states.`;
    case 'time':
      return `Give it more than ${limits.seconds} seconds, or ${smaller}.${slow}`;
    case 'memory':
      return limits.megabytes === undefined
        ? `No more memory was to be had: take a larger machine, or ${smaller}.${slow}`
        : `Give it more than ${limits.megabytes} MB, or ${smaller}.${slow}`;
    case 'walks':
      throw new Error('no search is limited by walks');
    case 'interrupted':
      return 'Run it again and let it finish, or set a limit on states or time.';
    default: {
      const never: never = kind;
      throw new Error(`unknown limit ${String(never)}`);
    }
  }
}
