import { escaped } from '../../text/escape.ts';
import { EXIT, type ExitCode, worst } from '../../text/exit-codes.ts';
import { type Colors, grouped, wrapped } from '../../text/layout.ts';
import type { CheckReport } from '../document/result-document.ts';
import { checkLine, statusWord, verdictCounts } from './summary.ts';

/**
 * The lines of several checks: one for each, and for the museum a table with one row for both sides
 * of an entry, and its title below.
 */
export function headLines(reports: readonly CheckReport[], colors: Colors): readonly string[] {
  return reports.flatMap((_, index) =>
    linesAfter(reports.slice(0, index + 1), reports[index + 1], colors),
  );
}

/** The lines to print once the last of these checks is done; `next` is the check that follows. */
export function linesAfter(
  reports: readonly CheckReport[],
  next: Pick<CheckReport, 'museum'> | undefined,
  colors: Colors,
): readonly string[] {
  const last = reports.at(-1);
  if (last === undefined) return [];
  const { museum } = last;
  if (museum === null) return [checkLine(last, colors)];
  if (next?.museum?.entry === museum.entry) return [];
  const sides = reports.filter((report) => report.museum?.entry === museum.entry);
  const first = !reports.some((report) => report.museum !== null && !sides.includes(report));
  const indent = ' '.repeat(WIDTHS[0]);
  return [
    ...(first ? [colors.bold(HEAD)] : []),
    entryLine(sides, colors),
    ...wrapped(escaped(museum.title), indent).map(colors.dim),
  ];
}

const WIDTHS = [13, 14, 24, 16] as const;

function columns(cells: readonly string[]): string {
  return cells
    .map((cell, index) => cell.padEnd(WIDTHS[index] ?? 0))
    .join('')
    .trimEnd();
}

const HEAD = columns(['', 'entry', 'before', 'after', 'states']);

function entryLine(sides: readonly CheckReport[], colors: Colors): string {
  const codes = sides.map(({ exitCode }) => exitCode as ExitCode);
  const worstSide = sides.find(({ exitCode }) => exitCode === worst(codes)) ?? sides[0]!;
  const [word, color] =
    worst(codes) === EXIT.asExpected ? (['ok', 'green'] as const) : statusWord(worstSide);
  const verdict = (variant: 'before' | 'after'): string => {
    const side = sides.find(({ museum }) => museum?.variant === variant);
    return side === undefined ? '-' : verdictOf(side);
  };
  const states = sides.map(({ result }) => grouped(result.statistics.states)).join(' / ');
  const entry = escaped(worstSide.museum?.entry ?? '');
  const id = `${entry.padEnd(WIDTHS[1] - 1)} `;
  const line = columns([word, id, verdict('before'), verdict('after'), states]);
  return `${colors[color](line.slice(0, WIDTHS[0]))}${line.slice(WIDTHS[0])}`;
}

/** `violated in 12 steps`: the verdict on the property that shows the difference. */
function verdictOf({ museum, result }: CheckReport): string {
  const found = result.properties.find(({ name }) => name === museum?.property);
  // --property may have selected other properties.
  if (found === undefined) return verdictCounts(result.properties);
  if (found.trace === null || found.verdict !== 'violated') return found.verdict;
  return `violated in ${grouped(found.trace.steps.length)} steps`;
}
