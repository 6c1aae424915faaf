import { escaped } from '../../text/escape.ts';
import { type Colors, plural, WIDTH, wrapped } from '../../text/layout.ts';
import type { Answer, Outcome } from '../document/answer.ts';
import { tokensByTrace } from '../document/replay.ts';
import type { ResultDocument } from '../document/result-document.ts';
import { traceLines } from '../text/trace.ts';
import {
  aroundOf,
  meaningFor,
  propertyCalled,
  reasonsOf,
  reasonWords,
  sentenceWords,
  settlingCommands,
} from './parts.ts';
import { type TreeRow, treeRows } from './tree.ts';
import { fateWords, LOOKS } from './words.ts';

/** As for every text. */
interface TextOptions {
  readonly colors: Colors;
  readonly traces: boolean;
  readonly full?: boolean;
}

const HEAD = 14;

/** An answer for a terminal: the sentence, the tree, the reasons, what is missing, the risks. */
export function answerText(document: ResultDocument, answer: Answer, options: TextOptions): string {
  const { colors } = options;
  const lines = [
    ...answer.outcomes.flatMap((outcome) => sentenceLines(outcome, answer, colors)),
    '',
    ...treeLines(answer, colors),
    '',
    ...answer.outcomes.flatMap((outcome) => reasonLines(outcome, answer, colors)),
    ...missingLines(answer, colors),
    ...answer.outcomes.flatMap((outcome) => riskLines(outcome, document, options)),
    ...aroundLines(answer, colors),
    ...answer.outcomes.flatMap((outcome) => basisLines(outcome, answer, colors)),
    ...footLines(document, answer, colors),
  ];
  return `${lines.join('\n')}\n`;
}

function sentenceLines(outcome: Outcome, answer: Answer, colors: Colors): string[] {
  return wrapped(escaped(sentenceWords(outcome, answer))).map(colors.bold);
}

function section(head: string, items: readonly string[]): string[] {
  return items.flatMap((item, index) =>
    wrapped(escaped(item), index === 0 ? `  ${head.padEnd(HEAD)}` : ' '.repeat(HEAD + 2)),
  );
}

function treeLines(answer: Answer, colors: Colors): string[] {
  const rows = treeRows(answer);
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
    ...rows.map((row) => rowLine(row, widths, colors)),
  ];
}

function cellWords(fate: TreeRow['fates'][number] | undefined): string {
  return fate === undefined ? '' : `${LOOKS[fate.fate].sign} ${fateWords(fate)}`;
}

function rowLine(
  { fates, branch, label, asked, deleting }: TreeRow,
  widths: readonly number[],
  colors: Colors,
): string {
  const cells = fates.map((fate, column) =>
    colors[LOOKS[fate.fate].color](cellWords(fate).padEnd(widths[column] ?? 0)),
  );
  const notes = [...(asked ? ['asked for'] : []), ...(deleting ? ['being deleted'] : [])];
  const room = WIDTH - 4 - widths.reduce((sum, width) => sum + width + 2, 0);
  const note = notes.length === 0 ? '' : `  (${notes.join(', ')})`;
  const name = escaped(`${branch}${label}`);
  const cut = name.length + note.length > room ? `${name.slice(0, room - note.length - 1)}…` : name;
  return `  ${cells.join('  ')}  ${cut}${colors.dim(note)}`;
}

/** How many reasons are shown. */
const REASONS = 6;

/** Each reason once, with the objects that it is the reason for. */
function reasonLines(outcome: Outcome, answer: Answer, colors: Colors): string[] {
  const lines = reasonsOf(outcome, answer).map(reasonWords);
  const head = answer.outcomes.length > 1 ? outcome.name : 'Why';
  const more = lines.length - REASONS;
  return [
    ...section(head, [
      ...lines.slice(0, REASONS),
      ...(more > 0 ? [`and ${plural(more, 'reason')} more (--format json has all)`] : []),
    ]),
    ...commandLines(settlingCommands(outcome, answer), colors),
  ];
}

function commandLines(commands: readonly string[], colors: Colors): string[] {
  // Not wrapped, so that they can be copied.
  return commands.map((command) => `${' '.repeat(HEAD + 2)}${colors.bold(escaped(command))}`);
}

function missingLines({ missing }: Answer, colors: Colors): string[] {
  return missing.flatMap(({ text, settle }, index) => [
    ...section(index === 0 ? 'Unknown' : '', [`${text}. Settle it with:`]).map(colors.yellow),
    ...commandLines([settle], colors),
  ]);
}

function riskLines(
  { risks }: Outcome,
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
    return [
      ...section(head, [`${text}${more}`, ...where]).map(
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

function aroundLines(answer: Answer, colors: Colors): string[] {
  const items = aroundOf(answer).map(({ text, overrule }) => `${text} (${overrule})`);
  return section('Around them', items).map(colors.dim);
}

function basisLines(
  { name, basis, invariants }: Outcome,
  { outcomes }: Answer,
  colors: Colors,
): string[] {
  const head = outcomes.length > 1 ? name : 'How sure';
  const look = basis.kind === 'search' ? colors.dim : colors.yellow;
  return [
    ...section(head, [`${basis.text}`]).map(look),
    ...section('Invariants', [invariants.text]).map(colors.dim),
  ];
}

function footLines(document: ResultDocument, { protocol }: Answer, colors: Colors): string[] {
  const [first] = document.checks;
  const cut = first?.cut ?? [];
  const warnings = first?.warnings ?? [];
  return [
    ...section('Warning', warnings).map(colors.yellow),
    ...section('Assumed', [`Kubernetes ${protocol}; --format json has all assumptions`]).map(
      colors.dim,
    ),
    ...section('Left out', cut).map(colors.dim),
    ...section('Exit code', [`${document.exitCode}: ${meaningFor(document.exitCode)}`]).map(
      colors.dim,
    ),
  ];
}
