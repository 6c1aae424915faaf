// The public interface of the checker, documented in docs/checker.md. Nothing outside of this
// folder imports past this file.

// Models and properties with checked types: what a user writes.
export {
  type ActionNameOf,
  type ActionOf,
  type AnyModel,
  type DefinedModel,
  defineModel,
  defineProperty,
  type StateOf,
} from './authoring/define.ts';
export { enqueue } from './authoring/enqueue.ts';
export { refinement } from './authoring/refinement.ts';
export {
  type NamesInState,
  type SymmetricDomain,
  type SymmetryExcept,
  symmetryOf,
} from './authoring/symmetry-of.ts';
export { type UntilSpec, until, type Watched } from './authoring/until.ts';
// Searching all states, or random walks.
export { check } from './check.ts';
export type { CheckpointOptions, CheckpointStore } from './checkpoint/store.ts';
export { checkDistinct } from './counterexamples/distinct.ts';
export type { RowFile, RowStorage } from './engine/filed/row-storage.ts';
export { CheckerError, type CheckerErrorCode, DefectError, LimitHitError } from './errors.ts';
// The explored graph as numbers.
export type { StateGraph, TransitionBuffer } from './liveness/graph.ts';
export {
  machineMegabytes,
  megabytesWithin,
  residentMegabytes,
  usedShareOfHeap,
} from './memory.ts';
// The plain types of models and properties, which the engine works on.
export type {
  Action,
  Confluence,
  Fairness,
  Family,
  GroupFairness,
  InterchangeableGroup,
  Model,
  Parameters,
  ParameterValue,
  Renaming,
  SlotKind,
  Symmetry,
} from './model.ts';
export { combinations } from './model.ts';
export type {
  Audits,
  CheckOptions,
  Describer,
  Limits,
  ProgressEvent,
  ThreadOptions,
} from './options.ts';
export type { Searched } from './parallel/helper.ts';
export { isInterrupted } from './parallel/interruption.ts';
export { takePart, threadData } from './parallel/take-part.ts';
// One search by several processes.
export { checkPartitioned } from './partitions/check-partitioned.ts';
export { BlockError } from './partitions/errors.ts';
export type { FirstLayers, FirstTally } from './partitions/first-layers.ts';
export type { Blocks } from './partitions/found-rows.ts';
export {
  type At,
  type ExpandAt,
  type FoldAt,
  PartitionHolder,
  type PartitionLog,
  type Way,
} from './partitions/holder.ts';
export { isSameBlock } from './partitions/numbers.ts';
export { OWNER_SLOTS_MOST } from './partitions/owners/owners.ts';
export type { ExpandTally, FoldTally } from './partitions/tallies.ts';
export type { PartitionTeam } from './partitions/team.ts';
export type {
  ActionInstance,
  Eventually,
  Invariant,
  Property,
  Settled,
  StepRule,
  Witness,
} from './property.ts';
export type { ReductionName } from './reductions/chosen.ts';

// Results: JSON throughout.
export type {
  ActionCount,
  Alternative,
  Alternatives,
  CheckResult,
  ConfluenceReport,
  FairnessMet,
  GraphState,
  GraphTransition,
  LimitKind,
  ModelDefect,
  PartialOrderReport,
  PropertyResult,
  PropertyStatus,
  Simulation,
  StateGraphReport,
  Statistics,
  SymmetryReport,
  Trace,
  TraceDifference,
  TraceStep,
  Verdict,
} from './result.ts';
// The result as a schema, for those who read results from files or embed them in documents.
export { checkResultSchema, propertyResultSchema, verdictSchema } from './result-schema.ts';

// One step at a time, and runs that cover a model.
export { type Cover, type Path, paths, shortestPath } from './stepping/paths.ts';
export { type ActionChoice, apply, enabled, type Step, successors } from './stepping/steps.ts';
// Parts for tools: judging and describing a given run, and why an action is disabled.
export { brokenClauses } from './traces/confirm.ts';
export type { StateReading } from './traces/read-recorder.ts';
export { type JudgedRun, statusesOf } from './traces/status.ts';
export { plainWords, type TracedRun, traceOf } from './traces/trace.ts';
// Trace validation: whether observations of a real system are a behaviour of a model.
export type {
  ExplainedPrefix,
  ExplainedStep,
  Explainer,
  HiddenStep,
  Paused,
  Validation,
  ValidationLimits,
  ValidationStatistics,
} from './traces/trace-validation.ts';
export { finished, validateTrace, validatingTrace } from './traces/trace-validation.ts';
export { type Disabled, whyDisabled } from './traces/why-disabled.ts';
export { type SimulateOptions, simulate } from './walks/simulate.ts';
