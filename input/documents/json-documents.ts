import { InputError, type Place } from '../../text/input-error.ts';
import { MESSAGES } from '../../text/messages.ts';
import { fieldName, lineAndColumn, type SourceDocument } from './document.ts';
import { jsonOffset, repeatedKey } from './json-place.ts';
import type { Source } from './source.ts';

/** The documents of a JSON file: one value, or several one after the other. */
export function* jsonDocuments(source: Source): Generator<SourceDocument> {
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

export function jsonError(text: string): string | null {
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
