import { z } from 'zod';
import type { FactsReport } from '../../conformance/facts/report.ts';
import type { TracesReport } from '../../conformance/recordings/report.ts';
import { RULES, type RuleName } from '../../model/index.ts';
import { EXIT } from '../../text/exit-codes.ts';

/** The documents of `conform` as schemas, for those who read them back from files. */

const count = z.int().nonnegative();
const line = z.int().positive().nullable();
const texts = z.array(z.string());
const exitCode = z.literal(Object.values(EXIT));

const RULE_NAMES = Object.keys(RULES) as RuleName[];

const counts = {
  passed: count,
  failed: count,
  unsupported: count,
  inconclusive: count,
};

const caseOutcome = z.discriminatedUnion('verdict', [
  z.object({ verdict: z.literal('passed') }),
  z.object({
    verdict: z.literal('failed'),
    step: z.union([count, z.literal('expect')]),
    expected: z.unknown(),
    got: z.unknown(),
    rule: z.string(),
  }),
  z.object({ verdict: z.literal('unsupported'), why: z.string() }),
  z.object({ verdict: z.literal('inconclusive'), why: z.string() }),
]);

export const factsReportSchema = z.object({
  schema: z.literal('reapcheck.facts/v1'),
  version: z.string(),
  protocol: z.string(),
  notJudged: count,
  total: z.object(counts),
  areas: z.array(z.object({ area: z.string(), ...counts })),
  cases: z.array(
    z.object({
      id: z.string(),
      area: z.string(),
      kind: z.string(),
      title: z.string(),
      as: z.enum(['stated', 'deviation', 'later']),
      outcome: caseOutcome,
      file: z.string().nullable(),
      line,
    }),
  ),
  exitCode,
}) satisfies z.ZodType<FactsReport>;

const failure = z.object({
  event: z.string(),
  place: z.string(),
  line,
  change: z.object({ what: z.string(), place: z.string() }).nullable(),
  misfits: z.array(
    z.object({
      sentence: z.string(),
      field: z.string().nullable(),
      seen: z.unknown(),
      model: z.unknown(),
    }),
  ),
  instead: texts.nullable(),
  prefixes: count,
  ends: z.array(z.object({ changes: count, lastSteps: texts, underWay: texts })),
});

const coverage = z.object({
  steps: z.array(z.object({ action: z.string(), step: z.string(), times: count, traces: texts })),
  rules: z.array(z.object({ rule: z.enum(RULE_NAMES), value: z.string(), traces: texts })),
});

export const tracesReportSchema = z.object({
  schema: z.literal('reapcheck.traces/v1'),
  version: z.string(),
  protocol: z.string(),
  partial: z.boolean(),
  notJudged: count,
  traces: z.array(
    z.object({
      trace: z.string(),
      file: z.string().nullable(),
      verdict: z.enum(['accepted', 'rejected', 'inconclusive']),
      observations: count,
      explained: count,
      requests: count,
      changes: count,
      states: count,
      milliseconds: z.number().nonnegative(),
      failure: failure.nullable(),
    }),
  ),
  coverage: coverage.nullable(),
  exitCode,
}) satisfies z.ZodType<TracesReport>;
