import { z } from 'zod';
import { DRIFT_KINDS, SEVERITIES } from './drift.ts';
import { type CheckReport, checkReportSchema } from './result-document.ts';

/** What `reapcheck gate` finds, as one JSON document. */

/** What `reapcheck gate` looks for in the working directory; its lock lies beside it. */
export const SUITE_DEFAULT = 'reapcheck.suite.yaml';

export const GATE_SCHEMA = 'reapcheck.gate/v1';

const verdict = z.enum(['holds', 'violated', 'inconclusive', 'vacuous']);
const counts = z.record(z.string(), z.int());

const size = z.object({
  states: z.int(),
  transitions: z.int(),
  /** Layers beyond the initial states. */
  depth: z.int(),
});

const trace = z.object({
  shape: z.enum(['path', 'stutter', 'lasso']),
  /** In steps. */
  length: z.int(),
  /** Of the actions in order, by their identity. */
  digest: z.string(),
});

/** The facts of a cell, as the lock pins them. What has not happened has no entry. */
const facts = z.object({
  /** `complete`, or the limit that ended the search. */
  outcome: z.enum(['complete', 'states', 'depth', 'time', 'memory']),
  /** Null where a limit on time or memory makes the size differ from run to run. */
  size: size.nullable(),
  /** By property, each that was judged. */
  verdicts: z.record(z.string(), verdict),
  /** By property: in how many states or steps it was exercised, if in any. */
  triggered: counts,
  /** By property: of a violated one, or of a witness that holds. */
  traces: z.record(z.string(), trace),
  /** By action: how many transitions, if any. */
  actions: counts,
  /** By object of a dump: what becomes of it. */
  fates: z.record(z.string(), z.enum(['goes', 'stays', 'either', 'open'])),
});

const drift = z.object({
  cell: z.string(),
  kind: z.enum(DRIFT_KINDS),
  severity: z.enum(SEVERITIES),
  /** Which property, action or object of the cell. */
  subject: z.string().nullable(),
  before: z.string().nullable(),
  after: z.string().nullable(),
  details: z.array(z.string()),
  /** The drift in words. */
  sentence: z.string(),
});

const cell = z.object({
  name: z.string(),
  scenario: z.string(),
  parameters: z.array(z.object({ name: z.string(), value: z.string() })),
  protocol: z.string(),
  /** Where the scenario stands; null for a cell that the suite no longer has. */
  place: z.object({ file: z.string(), line: z.int() }).nullable(),
  status: z.enum(['asPinned', 'drifted', 'new', 'gone', 'failed', 'notRun']),
  /** Nothing that it depends on had changed, so that it was not run again. */
  cached: z.boolean(),
  /** How long the search took, also where it was done earlier. */
  seconds: z.number().nullable(),
  facts: facts.nullable(),
  /** What is not as the scenario itself expects. */
  unmet: z.array(z.string()),
  /** Why there are no facts. */
  error: z.string().nullable(),
  /** What has changed since the lock was written; empty where nothing drifted. */
  because: z.array(z.string()),
  again: z.string(),
});

export const gateDocumentSchema = z.object({
  schema: z.literal(GATE_SCHEMA),
  command: z.string(),
  version: z.string(),
  suite: z.string(),
  lock: z.object({
    file: z.string(),
    /** Whether there was one to compare with. */
    found: z.boolean(),
    /** What `--update` has done. */
    update: z.enum(['notAsked', 'written', 'unchanged', 'refused']),
    /** Why it was refused. */
    why: z.string().nullable(),
  }),
  cells: z.array(cell),
  drifts: z.array(drift),
  /** What is as pinned and yet no good: verdicts that are inconclusive. */
  warnings: z.array(z.string()),
  /** Of the cells with a verdict that got worse, with all traces. */
  reports: z.array(checkReportSchema),
  exitCode: z.int(),
});

type DeepReadonly<Value> = Value extends object
  ? { readonly [Key in keyof Value]: DeepReadonly<Value[Key]> }
  : Value;

export type CellFacts = DeepReadonly<z.output<typeof facts>>;
export type CellSize = DeepReadonly<z.output<typeof size>>;
export type TraceFact = DeepReadonly<z.output<typeof trace>>;
export type GateCell = DeepReadonly<z.output<typeof cell>>;
export type ToldDrift = DeepReadonly<z.output<typeof drift>>;

export type GateDocument = DeepReadonly<Omit<z.output<typeof gateDocumentSchema>, 'reports'>> & {
  readonly reports: readonly CheckReport[];
};
