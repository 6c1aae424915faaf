import type { Path, SourceDocument } from '../../input/documents/document.ts';
import { unknownField } from '../../input/documents/shape.ts';
import { InputError } from '../../text/input-error.ts';
import { type CellEntry, LISTS } from './lock-schema.ts';

/**
 * The cells of a lock are rows. Each row begins with the name of its cell, so that every line of a
 * difference says which cell it is about, and so that git can merge changes to different cells.
 *
 * - `[CELL, {...}]`: what every cell has
 * - `[CELL, "holds", [PROPERTY, ...]]`, and the same for the other lists
 * - `[CELL, "traces", PROPERTY, {...}]`
 */

/** Names from the outside in, then the value. */
export type Row = readonly [...names: string[], value: unknown];

const CELLS = 'cells';

export function rowsOf(cell: string, entry: CellEntry): readonly Row[] {
  const { traces = {}, ...rest } = entry;
  const first = Object.entries(rest).filter(([name]) => !isList(name));
  return [
    [cell, Object.fromEntries(first)],
    ...LISTS.flatMap((name): readonly Row[] =>
      rest[name] === undefined ? [] : [[cell, name, rest[name]]],
    ),
    ...Object.entries(traces).map(([name, trace]): Row => [cell, 'traces', name, trace]),
  ];
}

function isList(name: string): boolean {
  return LISTS.some((list) => list === name);
}

/** The document with a record of cells instead of rows. Its places are those of the rows. */
export function withoutRows(document: SourceDocument): SourceDocument {
  const { value, file } = document;
  if (!isRecord(value) || !Object.hasOwn(value, CELLS)) return document;
  const rowAt = new Map<string, Path>();
  const cells = recordOf(value[CELLS], document, rowAt);
  const place = (path: Path) => document.place(rowOf(path, rowAt));
  return { value: { ...value, [CELLS]: cells }, file, place };
}

type Nested = Record<string, unknown>;

function recordOf(rows: unknown, document: SourceDocument, rowAt: Map<string, Path>): Nested {
  const wrong = (at: Path, what: string, expected: string) =>
    new InputError({ what, where: document.place(at), expected });
  if (!Array.isArray(rows)) throw wrong([CELLS], `${CELLS} is not a list`, 'rows');
  const record: Nested = {};
  for (const [index, row] of (rows as readonly unknown[]).entries()) {
    const at = [CELLS, index];
    if (!isRow(row)) throw wrong(at, 'this is not a row', 'a list of names and a value');
    for (const [names, value] of factsIn(row)) {
      if (names.includes('__proto__')) throw unknownField(document, [...at, '__proto__'], []);
      let inner = record;
      for (const [depth, name] of names.entries()) {
        const key = JSON.stringify([CELLS, ...names.slice(0, depth + 1)]);
        if (!rowAt.has(key)) rowAt.set(key, at);
        const isLast = depth === names.length - 1;
        if (!Object.hasOwn(inner, name)) inner[name] = isLast ? value : {};
        else if (isLast || !isRecord(inner[name])) {
          throw wrong(at, `${JSON.stringify(names)} is given twice`, 'each fact once');
        }
        if (!isLast) inner = inner[name] as Nested;
      }
    }
  }
  return record;
}

/** The first row of a cell has several facts. */
function factsIn(row: Row): readonly (readonly [readonly string[], unknown])[] {
  const names = row.slice(0, -1) as readonly string[];
  const value = row.at(-1);
  if (names.length > 1 || !isRecord(value)) return [[names, value]];
  return Object.entries(value).map(([name, part]) => [[...names, name], part]);
}

function isRow(row: unknown): row is Row {
  return (
    Array.isArray(row) &&
    row.length > 1 &&
    row.slice(0, -1).every((name) => typeof name === 'string')
  );
}

function isRecord(value: unknown): value is Nested {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The row that a path is in, or the first row below it. */
function rowOf(path: Path, rowAt: ReadonlyMap<string, Path>): Path {
  for (let length = path.length; length > 1; length -= 1) {
    const row = rowAt.get(JSON.stringify(path.slice(0, length)));
    if (row !== undefined) return row;
  }
  return path;
}
