import type { Path, SourceDocument } from '../../input/documents/document.ts';
import { unknownField } from '../../input/documents/shape.ts';
import { InputError } from '../../text/input-error.ts';

/**
 * What a lock has below a few fields stands in rows: a fact each, after all names that lead to it, so
 * that every line of a difference says by itself what it is about.
 */
const ROW_FIELDS = ['protocols', 'cells'];

/** Names from the outside in, then the value. */
export type Row = readonly [...names: string[], value: unknown];

/** @param names that lead to a value; there may be fewer. */
export function rowsOf(record: object, names: number): readonly Row[] {
  return Object.entries(record).flatMap(([name, part]): readonly Row[] => {
    const below = names > 1 && isNested(part) ? rowsOf(part, names - 1) : [];
    return below.length === 0 ? [[name, part]] : below.map((row) => [name, ...row]);
  });
}

/** The document with records instead of rows; what is wrong in them is found in its row. */
export function withoutRows(document: SourceDocument): SourceDocument {
  const { value, file } = document;
  if (typeof value !== 'object' || value === null) return document;
  const rowAt = new Map<string, Path>();
  const whole: Record<string, unknown> = { ...value };
  for (const field of ROW_FIELDS.filter((name) => Object.hasOwn(whole, name))) {
    whole[field] = recordOf(whole[field], field, document, rowAt);
  }
  const place = (path: Path) => document.place(rowOf(path, rowAt));
  return { value: whole, file, place };
}

type Nested = Record<string, unknown>;

function recordOf(
  rows: unknown,
  field: string,
  document: SourceDocument,
  rowAt: Map<string, Path>,
): Nested {
  const wrong = (at: Path, what: string, expected: string) =>
    new InputError({ what, where: document.place(at), expected });
  if (!Array.isArray(rows)) throw wrong([field], `${field} is no list`, 'a row for each fact');
  const record: Nested = {};
  for (const [index, row] of (rows as readonly unknown[]).entries()) {
    const at = [field, index];
    if (!isRow(row)) throw wrong(at, 'this is no row', 'a list of names and a value');
    const names = row.slice(0, -1) as readonly string[];
    if (names.includes('__proto__')) throw unknownField(document, [...at, '__proto__'], []);
    let inner = record;
    for (const [depth, name] of names.entries()) {
      const key = JSON.stringify([field, ...names.slice(0, depth + 1)]);
      if (!rowAt.has(key)) rowAt.set(key, at);
      const isLast = depth === names.length - 1;
      if (!Object.hasOwn(inner, name)) inner[name] = isLast ? row.at(-1) : {};
      else if (isLast || !isNested(inner[name])) {
        throw wrong(at, `${JSON.stringify(names)} is given twice`, 'each fact once');
      }
      if (!isLast) inner = inner[name] as Nested;
    }
  }
  return record;
}

function isRow(row: unknown): row is Row {
  return (
    Array.isArray(row) &&
    row.length > 1 &&
    row.slice(0, -1).every((name) => typeof name === 'string')
  );
}

function isNested(value: unknown): value is Nested {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The row that a path is in, or the first one below it. */
function rowOf(path: Path, rowAt: ReadonlyMap<string, Path>): Path {
  for (let length = path.length; length > 1; length -= 1) {
    const row = rowAt.get(JSON.stringify(path.slice(0, length)));
    if (row !== undefined) return row;
  }
  return path;
}
