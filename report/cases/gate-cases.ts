import type { PropertyResult } from '../../checker/index.ts';
import { PLAIN, wrapped } from '../../text/layout.ts';
import { DRIFTS, SEVERITIES } from '../document/drift.ts';
import type { GateCell, GateDocument, ToldDrift } from '../document/gate-document.ts';
import { tokensByTrace } from '../document/replay.ts';
import type { CheckReport } from '../document/result-document.ts';
import { sizeText, verdictsText } from '../text/gate-words.ts';
import { traceLines } from '../text/trace.ts';
import { type CaseRule, caseOf, type ReportCase, type ReportSuite } from './cases.ts';
import { placeIn, ruleOf, shownTrace } from './check-cases.ts';

/**
 * A suite for each cell, the ones that got worse first. Each drift is a case, but all neutral
 * drifts
 * of a cell share one. A cell without drift has one case.
 */
export function gateSuites(document: GateDocument): readonly ReportSuite[] {
  const rankOf = ({ name }: GateCell): number =>
    Math.min(...document.drifts.filter(({ cell }) => cell === name).map(rank), SEVERITIES.length);
  // A cell that is gone has no place of its own: it is missing in the suite.
  const places = document.cells.map((cell) => ({
    ...cell,
    place: cell.place ?? { file: document.suite, line: 1 },
  }));
  const cells = places.toSorted((one, other) => rankOf(one) - rankOf(other));
  return cells.map((cell) => {
    const { name, facts, because, again } = cell;
    const changes = because.map((reason) => `Changed since the lock was written: ${reason}`);
    return {
      name,
      seconds: cell.seconds,
      place: cell.place,
      notes: [
        ...warningsOf(cell, document).map((warning) => `Warning: ${warning}`),
        ...changes,
        ...(facts === null ? [] : [`${verdictsText(facts)}; ${sizeText(facts.size)}`]),
      ],
      again: again === '' ? null : again,
      cases: casesOf(cell, document),
    };
  });
}

function casesOf(cell: GateCell, document: GateDocument): readonly ReportCase[] {
  const drifts = document.drifts.filter((drift) => drift.cell === cell.name);
  const cases = [
    ...troubles(cell),
    ...cell.unmet.map((fault): ReportCase => {
      const rest = { status: 'failed', verdict: 'unexpected', message: fault } as const;
      return { ...plain(cell, EXPECTATION_RULE), ...rest, details: wrapped(fault, '  ') };
    }),
    ...drifts
      .filter(({ severity }) => severity !== 'neutral')
      .map((drift) => driftCase(drift, cell, document)),
    ...neutralCase(
      drifts.filter(({ severity }) => severity === 'neutral'),
      cell,
      document,
    ),
  ];
  const [warning = null] = warningsOf(cell, document);
  return cases.length > 0 ? cases : [{ ...plain(cell, PIN_RULE), known: warning }];
}

/** Warnings about cells that are as pinned and still need work. */
function warningsOf({ name }: GateCell, { warnings }: GateDocument): readonly string[] {
  return warnings.filter((warning) => warning.startsWith(`${name}: `));
}

const PIN_RULE: CaseRule = {
  name: 'as pinned',
  about: 'The result of a cell is the one that the lock beside the suite pins.',
  source: null,
};

const EXPECTATION_RULE: CaseRule = {
  name: 'as the scenario expects',
  about: 'A scenario states its own expected results.',
  source: null,
};

function plain({ place }: GateCell, rule: CaseRule): ReportCase {
  return caseOf(rule, { status: 'ok', verdict: 'as pinned', place });
}

/** The reason why a cell has nothing to compare. */
function troubles(cell: GateCell): readonly ReportCase[] {
  if (cell.status === 'failed') {
    const message = cell.error ?? 'there is no result';
    const rest = { status: 'error', verdict: 'failed', message } as const;
    return [{ ...plain(cell, PIN_RULE), ...rest, details: wrapped(message, '  ') }];
  }
  if (cell.status !== 'notRun') return [];
  const message = 'not run: interrupted before';
  return [{ ...plain(cell, PIN_RULE), status: 'inconclusive', verdict: 'not run', message }];
}

function rank({ severity }: ToldDrift): number {
  return SEVERITIES.indexOf(severity);
}

/** Accepted drift is no failure. */
function acceptance({ lock: { update } }: GateDocument): Pick<ReportCase, 'status' | 'known'> {
  return update === 'written' || update === 'unchanged'
    ? { status: 'ok', known: 'accepted by --update' }
    : { status: 'failed', known: null };
}

function neutralCase(
  drifts: readonly ToldDrift[],
  cell: GateCell,
  document: GateDocument,
): readonly ReportCase[] {
  const [first] = drifts;
  if (first === undefined) return [];
  const { words, about } = DRIFTS[first.kind];
  const kinds = [...new Set(drifts.map(({ kind }) => DRIFTS[kind].words))];
  return [
    {
      ...plain(cell, { name: words, about, source: null }),
      ...acceptance(document),
      name: kinds.join(', '),
      verdict: 'neutral',
      message: because(drifts.map(({ sentence }) => sentence).join('. '), cell),
      details: drifts.flatMap(({ sentence }) => wrapped(sentence, '  ')),
    },
  ];
}

function because(sentence: string, cell: GateCell): string {
  return cell.because.length === 0 ? sentence : `${sentence}. Because ${cell.because.join('; ')}`;
}

function driftCase(drift: ToldDrift, cell: GateCell, document: GateDocument): ReportCase {
  const { kind, subject, sentence, severity } = drift;
  const { words, about } = DRIFTS[kind];
  const report = document.reports.find(({ title }) => title === cell.name);
  const property = report?.result.properties.find(({ name }) => name === subject);
  const isViolation = kind === 'newViolation' && subject !== null;
  return {
    ...plain(cell, isViolation ? ruleOf(subject) : { name: words, about, source: null }),
    name: subject === null ? words : `${words}: ${subject}`,
    ...acceptance(document),
    verdict: severity,
    message: because(sentence, cell),
    details: [
      ...wrapped(sentence, '  '),
      ...cell.because.flatMap((reason) => wrapped(reason, '  because: ')),
      ...(report === undefined || property === undefined || !isViolation
        ? []
        : traceDetails(report, property)),
    ],
    place: report?.place == null || subject === null ? cell.place : placeIn(report.place, subject),
    trace: report === undefined || property === undefined ? null : shownTrace(report, property),
  };
}

function traceDetails(report: CheckReport, property: PropertyResult): readonly string[] {
  if (property.trace === null) return [];
  const token = tokensByTrace(report).get(property.trace) ?? null;
  return ['', ...traceLines(property, { colors: PLAIN, token })];
}
