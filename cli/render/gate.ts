import type { PropertyResult } from '../../checker/index.ts';
import type { GateCell, GateDocument, ToldDrift } from '../gate/document.ts';
import { DRIFT_KINDS, DRIFTS, SEVERITIES, type Severity } from '../gate/drift.ts';
import { SUITE_DEFAULT } from '../gate/names.ts';
import { sentencesOf } from '../gate/words.ts';
import type { CheckReport } from '../result-document.ts';
import { escaped } from './escape.ts';
import { type Colors, plural, shellQuoted, wrapped } from './layout.ts';
import { traceLines } from './trace.ts';

export interface GateTextOptions {
  readonly colors: Colors;
  readonly full?: boolean;
}

/** With more cells that have changed, those without anything worse are only counted. */
const CELLS_SHOWN = 20;
const NAMES_SHOWN = 5;

/** What the gate has found: each cell that changed, worst first, then the sum. */
export function gateText(document: GateDocument, options: GateTextOptions): string {
  const { colors } = options;
  const changed = worstFirst(document).filter((one) => !isComing(one));
  const needed = changed.filter(({ rank }) => rank === 0);
  const shown = changed.slice(0, Math.max(CELLS_SHOWN, needed.length));
  const lines = [
    ...shown.flatMap(({ cell, drifts }) => [...cellLines(cell, drifts, document, options), '']),
    ...restLines(changed.slice(shown.length).map(({ cell }) => cell)),
    ...comingLines(worstFirst(document).filter(isComing)),
    ...document.warnings.flatMap((warning) =>
      wrapped(escaped(warning), '  Warning  ').map(colors.yellow),
    ),
    ...sumLines(document, colors),
  ];
  return `${lines.join('\n')}\n`;
}

interface Changed {
  readonly cell: GateCell;
  readonly drifts: readonly ToldDrift[];
  /** 0: something is wrong here; else by severity. */
  readonly rank: number;
}

function worstFirst({ cells, drifts }: GateDocument): readonly Changed[] {
  const changed = cells.flatMap((cell): Changed[] => {
    const own = drifts.filter((drift) => drift.cell === cell.name);
    const isWrong = cell.status === 'failed' || cell.unmet.length > 0;
    if (own.length === 0 && !isWrong) return [];
    const ranks = own.map(({ severity }) => SEVERITIES.indexOf(severity));
    return [{ cell, drifts: own, rank: isWrong ? 0 : Math.min(...ranks) }];
  });
  return changed.toSorted((one, other) => one.rank - other.rank);
}

const LABEL_WIDTH = 9;

const COLOR = {
  worse: 'red',
  better: 'green',
  neutral: 'dim',
} as const satisfies Record<Severity, keyof Colors>;

function cellLines(
  cell: GateCell,
  drifts: readonly ToldDrift[],
  document: GateDocument,
  { colors, full = false }: GateTextOptions,
): string[] {
  const labelled = (label: string, text: string): string[] =>
    wrapped(escaped(text), `  ${label.padEnd(LABEL_WIDTH)}`);
  return [
    ...wrapped(escaped(cell.name)).map(colors.bold),
    ...(cell.error === null ? [] : labelled('failed', cell.error).map(colors.magenta)),
    ...cell.unmet.flatMap((fault) => labelled('wrong', fault).map(colors.red)),
    ...SEVERITIES.flatMap((severity) =>
      sentencesOf(drifts.filter((drift) => drift.severity === severity)).flatMap((sentence) =>
        labelled(severity, sentence).map(colors[COLOR[severity]]),
      ),
    ),
    ...cell.because.flatMap((reason, index) => labelled(index === 0 ? 'because' : '', reason)),
    ...(cell.place === null
      ? []
      : labelled('at', `${cell.place.file}:${cell.place.line}`).map(colors.dim)),
    // In one piece however long it is: it is there to be copied.
    ...(cell.again === ''
      ? []
      : [colors.dim(`  ${'again'.padEnd(LABEL_WIDTH)}${escaped(cell.again)}`)]),
    ...traces(drifts, document, { colors, full }),
  ];
}

interface Violation {
  readonly report: CheckReport;
  readonly property: PropertyResult;
}

function violationOf({ kind, cell, subject }: ToldDrift, document: GateDocument): Violation | null {
  if (kind !== 'newViolation') return null;
  const report = document.reports.find(({ title }) => title === cell);
  const property = report?.result.properties.find(({ name }) => name === subject);
  return report === undefined || property === undefined || property.trace === null
    ? null
    : { report, property };
}

/** Several properties often break on the same run, which is then printed once. */
function traces(
  drifts: readonly ToldDrift[],
  document: GateDocument,
  options: GateTextOptions,
): string[] {
  const shown = new Map<string, string>();
  return drifts.flatMap((drift) => {
    const found = violationOf(drift, document);
    if (found === null) return [];
    const { name, trace } = found.property;
    const run = JSON.stringify(trace?.steps.map(({ action, parameters }) => [action, parameters]));
    const sameAs = shown.get(run) ?? null;
    if (sameAs === null) shown.set(run, name);
    return traceOf(drift, found, sameAs, document, options);
  });
}

/** Of the same new violation in several cells, a shortest trace tells most. */
function traceOf(
  drift: ToldDrift,
  { report, property }: Violation,
  sameAs: string | null,
  document: GateDocument,
  { colors, full = false }: GateTextOptions,
): string[] {
  const all = document.drifts.flatMap((other) =>
    other.subject === drift.subject ? (violationOf(other, document) ?? []) : [],
  );
  const lengthOf = (violation: Violation): number => violation.property.trace?.steps.length ?? 0;
  const shortest = all.reduce((best, next) => (lengthOf(next) < lengthOf(best) ? next : best));
  if (shortest.report !== report) {
    const text = `of "${property.name}": see ${shortest.report.title}, where it is no longer`;
    return wrapped(escaped(text), `  ${'trace'.padEnd(LABEL_WIDTH)}`).map(colors.dim);
  }
  const token = report.tokens.find((one) => one.property === property.name)?.token ?? null;
  return ['', ...traceLines(property, { colors, full, token, sameAs })];
}

/** A new cell of which there is nothing more to say. */
function isComing({ cell, drifts, rank }: Changed): boolean {
  return cell.status === 'new' && rank > 0 && drifts.length === 1;
}

function comingLines(cells: readonly Changed[]): string[] {
  if (cells.length === 0) return [];
  const rest = cells.length - CELLS_SHOWN;
  return [
    'New cells',
    ...cells
      .slice(0, CELLS_SHOWN)
      .flatMap(({ cell, drifts: [drift] }) =>
        wrapped(escaped(`${cell.name}: ${drift?.after ?? ''}`), '  ', '    '),
      ),
    ...(rest > 0 ? [`  and ${rest} more`] : []),
    '',
  ];
}

function restLines(cells: readonly GateCell[]): string[] {
  if (cells.length === 0) return [];
  const named = cells.slice(0, NAMES_SHOWN).map(({ name }) => name);
  const more = cells.length - named.length;
  const rest = more > 0 ? ` and ${more} more` : '';
  const head = `In ${plural(cells.length, 'more cell')} nothing got worse: `;
  return [...wrapped(escaped(`${head}${named.join(', ')}${rest}`)), ''];
}

const STATUSES: readonly (readonly [GateCell['status'], string])[] = [
  ['asPinned', 'as pinned'],
  ['drifted', 'changed'],
  ['new', 'new'],
  ['gone', 'gone'],
  ['failed', 'failed'],
  ['notRun', 'not run'],
];

function sumLines(document: GateDocument, colors: Colors): string[] {
  const { cells, drifts, lock } = document;
  const counts = STATUSES.flatMap(([status, words]) => {
    const count = cells.filter((cell) => cell.status === status).length;
    return count === 0 ? [] : [`${count} ${words}`];
  });
  const unmet = cells.filter((cell) => cell.unmet.length > 0).length;
  const kinds = DRIFT_KINDS.flatMap((kind) => {
    const count = drifts.filter((drift) => drift.kind === kind).length;
    return count === 0 ? [] : [`${DRIFTS[kind].words}: ${count}`];
  });
  const isGood = document.exitCode === 0;
  return [
    ...wrapped(
      escaped(`${document.suite}: ${plural(cells.length, 'cell')}, ${counts.join(', ')}`),
    ).map(isGood ? colors.green : colors.bold),
    ...(kinds.length === 0 ? [] : wrapped(kinds.join('; '), 'Drift  ')),
    ...(unmet === 0 ? [] : wrapped(`Not as the scenario itself expects: ${plural(unmet, 'cell')}`)),
    ...lockLines(document, colors),
    ...(lock.why === null ? [] : wrapped(escaped(lock.why)).map(colors.red)),
  ];
}

function lockLines({ suite, lock, drifts, cells }: GateDocument, colors: Colors): string[] {
  const file = escaped(lock.file);
  switch (lock.update) {
    case 'written':
      return wrapped(`${file} is written: the next gate compares with what came out here.`);
    case 'unchanged':
      return wrapped(`${file} is as it would be written.`);
    case 'refused':
      return wrapped(`${file} is left as it is.`).map(colors.red);
    case 'notAsked': {
      const incomplete = cells.some(({ status }) => status === 'failed' || status === 'notRun');
      if (drifts.length === 0 || incomplete) return [];
      const worse = drifts.some(({ severity }) => severity === 'worse');
      const given = suite === SUITE_DEFAULT ? '' : ` ${shellQuoted(suite)}`;
      const command = `reapcheck gate${given} --update${worse ? ' --accept-worse' : ''}`;
      const missing = lock.found ? '' : `There is no ${file} yet. `;
      return [`${missing}If this is as it should be:`, `  ${command}`].map(escaped);
    }
    default:
      throw new Error(`unknown update ${lock.update satisfies never}`);
  }
}
