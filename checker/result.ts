import type { Immutable } from 'immer';
import type * as z from 'zod';
import type {
  actionCountSchema,
  alternativeSchema,
  alternativesSchema,
  checkResultSchema,
  confluenceSchema,
  graphStateSchema,
  graphTransitionSchema,
  limitKindSchema,
  modelDefectSchema,
  partialOrderSchema,
  propertyResultSchema,
  simulationSchema,
  stateGraphSchema,
  statisticsSchema,
  symmetrySchema,
  verdictSchema,
} from './result-schema.ts';
import type {
  fairnessMetSchema,
  statusSchema,
  traceDifferenceSchema,
  traceSchema,
  traceStepSchema,
} from './trace-schema.ts';

/**
 * The types of a result, inferred from the schemas, which describe each field. Only types are
 * imported here, so that a search does not load zod. A schema cannot know the states of a model:
 * the parameter `State` is their type.
 */

type Replaced<Whole, Fields> = Omit<Whole, keyof Fields> & Fields;

/** What a check found out about a property: see `verdictSchema`. */
export type Verdict = z.output<typeof verdictSchema>;

/** The status of the judged property at one point of a run: see `statusSchema`. */
export type PropertyStatus = z.output<typeof statusSchema>;

/** One step of a trace: the action instance taken and the state that it leads to. */
export type TraceStep<State = unknown> = Replaced<
  Immutable<z.output<typeof traceStepSchema>>,
  { readonly state: State }
>;

/** How a lasso keeps the fairness promise to one action. */
export type FairnessMet = Immutable<z.output<typeof fairnessMetSchema>>;

/** A run of the model: a finite path, one that may stay in its last state, or a lasso. */
export type Trace<State = unknown> = Replaced<
  Immutable<z.output<typeof traceSchema>>,
  { readonly initial: State; readonly steps: readonly TraceStep<State>[] }
>;

/** What a check found out about one property. */
export type PropertyResult<State = unknown> = Replaced<
  Immutable<z.output<typeof propertyResultSchema>>,
  { readonly trace: Trace<State> | null; readonly alternatives?: Alternatives<State> }
>;

/** Counterexamples that differ from the first one, and from each other, in steps that matter. */
export type Alternatives<State = unknown> = Replaced<
  Immutable<z.output<typeof alternativesSchema>>,
  { readonly counterexamples: readonly Alternative<State>[] }
>;

/** A further counterexample to the same property. */
export type Alternative<State = unknown> = Replaced<
  Immutable<z.output<typeof alternativeSchema>>,
  { readonly trace: Trace<State> }
>;

/** How a run differs from another one, in sentences of steps. */
export type TraceDifference = Immutable<z.output<typeof traceDifferenceSchema>>;

/** How often an action happened. */
export type ActionCount = Immutable<z.output<typeof actionCountSchema>>;

/** A defect of the model itself, found by the engine. */
export type ModelDefect = Immutable<z.output<typeof modelDefectSchema>>;

/** Which limit ended the search. */
export type LimitKind = z.output<typeof limitKindSchema>;

/** How random walks sampled the state space: see `simulate`. */
export type Simulation = Immutable<z.output<typeof simulationSchema>>;

/** Size and cost of the search. */
export type Statistics = Immutable<z.output<typeof statisticsSchema>>;

/** How the search used the symmetry that the model declares. */
export type SymmetryReport = Immutable<z.output<typeof symmetrySchema>>;

/** How the search used the steps that the model declares confluent. */
export type ConfluenceReport = Immutable<z.output<typeof confluenceSchema>>;

/** How the search left out orders of independent steps. */
export type PartialOrderReport = Immutable<z.output<typeof partialOrderSchema>>;

type AnyStateGraph = Immutable<z.output<typeof stateGraphSchema>>;

/** The graph of all states, recorded on demand. It changes no verdict. */
export type StateGraphReport<State = unknown> =
  | Replaced<
      Extract<AnyStateGraph, { readonly kind: 'recorded' }>,
      { readonly states: readonly GraphState<State>[] }
    >
  | Extract<AnyStateGraph, { readonly kind: 'omitted' }>;

/** A state of the recorded graph. */
export type GraphState<State = unknown> = Replaced<
  Immutable<z.output<typeof graphStateSchema>>,
  { readonly state: State }
>;

/** A transition of the recorded graph; `from` and `to` are indexes of states. */
export type GraphTransition = Immutable<z.output<typeof graphTransitionSchema>>;

/** The outcome of one check: JSON throughout, published as `checker/result.schema.json`. */
export type CheckResult<State = unknown> = Replaced<
  Immutable<z.output<typeof checkResultSchema>>,
  {
    readonly properties: readonly PropertyResult<State>[];
    readonly stateGraph?: StateGraphReport<State>;
  }
>;
