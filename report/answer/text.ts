import { escaped } from '../../text/escape.ts';
import { type Colors, plural, WIDTH, wrapped } from '../../text/layout.ts';
import type { Answer, Risk } from '../document/answer.ts';
import { tokensByTrace } from '../document/replay.ts';
import type { ResultDocument } from '../document/result-document.ts';
import { traceLines } from '../text/trace.ts';
import { capitalized, propertyCalled } from './parts.ts';
import { type AnswerItem, type AnswerSection, itemWords } from './section.ts';
import { answerSections } from './sections.ts';
import { surveyText } from './survey-text.ts';
import { cellWords, DIFFERS, differs, rowNotes, type TreeRow, treeRows } from './tree.ts';
import { LOOKS } from './words.ts';

/** As for every text. */
export interface TextOptions {
  readonly colors: Colors;
  readonly traces: boolean;
  readonly full?: boolean;
}

const HEAD = 14;

/** An answer for a terminal: the sentence, the tree, then what is behind it. */
export function answerText(document: ResultDocument, answer: Answer, options: TextOptions): string {
  const { colors } = options;
  if (answer.survey !== undefined) return surveyText(document, answer.survey, colors);
  const tree = answer.objects.length === 0 ? [] : ['', ...treeLines(answer, colors)];
  const lines = [
    ...headLines(answer, colors),
    ...tree,
    '',
    ...answerSections(document, answer, { details: options.full === true }).flatMap((section) =>
      sectionLines(section, document, options),
    ),
  ];
  return `${lines.join('\n')}\n`;
}

function headLines({ sentence, outcomes }: Answer, colors: Colors): string[] {
  const lines = outcomes.flatMap((outcome) => {
    const first = outcomes.length > 1 ? `  ${escaped(outcome.name).padEnd(HEAD)}` : '';
    return wrapped(escaped(capitalized(outcome.sentence)), first, ' '.repeat(first.length));
  });
  if (sentence === undefined) return lines.map(colors.bold);
  return [...wrapped(escaped(capitalized(sentence))).map(colors.bold), '', ...lines];
}

const BLANK = ' '.repeat(HEAD + 2);

function sectionLines(
  { head, kind, items, noun = 'item', commands = [] }: AnswerSection,
  document: ResultDocument,
  options: TextOptions,
): string[] {
  const { colors } = options;
  const left = items.filter(({ folded }) => folded === true).length;
  const firstFolded = items.findIndex(({ folded }) => folded === true);
  const lines = items.flatMap((item, index) => {
    const first = index === 0 ? `  ${escaped(head).padEnd(HEAD)}` : BLANK;
    if (item.folded === true) {
      const words = `and ${plural(left, noun)} more (--format json has all)`;
      return index === firstFolded ? wrapped(words, first) : [];
    }
    const words = `${itemWords(item)}${item.risk === undefined ? '' : lengthWords(item.risk, document, options)}`;
    const more = kind === 'protocol' && options.full !== true ? '; --full has all assumptions' : '';
    const indent = item.number === undefined ? BLANK : `${BLANK}   `;
    return [
      ...wrapped(escaped(`${words}${more}`), first, indent).map(looksOf(item, colors)),
      ...commandLines(item.commands ?? [], colors),
    ];
  });
  const risks = items.flatMap(({ risk }) => risk ?? []);
  return [
    ...lines,
    ...commandLines(commands, colors),
    ...risks.flatMap((risk) => riskTrace(risk, document, options)),
  ];
}

function looksOf({ tone }: AnswerItem, colors: Colors): (line: string) => string {
  switch (tone) {
    case undefined:
      return (line) => line;
    case 'strong':
      return colors.bold;
    case 'bad':
      return colors.red;
    case 'warn':
      return colors.yellow;
    case 'dim':
      return colors.dim;
    default:
      throw new Error(`unknown tone ${tone satisfies never}`);
  }
}

function commandLines(commands: readonly string[], colors: Colors): string[] {
  // Not wrapped, so that they can be copied.
  return commands.map((command) => `${BLANK}${colors.bold(escaped(command))}`);
}

function lengthWords(risk: Risk, { checks }: ResultDocument, { traces }: TextOptions): string {
  const report = checks[risk.check];
  const found = report === undefined ? undefined : propertyCalled(report, risk.property);
  const length = found?.trace?.steps.length ?? 0;
  return traces || length === 0 ? '' : ` (${plural(length, 'step')}, --traces shows them)`;
}

function riskTrace(
  { check, property }: Risk,
  { checks }: ResultDocument,
  { colors, traces, full = false }: TextOptions,
): readonly string[] {
  const report = checks[check];
  const steps = report === undefined ? undefined : propertyCalled(report, property);
  if (!traces || report === undefined || !steps?.trace) return [];
  const token = tokensByTrace(report).get(steps.trace) ?? null;
  return ['', ...traceLines(steps, { colors, full, token, sameAs: null }), ''];
}

/** Nobody reads more on call. */
const MOST_ROWS = 60;

function treeLines(answer: Answer, colors: Colors): string[] {
  const rows = treeRows(answer);
  const left = rows.slice(MOST_ROWS).reduce((sum, { count }) => sum + count, 0);
  const names = answer.outcomes.map(({ name }) => escaped(name));
  const widths = names.map((name, column) =>
    Math.max(
      names.length > 1 ? name.length : 0,
      ...rows.map(({ fates }) => cellWords(fates[column]).length),
    ),
  );
  const heads = names.map((name, column) => name.padEnd(widths[column] ?? 0));
  return [
    ...(names.length > 1 ? [`  ${heads.join('  ')}`.trimEnd()] : []),
    ...rows.slice(0, MOST_ROWS).map((row) => rowLine(row, widths, colors)),
    ...(left > 0
      ? [colors.dim(`  and ${plural(left, 'object')} more (--format json has all)`)]
      : []),
    ...(rows.some(differs) ? ['', colors.dim(`${DIFFERS} the outcomes differ`)] : []),
  ];
}

function rowLine(row: TreeRow, widths: readonly number[], colors: Colors): string {
  const { fates, branch, label } = row;
  const cells = fates.map((fate, column) =>
    colors[LOOKS[fate.fate].color](cellWords(fate).padEnd(widths[column] ?? 0)),
  );
  const notes = rowNotes(row);
  const room = WIDTH - 4 - widths.reduce((sum, width) => sum + width + 2, 0);
  const note = notes.length === 0 ? '' : `  (${notes.join(', ')})`;
  const name = escaped(`${branch}${label}`);
  const cut = name.length + note.length > room ? `${name.slice(0, room - note.length - 1)}…` : name;
  const mark = differs(row) ? `${DIFFERS} ` : '  ';
  return `${mark}${cells.join('  ')}  ${cut}${colors.dim(note)}`;
}
