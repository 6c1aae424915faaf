import { escaped } from '../../text/escape.ts';
import { type Colors, plural, wrapped } from '../../text/layout.ts';
import { SEVERITIES, type Severity } from '../document/drift.ts';
import type { GateCell, GateDocument, ToldDrift } from '../document/gate-document.ts';
import { kindsText, sumLines } from './gate-sum.ts';
import { type GateTextOptions, newTraces } from './gate-traces.ts';
import { sentencesOf } from './gate-words.ts';

/** How many cells to show in full, and how many more with the kinds of their drifts only. */
const CELLS_SHOWN = 20;
const CELLS_NAMED = 40;

/** The document of the gate as text: each changed cell, worst first, then the summary. */
export function gateText(document: GateDocument, options: GateTextOptions): string {
  const { colors } = options;
  const changed = worstFirst(document);
  const told = changed.filter((one) => !isComing(one));
  const shown = told.slice(0, CELLS_SHOWN);
  const traces = newTraces(
    shown.flatMap(({ drifts }) => drifts),
    document,
    options,
  );
  const lines = [
    ...shown.flatMap(({ cell, drifts }) => [
      ...cellLines(cell, drifts, colors),
      ...(traces.get(cell.name) ?? []),
      '',
    ]),
    ...restLines(told.slice(CELLS_SHOWN)),
    ...comingLines(changed.filter(isComing)),
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
  /** 0 for a cell that failed or is unexpected, otherwise by severity. */
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

function cellLines(cell: GateCell, drifts: readonly ToldDrift[], colors: Colors): string[] {
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
    // Not wrapped, so that it can be copied.
    ...(cell.again === ''
      ? []
      : [colors.dim(`  ${'again'.padEnd(LABEL_WIDTH)}${escaped(cell.again)}`)]),
  ];
}

/** A new cell without any other drift. */
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

/** The cells for which there is no room. They include worse ones only if very many are worse. */
function restLines(cells: readonly Changed[]): string[] {
  if (cells.length === 0) return [];
  const more = cells.length - CELLS_NAMED;
  return [
    `${plural(cells.length, 'more cell')} changed`,
    ...cells
      .slice(0, CELLS_NAMED)
      .flatMap(({ cell, drifts }) =>
        wrapped(escaped(`${cell.name}: ${inShort(cell, drifts)}`), '  ', '    '),
      ),
    ...(more > 0 ? [`  and ${more} more: json and html have them all`] : []),
    '',
  ];
}

function inShort({ error, unmet }: GateCell, drifts: readonly ToldDrift[]): string {
  const texts = [
    error ?? '',
    unmet.length > 0 ? 'not as the scenario expects' : '',
    kindsText(drifts),
  ];
  return texts.filter((text) => text !== '').join('; ');
}
