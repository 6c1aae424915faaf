import { z } from 'zod';
import type { CheckResult } from '../../checker/index.ts';
import { stateGraphSchema } from '../../checker/result-graph-schema.ts';
import { setupSchema } from '../../input/setup/setup-schema.ts';
import type { Setup } from '../../model/index.ts';
import type { Fate } from '../../run/fates.ts';

/**
 * What `reapcheck check` finds, as one JSON document. `result.schema.json` is generated from here;
 * `reapcheck replay` reads it back, text is rendered from it.
 */

const parameters = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]));
const fairness = z.enum(['none', 'weak', 'strong']);

const status = z.enum(['idle', 'holds', 'broken', 'pending', 'met', 'reached']);

const traceStep = z.object({
  action: z.string(),
  parameters,
  fairness,
  actor: z.string(),
  sentence: z.string(),
  changes: z.array(z.string()),
  beliefs: z.array(z.string()),
  status,
  state: z.unknown(),
});

const fairnessMet = z.object({
  action: z.string(),
  parameters,
  fairness: z.enum(['weak', 'strong']),
  actor: z.string(),
  sentence: z.string(),
  by: z.enum(['taken', 'disabled']),
  step: z.int(),
});

const trace = z.object({
  shape: z.enum(['path', 'stutter', 'lasso']),
  loopStart: z.int().nullable(),
  initialIndex: z.int(),
  initial: z.unknown(),
  initialLines: z.array(z.string()),
  initialStatus: status,
  steps: z.array(traceStep),
  fairness: z.array(fairnessMet),
});

/** Of `--distinct`. */
const alternatives = z.object({
  compared: z.string(),
  classes: z.int(),
  complete: z.boolean(),
  counterexamples: z.array(
    z.object({
      parameters: parameters.nullable(),
      trace,
      broken: z.array(z.string()),
      differs: z.object({
        added: z.array(z.string()),
        missing: z.array(z.string()),
        reordered: z.array(z.object({ first: z.string(), then: z.string() })),
      }),
    }),
  ),
});

const propertyResult = z.object({
  /** The stable id of the property, if it has one. */
  id: z.string().exactOptional(),
  name: z.string(),
  kind: z.enum(['invariant', 'step', 'eventually', 'witness', 'settled']),
  verdict: z.enum(['holds', 'violated', 'inconclusive', 'vacuous']),
  triggered: z.number(),
  parameters: parameters.nullable(),
  trace: trace.nullable(),
  broken: z.array(z.string()),
  reason: z.string().nullable(),
  alternatives: alternatives.exactOptional(),
  shortenedFrom: z.int().exactOptional(),
  continuedFrom: z.int().exactOptional(),
});

const checkResult = z.object({
  schema: z.literal('reapcheck.check/v1'),
  model: z.string(),
  outcome: z.enum(['complete', 'limited', 'defect']),
  /** Of `reapcheck simulate`. */
  simulation: z
    .object({
      generator: z.literal('xoroshiro128plus'),
      seed: z.int(),
      walks: z.int(),
      steps: z.int(),
      longest: z.int(),
      rested: z.int(),
      loops: z.int(),
    })
    .exactOptional(),
  limit: z
    .object({
      kind: z.enum(['states', 'depth', 'time', 'memory', 'interrupted', 'walks']),
      value: z.number(),
      advice: z.string(),
    })
    .nullable(),
  defect: z
    .object({
      kind: z.enum([
        'nondeterministic',
        'leakedDraft',
        'badValue',
        'threw',
        'auditMismatch',
        'asymmetric',
        'notConfluent',
      ]),
      culprit: z.string(),
      parameters,
      message: z.string(),
    })
    .nullable(),
  /** What was done with things that differ in their names only; null where there are none. */
  symmetry: z
    .object({
      renamings: z.int(),
      groups: z.array(
        z.object({
          name: z.string(),
          members: z.array(z.string()),
          applied: z.boolean(),
          reason: z.string().nullable(),
        }),
      ),
      judgedWithout: z.array(z.string()),
    })
    .nullable(),
  /** What was done with steps that may be taken at once; only if that was asked for. */
  confluence: z
    .object({
      applied: z.boolean(),
      reason: z.string().nullable(),
      steps: z.int(),
      judgedWithout: z.array(z.string()),
      leftOpen: z.array(z.string()),
    })
    .optional(),
  statistics: z.object({
    states: z.number(),
    transitions: z.number(),
    layers: z.number(),
    engine: z.enum(['tracked', 'naive']),
    reducerRuns: z.number(),
    bytesPerState: z.number(),
    cpuSeconds: z.number(),
    wallSeconds: z.number(),
    audited: z.number(),
  }),
  properties: z.array(propertyResult),
  actions: z.array(
    z.object({
      action: z.string(),
      fairness,
      instances: z.number(),
      transitions: z.number(),
    }),
  ),
  stateGraph: stateGraphSchema.exactOptional(),
});

const expectation = z.object({
  states: z.int().exactOptional(),
  transitions: z.int().exactOptional(),
  depth: z.int().exactOptional(),
  verdicts: z.record(z.string(), z.enum(['holds', 'violated', 'vacuous'])),
  because: z.record(z.string(), z.string()),
  /** What the counterexample to one property is like. */
  counterexample: z
    .object({
      property: z.string(),
      length: z.int().exactOptional(),
      mustShow: z.array(z.string()),
    })
    .exactOptional(),
});

/** One check; the cache of the gate holds such. */
export const checkReportSchema = z.object({
  /** What was checked: the name of the scenario, or the deletion in words. */
  title: z.string(),
  about: z.string().nullable(),
  /** The file, or the document that motivates a scenario. */
  source: z.string().nullable(),
  protocol: z.string(),
  /** Rule values that differ from those of the protocol. */
  rules: z.record(z.string(), z.string()),
  assumptions: z.array(z.string()),
  /** What of the input was left out, and why that is safe. */
  cut: z.array(z.string()),
  warnings: z.array(z.string()),
  /** The whole model, so that the document can be replayed on its own. */
  setup: setupSchema,
  expectation: expectation.nullable(),
  /** Properties that were asked for by name: they must not be vacuous. */
  asked: z.array(z.string()),
  met: z.boolean(),
  /** What is not as expected, one sentence each. */
  unmet: z.array(z.string()),
  /** Of a deletion in a dump: what becomes of each object. */
  fates: z.array(
    z.object({
      object: z.string(),
      uid: z.string(),
      fate: z.enum(['goes', 'stays', 'either', 'open']),
      goes: propertyResult,
      mayGo: propertyResult,
    }),
  ),
  /** Of an entry of the museum: which one, and which side of it. */
  museum: z
    .object({ entry: z.string(), variant: z.enum(['before', 'after']), property: z.string() })
    .nullable(),
  /** Where in the input it stands, and lines about properties; null for what came from stdin. */
  place: z
    .object({ file: z.string(), line: z.int(), properties: z.record(z.string(), z.int()) })
    .nullable(),
  exitCode: z.int(),
  /** The command line that repeats this check alone. */
  again: z.string(),
  /** For each trace: what `reapcheck replay` takes to execute it again. */
  tokens: z.array(
    z.object({
      property: z.string(),
      /** Of which further counterexample; absent for the first one. */
      alternative: z.int().exactOptional(),
      token: z.string(),
    }),
  ),
  result: checkResult,
});

export const resultDocumentSchema = z.object({
  schema: z.literal('reapcheck.result/v1'),
  command: z.string(),
  version: z.string(),
  checks: z.array(checkReportSchema),
  /** Titles of checks that an interruption left out. */
  notRun: z.array(z.string()),
  exitCode: z.int(),
});

type DeepReadonly<Value> = Value extends object
  ? { readonly [Key in keyof Value]: DeepReadonly<Value[Key]> }
  : Value;

/** One check: a scenario, or a deletion in a dump. */
export type CheckReport = DeepReadonly<
  Omit<z.output<typeof checkReportSchema>, 'fates' | 'result' | 'setup'>
> & {
  readonly fates: readonly Fate[];
  readonly result: CheckResult;
  readonly setup: Setup;
};

export interface ResultDocument {
  readonly schema: 'reapcheck.result/v1';
  readonly command: string;
  readonly version: string;
  readonly checks: readonly CheckReport[];
  readonly notRun: readonly string[];
  readonly exitCode: number;
}
