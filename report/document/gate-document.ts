import { z } from 'zod';
import { DRIFT_KINDS, SEVERITIES } from './drift.ts';
import { type CheckReport, checkReportSchema } from './result-document.ts';

/** What `reapcheck gate` finds, as one JSON document. */

export const GATE_SCHEMA = 'reapcheck.gate/v1';

const verdict = z.enum(['holds', 'violated', 'inconclusive', 'vacuous']);
const counts = z.record(z.string(), z.int());

const facts = z.object({
  outcome: z.enum(['complete', 'states', 'depth', 'time', 'memory']),
  /** Null where it depends on the machine. */
  size: z.object({ states: z.int(), transitions: z.int(), depth: z.int() }).nullable(),
  verdicts: z.record(z.string(), verdict),
  triggered: counts,
  traces: z.record(
    z.string(),
    z.object({
      shape: z.enum(['path', 'stutter', 'lasso']),
      length: z.int(),
      digest: z.string(),
    }),
  ),
  actions: counts,
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

export type GateCell = DeepReadonly<z.output<typeof cell>>;
export type ToldDrift = DeepReadonly<z.output<typeof drift>>;

export type GateDocument = DeepReadonly<Omit<z.output<typeof gateDocumentSchema>, 'reports'>> & {
  readonly reports: readonly CheckReport[];
};
