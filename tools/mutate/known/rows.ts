import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import * as z from 'zod';
import { PACKAGE_FOLDER } from '../../../input/package-files.ts';
import type { SourceRow } from '../rows/source-rows.ts';

/**
 * For rows of docs/sources.md about one line of the model: the line, as the beginning of
 * `mutantWords`. Only changes of that line count as a proof of the row.
 */
export interface RowLine extends Pick<SourceRow, 'where' | 'statement'> {
  /** The number with which the name of the document begins. */
  readonly document: string;
  readonly line: string;
}

const FILE = join(PACKAGE_FOLDER, 'tools', 'mutate', 'known', 'row-lines.yaml');

const LINES = z.array(
  z.strictObject({
    line: z.string(),
    rows: z.array(z.tuple([z.string(), z.string(), z.string()])),
  }),
);

export const ROW_LINES: readonly RowLine[] = LINES.parse(parse(readFileSync(FILE, 'utf8'))).flatMap(
  ({ line, rows }) =>
    rows.map(([document, where, statement]) => ({ document, where, statement, line })),
);

export function isAbout(
  one: RowLine,
  row: Pick<SourceRow, 'document' | 'where' | 'statement'>,
): boolean {
  return (
    row.document.startsWith(`${one.document}_`) &&
    row.where === one.where &&
    row.statement === one.statement
  );
}

export function lineOf(row: Pick<SourceRow, 'document' | 'where' | 'statement'>): string | null {
  return ROW_LINES.find((one) => isAbout(one, row))?.line ?? null;
}
