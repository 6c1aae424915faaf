import { InputError, type Place } from '../../text/input-error.ts';
import { MESSAGES } from '../../text/messages.ts';
import { jsonOffset, type Path, repeatedKey } from './json-place.ts';
import type { Source } from './source.ts';
import { yamlDocuments } from './yaml-documents.ts';

/** One document of an input file, or one item of a `List` in it. */
export interface SourceDocument {
  readonly value: unknown;
  readonly file: string;
  /** Where the field (or what is left of it) stands. */
  place(path: Path): Place;
}

/** All documents of a source: JSON (several may follow each other) or YAML. */
export function documents(source: Source): Iterable<SourceDocument> {
  return looksLikeJson(source) ? jsonDocuments(source) : yamlDocuments(source);
}

function looksLikeJson(source: Source): boolean {
  const first = source.text.match(/^\s*(\S)/)?.[1];
  if (first !== '{' && first !== '[') return false;
  // A flow mapping at the top of a YAML file is JSON as a rule, but need not be.
  if (/\.ya?ml$/i.test(source.file)) return jsonError(source.text) === null;
  return true;
}

function* jsonDocuments(source: Source): Generator<SourceDocument> {
  const { file, text } = source;
  let start = 0;
  while (start < text.length) {
    const { value, end } = parseJson(source, start);
    const from = start;
    demandDistinctKeys(text.slice(start, end), (offset) => ({
      file,
      ...lineAndColumn(text, from + offset),
    }));
    yield {
      value,
      file,
      place: (path) => ({
        file,
        ...lineAndColumn(text, jsonOffset(text, from, path)),
        field: fieldName(path),
      }),
    };
    start = end;
  }
}

/** `kubectl get ... -o json` written twice into one file gives values one after the other. */
function parseJson(source: Source, start: number): { value: unknown; end: number } {
  const { file, text } = source;
  const rest = start === 0 ? text : text.slice(start);
  const error = jsonError(rest);
  if (error === null) return { value: JSON.parse(rest) as unknown, end: text.length };
  const offset = errorOffset(rest);
  if (/after JSON/.test(error)) {
    return { value: JSON.parse(rest.slice(0, offset)) as unknown, end: start + offset };
  }
  const plain = error.replace(/ in JSON at position.*$|, (\.\.\.)?".*$/s, '');
  throw MESSAGES.syntax('JSON', { file, ...lineAndColumn(text, start + offset) }, plain);
}

/** Of valid JSON. As in YAML: which of two equal keys counts is nothing to guess. */
export function demandDistinctKeys(text: string, placeAt: (offset: number) => Place): void {
  const repeated = repeatedKey(text);
  if (repeated === null) return;
  const { offset, key } = repeated;
  throw new InputError({
    what: `the field ${JSON.stringify(key)} is given twice`,
    where: placeAt(offset),
    expected: 'each field of an object once',
  });
}

function jsonError(text: string): string | null {
  try {
    JSON.parse(text);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/**
 * Where parsing fails. Not every message of `JSON.parse` says so, hence by bisection: the shortest
 * beginning of the text that fails for another reason than being cut off.
 */
function errorOffset(text: string): number {
  let good = 0;
  let bad = text.length + 1;
  while (bad - good > 1) {
    const middle = (good + bad) >> 1;
    if (failsBeforeItsEnd(text.slice(0, middle))) bad = middle;
    else good = middle;
  }
  return good;
}

function failsBeforeItsEnd(text: string): boolean {
  const error = jsonError(text);
  if (error === null || /end of JSON|Unterminated|missing|No number/.test(error)) return false;
  const position = error.match(/position (\d+)/)?.[1];
  return position === undefined || Number(position) < text.length;
}

export function lineAndColumn(text: string, offset: number): { line: number; column: number } {
  let line = 1;
  let lineStart = 0;
  for (;;) {
    const end = text.indexOf('\n', lineStart);
    if (end < 0 || end >= offset) break;
    line++;
    lineStart = end + 1;
  }
  return { line, column: offset - lineStart + 1 };
}

/** `metadata.ownerReferences[0].uid`; keys that are not plain words are quoted. */
export function fieldName(path: Path): string {
  let name = '';
  for (const step of path) {
    if (typeof step === 'number') name += `[${step}]`;
    else if (/^[A-Za-z_][\w-]*$/.test(step)) name += name === '' ? step : `.${step}`;
    else name += `[${JSON.stringify(step)}]`;
  }
  return name;
}

/** Rejects what cannot be a document; `null` stands for an empty one, which is skipped. */
export function mappingOf(document: SourceDocument): Readonly<Record<string, unknown>> | null {
  const { value } = document;
  if (value === null || value === undefined) return null;
  if (typeof value === 'object' && !Array.isArray(value)) return value as Record<string, unknown>;
  throw new InputError({
    what: 'this document is not a mapping of fields to values',
    where: document.place([]),
    expected: 'a Kubernetes manifest, a List of them, or a scenario',
  });
}
