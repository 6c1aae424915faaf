import { FACTS_FOLDER, readCases } from '../../conformance/facts/cases.ts';
import { judge } from '../../conformance/facts/judge.ts';
import { factsReport } from '../../conformance/facts/report.ts';
import { maxMegabytesOf, text, texts, type Values } from '../../input/options/values.ts';
import { packageVersion } from '../../input/package-files.ts';
import { shownPath } from '../../input/scenarios/check-place.ts';
import { readProtocol } from '../../input/scenarios/protocol.ts';
import { DEFAULT_PROTOCOL } from '../../model/index.ts';
import type { CaseReport } from '../../report/document/conformance-documents.ts';
import type { ExitCode } from '../../text/exit-codes.ts';
import { MESSAGES } from '../../text/messages.ts';
import type { Io } from '../io.ts';
import type { ConformName } from '../option-tables.ts';
import { openReports, reportsShowing, showingOf } from '../reports.ts';
import { conformTrace } from './conform-trace.ts';

/** Options that `conform facts` rejects. */
const TRACE_ONLY = ['partial', 'coverage', 'restarts', 'relists', 'timeout', 'memory'];

/** Compares the model with facts about Kubernetes, or with logs of a real cluster. */
export async function conformCommand(values: Values, io: Io): Promise<ExitCode> {
  const what = text(values, 'mode') as ConformName;
  switch (what) {
    case 'facts':
      for (const option of TRACE_ONLY) {
        if (values[option] === undefined) continue;
        throw MESSAGES.usage(`--${option} is for reapcheck conform trace, not for conform facts`);
      }
      return conformFacts(values, io);
    case 'trace':
      return conformTrace(values, io);
    default:
      throw new Error(`unknown judge ${String(what satisfies never)}`);
  }
}

/**
 * Judges the cases of files and folders, by default the facts that are published with the package.
 * After Ctrl-C it reports the cases judged so far.
 */
async function conformFacts(values: Values, io: Io): Promise<ExitCode> {
  const protocol = text(values, 'protocol') ?? DEFAULT_PROTOCOL;
  const rules = readProtocol(protocol);
  const given = [...texts(values, 'path'), ...texts(values, 'afterDashes')];
  const paths = given.length === 0 ? [FACTS_FOLDER] : given;
  const limits = { maxMegabytes: maxMegabytesOf(values) };
  const wanted = reportsShowing(values, 'conform facts', []);
  const cases = await readCases(paths, io.stdin, limits);
  const others = cases.map(({ value }) => value);
  let stopped = false;
  const stopListening = io.onInterrupt(() => {
    stopped = true;
  });
  const reports = await openReports(wanted, io);
  const judgements: CaseReport[] = [];
  try {
    for (const { value, file, place } of cases) {
      const judgement = await judge(value, {
        protocol,
        rules,
        interrupted: () => stopped,
        others,
      });
      const line = judgement.outcome.verdict === 'passed' ? null : (place().line ?? null);
      judgements.push({ ...judgement, file: shownPath(file), line });
      if (stopped) break;
    }
  } catch (error) {
    await reports.discard();
    throw error;
  } finally {
    stopListening();
  }
  const notJudged = cases.length - judgements.length;
  const report = factsReport(packageVersion(), protocol, judgements, notJudged);
  await reports.deliver(report, showingOf(values));
  return report.exitCode;
}
