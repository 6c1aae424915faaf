import { escaped } from '../../text/escape.ts';
import { type Colors, wrapped } from '../../text/layout.ts';
import type { ResultDocument } from '../document/result-document.ts';
import type { SurveyRow } from '../document/survey.ts';
import { meaningFor } from './parts.ts';
import {
  type MergedRow,
  mergedRows,
  plainCounts,
  surveyDetails,
  surveySentence,
  VERDICTS,
} from './survey-words.ts';

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
    ...mergedRows(told).flatMap((row) => rowLines(row, colors)),
    ...plainLines(rows, colors),
    ...wrapped(
      `${exitCode}: ${meaningFor('survey', exitCode)}`,
      `  ${'Exit code'.padEnd(INDENT)}`,
    ).map(colors.dim),
  ];
  return `${lines.join('\n')}\n`;
}

function rowLines(row: MergedRow, colors: Colors): string[] {
  const { word, sign, color } = VERDICTS[row.verdict];
  const head = `${sign} ${word}`.padEnd(INDENT);
  return [
    `  ${colors[color](head)}${colors.bold(escaped(row.object))}${colors.dim(`  (${escaped(row.cascades.join(', '))})`)}`,
    ...surveyDetails(row).flatMap((detail) =>
      wrapped(escaped(detail), ' '.repeat(INDENT + 4), ' '.repeat(INDENT + 4)),
    ),
    // Not wrapped, so that it can be copied.
    `${' '.repeat(INDENT + 4)}${colors.dim(escaped(row.command))}`,
    '',
  ];
}

function plainLines(rows: readonly SurveyRow[], colors: Colors): string[] {
  const counts = plainCounts(rows);
  if (counts === '') return [];
  const { word, sign, color } = VERDICTS.plain;
  const head = `  ${`${sign} ${word}`.padEnd(INDENT)}`;
  return [...wrapped(escaped(counts), head).map(colors[color]), ''];
}
