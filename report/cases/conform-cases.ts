import { PLAIN, plural } from '../../text/layout.ts';
import type {
  CaseReport,
  FactsReport,
  TraceReport,
  TracesReport,
} from '../document/conformance-documents.ts';
import { caseLines } from '../text/facts.ts';
import { inconclusiveText, traceLines } from '../text/trace-report.ts';
import {
  type CasePlace,
  type CaseRule,
  type CaseStatus,
  caseOf,
  type ReportCase,
  type ReportSuite,
} from './cases.ts';

/** The suites of `conform facts`: one for each area. */
export function factsSuites(report: FactsReport): readonly ReportSuite[] {
  return [
    ...report.areas.map(({ area }) => ({
      ...suite(area, report.protocol),
      cases: report.cases.filter((one) => one.area === area).map(factCase),
    })),
    ...interrupted(report.protocol, report.notJudged, 'case'),
  ];
}

/** The suites of `conform trace`: one for all traces. */
export function tracesSuites(report: TracesReport): readonly ReportSuite[] {
  const { protocol, traces, notJudged, partial } = report;
  const notes = partial
    ? ['Judged with --partial: the logs may leave out requests and bodies.']
    : [];
  const named = suite('traces of a real system', protocol);
  return [
    { ...named, notes: [...named.notes, ...notes], cases: traces.map(traceCase) },
    ...interrupted(protocol, notJudged, 'trace'),
  ];
}

function suite(name: string, protocol: string): Omit<ReportSuite, 'cases'> {
  return { name, seconds: null, place: null, notes: [`Judged by ${protocol}`], again: null };
}

function factCase(report: CaseReport): ReportCase {
  const { id, title, outcome, kind } = report;
  const { verdict } = outcome;
  const about = 'The model behaves as a test of Kubernetes demands.';
  return caseOf(
    { name: `fact: ${kind}`, about, source: null },
    {
      name: `${id}: ${title}`,
      status: FACT_STATUS[verdict],
      verdict,
      message: factMessage(report),
      details: caseLines(report, PLAIN).slice(1),
      place: placeOf(report.file, report.line),
    },
  );
}

/** A case that no interpreter can read counts like one that hit a limit. */
const FACT_STATUS: Readonly<Record<CaseReport['outcome']['verdict'], CaseStatus>> = {
  passed: 'ok',
  failed: 'failed',
  unsupported: 'inconclusive',
  inconclusive: 'inconclusive',
};

function factMessage({ outcome }: CaseReport): string {
  switch (outcome.verdict) {
    case 'passed':
      return '';
    case 'failed': {
      const where = outcome.step === 'expect' ? 'at the end' : `at step ${outcome.step}`;
      return `failed ${where}: ${outcome.rule}`;
    }
    case 'unsupported':
    case 'inconclusive':
      return `${outcome.verdict}: ${outcome.why}`;
    default:
      throw new Error(`unknown outcome ${JSON.stringify(outcome satisfies never)}`);
  }
}

const TRACE_RULE: CaseRule = {
  name: 'a trace of a real system is a behaviour of the model',
  about: 'A run of the model explains every request, answer and change that was observed.',
  source: null,
};

const TRACE_STATUS: Readonly<Record<TraceReport['verdict'], CaseStatus>> = {
  accepted: 'ok',
  rejected: 'failed',
  inconclusive: 'inconclusive',
};

function traceCase(report: TraceReport): ReportCase {
  const { trace, verdict, failure, milliseconds } = report;
  return caseOf(TRACE_RULE, {
    name: trace,
    status: TRACE_STATUS[verdict],
    verdict,
    message: traceMessage(report),
    details: verdict === 'accepted' ? [] : traceLines(report, PLAIN).slice(1),
    place: placeOf(report.file, failure?.line ?? null),
    seconds: milliseconds / 1000,
  });
}

function traceMessage(report: TraceReport): string {
  const { verdict, failure } = report;
  switch (verdict) {
    case 'accepted':
      return '';
    case 'rejected':
      return `rejected: no explanation for ${failure?.event ?? 'the trace'}`;
    case 'inconclusive':
      return `inconclusive: ${inconclusiveText(report)}`;
    default:
      throw new Error(`unknown verdict ${String(verdict satisfies never)}`);
  }
}

function interrupted(protocol: string, notJudged: number, noun: string): readonly ReportSuite[] {
  if (notJudged === 0) return [];
  const message = `interrupted: ${plural(notJudged, noun)} left`;
  const rule = { name: 'everything is judged', about: 'Ctrl-C leaves out the rest.', source: null };
  const only = caseOf(rule, { status: 'inconclusive', verdict: 'not run', message });
  return [{ ...suite('interrupted', protocol), cases: [only] }];
}

function placeOf(file: string | null, line: number | null): CasePlace | null {
  return file === null ? null : { file, line };
}
