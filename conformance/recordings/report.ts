import { shownPath } from '../../input/scenarios/check-place.ts';
import type { Rules } from '../../model/index.ts';
import type { TraceReport, TracesReport } from '../../report/document/conformance-documents.ts';
import { EXIT, type ExitCode, worst } from '../../text/exit-codes.ts';
import { coverageOf } from './coverage.ts';
import { failureOf } from './failure.ts';
import type { Judged } from './judge.ts';

export interface ReportOptions {
  readonly version: string;
  readonly protocol: string;
  readonly rules: Rules;
  readonly partial: boolean;
  readonly coverage: boolean;
  readonly notJudged: number;
}

export function traceReport(judged: Judged): TraceReport {
  const { validation, context } = judged;
  const observations = context.timeline.instants.length;
  return {
    trace: context.trace.name,
    file: fileOf(judged),
    verdict: validation.verdict,
    observations,
    explained: validation.verdict === 'accepted' ? observations : validation.explained,
    requests: context.trace.requests.length,
    changes: context.timeline.changes.length,
    states: validation.statistics.states,
    milliseconds: Math.round(validation.statistics.milliseconds),
    failure: failureOf(judged),
  };
}

function fileOf({ context }: Judged): string | null {
  const { requests, changes } = context.trace;
  const file = (requests[0] ?? changes?.[0])?.place.file;
  return file === undefined ? null : shownPath(file);
}

export function tracesReport(judged: readonly Judged[], options: ReportOptions): TracesReport {
  const { version, protocol, rules, partial, notJudged } = options;
  const traces = judged.map(traceReport);
  return {
    schema: 'reapcheck.traces/v1',
    version,
    protocol,
    partial,
    notJudged,
    traces,
    coverage: options.coverage ? coverageOf(judged, rules) : null,
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
