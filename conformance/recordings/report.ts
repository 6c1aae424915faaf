import { shownPath } from '../../input/scenarios/check-place.ts';
import type { Rules } from '../../model/index.ts';
import { EXIT, type ExitCode, worst } from '../../text/exit-codes.ts';
import { type Coverage, coverageOf } from './coverage.ts';
import { type Failure, failureOf } from './failure.ts';
import type { Judged } from './judge.ts';

/**
 * - `accepted`: a run of the model explains every observation.
 * - `rejected`: the search has tried all explanations and found none.
 * - `inconclusive`: the search hit a limit first.
 */
export type TraceVerdict = 'accepted' | 'rejected' | 'inconclusive';

export interface TraceReport {
  readonly trace: string;
  /** The file of the trace; null for stdin. */
  readonly file: string | null;
  readonly verdict: TraceVerdict;
  /** Requests received and answered (two for each), or changes; and the end of the trace. */
  readonly observations: number;
  /** How many observations the longest explanation explains. */
  readonly explained: number;
  readonly requests: number;
  /** Changes in the store with a known order. */
  readonly changes: number;
  /** Number of pairs of position and state that the search tried. */
  readonly states: number;
  readonly milliseconds: number;
  readonly failure: Failure | null;
}

/** What `conform trace --format json` prints. */
export interface TracesReport {
  readonly schema: 'reapcheck.traces/v1';
  readonly version: string;
  readonly protocol: string;
  /** The logs may have gaps. Then an accepted trace means less. */
  readonly partial: boolean;
  readonly notJudged: number;
  readonly traces: readonly TraceReport[];
  readonly coverage: Coverage | null;
  readonly exitCode: ExitCode;
}

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

const EXITS: Readonly<Record<TraceVerdict, ExitCode>> = {
  accepted: EXIT.asExpected,
  rejected: EXIT.violated,
  inconclusive: EXIT.inconclusive,
};
