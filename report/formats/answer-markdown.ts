import { grouped } from '../../text/layout.ts';
import {
  aroundOf,
  meaningFor,
  reasonsOf,
  reasonWords,
  sentenceWords,
  settlingCommands,
} from '../answer/parts.ts';
import { type TreeRow, treeRows } from '../answer/tree.ts';
import { fateWords, LOOKS } from '../answer/words.ts';
import type { Answer, Outcome } from '../document/answer.ts';
import type { ResultDocument } from '../document/result-document.ts';
import { folded, inline, preformatted } from './markdown-text.ts';

/** The blocks of an answer, the most important ones first. */
export function answerBlocks(
  document: ResultDocument,
  answer: Answer,
  room: number,
): readonly string[] {
  return [
    `### reapcheck: ${inline(answer.title)}\n`,
    `${answer.outcomes.map((outcome) => `**${inline(sentenceWords(outcome, answer))}**`).join('\n\n')}\n`,
    objectTable(answer, room / 2),
    ...answer.outcomes.map((outcome) => reasonBlock(outcome, answer)),
    ...answer.missing.map(
      ({ text, settle }) =>
        `Unknown: ${inline(text)}. Settle it with:\n\n${preformatted([settle])}\n`,
    ),
    ...answer.outcomes.map(riskBlock),
    folded(
      'Assumptions and evidence',
      [
        ...aroundOf(answer).map(
          ({ text, overrule }) => `- ${inline(text)} (${inline(overrule)} says the opposite)`,
        ),
        ...answer.outcomes.map(({ basis }) => `- How sure: ${inline(basis.text)}`),
        ...answer.outcomes.map(({ invariants }) => `- Invariants: ${inline(invariants.text)}`),
        `- Assumed: Kubernetes ${inline(answer.protocol)}`,
        `- Exit code ${document.exitCode}: ${meaningFor(answer.question, document.exitCode)}`,
        '',
        preformatted([document.command]),
        '',
      ].join('\n'),
    ),
  ];
}

function objectTable(answer: Answer, room: number): string {
  const rows = treeRows(answer);
  const lines: string[] = [];
  let used = 0;
  for (const line of rows.map(rowOf)) {
    used += Buffer.byteLength(line) + 1;
    if (used > room) break;
    lines.push(line);
  }
  const left = rows.slice(lines.length).reduce((sum, { count }) => sum + count, 0);
  const names = answer.outcomes.map(({ name }) =>
    answer.outcomes.length > 1 ? inline(name) : 'fate',
  );
  return [
    `| ${[...names, 'object', ''].join(' | ')} |`,
    `| ${[...names, '', ''].map(() => '---').join(' | ')} |`,
    ...lines,
    ...(left === 0 ? [] : ['', `and ${grouped(left)} more`]),
    '',
  ].join('\n');
}

function rowOf({ fates, branch, label, asked, deleting }: TreeRow): string {
  const cells = fates.map((fate) => inline(`${LOOKS[fate.fate].sign} ${fateWords(fate)}`));
  const notes = [...(asked ? ['asked for'] : []), ...(deleting ? ['being deleted'] : [])];
  // Markdown shows several blanks as one.
  const indented = inline(`${branch.replaceAll(' ', '\u00a0')}${label}`);
  return `| ${[...cells, indented, notes.join(', ')].join(' | ')} |`;
}

function reasonBlock(outcome: Outcome, answer: Answer): string {
  const items = reasonsOf(outcome, answer).map((reason) => `- ${inline(reasonWords(reason))}`);
  const settles = settlingCommands(outcome, answer);
  if (items.length === 0 && settles.length === 0) return '';
  const head = answer.outcomes.length > 1 ? `Why, with ${inline(outcome.name)}:` : 'Why:';
  const commands = settles.length === 0 ? [] : ['Settle it with:', '', preformatted(settles), ''];
  return [head, '', ...items, '', ...commands].join('\n');
}

function riskBlock({ risks }: Outcome): string {
  return risks
    .map(({ text, documented }) =>
      documented === null
        ? `**Risk:** ${inline(text)}\n`
        : `Documented: ${inline(text)} (${inline(documented)})\n`,
    )
    .join('\n');
}
