import type { CheckpointOptions } from './checkpoint/store.ts';
import type { RowStorage } from './engine/filed/row-storage.ts';
import { CheckerError } from './errors.ts';
import { residentMegabytes } from './memory.ts';
import type { Describer, Model } from './model.ts';
import type { Property } from './property.ts';
import { faultInReductions, type ReductionName } from './reductions/chosen.ts';
import type { CheckResult, LimitKind } from './result.ts';

export type { Describer } from './model.ts';

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

/** Sent at the end of each layer, and about once a second. */
export interface ProgressEvent {
  readonly phase: 'search' | 'liveness' | 'walks' | 'distinct';
  /** In the phase `walks`: the number of walks begun. */
  readonly layer: number;
  /**
   * Number of states of this layer. In the phase `liveness`: states done so far. In the phase
   * `walks`: walks asked for.
   */
  readonly frontier: number;
  readonly previousFrontier: number;
  readonly states: number;
  readonly transitions: number;
  readonly statesPerSecond: number;
  readonly megabytes: number;
  readonly elapsedSeconds: number;
}

/** How many transitions are audited: one in so many (0: none), or `thinning`: ever fewer. */
export type Audits = number | 'thinning';

export interface CheckOptions<State> {
  readonly model: Model<State>;
  readonly properties: readonly Property<State>[];
  /** `tracked` (default), or the slow reference engine, which must give the same results. */
  readonly engine?: 'tracked' | 'naive';
  /**
   * How to search fewer states: exactly these reductions, and none with `[]` (default: `symmetry`).
   * The result says of each whether it was applied, or why not.
   *
   * - `symmetry`: store one representative of states that differ in interchangeable names only.
   * - `confluence`: expand only one confluent step where the model declares one. A second search
   *   without it decides the properties to which confluent steps are visible.
   * - `confluence-only`: the same without a second search; these properties are inconclusive.
   * - `partial-order`: expand stubborn sets, which search independent steps in some of their orders
   *   only. It is not applied together with `within`, `checkpoint`, `storage`, confluence and
   *   symmetry.
   *
   * With the last three, counterexamples may be longer than the shortest ones. The naive engine
   * does not support them, as it does not record what steps and properties read.
   */
  readonly reductions?: readonly ReductionName[];
  /** Default: 1,000,000 states. With any limits, those alone; `{}` means none. */
  readonly limits?: Limits;
  /**
   * A state constraint: states in which it is false are judged, and not expanded. If there are
   * some, safety holds up to the constraint only, which `reason` says, and what is not found stays
   * inconclusive. It must not distinguish members of the model's symmetry, and excludes confluence.
   */
  readonly within?: (state: State) => boolean;
  /**
   * Execute one transition in this many again through `produce`; 0 means none. `thinning`: ever
   * fewer, down to one in 5,000, which costs little. Default: none, and a sample for a model that
   * declares a symmetry. A small one is also judged without its symmetry, unless this is 0.
   */
  readonly auditEvery?: Audits;
  /** Stop as soon as every property is decided (default false: explore all states). */
  readonly stopWhenDecided?: boolean;
  readonly describe?: Describer<State>;
  /** Write the whole graph into the result if it has at most this many states (default: never). */
  readonly stateGraph?: number;
  /**
   * When the work for this check began, as `performance.now` gives it: the limit of seconds
   * includes what was done before (default: now).
   */
  readonly since?: number;
  /**
   * The limit that was hit before the check, such as while its model was made: nothing is searched,
   * and all properties are open.
   */
  readonly reached?: 'time' | 'memory' | 'interrupted';
  /**
   * What the user may do about a limit, in the words of the model's domain, in one or more
   * sentences. Default: in the words of the checker. `growth` gives the part of the state that
   * grows, as a sentence; empty if it is not known.
   */
  readonly advice?: (kind: LimitKind, limits: Limits, growth: () => string) => string;
  /**
   * Save the search as it goes on, or go on with a saved one. Only the first search of a check is
   * saved: liveness and a second search are done anew. The naive engine does not support it.
   */
  readonly checkpoint?: CheckpointOptions;
  /**
   * Search with several threads. The result is the same for any number of them. Only the search
   * itself uses them; liveness does not. They do not go with the naive engine, confluence,
   * checkpoints or `storage`.
   */
  readonly threads?: ThreadOptions;
  /**
   * Where rows of states go that were found long ago (default: they stay in memory). The naive
   * engine and checkpoints do not support it. What the storage throws ends the check.
   */
  readonly storage?: RowStorage;
  readonly onProgress?: (event: ProgressEvent) => void;
  /**
   * Called about every 100 ms; true ends the search with the limit `interrupted`. Also called in
   * long work without a pause, in which listeners for SIGINT of this process are called as well.
   */
  readonly interrupted?: () => boolean;
}

/** The threads of a search. */
export interface ThreadOptions {
  /** How many, this one included: at most one for each core is useful. */
  readonly count: number;
  /** The module that the others run. It calls `takePart` with the same model and properties. */
  readonly module: URL;
  /** Given to that module. It must survive `structuredClone`. */
  readonly data?: unknown;
  /**
   * The others expand states when so many were found (default 2,000): of smaller models too little
   * is known by then. They are started a little earlier.
   */
  readonly fromStates?: number;
}

/** The words that the options have, or those of the model. */
export function wordsFor<State>({
  model,
  describe = model.describe,
}: Pick<CheckOptions<State>, 'model' | 'describe'>): Pick<CheckOptions<State>, 'describe'> {
  return describe === undefined ? {} : { describe };
}

/** The type of `check`, for parts of it that call it again without importing it. */
export type Check<State> = (options: CheckOptions<State>) => Promise<CheckResult>;

/** What an option may be, and how to say it. */
interface OptionKind {
  readonly expected: string;
  isFine(value: unknown): boolean;
}

const whole = (least: number): OptionKind => ({
  expected: `a whole number >= ${least}`,
  isFine: (value) => Number.isSafeInteger(value) && Number(value) >= least,
});

const atLeast = (least: number): OptionKind => ({
  expected: `a number >= ${least}`,
  isFine: (value) => Number.isFinite(value) && Number(value) >= least,
});

const oneOf = (...values: readonly unknown[]): OptionKind => ({
  expected: values.map(String).join(' or '),
  isFine: (value) => values.includes(value),
});

const either = (one: OptionKind, other: OptionKind): OptionKind => ({
  expected: `${one.expected} or ${other.expected}`,
  isFine: (value) => one.isFine(value) || other.isFine(value),
});

const ofType = (type: 'function' | 'object', expected: string): OptionKind => ({
  expected,
  isFine: (value) => typeof value === type && value !== null,
});

/** The limits of a check that sets none: an unbounded model must end. */
export const DEFAULT_LIMITS: Limits = { states: 1_000_000 };

const LIMITS: Readonly<Record<keyof Limits, OptionKind>> = {
  states: whole(1),
  depth: whole(0),
  seconds: atLeast(0),
  megabytes: atLeast(1),
};

const OPTIONS: Readonly<Record<Exclude<keyof CheckOptions<never>, 'limits'>, OptionKind>> = {
  model: ofType('object', 'a model'),
  properties: ofType('object', 'a list of properties'),
  engine: oneOf('tracked', 'naive'),
  reductions: ofType('object', 'a list of reductions'),
  within: ofType('function', 'a function'),
  auditEvery: either(whole(0), oneOf('thinning')),
  stopWhenDecided: oneOf(true, false),
  describe: ofType('object', 'a describer'),
  stateGraph: whole(1),
  since: atLeast(0),
  reached: oneOf('time', 'memory', 'interrupted'),
  advice: ofType('function', 'a function'),
  checkpoint: ofType('object', 'a store and how often'),
  threads: ofType('object', 'a count and a module'),
  storage: ofType('object', 'a row storage'),
  onProgress: ofType('function', 'a function'),
  interrupted: ofType('function', 'a function'),
};

/**
 * Throws `CheckerError` for unknown options and limits, and for values that make no sense.
 *
 * @param others names of further options, which the caller validates.
 */
export function validateOptions<State>(
  { limits, ...options }: CheckOptions<State>,
  others: readonly string[] = [],
): void {
  for (const [name, value] of Object.entries(limits ?? {})) {
    demandOption('badLimit', `limit ${name}`, LIMITS, name, value);
  }
  for (const [name, value] of Object.entries(options)) {
    if (others.includes(name)) continue;
    const code = name === 'auditEvery' || name === 'stateGraph' ? 'badLimit' : 'badOption';
    demandOption(code, `option ${name}`, OPTIONS, name, value);
  }
  const fault = options.reductions === undefined ? null : faultInReductions(options.reductions);
  if (fault !== null) {
    const given = JSON.stringify(options.reductions);
    throw new CheckerError('badOption', `option reductions is ${given}; it must be ${fault}`);
  }
  if (options.storage === undefined) return;
  if (options.engine === 'naive') {
    throw new CheckerError('badOption', 'storage does not go with the naive engine');
  }
  if (options.checkpoint !== undefined) {
    throw new CheckerError('badOption', 'storage does not go with checkpoint');
  }
}

function demandOption(
  code: 'badLimit' | 'badOption',
  what: string,
  known: Readonly<Record<string, OptionKind>>,
  name: string,
  value: unknown,
): void {
  if (value === undefined && Object.hasOwn(known, name)) return;
  const kind = Object.hasOwn(known, name) ? known[name] : undefined;
  if (kind === undefined) {
    const names = Object.keys(known).join(', ');
    throw new CheckerError(code, `${what} does not exist; known are ${names}`);
  }
  if (kind.isFine(value)) return;
  throw new CheckerError(code, `${what} is ${String(value)}; it must be ${kind.expected}`);
}

/**
 * The value of the limit that was hit: for `interrupted`, the elapsed seconds; for `memory` without
 * a limit, the megabytes in use when no more could be allocated.
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

/** An action whose reducer ran much more often than the others. */
export interface WorstAction {
  readonly name: string;
  /** Share of all reducer runs, from 0 to 1. */
  readonly share: number;
  readonly runs: number;
}

/** What differs most between the states of a search. */
export interface Growth {
  readonly section: string;
  /** How many different values the section had. */
  readonly values: number;
  /** How many states were looked at. */
  readonly states: number;
  /** The action with the most transitions; null if there were none. */
  readonly action: string | null;
}

/**
 * Advice for the user, in one or two sentences.
 *
 * @param growth what differs most between the states; null if it is not known.
 * @param further other ways to make the search smaller, each as the end of "..., or ...".
 */
export function limitAdvice(
  kind: LimitKind,
  limits: Limits,
  worst: WorstAction | null,
  growth: Growth | null,
  further: readonly string[],
): string {
  const smaller = ['bound the model', 'search a part of it (option within)', ...further].join(
    ', or ',
  );
  const grows = growth === null ? '' : ` ${growthText(growth)}`;
  const slow =
    worst === null
      ? ''
      : ` The reducer of ${worst.name} ran ${worst.runs} times (${Math.round(100 * worst.share)} % of all runs): let it read less, or split what it reads into more slots.`;
  switch (kind) {
    case 'states':
      return `Raise the limit of ${limits.states} states (option limits), or ${smaller}.${grows}`;
    case 'depth':
      return `Raise the limit of ${limits.depth} steps, or remove it: a search without it ends by itself if there are finitely many states.`;
    case 'time':
      return `Give it more than ${limits.seconds} seconds, or ${smaller}.${grows}${slow}`;
    case 'memory':
      return limits.megabytes === undefined
        ? `No more memory was available: use a larger machine, or ${smaller}.${grows}${slow}`
        : `Give it more than ${limits.megabytes} MB, or ${smaller}.${grows}${slow}`;
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

export function growthText({ section, values, states, action }: Growth): string {
  const by = action === null ? '' : `; the action taken most often is ${action}`;
  return `The states differ most in ${section} (${values} values in ${states} states looked at)${by}.`;
}
