export { check } from './check.ts';
export { checkDistinct } from './counterexamples/distinct.ts';
export { CheckerError, type CheckerErrorCode } from './errors.ts';
export type { StateGraph, TransitionBuffer } from './liveness/graph.ts';
export type {
  Action,
  Confluence,
  Fairness,
  InterchangeableGroup,
  Model,
  Parameters,
  ParameterValue,
  Renaming,
  SlotKind,
  Symmetry,
} from './model.ts';
export { combinations, defineModel } from './model.ts';
export type { CheckOptions, Describer, Limits, ProgressEvent } from './options.ts';
export type {
  ActionInstance,
  Eventually,
  Invariant,
  Property,
  Settled,
  StepRule,
  Witness,
} from './property.ts';
export type {
  ActionCount,
  Alternative,
  Alternatives,
  CheckResult,
  ConfluenceReport,
  FairnessMet,
  LimitKind,
  ModelDefect,
  PropertyResult,
  PropertyStatus,
  Simulation,
  Statistics,
  SymmetryReport,
  Trace,
  TraceDifference,
  TraceStep,
  Verdict,
} from './result.ts';
export type { GraphState, GraphTransition, StateGraphReport } from './result-graph.ts';
export { brokenClauses } from './traces/confirm.ts';
export type { StateReading } from './traces/read-recorder.ts';
export { type JudgedRun, statusesOf } from './traces/status.ts';
export { type TracedRun, traceOf } from './traces/trace.ts';
export type {
  ExplainedPrefix,
  ExplainedStep,
  Explainer,
  HiddenStep,
  Validation,
  ValidationLimits,
  ValidationStatistics,
} from './traces/trace-validation.ts';
export { validateTrace } from './traces/trace-validation.ts';
export { type Disabled, whyDisabled } from './traces/why-disabled.ts';
export { type SimulateOptions, simulate } from './walks/simulate.ts';
