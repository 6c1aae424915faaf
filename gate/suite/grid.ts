import { createRequire } from 'node:module';
import type { CellParameter } from '../cell.ts';
import { AS_WRITTEN, type Grid } from './suite-schema.ts';

// covertable is CommonJS without an exports map. Node does not see its named exports, and Vitest
// unwraps its default export, so no import statement works in both. No better kept library is
// known.
const { make } = createRequire(import.meta.url)('covertable') as typeof import('covertable');

/** The values of one parameter. Null keeps what the scenario says. */
export interface Axis {
  readonly name: string;
  readonly values: readonly (string | null)[];
}

/** Parameters in the order of a cell's name. Rules come last, sorted by name. */
export function axesOf(grid: Grid): readonly Axis[] {
  const { rules = {}, protocol, workers, relists, stuckFinalizer, reduction } = grid;
  const given = { protocol, workers, relists, stuckFinalizer, reduction, ...sorted(rules) };
  return Object.entries(given).flatMap(([name, values]) =>
    values === undefined ? [] : [{ name, values: values.map(choiceOf) }],
  );
}

function choiceOf(value: string | number): string | null {
  return value === AS_WRITTEN ? null : String(value);
}

function sorted<Value>(record: Readonly<Record<string, Value>>): Readonly<Record<string, Value>> {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/**
 * All combinations of the values, or enough of them to cover each pair of values of two parameters.
 */
export function combinations(
  axes: readonly Axis[],
  combine: 'full' | 'pairwise',
): readonly (readonly CellParameter[])[] {
  const rows = combine === 'pairwise' && axes.length > 1 ? pairs(axes) : product(axes);
  return rows.map((row) =>
    row.flatMap((choice, index): CellParameter[] => {
      const { name, values } = axes[index]!;
      const value = values[choice]!;
      return value === null ? [] : [{ name, value }];
    }),
  );
}

/** A row has the index of a value for each axis. */
type Row = readonly number[];

function product(axes: readonly Axis[]): readonly Row[] {
  return axes.reduce<readonly Row[]>(
    (rows, { values }) => rows.flatMap((row) => values.map((_, index) => [...row, index])),
    [[]],
  );
}

function pairs(axes: readonly Axis[]): readonly Row[] {
  const rows = make(axes.map(({ values }) => values.map((_, index) => index)));
  return rows.sort(byFirstDifference);
}

function byFirstDifference(a: Row, b: Row): number {
  const at = a.findIndex((choice, index) => choice !== b[index]);
  return at < 0 ? 0 : a[at]! - b[at]!;
}

/** `foreground-chain [protocol=v1.7 workers=2]`. */
export function cellName(scenario: string, parameters: readonly CellParameter[]): string {
  if (parameters.length === 0) return scenario;
  return `${scenario} [${parameters.map(({ name, value }) => `${name}=${value}`).join(' ')}]`;
}
