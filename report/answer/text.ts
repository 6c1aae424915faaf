import { escaped } from '../../text/escape.ts';
import { type Colors, plural, WIDTH, wrapped } from '../../text/layout.ts';
import type { Answer, Outcome } from '../document/answer.ts';
import { tokensByTrace } from '../document/replay.ts';
import type { ResultDocument } from '../document/result-document.ts';
import { traceLines } from '../text/trace.ts';
import {
  aroundOf,
  capitalized,
  meaningFor,
  propertyCalled,
  reasonsOf,
  reasonWords,
  settlingCommands,
} from './parts.ts';
import { surveyText } from './survey-text.ts';
import { type TreeRow, treeRows } from './tree.ts';
import { fateWords, LOOKS } from './words.ts';

/** As for every text. */
export interface TextOptions {
  readonly colors: Colors;
  readonly traces: boolean;
  readonly full?: boolean;
}

export const HEAD = 14;

/** An answer for a terminal: the sentence, the tree, the reasons, what is missing, the risks. */
export function answerText(document: ResultDocument, answer: Answer, options: TextOptions): string {
  const { colors } = options;
  if (answer.survey !== undefined) return surveyText(document, answer.survey, colors);
  const lines = [
    ...headLines(answer, colors),
    '',
    ...treeLines(answer, colors),
    ...(answer.objects.length === 0 ? [] : ['']),
    ...answer.outcomes.flatMap((outcome) => reasonLines(outcome, answer, colors)),
    ...missingLines(answer, colors),
    ...answer.outcomes.flatMap((outcome) => riskLines(outcome, answer, document, options)),
    ...aroundLines(answer, colors),
    ...basisLines(answer, colors),
    ...footLines(document, answer, colors),
  ];
  return `${lines.join('\n')}\n`;
}

export function headLines({ sentence, outcomes }: Answer, colors: Colors): string[] {
  const lines = outcomes.flatMap((outcome) => {
    const first = outcomes.length > 1 ? `  ${outcome.name.padEnd(HEAD)}` : '';
    return wrapped(escaped(capitalized(outcome.sentence)), first, ' '.repeat(first.length));
  });
  if (sentence === undefined) return lines.map(colors.bold);
  return [...wrapped(escaped(capitalized(sentence))).map(colors.bold), '', ...lines];
}

export function section(head: string, items: readonly string[]): string[] {
  return items.flatMap((item, index) =>
    wrapped(escaped(item), index === 0 ? `  ${head.padEnd(HEAD)}` : ' '.repeat(HEAD + 2)),
  );
}

/** Nobody reads more on call. */
const MOST_ROWS = 60;

export function treeLines(answer: Answer, colors: Colors): string[] {
  const rows = treeRows(answer);
  const left = rows.slice(MOST_ROWS).reduce((sum, { count }) => sum + count, 0);
  const names = answer.outcomes.map(({ name }) => name);
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

/** Before a row whose fates differ. */
const DIFFERS = '≠';

function differs({ fates: [first, ...others] }: TreeRow): boolean {
  return others.some((fate) => first === undefined || fateWords(fate) !== fateWords(first));
}

function cellWords(fate: TreeRow['fates'][number] | undefined): string {
  return fate === undefined ? '' : `${LOOKS[fate.fate].sign} ${fateWords(fate)}`;
}

function rowLine(row: TreeRow, widths: readonly number[], colors: Colors): string {
  const { fates, branch, label, asked, deleting } = row;
  const cells = fates.map((fate, column) =>
    colors[LOOKS[fate.fate].color](cellWords(fate).padEnd(widths[column] ?? 0)),
  );
  const notes = [...(asked ? ['asked for'] : []), ...(deleting ? ['being deleted'] : [])];
  const room = WIDTH - 4 - widths.reduce((sum, width) => sum + width + 2, 0);
  const note = notes.length === 0 ? '' : `  (${notes.join(', ')})`;
  const name = escaped(`${branch}${label}`);
  const cut = name.length + note.length > room ? `${name.slice(0, room - note.length - 1)}…` : name;
  const mark = differs(row) ? `${DIFFERS} ` : '  ';
  return `${mark}${cells.join('  ')}  ${cut}${colors.dim(note)}`;
}

/** How many reasons are shown. */
const REASONS = 6;
/** The reasons are the answer to `collect`. */
const REASONS_OF_COLLECT = 12;

/** Each reason once, with the objects that it is the reason for. */
function reasonLines(outcome: Outcome, answer: Answer, colors: Colors): string[] {
  const lines = reasonsOf(outcome, answer).map(reasonWords);
  const head = answer.outcomes.length > 1 ? outcome.name : 'Why';
  const most = answer.question === 'collect' ? REASONS_OF_COLLECT : REASONS;
  const more = lines.length - most;
  return [
    ...section(head, [
      ...lines.slice(0, most),
      ...(more > 0 ? [`and ${plural(more, 'reason')} more (--format json has all)`] : []),
    ]),
    ...commandLines(settlingCommands(outcome, answer), colors),
  ];
}

export function commandLines(commands: readonly string[], colors: Colors): string[] {
  // Not wrapped, so that they can be copied.
  return commands.map((command) => `${' '.repeat(HEAD + 2)}${colors.bold(escaped(command))}`);
}

export function missingLines({ missing }: Answer, colors: Colors): string[] {
  return missing.flatMap(({ text, settle }, index) => [
    ...section(index === 0 ? 'Unknown' : '', [`${text}. Settle it with:`]).map(colors.yellow),
    ...commandLines([settle], colors),
  ]);
}

export function riskLines(
  { risks, name }: Outcome,
  { outcomes }: Answer,
  { checks }: ResultDocument,
  { colors, traces, full = false }: TextOptions,
): string[] {
  return risks.flatMap(({ text, documented, check, property }) => {
    const report = checks[check];
    const head = documented === null ? 'Risk' : 'Documented';
    const steps = report === undefined ? null : propertyCalled(report, property);
    const length = steps?.trace?.steps.length ?? 0;
    const more = traces || length === 0 ? '' : ` (${plural(length, 'step')}, --traces shows them)`;
    const where = documented === null ? [] : [documented];
    const of = outcomes.length > 1 ? `${name}: ` : '';
    return [
      ...section(head, [`${of}${text}${more}`, ...where]).map(
        documented === null ? colors.red : colors.dim,
      ),
      ...(traces && report !== undefined && steps?.trace
        ? [
            '',
            ...traceLines(steps, {
              colors,
              full,
              token: tokensByTrace(report).get(steps.trace) ?? null,
              sameAs: null,
            }),
            '',
          ]
        : []),
    ];
  });
}

export function aroundLines(answer: Answer, colors: Colors): string[] {
  const items = aroundOf(answer).map(({ text, overrule }) => `${text} (${overrule})`);
  return section('Around them', items).map(colors.dim);
}

/** A basis that several outcomes share is said once. */
export function basisLines({ outcomes }: Answer, colors: Colors): string[] {
  const lines = (head: string, text: (outcome: Outcome) => string): string[] => {
    const groups = new Map<string, Outcome[]>();
    for (const outcome of outcomes) {
      groups.set(text(outcome), [...(groups.get(text(outcome)) ?? []), outcome]);
    }
    const items = [...groups].map(([words, group]) => {
      const names = group.map(({ name }) => name).join(', ');
      return { words: groups.size > 1 ? `${names}: ${words}` : words, group };
    });
    return items.flatMap(({ words, group }, index) => {
      const isProved = group.every(({ basis }) => basis.kind === 'search');
      const look = head === INVARIANTS || isProved ? colors.dim : colors.yellow;
      return section(index === 0 ? head : '', [words]).map(look);
    });
  };
  return [
    ...lines('How sure', ({ basis }) => basis.text),
    ...lines(INVARIANTS, ({ invariants }) => invariants.text),
  ];
}

const INVARIANTS = 'Invariants';

export function footLines(
  document: ResultDocument,
  { protocol, question, besides }: Answer,
  colors: Colors,
): string[] {
  const [first] = document.checks;
  const cut = first?.cut ?? [];
  const warnings = first?.warnings ?? [];
  return [
    ...section('Not judged', besides).map(colors.dim),
    ...section('Warning', warnings).map(colors.yellow),
    ...section('Assumed', [`Kubernetes ${protocol}; --format json has all assumptions`]).map(
      colors.dim,
    ),
    ...section('Left out', cut).map(colors.dim),
    ...section('Exit code', [
      `${document.exitCode}: ${meaningFor(question, document.exitCode)}`,
    ]).map(colors.dim),
  ];
}
