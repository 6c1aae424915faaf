import type { Immutable } from 'immer';
import * as z from 'zod';
import { RULES, type RuleName } from '../../model/index.ts';
import { EXIT } from '../../text/exit-codes.ts';

/** What `conform facts` and `conform trace` find, each as one JSON document. */

const count = z.int().nonnegative();
const texts = z.array(z.string());
const file = z.string().nullable().describe('The file that it was read from; null for stdin.');
const line = z.int().positive().nullable();
const header = {
  version: z.string().describe('The version of reapcheck.'),
  protocol: z.string().describe('Name of the protocol: the rules of one version of Kubernetes.'),
};
const exitCode = z.literal(Object.values(EXIT)).describe('The exit code of the command.');

const RULE_NAMES = Object.keys(RULES) as RuleName[];

const countsByVerdict = {
  passed: count.describe('Cases with which the model agrees.'),
  failed: count.describe('Cases with which the model disagrees.'),
  unsupported: count.describe('Cases that no interpreter can read.'),
  inconclusive: count.describe('Cases of which a limit was hit before the answer.'),
};
const countsSchema = z
  .object(countsByVerdict)
  .meta({ id: 'Counts', description: 'Number of cases by verdict.' });

const areaReportSchema = z
  .object({ area: z.string().describe('Name of the area.'), ...countsByVerdict })
  .meta({ id: 'AreaReport', description: 'Number of cases of one area by verdict.' });

const caseOutcomeSchema = z
  .discriminatedUnion('verdict', [
    z.object({ verdict: z.literal('passed').describe('The model agrees with the case.') }),
    z.object({
      verdict: z.literal('failed').describe('The model disagrees with the case.'),
      step: z
        .union([count, z.literal('expect')])
        .describe('Index of the step whose `then` is false; expect: what must be true at the end.'),
      expected: z.unknown().describe('What the case expects, cut down to the field that differs.'),
      got: z.unknown().describe('What the model does, cut down to the field that differs.'),
      rule: z
        .string()
        .describe('The field that differs, and the part of the model that decides it.'),
    }),
    z.object({
      verdict: z.literal('unsupported').describe('No interpreter can read the case.'),
      why: z.string().describe('The kind, field or value that no interpreter reads.'),
    }),
    z.object({
      verdict: z.literal('inconclusive').describe('A limit was hit before the answer.'),
      why: z.string().describe('Which limit.'),
    }),
  ])
  .meta({ id: 'CaseOutcome', description: 'What the judgement of one case found.' });

const caseReportSchema = z
  .object({
    id: z.string().describe('Id of the case.'),
    area: z.string().describe('The area that the case belongs to.'),
    kind: z.string().describe('The kind of the case: which interpreter reads it.'),
    title: z.string().describe('The case as a sentence.'),
    as: z
      .enum(['stated', 'deviation', 'later'])
      .describe(
        'stated: judged as the case has it. deviation: judged by the deviation that the case states ' +
          'for this release. later: a fact about later releases only, judged by the newest value of ' +
          'each rule.',
      ),
    outcome: caseOutcomeSchema,
    file,
    line: line.describe('The line of the case, from 1; null for a case that passed.'),
  })
  .meta({ id: 'CaseReport', description: 'A judged case and where it was read.' });

export const factsReportSchema = z
  .object({
    schema: z.literal('reapcheck.facts/v1').describe('Kind and version of this document.'),
    ...header,
    notJudged: count.describe('Cases that an interruption left out.'),
    total: countsSchema.describe('Number of all cases by verdict.'),
    areas: z.array(areaReportSchema).describe('Number of cases by area and verdict.'),
    cases: z.array(caseReportSchema).describe('The judged cases, in order.'),
    exitCode,
  })
  .describe('What `reapcheck conform facts` finds.');

const misfitSchema = z
  .object({
    sentence: z.string().describe('What does not fit, as a sentence.'),
    field: z.string().nullable().describe('The field that differs; null if no field does.'),
    seen: z.unknown().describe('The field in the log.'),
    model: z.unknown().describe('The field in the model.'),
  })
  .meta({ id: 'Misfit', description: 'One reason why a step of the model does not fit the log.' });

const prefixEndSchema = z
  .object({
    changes: count.describe('Number of changes in the store that are explained.'),
    lastSteps: texts.describe('The last steps of the model.'),
    underWay: texts.describe('What is not finished: open requests, events, queued items.'),
  })
  .meta({ id: 'PrefixEnd', description: 'A state in which an explanation of the beginning ends.' });

const failureSchema = z
  .object({
    event: z.string().describe('The first observation that no explanation reaches.'),
    place: z.string().describe('Where that observation is in the log.'),
    line: line.describe('Its line in the input, from 1; null if the input has no lines.'),
    change: z
      .object({
        what: z.string().describe('The change as a sentence.'),
        place: z.string().describe('Where it is in the log.'),
      })
      .nullable()
      .describe('The next change in the store, which the event may wait for; null without one.'),
    misfits: z.array(misfitSchema).describe('Why the steps that come closest do not fit.'),
    instead: texts
      .nullable()
      .describe(
        'Requests that the collector could have sent instead; null if it did not send this one.',
      ),
    prefixes: count.describe('Number of distinct states in which the explanations end.'),
    ends: z.array(prefixEndSchema).describe('The first of these states.'),
  })
  .meta({ id: 'Failure', description: 'Why the model cannot explain a trace.' });

const stepCoverageSchema = z
  .object({
    action: z.string().describe('Name of the action.'),
    step: z.string().describe('Step of the action; empty if it has only one.'),
    times: count.describe('How often accepted traces took it.'),
    traces: texts.describe('Names of the traces that took it.'),
  })
  .meta({ id: 'StepCoverage', description: 'How often a step of the model was taken.' });

const ruleCoverageSchema = z
  .object({
    rule: z.enum(RULE_NAMES).describe('Name of the rule.'),
    value: z.string().describe('Its value.'),
    traces: texts.describe('Names of the traces that made the model read it.'),
  })
  .meta({ id: 'RuleCoverage', description: 'Which traces test a rule.' });

const coverageSchema = z
  .object({
    steps: z.array(stepCoverageSchema).describe('For each step that a log can show.'),
    rules: z.array(ruleCoverageSchema).describe('For each rule.'),
  })
  .meta({ id: 'Coverage', description: 'What accepted traces made the model do.' });

const openPartsSchema = z
  .object({
    level: z
      .enum(['Metadata', 'Request'])
      .describe('The lowest audit level in the log. Metadata: no bodies. Request: no answers.'),
    requests: count.describe('Number of requests without a body or an answer in the log.'),
    bodies: count.describe('Number of writing requests whose own body is not in the log.'),
    answers: count.describe(
      'Number of requests whose answer should hold an object, but is not in the log.',
    ),
    dryRuns: count.describe(
      'Objects whose requests are explained only if a DELETE without a body was a dry run: then the ' +
        'verdict is inconclusive.',
    ),
  })
  .meta({ id: 'OpenParts', description: 'What a log below level RequestResponse leaves open.' });

const traceReportSchema = z
  .object({
    trace: z.string().describe('Name of the trace.'),
    file,
    verdict: z
      .enum(['accepted', 'rejected', 'inconclusive'])
      .describe(
        'accepted: a run of the model explains everything that was observed. rejected: all ' +
          'explanations were tried, and none fits. inconclusive: a limit was hit first.',
      ),
    observations: count.describe(
      'Number of observations: two for each request, received and answered; or changes; and the end.',
    ),
    explained: count.describe('How many of them the longest explanation explains.'),
    requests: count.describe('Number of requests in the log.'),
    changes: count.describe('Number of changes in the store whose order is known.'),
    states: count.describe('Number of pairs of position and state that were tried.'),
    milliseconds: z.number().nonnegative().describe('Duration in milliseconds.'),
    open: openPartsSchema
      .nullable()
      .describe(
        'What the log leaves open: the verdict holds for some values of it, and each object is judged ' +
          'by itself. Null if the log has all bodies.',
      ),
    failure: failureSchema.nullable().describe('Why it is not accepted; null if it is.'),
  })
  .meta({ id: 'TraceReport', description: 'The judgement on one trace.' });

export const tracesReportSchema = z
  .object({
    schema: z.literal('reapcheck.traces/v1').describe('Kind and version of this document.'),
    ...header,
    partial: z.boolean().describe('Whether the logs may have gaps; acceptance then claims less.'),
    notJudged: count.describe('Traces that an interruption left out.'),
    traces: z.array(traceReportSchema).describe('The judged traces, in order.'),
    coverage: coverageSchema
      .nullable()
      .describe('What accepted traces made the model do; null if it was not asked for.'),
    exitCode,
  })
  .describe('What `reapcheck conform trace` finds.');

/** What the judgement of one case found: the answer of every interpreter. */
export type CaseOutcome = Immutable<z.output<typeof caseOutcomeSchema>>;

/** Number of cases by verdict. */
export type Counts = Immutable<z.output<typeof countsSchema>>;

/** Number of cases of one area by verdict. */
export type AreaReport = Immutable<z.output<typeof areaReportSchema>>;

/** A judged case and where it was read. */
export type CaseReport = Immutable<z.output<typeof caseReportSchema>>;

/** What `conform facts` writes. */
export type FactsReport = Immutable<z.output<typeof factsReportSchema>>;

/** One reason why a step of the model does not fit the log. */
export type MisfitText = Immutable<z.output<typeof misfitSchema>>;

/** A state in which an explanation of the beginning ends. */
export type PrefixEnd = Immutable<z.output<typeof prefixEndSchema>>;

/** Why a trace has no explanation: the longest explained beginnings and what comes after them. */
export type Failure = Immutable<z.output<typeof failureSchema>>;

/** How often accepted traces took a step of the model, and which traces did. */
export type StepCoverage = Immutable<z.output<typeof stepCoverageSchema>>;

/** The traces that made the model read a rule. No trace tests a rule that none reads. */
export type RuleCoverage = Immutable<z.output<typeof ruleCoverageSchema>>;

/** What accepted traces made the model do. */
export type Coverage = Immutable<z.output<typeof coverageSchema>>;

/** What a log below level RequestResponse leaves open. */
export type OpenParts = Immutable<z.output<typeof openPartsSchema>>;

/** The judgement on one trace. */
export type TraceReport = Immutable<z.output<typeof traceReportSchema>>;

/** What `conform trace` writes. */
export type TracesReport = Immutable<z.output<typeof tracesReportSchema>>;
