import { grouped } from '../../text/layout.ts';
import { capitalized, meaningFor, sentenceWords } from '../answer/parts.ts';
import { type AnswerItem, type AnswerSection, isEvidence } from '../answer/section.ts';
import { answerSections } from '../answer/sections.ts';
import {
  type MergedRow,
  mergedRows,
  plainCounts,
  surveyDetails,
  surveySentence,
  VERDICTS,
} from '../answer/survey-words.ts';
import { cellWords, DIFFERS, differs, rowNotes, type TreeRow, treeRows } from '../answer/tree.ts';
import type { Answer } from '../document/answer.ts';
import type { ResultDocument } from '../document/result-document.ts';
import type { SurveyRow } from '../document/survey.ts';
import { folded, inline, linked, preformatted } from './markdown-text.ts';

/** The blocks of an answer, the most important ones first. */
export function answerBlocks(
  document: ResultDocument,
  answer: Answer,
  room: number,
): readonly string[] {
  const title = `### reapcheck: ${inline(answer.title)}\n`;
  if (answer.survey !== undefined) return [title, ...surveyBlocks(document, answer.survey, room)];
  const sections = answerSections(document, answer, { details: true });
  const { sentence, outcomes } = answer;
  const sentences = outcomes.map((outcome) => inline(sentenceWords(outcome, answer)));
  return [
    title,
    sentence === undefined
      ? paragraphs(sentences.map((text) => `**${text}**`))
      : `**${inline(capitalized(sentence))}**\n\n${listOf(sentences)}`,
    answer.objects.length === 0 ? '' : objectTable(answer, room / 2),
    ...sections.filter((section) => !isEvidence(section)).map(sectionBlock),
    folded(
      'Assumptions and evidence',
      `${listOf(sections.filter(isEvidence).flatMap(evidenceLines))}\n${again(document)}`,
    ),
  ];
}

function paragraphs(texts: readonly string[]): string {
  return texts.map((text) => `${text}\n`).join('\n');
}

function listOf(texts: readonly string[]): string {
  return texts.map((text) => `- ${text}\n`).join('');
}

function again({ command }: ResultDocument): string {
  return `${preformatted([command])}\n`;
}

/** Cells of a table, as many lines as there is room for, and how much is left out. */
function tableOf(
  heads: readonly string[],
  rows: readonly { readonly cells: readonly string[]; readonly count: number }[],
  room: number,
): string {
  const lines: string[] = [];
  let used = 0;
  for (const { cells } of rows) {
    const line = `| ${cells.join(' | ')} |`;
    used += Buffer.byteLength(line) + 1;
    if (used > room) break;
    lines.push(line);
  }
  const left = rows.slice(lines.length).reduce((sum, { count }) => sum + count, 0);
  return [
    `| ${heads.join(' | ')} |`,
    `| ${heads.map(() => '---').join(' | ')} |`,
    ...lines,
    ...(left === 0 ? [] : ['', `and ${grouped(left)} more`]),
    '',
  ].join('\n');
}

function objectTable(answer: Answer, room: number): string {
  const rows = treeRows(answer);
  const several = answer.outcomes.length > 1;
  const names = answer.outcomes.map(({ name }) => (several ? inline(name) : 'fate'));
  const table = tableOf(
    [...(several ? [''] : []), ...names, 'object', ''],
    rows.map((row) => ({ cells: cellsOf(row, several), count: row.count })),
    room,
  );
  return rows.some(differs) ? `${table}\n${DIFFERS} the outcomes differ\n` : table;
}

function cellsOf(row: TreeRow, several: boolean): readonly string[] {
  const { branch, label, fates } = row;
  return [
    ...(several ? [differs(row) ? DIFFERS : ''] : []),
    ...fates.map((fate) => inline(cellWords(fate))),
    // Markdown shows several blanks as one.
    inline(`${branch.replaceAll(' ', '\u00a0')}${label}`),
    rowNotes(row).join(', '),
  ];
}

function sectionBlock(section: AnswerSection): string {
  const { head, items, commands = [] } = section;
  const [first] = items;
  const shown = items.filter((item) => item.folded !== true).map(itemBlock);
  const rest = items.filter((item) => item.folded === true).map(itemBlock);
  const isOne = items.length === 1 && first?.number === undefined;
  return [
    isOne && first !== undefined
      ? `**${headText(head)}:** ${itemText(first)}\n${commandBlock(first)}`
      : `**${headText(head)}:**\n\n${shown.join('')}`,
    ...(rest.length === 0
      ? []
      : [folded(`${grouped(rest.length)} ${section.noun ?? 'item'}s more`, rest.join(''))]),
    ...(commands.length === 0 ? [] : [`Settle it with:\n\n${preformatted(commands)}\n`]),
  ].join('\n');
}

/** Most heads are our own words. */
function headText(head: string): string {
  return /^[A-Za-z0-9 ]+$/.test(head) ? head : inline(head);
}

function itemBlock(item: AnswerItem): string {
  const commands = commandBlock(item);
  return `- ${itemText(item)}\n${commands}${commands === '' ? '' : '\n'}`;
}

function itemText({ text, tone, number, option }: AnswerItem): string {
  const words = linked(number === undefined ? text : `${number}. ${text}`);
  const strong = tone === 'strong' || tone === 'bad' ? `**${words}**` : words;
  return option === undefined ? strong : `${strong} (${inline(option)} says the opposite)`;
}

function commandBlock({ commands = [] }: AnswerItem): string {
  return commands.length === 0 ? '' : `\n${preformatted(commands)}\n`;
}

function evidenceLines({ head, items }: AnswerSection): readonly string[] {
  return items.map((item) => `${headText(head)}: ${itemText(item)}`);
}

function surveyBlocks(
  document: ResultDocument,
  rows: readonly SurveyRow[],
  room: number,
): readonly string[] {
  const told = mergedRows(rows.filter(({ verdict }) => verdict !== 'plain'));
  const plain = plainCounts(rows);
  const { exitCode } = document;
  return [
    `**${inline(surveySentence(rows))}**\n`,
    told.length === 0
      ? ''
      : tableOf(
          ['', 'object', 'policies', 'what'],
          told.map((row) => ({ cells: surveyCells(row), count: 1 })),
          room / 2,
        ),
    plain === '' ? '' : `As expected: ${inline(plain)}\n`,
    ...told.map((row) =>
      folded(
        `${inline(row.object)} (${inline(row.cascades.join(', '))})`,
        `${listOf(surveyDetails(row).map(linked))}\n${preformatted([row.command])}\n`,
      ),
    ),
    folded(
      'Exit code and command',
      `- ${exitCode}: ${meaningFor('survey', exitCode)}\n\n${again(document)}`,
    ),
  ];
}

function surveyCells(row: MergedRow): readonly string[] {
  const { sign, word } = VERDICTS[row.verdict];
  const [first = ''] = surveyDetails(row);
  return [
    `**${inline(`${sign} ${word}`)}**`,
    inline(row.object),
    inline(row.cascades.join(', ')),
    linked(first),
  ];
}
