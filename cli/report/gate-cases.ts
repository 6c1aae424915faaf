import type { PropertyResult } from '../../checker/index.ts';
import type { GateCell, GateDocument, ToldDrift } from '../gate/document.ts';
import { DRIFTS } from '../gate/drift.ts';
import { sizeText, verdictsText } from '../gate/words.ts';
import { PLAIN, wrapped } from '../render/layout.ts';
import { traceLines } from '../render/trace.ts';
import type { CheckReport } from '../result-document.ts';
import type { CasePlace, CaseRule, ReportCase, ReportSuite } from './cases.ts';
import { ruleOf } from './check-cases.ts';
import { tokensByTrace } from './tokens.ts';

/** A cell is a suite; each drift in it a case, or one case that nothing has changed. */
export function gateSuites(document: GateDocument): readonly ReportSuite[] {
  return document.cells.map((cell) => {
    const { name, facts, because, again } = cell;
    const changes = because.map((reason) => `Changed since the lock was written: ${reason}`);
    const warnings = document.warnings.filter((warning) => warning.startsWith(`${name}: `));
    return {
      name,
      seconds: cell.seconds,
      place: cell.place,
      notes: [
        ...warnings.map((warning) => `Warning: ${warning}`),
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
    ...drifts.map((drift) => driftCase(drift, cell, document)),
  ];
  return cases.length > 0 ? cases : [plain(cell, PIN_RULE)];
}

const PIN_RULE: CaseRule = {
  name: 'as pinned',
  about: 'A cell comes out as the lock beside the suite pins it.',
  source: null,
};

const EXPECTATION_RULE: CaseRule = {
  name: 'as the scenario expects',
  about: 'A scenario says itself what should come out.',
  source: null,
};

function plain({ place }: GateCell, rule: CaseRule): ReportCase {
  return {
    name: rule.name,
    rule,
    status: 'ok',
    verdict: 'as pinned',
    message: '',
    details: [],
    place,
    seconds: null,
    known: null,
    trace: null,
  };
}

/** Why there is nothing to compare. */
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

function driftCase(drift: ToldDrift, cell: GateCell, document: GateDocument): ReportCase {
  const { kind, subject, sentence, severity } = drift;
  const { words, about } = DRIFTS[kind];
  const { update } = document.lock;
  const isAccepted = update === 'written' || update === 'unchanged';
  const report = document.reports.find(({ title }) => title === cell.name);
  const property = report?.result.properties.find(({ name }) => name === subject);
  const isViolation = kind === 'newViolation' && subject !== null;
  return {
    ...plain(cell, isViolation ? ruleOf(subject) : { name: words, about, source: null }),
    name: subject === null ? words : `${words}: ${subject}`,
    status: isAccepted ? 'ok' : 'failed',
    verdict: severity,
    message: sentence,
    details: [
      ...wrapped(sentence, '  '),
      ...(report === undefined || property === undefined || !isViolation
        ? []
        : traceDetails(report, property)),
    ],
    place: placeOf(report, subject) ?? cell.place,
    known: isAccepted ? 'accepted by --update' : null,
    trace: traceOf(report, property),
  };
}

function traceDetails(report: CheckReport, property: PropertyResult): readonly string[] {
  if (property.trace === null) return [];
  const token = tokensByTrace(report).get(property.trace) ?? null;
  return ['', ...traceLines(property, { colors: PLAIN, token })];
}

function traceOf(
  report: CheckReport | undefined,
  property: PropertyResult | undefined,
): ReportCase['trace'] {
  if (report === undefined || property === undefined || property.trace === null) return null;
  return { check: report.title, setup: report.setup, property, trace: property.trace };
}

function placeOf(report: CheckReport | undefined, subject: string | null): CasePlace | null {
  const place = report?.place ?? null;
  if (place === null || subject === null) return null;
  const { file, line, properties } = place;
  return { file, line: Object.hasOwn(properties, subject) ? (properties[subject] ?? line) : line };
}
