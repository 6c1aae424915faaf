import { shownPath } from '../../input/scenarios/check-place.ts';
import type { Rules } from '../../model/index.ts';
import type { TraceReport, TracesReport } from '../../report/document/conformance-documents.ts';
import { EXIT, type ExitCode, worst } from '../../text/exit-codes.ts';
import { coverageOf } from './coverage.ts';
import { failureOf } from './failure.ts';
import type { Judged } from './judge.ts';
import type { Trace } from './logs/observations.ts';
import type { OpenJudged } from './open/judge-open.ts';

export interface ReportOptions {
  readonly version: string;
  readonly protocol: string;
  readonly rules: Rules;
  readonly partial: boolean;
  readonly coverage: boolean;
  readonly notJudged: number;
}

export function traceReport(judged: Judged | OpenJudged): TraceReport {
  return 'open' in judged ? openReport(judged) : explainedReport(judged);
}

/** The changes in the store of a log without bodies are not known. */
function openReport({ trace, verdict, failure, open, ...judged }: OpenJudged): TraceReport {
  return {
    trace: trace.name,
    file: fileOf(trace),
    verdict,
    observations: judged.observations,
    explained: judged.explained,
    requests: trace.requests.length,
    changes: 0,
    states: judged.states,
    milliseconds: Math.round(judged.milliseconds),
    open,
    failure,
  };
}

function explainedReport(judged: Judged): TraceReport {
  const { validation, context } = judged;
  const observations = context.timeline.instants.length;
  return {
    trace: context.trace.name,
    file: fileOf(context.trace),
    verdict: validation.verdict,
    observations,
    explained: validation.verdict === 'accepted' ? observations : validation.explained,
    requests: context.trace.requests.length,
    changes: context.timeline.changes.length,
    states: validation.statistics.states,
    milliseconds: Math.round(validation.statistics.milliseconds),
    open: null,
    failure: failureOf(judged),
  };
}

function fileOf({ requests, changes }: Trace): string | null {
  const file = (requests[0] ?? changes?.[0])?.place.file;
  return file === undefined ? null : shownPath(file);
}

export function tracesReport(
  judged: readonly (Judged | OpenJudged)[],
  options: ReportOptions,
): TracesReport {
  const { version, protocol, rules, partial, notJudged } = options;
  const traces = judged.map(traceReport);
  return {
    schema: 'reapcheck.traces/v1',
    version,
    protocol,
    partial,
    notJudged,
    traces,
    coverage: options.coverage
      ? coverageOf(
          judged.filter((one) => 'validation' in one),
          rules,
        )
      : null,
    exitCode: worst([
      ...(notJudged > 0 ? [EXIT.interrupted] : []),
      ...traces.map(({ verdict }) => EXITS[verdict]),
    ]),
  };
}

const EXITS: Readonly<Record<TraceReport['verdict'], ExitCode>> = {
  accepted: EXIT.asExpected,
  rejected: EXIT.violated,
  inconclusive: EXIT.inconclusive,
};
