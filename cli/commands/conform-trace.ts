import { type Judged, judging } from '../../conformance/recordings/judge.ts';
import { bareWrites } from '../../conformance/recordings/logs/gaps.ts';
import type { Trace } from '../../conformance/recordings/logs/observations.ts';
import { readTraces } from '../../conformance/recordings/logs/read.ts';
import { judgingOpen, type OpenJudged } from '../../conformance/recordings/open/judge-open.ts';
import { tracesReport } from '../../conformance/recordings/report.ts';
import { unlessStopped } from '../../conformance/recordings/unless-stopped.ts';
import { limitsOf } from '../../input/options/input-options.ts';
import { maxMegabytesOf, text, texts, type Values, whole } from '../../input/options/values.ts';
import { packageVersion } from '../../input/package-files.ts';
import { readProtocol } from '../../input/scenarios/protocol.ts';
import { DEFAULT_PROTOCOL } from '../../model/index.ts';
import type { ExitCode } from '../../text/exit-codes.ts';
import { MESSAGES } from '../../text/messages.ts';
import type { Io } from '../io.ts';
import { TRACE_SECONDS_DEFAULT } from '../option-tables.ts';
import { openReports, reportsShowing, showingOf } from '../reports.ts';

/**
 * Validates traces: is what a real system did a behaviour of the model? After Ctrl-C it reports the
 * traces judged so far.
 */
export async function conformTrace(values: Values, io: Io): Promise<ExitCode> {
  const protocol = text(values, 'protocol') ?? DEFAULT_PROTOCOL;
  const rules = readProtocol(protocol);
  const paths = [...texts(values, 'path'), ...texts(values, 'afterDashes')];
  if (paths.length === 0) {
    throw MESSAGES.usage(
      'a path is missing after reapcheck conform trace',
      'reapcheck conform trace FILE|FOLDER; - is stdin',
    );
  }
  const partial = values.partial === true;
  const coverage = values.coverage === true;
  const restarts = whole(values, 'restarts', 0);
  const relists = whole(values, 'relists', 0);
  const allowed = (trace: Trace): Trace => ({
    ...trace,
    restarts: restarts ?? trace.restarts,
    relists: relists ?? trace.relists,
  });
  const given = limitsOf(values);
  const wanted = reportsShowing(values, 'conform trace', []);
  const traces = await readTraces(paths, io.stdin, {
    maxMegabytes: maxMegabytesOf(values),
    partial,
    limits: given,
  });
  const reports = await openReports(wanted, io);
  let stopped = false;
  const stopListening = io.onInterrupt(() => {
    stopped = true;
  });
  const { seconds = TRACE_SECONDS_DEFAULT, ...memory } = given;
  const limits = { states: Number.POSITIVE_INFINITY, milliseconds: seconds * 1000, ...memory };
  const judged: (Judged | OpenJudged)[] = [];
  try {
    for (const trace of traces) {
      const work =
        bareWrites(trace.requests).length > 0
          ? judgingOpen(trace, rules, limits)
          : judging(allowed(trace), {
              ...{ rules, limits, readRules: coverage },
              partial: partial || trace.isSlice === true,
            });
      const one = await unlessStopped<Judged | OpenJudged>(work, () => stopped);
      if (one !== null) judged.push(one);
      if (stopped) break;
    }
  } catch (error) {
    await reports.discard();
    throw error;
  } finally {
    stopListening();
  }
  const report = tracesReport(judged, {
    version: packageVersion(),
    ...{ protocol, rules, partial, coverage },
    notJudged: traces.length - judged.length,
  });
  await reports.deliver(report, showingOf(values));
  return report.exitCode;
}
