import { grouped, plural } from '../../text/layout.ts';
import {
  type CaseStatus,
  isGreen,
  type ReportCase,
  type ReportSuite,
  sentenceOf,
  shortened,
  worstFirst,
} from '../cases/cases.ts';
import { suitesOf } from '../cases/suites.ts';
import type { ReportDocument } from '../document/documents.ts';
import { answerBlocks } from './answer-markdown.ts';
import { folded, inline, linked, preformatted } from './markdown-text.ts';

/** GitHub refuses longer comments; GitLab takes ten times as much. */
export const LONGEST_COMMENT = 65_000;

/**
 * Markdown for a comment on a pull request: a table of the cases that are not green, then folded
 * sections with the counterexamples, the known cases and all checks. A last line counts the parts
 * for
 * which there is no room.
 */
export function renderMarkdown(document: ReportDocument): string {
  return limitedMarkdown(document, LONGEST_COMMENT);
}

/** Markdown of at most `room` bytes of UTF-8. */
export function limitedMarkdown(document: ReportDocument, room: number): string {
  if (document.schema === 'reapcheck.result/v1') {
    const { answer } = document;
    if (answer !== null) {
      return fitted([...answerBlocks(document, answer, room), footOf(document)], room);
    }
  }
  const suites = suitesOf(document);
  const found = suites.flatMap((suite) => suite.cases.map((one) => ({ suite, ...one })));
  const told = worstFirst(found.filter((one) => !isGreen(one)));
  const known = found.filter((one) => one.known !== null);
  const blocks = [
    `### reapcheck: ${headline(found)}\n`,
    ...(told.length === 0 ? [] : [table(told, room / 2)]),
    ...told.map(unfolded),
    ...(known.length === 0
      ? []
      : [folded(`${grouped(known.length)} known and accepted`, table(known, room / 4))]),
    folded(plural(suites.length, 'check'), suiteList(suites)),
    footOf(document),
  ];
  return fitted(blocks, room);
}

function footOf({ version }: ReportDocument): string {
  return `<sub>reapcheck ${inline(version)}</sub>\n`;
}

interface Told extends ReportCase {
  readonly suite: ReportSuite;
}

const WORDS: readonly (readonly [CaseStatus, string])[] = [
  ['error', 'broken by a defect'],
  ['failed', 'failed'],
  ['inconclusive', 'inconclusive'],
  ['vacuous', 'vacuous'],
  ['ok', 'as expected'],
  ['skipped', 'never exercised'],
];

function headline(cases: readonly ReportCase[]): string {
  const counts = WORDS.map(([status, word]) => {
    const number = cases.filter((one) => one.status === status).length;
    return number === 0 ? null : `${grouped(number)} ${word}`;
  });
  const words = counts.filter((text) => text !== null);
  return words.length === 0 ? 'nothing was judged' : words.join(', ');
}

function table(told: readonly Told[], room: number): string {
  const rows: string[] = [];
  let used = 0;
  for (const row of told.map(rowOf)) {
    used += Buffer.byteLength(row) + 1;
    if (used > room) break;
    rows.push(row);
  }
  const left = told.length - rows.length;
  return [
    '| | check | property | what | where |',
    '| --- | --- | --- | --- | --- |',
    ...rows,
    ...(left === 0 ? [] : ['', `and ${grouped(left)} more`]),
    '',
  ].join('\n');
}

const LONGEST_MESSAGE = 400;

function rowOf({ suite, name, rule, status, place, ...told }: Told): string {
  const message = sentenceOf(told);
  const line = place?.line == null ? '' : `:${place.line}`;
  const at = place === null ? '' : inline(`${place.file}${line}`);
  const what = shortened(message, LONGEST_MESSAGE);
  const property = rule.id === undefined ? inline(name) : `${inline(name)} (${inline(rule.id)})`;
  const cells = [STATUS_WORDS[status], inline(suite.name), property, linked(what), at];
  return `| ${cells.join(' | ')} |`;
}

const STATUS_WORDS: Readonly<Record<CaseStatus, string>> = {
  error: '**defect**',
  failed: '**failed**',
  inconclusive: '**inconclusive**',
  vacuous: '**vacuous**',
  ok: 'known',
  skipped: 'skipped',
};

function unfolded({ suite, name, message, details }: Told): string {
  // Details that only repeat the row of the table.
  if (words(details.join(' ')) === words(message) || details.length === 0) return '';
  return folded(`${inline(name)} in ${inline(suite.name)}`, `${preformatted(details)}\n`);
}

function words(text: string): string {
  return text.trim().replaceAll(/\s+/g, ' ');
}

function suiteList(suites: readonly ReportSuite[]): string {
  const lines = suites.map(({ name, cases, seconds }) => {
    const time = seconds === null ? '' : `, ${seconds.toFixed(1)} s`;
    return `- ${inline(name)}: ${headline(cases)}${time}`;
  });
  return `${lines.join('\n')}\n`;
}

/** Keeps whole blocks only: half a `<details>` would hide what follows it. */
function fitted(blocks: readonly string[], room: number): string {
  const wanted = blocks.filter((block) => block !== '');
  const note = (left: number): string =>
    `\n${plural(left, 'part')} left out: there is no room for more here.\n`;
  const reserved = Buffer.byteLength(note(wanted.length));
  const kept: string[] = [];
  let used = 0;
  for (const block of wanted) {
    const size = Buffer.byteLength(block) + 1;
    if (used + size + reserved > room) continue;
    kept.push(block);
    used += size;
  }
  const left = wanted.length - kept.length;
  return `${kept.join('\n')}${left === 0 ? '' : note(left)}`;
}
