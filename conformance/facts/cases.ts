import { join } from 'node:path';
import { documents } from '../../input/documents/documents.ts';
import { type Bytes, type ReadLimits, readSource } from '../../input/documents/source.ts';
import { PACKAGE_FOLDER } from '../../input/package-files.ts';
import type { Place } from '../../text/input-error.ts';
import { MESSAGES } from '../../text/messages.ts';
import { readPaths } from '../files.ts';

/** The facts of Kubernetes' own tests that are published with the package. */
export const FACTS_FOLDER = join(PACKAGE_FOLDER, 'conformance', 'facts', 'data');

/** A conformance case as read from a file, not yet parsed. */
export interface CaseSource {
  readonly file: string;
  readonly value: unknown;
  place(): Place;
}

/**
 * Reads the cases of files and folders. A file holds a list of cases; of a folder all `.json` files
 * are read, in the order of their names. Throws `InputError` for a file that is not a list of
 * cases, for a path without any case, and for two cases with the same id.
 */
export async function readCases(
  paths: readonly string[],
  stdin: Bytes,
  limits: ReadLimits,
): Promise<readonly CaseSource[]> {
  const cases = await readPaths(
    paths,
    (name) => name.endsWith('.json'),
    (file) => casesIn(file, stdin, limits),
    MESSAGES.noCases,
  );
  const seen = new Map<string, string>();
  for (const { file, value } of cases) {
    const id = idOf(value);
    const other = id === null ? undefined : seen.get(id);
    if (id !== null && other !== undefined) throw MESSAGES.caseTwice(id, [other, file]);
    if (id !== null) seen.set(id, file);
  }
  return cases;
}

async function casesIn(
  file: string,
  stdin: Bytes,
  limits: ReadLimits,
): Promise<readonly CaseSource[]> {
  const source = await readSource(file, stdin, limits);
  return [...documents(source)].flatMap((document) => {
    if (!Array.isArray(document.value)) throw MESSAGES.notCases(document.place([]));
    const list: readonly unknown[] = document.value;
    return list.map((value, index) => ({
      file: source.file,
      value,
      place: () => document.place([index]),
    }));
  });
}

function idOf(value: unknown): string | null {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, 'id')) return null;
  const id: unknown = Reflect.get(value, 'id');
  return typeof id === 'string' ? id : null;
}
