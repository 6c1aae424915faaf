import { plural } from '../../text/layout.ts';
import {
  type CaseStatus,
  isGreen,
  type ReportCase,
  type ReportSuite,
  worstFirst,
} from '../cases/cases.ts';
import { suitesOf } from '../cases/suites.ts';
import type { ReportDocument } from '../document/documents.ts';
import { headline, parameterNotes } from './check-sections.ts';
import type { Page, Row, Run, Section, Status, Tone } from './page.ts';

/** What the top of the page counts, and the words for it. */
export interface SuiteWords {
  readonly of: 'suites' | 'cases';
  readonly noun: string;
  readonly good: string;
  /** The word for a suite with a failed case. */
  readonly failed: string;
}

/** Any document as a page, with a section for each suite: a cell of the gate, an area of facts. */
export function suitePage(document: ReportDocument, title: string, words: SuiteWords): Page {
  const suites = suitesOf(document);
  const cases = suites.flatMap((suite) => suite.cases);
  const count = words.of === 'suites' ? suites.length : cases.length;
  const good =
    words.of === 'suites'
      ? suites.filter((suite) => suite.cases.every(isGreen)).length
      : cases.filter(isGreen).length;
  return {
    title,
    version: document.version,
    tone: good === count ? 'good' : 'bad',
    summary: `${good} of ${plural(count, words.noun)} ${words.good}`,
    sections: suites.map((suite) => suiteSection(suite, words)),
    notes: [],
  };
}

function suiteSection(suite: ReportSuite, words: SuiteWords): Section {
  const { name, cases, notes, again } = suite;
  const ordered = worstFirst(cases);
  return {
    title: name,
    status: statusOfSuite(ordered, words),
    summary: ordered.length === 1 ? sentence(ordered[0]!) : countsText(ordered),
    about: [],
    rows: ordered.map(rowOf),
    runs: ordered.flatMap(runOf),
    notes: [
      { head: 'Notes', items: notes },
      { head: 'Again', items: again === null ? [] : [again], code: true },
    ],
  };
}

const TONES: Readonly<Record<CaseStatus, Tone>> = {
  ok: 'good',
  failed: 'bad',
  error: 'defect',
  inconclusive: 'warn',
  vacuous: 'warn',
  skipped: 'muted',
};

/** The status of its worst case. */
function statusOfSuite([worst]: readonly ReportCase[], { failed }: SuiteWords): Status {
  const status = worst === undefined ? 'ok' : worst.status;
  return { word: status === 'failed' ? failed : status, tone: TONES[status] };
}

/** A drift that is not worse is a warning only, although it must be accepted. */
function statusOf({ status, verdict }: ReportCase): Status {
  const calm = verdict === 'neutral' || verdict === 'better';
  return { word: verdict, tone: status === 'failed' && calm ? 'warn' : TONES[status] };
}

function sentence({ message, verdict }: ReportCase): string {
  return message === '' ? verdict : message;
}

function countsText(cases: readonly ReportCase[]): string {
  const counts = new Map<string, number>();
  for (const { verdict } of cases) counts.set(verdict, (counts.get(verdict) ?? 0) + 1);
  return [...counts].map(([verdict, count]) => `${count} ${verdict}`).join(', ');
}

function rowOf(one: ReportCase): Row {
  const { name, message, known, trace } = one;
  const notes = [
    ...(message === '' ? [] : [message]),
    ...(known === null ? [] : [`known: ${known}`]),
  ];
  const told = one.details.join(' ').replaceAll(/\s+/g, ' ').trim();
  return {
    status: statusOf(one),
    name,
    count: null,
    notes,
    // A trace is shown as a run, and details that repeat the message add nothing.
    details: trace !== null || isGreen(one) || told === message ? [] : one.details,
  };
}

function runOf(one: ReportCase): readonly Run[] {
  const { name, trace: shown } = one;
  if (shown === null) return [];
  const { setup, property, trace, token = null } = shown;
  return [
    {
      name,
      status: statusOf(one),
      headline: headline(property, trace),
      notes: parameterNotes(property.parameters),
      setup,
      trace,
      broken: property.broken,
      token,
    },
  ];
}
