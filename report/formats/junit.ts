import XmlBuilder from 'fast-xml-builder';
import { escaped, escapedLines } from '../../text/escape.ts';
import { type CaseStatus, type ReportCase, type ReportSuite, sentenceOf } from '../cases/cases.ts';
import { suitesOf } from '../cases/suites.ts';
import type { ReportDocument } from '../document/documents.ts';

/**
 * JUnit's XML: a suite for each check, a test case for each property. Inconclusive is an error and
 * vacuous is a failure, because a skipped test lets a build pass.
 */
export function renderJunit(document: ReportDocument): string {
  const suites = suitesOf(document);
  const seconds = suites.reduce((sum, suite) => sum + (suite.seconds ?? 0), 0);
  const { skipped: _, ...counts } = countsOf(suites.flatMap(({ cases }) => cases));
  const tree = {
    '?xml': { '@version': '1.0', '@encoding': 'UTF-8' },
    testsuites: attributes(
      { name: 'reapcheck', ...counts, time: seconds },
      { testsuite: suites.map(suiteElement) },
    ),
  };
  return new XmlBuilder(XML).build(tree);
}

const XML = {
  attributeNamePrefix: '@',
  format: true,
  ignoreAttributes: false,
  suppressBooleanAttributes: false,
  suppressEmptyNode: true,
} as const;

function countsOf(cases: readonly ReportCase[]) {
  const count = (wanted: string): number =>
    cases.filter(({ status }) => ELEMENTS[status] === wanted).length;
  return {
    tests: cases.length,
    failures: count('failure'),
    errors: count('error'),
    skipped: count('skipped'),
  };
}

const ELEMENTS: Readonly<Record<CaseStatus, 'failure' | 'error' | 'skipped' | null>> = {
  ok: null,
  skipped: 'skipped',
  failed: 'failure',
  vacuous: 'failure',
  inconclusive: 'error',
  error: 'error',
};

function suiteElement(suite: ReportSuite): object {
  const { name, seconds, cases, notes, again } = suite;
  const lines = [...notes, ...(again === null ? [] : [`Again: ${again}`])];
  return attributes(
    { name, ...countsOf(cases), ...(seconds === null ? {} : { time: seconds }) },
    {
      testcase: cases.map((one) => caseElement(name, one)),
      ...(lines.length === 0 ? {} : { 'system-out': textOf(lines) }),
    },
  );
}

function caseElement(suite: string, one: ReportCase): object {
  const { name, seconds } = one;
  return attributes(
    { name, classname: suite, ...(seconds === null ? {} : { time: seconds }) },
    outcomeElements(one),
  );
}

function outcomeElements(one: ReportCase): object {
  const { status, verdict, message, known } = one;
  const element = ELEMENTS[status];
  switch (element) {
    case null:
      return known === null ? {} : { 'system-out': textOf([sentenceOf(one)]) };
    case 'skipped':
      return { skipped: textOf([message]) };
    case 'failure':
    case 'error':
      return {
        [element]: attributes({ type: verdict, message }, { '#text': textOf(linesOf(one)) }),
      };
    default:
      throw new Error(`unknown element ${String(element satisfies never)}`);
  }
}

function linesOf({ place, message, details }: ReportCase): readonly string[] {
  const line = place?.line == null ? '' : `:${place.line}`;
  return [
    ...(place === null ? [] : [`at ${place.file}${line}`]),
    ...(details.length === 0 ? [message] : details),
  ];
}

function attributes(
  values: Readonly<Record<string, string | number>>,
  content: object,
): Readonly<Record<string, unknown>> {
  const named = Object.entries(values).map(([name, value]) => [`@${name}`, valueText(name, value)]);
  return { ...Object.fromEntries(named), ...content };
}

function valueText(name: string, value: string | number): string {
  if (typeof value === 'number') return name === 'time' ? value.toFixed(3) : String(value);
  return withoutNoncharacters(escaped(value));
}

function textOf(lines: readonly string[]): string {
  return withoutNoncharacters(lines.map(escapedLines).join('\n'));
}

/**
 * Escapes the two characters that XML forbids and `escaped` leaves, as they do not harm a terminal.
 */
function withoutNoncharacters(text: string): string {
  return text.replaceAll(/[\ufffe\uffff]/g, (found) => `\\u${found.charCodeAt(0).toString(16)}`);
}
