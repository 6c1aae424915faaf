export { check } from './check.ts';
export { brokenClauses } from './confirm.ts';
export { checkDistinct } from './distinct.ts';
export { CheckerError, type CheckerErrorCode } from './errors.ts';
export type { StateGraph, TransitionBuffer } from './graph.ts';
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
export type { StateReading } from './read-recorder.ts';
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
export { type SimulateOptions, simulate } from './simulate.ts';
export { type JudgedRun, statusesOf } from './status.ts';
export { type ToldRun, traceOf } from './trace.ts';
export type {
  ExplainedPrefix,
  ExplainedStep,
  Explainer,
  HiddenStep,
  Validation,
  ValidationLimits,
  ValidationStatistics,
} from './trace-validation.ts';
export { validateTrace } from './trace-validation.ts';
export { type Disabled, whyDisabled } from './why-disabled.ts';
