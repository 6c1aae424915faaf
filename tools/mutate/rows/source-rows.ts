import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PACKAGE_FOLDER } from '../../../input/package-files.ts';

/**
 * The rows of docs/sources.md: the statements of four documents, each with a scenario that shows
 * it.
 */
export interface SourceRow {
  readonly document: string;
  /** Protocols that the document speaks of. */
  readonly protocols: readonly string[];
  readonly where: string;
  readonly statement: string;
  /** Links to files of the model, and the names of functions and rules in them. */
  readonly by: string;
  /** As on the command line of `reapcheck check`. */
  readonly command: string;
  readonly question: string;
  readonly verdict: string;
}

export const COLUMNS = [
  'where',
  'statement',
  'expressed by',
  'scenario',
  'property or outcome',
  'verdict',
] as const;

export function sourcesText(): string {
  return readFileSync(join(PACKAGE_FOLDER, 'docs', 'sources.md'), 'utf8');
}

/** The sections of the page, one for each document. */
export function sectionsOf(text: string): readonly string[] {
  return text.split(/^## /m).slice(1);
}

/** Throws if a line of a table does not have six cells. */
export function sourceRows(text = sourcesText()): readonly SourceRow[] {
  return sectionsOf(text).flatMap((section) => {
    const [document = ''] = section.split('\n');
    const [, named = ''] = section.match(/^Protocols?: (.*)$/m) ?? [];
    const [, table = ''] = section.split(`| ${COLUMNS.join(' | ')} |\n`);
    const [, ...lines] = table.trimEnd().split('\n');
    return lines.map((line): SourceRow => {
      const cells = cellsOf(line);
      if (cells?.length !== COLUMNS.length) {
        throw new Error(`${document}: no row of six cells: ${line}`);
      }
      const [where = '', statement = '', by = '', scenario = '', question = '', verdict = ''] =
        cells;
      const command = scenario.replaceAll('`', '');
      return {
        document,
        protocols: quoted(named),
        where,
        statement,
        by,
        command,
        question,
        verdict,
      };
    });
  });
}

/** The cells of a line of a table; null: the line is none. */
export function cellsOf(line: string): readonly string[] | null {
  if (!line.startsWith('| ') || !line.endsWith(' |')) return null;
  return line
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim());
}

/** The words between backticks. */
export function quoted(cell: string): readonly string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
}
