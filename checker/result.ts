import type { Fairness, Parameters } from './model.ts';
import type { Property } from './property.ts';
import type { StateGraphReport } from './result-graph.ts';

/**
 * What a property came to.
 *
 * - `holds`: judged in the whole reachable space.
 * - `violated`: there is a counterexample, re-executed through immer's `produce`. A witness that is
 *   nowhere in the whole space is violated without one.
 * - `inconclusive`: a limit was hit first. Never green.
 * - `vacuous`: the whole space was searched and nothing triggered the property. Never green.
 */
export type Verdict = 'holds' | 'violated' | 'inconclusive' | 'vacuous';

/**
 * How the judged property stands at one point of a run.
 *
 * - `idle`: there is nothing to judge here, as its trigger is not true.
 * - `holds`, `broken`: an invariant or a rule over steps is judged here, and true or false.
 * - `pending`: of a leads-to; it has been triggered, and the goal has not been seen since.
 * - `met`: the goal of a leads-to that was asked for.
 * - `reached`: what a witness looks for.
 */
export type PropertyStatus = 'idle' | 'holds' | 'broken' | 'pending' | 'met' | 'reached';

/** One step of a trace: the action instance taken and the state that it leads to. */
export interface TraceStep {
  readonly action: string;
  readonly parameters: Parameters;
  readonly fairness: Fairness;
  /** Who takes the step, in the words of the model's domain. */
  readonly actor: string;
  /** One sentence in the words of the model's domain. */
  readonly sentence: string;
  /** What changed, one line each. */
  readonly changes: readonly string[];
  /** What somebody takes to be so in this step and is not, one line each. */
  readonly beliefs: readonly string[];
  /** How the judged property stands after the step; of a rule over steps, in it. */
  readonly status: PropertyStatus;
  readonly state: unknown;
}

/** How a lasso keeps its promise to an action that is bound to happen and possible on the way. */
export interface FairnessMet {
  readonly action: string;
  readonly parameters: Parameters;
  readonly fairness: Exclude<Fairness, 'none'>;
  readonly actor: string;
  readonly sentence: string;
  /** `disabled`: it is not possible all the way round, which is all that weak fairness asks about. */
  readonly by: 'taken' | 'disabled';
  /** Index into `steps`: the one that takes it, or after which it is not possible. */
  readonly step: number;
}

/**
 * A run of the model.
 *
 * - `path`: finite; the last state (or last step, for step rules) is the point of it.
 * - `stutter`: finite; no action that is bound to happen is enabled in the last state, so the
 *   system may stay there for ever.
 * - `lasso`: the steps from `loopStart` on (an index into `steps`) lead back to the state before
 *   them and can be repeated for ever.
 */
export interface Trace {
  readonly shape: 'path' | 'stutter' | 'lasso';
  readonly loopStart: number | null;
  /** Index into the model's initial states. */
  readonly initialIndex: number;
  readonly initial: unknown;
  /** Lines that describe the initial state. */
  readonly initialLines: readonly string[];
  readonly initialStatus: PropertyStatus;
  readonly steps: readonly TraceStep[];
  /** Of a lasso: why it is fair. Actions that are possible nowhere in the loop are left out. */
  readonly fairness: readonly FairnessMet[];
}

export interface PropertyResult {
  /** The stable id of the property, if it has one. */
  readonly id?: string;
  readonly name: string;
  readonly kind: Property<unknown>['kind'];
  readonly verdict: Verdict;
  /**
   * Number of states (transitions, for step rules) in which the trigger was true, summed over the
   * parameters. For `settled`: states without successors; for witnesses: parameters reached.
   */
  readonly triggered: number;
  /** The parameters of the violated instance. */
  readonly parameters: Parameters | null;
  /** Counterexample, or for a witness that holds the example. */
  readonly trace: Trace | null;
  /** The false clauses, in sentences. */
  readonly broken: readonly string[];
  /** For `inconclusive` and `vacuous`: why, and what to do next. */
  readonly reason: string | null;
  /** Only if more than one counterexample was asked for, and there is one. */
  readonly alternatives?: Alternatives;
  /**
   * Of a trace that a walk or a search with confluence has found: how long it was then. It need not
   * be a shortest one now.
   */
  readonly shortenedFrom?: number;
  /** Of a trace that begins with a given run: its steps. Only the rest is a shortest way. */
  readonly continuedFrom?: number;
}

/** Counterexamples that differ from the first one, and from each other, in the steps that matter. */
export interface Alternatives {
  /** What was compared, in a sentence. */
  readonly compared: string;
  /** Classes of counterexamples that were found, that of the first one included. */
  readonly classes: number;
  /** Whether these are all of them; if not, there are at least so many. */
  readonly complete: boolean;
  readonly counterexamples: readonly Alternative[];
}

export interface Alternative {
  readonly parameters: Parameters | null;
  readonly trace: Trace;
  readonly broken: readonly string[];
  readonly differs: TraceDifference;
}

/** How a run differs from another one, in sentences of steps. */
export interface TraceDifference {
  /** Steps that only this run takes. */
  readonly added: readonly string[];
  /** Steps that only the other run takes. */
  readonly missing: readonly string[];
  /** Pairs of steps that depend on each other and that the other run takes the other way round. */
  readonly reordered: readonly { readonly first: string; readonly then: string }[];
}

export interface ActionCount {
  readonly action: string;
  readonly fairness: Fairness;
  readonly instances: number;
  /** Transitions of this action in the explored part; 0 means that it never fired. */
  readonly transitions: number;
}

/** A defect of the model itself, found by the engine. */
export interface ModelDefect {
  readonly kind:
    | 'nondeterministic'
    | 'leakedDraft'
    | 'badValue'
    | 'threw'
    | 'auditMismatch'
    | 'asymmetric'
    | 'notConfluent';
  /** Name of the action, or of the property whose predicate misbehaved. */
  readonly culprit: string;
  readonly parameters: Parameters;
  readonly message: string;
}

/** Which limit ended the search. */
export type LimitKind = 'states' | 'depth' | 'time' | 'memory' | 'interrupted' | 'walks';

/** How the states were met, if not by a search: see `simulate`. */
export interface Simulation {
  readonly generator: 'xoroshiro128plus';
  readonly seed: number;
  /** Walks begun. */
  readonly walks: number;
  /** Steps taken, all walks together. */
  readonly steps: number;
  /** Steps of the longest walk. */
  readonly longest: number;
  /** Walks that came to rest: nothing that is bound to happen was enabled any more. */
  readonly rested: number;
  /** Times that a walk came back to where it had been, in a way that may go on for ever. */
  readonly loops: number;
}

export interface Statistics {
  /** Distinct states, initial ones included. */
  readonly states: number;
  /** Transitions that change the state. */
  readonly transitions: number;
  /** Number of layers: 1 when only initial states exist. */
  readonly layers: number;
  readonly engine: 'tracked' | 'naive';
  /** How often a reducer really ran (misses of the memo). */
  readonly reducerRuns: number;
  /** Bytes a state: packed rows, index table and predecessors; 0 for the naive engine. */
  readonly bytesPerState: number;
  readonly cpuSeconds: number;
  readonly wallSeconds: number;
  readonly audited: number;
}

/** What was done with the symmetry that the model declares. */
export interface SymmetryReport {
  /** States that differ by one of so many renamings were counted as one; 1: each for itself. */
  readonly renamings: number;
  readonly groups: readonly {
    readonly name: string;
    /** Those that were taken for one another; all that are declared if it was not applied. */
    readonly members: readonly string[];
    readonly applied: boolean;
    /** Why it was not applied, or not to all of its members. */
    readonly reason: string | null;
  }[];
  /** Names of the properties that were judged by a second search, in which it was not applied. */
  readonly judgedWithout: readonly string[];
}

/** What was done with the steps that the model lets be taken at once. */
export interface ConfluenceReport {
  readonly applied: boolean;
  /** Why it was not applied. */
  readonly reason: string | null;
  /** Transitions that were taken before all others of their states. */
  readonly steps: number;
  /** Names of the properties that were judged by a second search, in which it was not applied. */
  readonly judgedWithout: readonly string[];
  /** Those that only such a search could judge, where none was wanted. */
  readonly leftOpen: readonly string[];
}

/** The outcome of one check: JSON throughout, published as `checker/result.schema.json`. */
export interface CheckResult {
  readonly schema: 'reapcheck.check/v1';
  readonly model: string;
  readonly outcome: 'complete' | 'limited' | 'defect';
  /** Only of random walks: then nothing can be found to hold, but for witnesses. */
  readonly simulation?: Simulation;
  readonly limit: {
    readonly kind: LimitKind;
    readonly value: number;
    readonly advice: string;
  } | null;
  readonly defect: ModelDefect | null;
  /** Null: the model declares none. */
  readonly symmetry: SymmetryReport | null;
  /** Only if it was asked for. */
  readonly confluence?: ConfluenceReport;
  readonly statistics: Statistics;
  readonly properties: readonly PropertyResult[];
  readonly actions: readonly ActionCount[];
  /** Only if it was asked for. */
  readonly stateGraph?: StateGraphReport;
}
