import { escaped } from '../../text/escape.ts';
import { type Colors, plural, wrapped } from '../../text/layout.ts';
import type { ResultDocument } from '../document/result-document.ts';
import type { SurveyRow } from '../document/survey.ts';
import { meaningFor } from './parts.ts';
import { surveyDetails, VERDICTS } from './survey-words.ts';

const INDENT = 14;

/** A survey for a terminal: the sentence, the rows with something to say, the others as counts. */
export function surveyText(
  { exitCode }: ResultDocument,
  rows: readonly SurveyRow[],
  colors: Colors,
): string {
  const told = rows.filter(({ verdict }) => verdict !== 'plain');
  const lines = [
    ...wrapped(surveySentence(rows)).map(colors.bold),
    '',
    ...merged(told).flatMap((row) => rowLines(row, colors)),
    ...plainLines(rows, colors),
    ...wrapped(
      `${exitCode}: ${meaningFor('survey', exitCode)}`,
      `  ${'Exit code'.padEnd(INDENT)}`,
    ).map(colors.dim),
  ];
  return `${lines.join('\n')}\n`;
}

/** How many objects have which verdict with some policy. */
export function surveySentence(rows: readonly SurveyRow[]): string {
  const of = (...verdicts: readonly SurveyRow['verdict'][]): number =>
    new Set(rows.filter(({ verdict }) => verdicts.includes(verdict)).map(({ uid }) => uid)).size;
  const all = new Set(rows.map(({ uid }) => uid)).size;
  const odd = of('hangs', 'risky', 'unexpected', 'open');
  const parts = [
    { count: of('hangs'), one: 'hangs', many: 'hang' },
    { count: of('risky'), one: 'has a risk', many: 'have a risk' },
    {
      count: of('unexpected'),
      one: 'takes unexpected objects along',
      many: 'take unexpected objects along',
    },
    { count: of('open'), one: 'is not certain', many: 'are not certain' },
  ].flatMap(({ count, one, many }) =>
    count === 0 ? [] : [`${count} ${count === 1 ? one : many}`],
  );
  const rest = all - odd;
  const plain = `${plural(rest, odd === 0 ? 'object' : 'other object')} ${rest === 1 ? 'goes' : 'go'} as expected`;
  if (all === 0) return 'There is no root object here.';
  const what = all === 1 ? 'the only root object' : `each of ${plural(all, 'root object')}`;
  return `If ${what} is deleted by itself: ${[...parts, ...(rest > 0 ? [plain] : [])].join('; ')}.`;
}

/** Rows of one object that say the same, with all of their policies. */
interface MergedRow extends SurveyRow {
  readonly cascades: readonly string[];
}

const ORDER: readonly SurveyRow['verdict'][] = ['hangs', 'risky', 'unexpected', 'open', 'plain'];

function merged(rows: readonly SurveyRow[]): readonly MergedRow[] {
  const groups = new Map<string, SurveyRow[]>();
  for (const row of rows) {
    const { cascade: _cascade, command: _command, basis: _basis, risks, ...same } = row;
    const key = JSON.stringify([same, risks.map(({ text }) => text)]);
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  return [...groups.values()]
    .flatMap((group): MergedRow[] => {
      const [first] = group;
      return first === undefined
        ? []
        : [{ ...first, cascades: group.map(({ cascade }) => cascade) }];
    })
    .sort((one, other) => ORDER.indexOf(one.verdict) - ORDER.indexOf(other.verdict));
}

function rowLines(row: MergedRow, colors: Colors): string[] {
  const { word, sign, color } = VERDICTS[row.verdict];
  const head = `${sign} ${word}`.padEnd(INDENT);
  return [
    `  ${colors[color](head)}${colors.bold(escaped(row.object))}${colors.dim(`  (${row.cascades.join(', ')})`)}`,
    ...surveyDetails(row).flatMap((detail) =>
      wrapped(escaped(detail), ' '.repeat(INDENT + 4), ' '.repeat(INDENT + 4)),
    ),
    // Not wrapped, so that it can be copied.
    `${' '.repeat(INDENT + 4)}${colors.dim(escaped(row.command))}`,
    '',
  ];
}

function plainLines(rows: readonly SurveyRow[], colors: Colors): string[] {
  const plain = rows.filter(({ verdict }) => verdict === 'plain');
  const kinds = new Map<string, Set<string>>();
  for (const { object, uid } of plain) {
    const kind = object.slice(0, object.indexOf('/')).split('.')[0] ?? '';
    kinds.set(kind, (kinds.get(kind) ?? new Set()).add(uid));
  }
  if (kinds.size === 0) return [];
  const { word, sign, color } = VERDICTS.plain;
  const head = `  ${`${sign} ${word}`.padEnd(INDENT)}`;
  const counts = [...kinds].map(([kind, uids]) => `${uids.size} ${kind}`).join(', ');
  return [...wrapped(counts, head).map(colors[color]), ''];
}
