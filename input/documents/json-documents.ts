import { type JSONPath, type JSONVisitor, printParseErrorCode, visit } from 'jsonc-parser';
import { InputError, type Place } from '../../text/input-error.ts';
import { MESSAGES } from '../../text/messages.ts';
import { fieldName, lineAndColumn, type Path, type SourceDocument } from './document.ts';
import type { Source } from './source.ts';

/**
 * The documents of a JSON file: one value, or several in a row, as two `kubectl get` that append to
 * one file leave them.
 *
 * `JSON.parse` reads the values. The parser with positions only looks for repeated keys and for
 * places, and keeps no tree: one would take ten times the memory of the text.
 */
export function* jsonDocuments({ file, text }: Source): Generator<SourceDocument> {
  for (let start = 0; start < text.length; ) {
    const from = start;
    const placeAt = (offset: number): Place => ({ file, ...lineAndColumn(text, from + offset) });
    const { value, length } = parseFirst(text.slice(from), placeAt);
    const own = text.slice(from, from + length);
    demandDistinctKeys(own, placeAt);
    yield {
      value,
      file,
      place: (path) => ({ ...placeAt(jsonOffset(own, path)), field: fieldName(path) }),
    };
    start = from + length;
  }
}

/** Whether a text is one JSON value, or begins with one and goes on with another. */
export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    const { code, offset } = firstFault(text, (at) => ({ file: '', ...lineAndColumn(text, at) }));
    // YAML documents that are flow mappings have a line of hyphens between them.
    return code === 'EndOfFileExpected' && /[[{]/.test(text.charAt(offset));
  }
}

/** The first value of a text, and how many characters it takes. Throws `InputError`. */
function parseFirst(
  text: string,
  placeAt: (offset: number) => Place,
): { readonly value: unknown; readonly length: number } {
  try {
    return { value: JSON.parse(text) as unknown, length: text.length };
  } catch (error) {
    const { code, offset } = firstFault(text, placeAt);
    if (code === 'EndOfFileExpected') {
      return { value: JSON.parse(text.slice(0, offset)) as unknown, length: offset };
    }
    const isLast = offset >= text.trimEnd().length;
    throw MESSAGES.syntax('JSON', placeAt(offset), FAULTS[code] ?? String(error), isLast);
  }
}

/** Why a text is not one JSON value, by the names of the parser's error codes. */
const FAULTS: Readonly<Record<string, string>> = {
  InvalidSymbol: 'this word is not a value; strings need double quotes',
  InvalidNumberFormat: 'this is not a number',
  PropertyNameExpected: 'a field name in double quotes is expected',
  ValueExpected: 'a value is expected',
  ColonExpected: 'a colon is expected',
  CommaExpected: 'a comma is expected',
  CloseBraceExpected: 'a closing brace or a comma is expected',
  CloseBracketExpected: 'a closing bracket or a comma is expected',
  InvalidCommentToken: 'JSON has no comments',
  UnexpectedEndOfComment: 'JSON has no comments',
  UnexpectedEndOfString: 'this string has no closing quote',
  UnexpectedEndOfNumber: 'the number does not end',
  InvalidUnicode: 'this \\u escape is not complete',
  InvalidEscapeCharacter: 'this escape is not valid',
  InvalidCharacter: 'strings must not contain control characters',
};

interface Fault {
  readonly code: string;
  readonly offset: number;
}

function firstFault(text: string, placeAt: (offset: number) => Place): Fault {
  const faults: Fault[] = [];
  visitJson(text, placeAt, {
    onError: (code, offset) => {
      if (faults.length === 0) faults.push({ code: printParseErrorCode(code), offset });
    },
  });
  return faults[0] ?? { code: '', offset: 0 };
}

/** The parser calls itself once for each level, so depth is limited. Throws `InputError`. */
function visitJson(text: string, placeAt: (offset: number) => Place, visitor: JSONVisitor): void {
  try {
    visit(text, visitor, { disallowComments: true });
  } catch (error) {
    throw error instanceof RangeError ? MESSAGES.tooDeep(placeAt(0).file) : error;
  }
}

/**
 * Throws `InputError` where an object of a valid JSON text has a key twice: `JSON.parse` would take
 * the last one without a word.
 */
export function demandDistinctKeys(text: string, placeAt: (offset: number) => Place): void {
  const open: Set<string>[] = [];
  visitJson(text, placeAt, {
    onObjectBegin: () => {
      open.push(new Set());
    },
    onObjectEnd: () => {
      open.pop();
    },
    onObjectProperty: (key, offset) => {
      const keys = open.at(-1)!;
      if (!keys.has(key)) {
        keys.add(key);
        return;
      }
      throw new InputError({
        what: `the field ${JSON.stringify(key)} is given twice`,
        where: placeAt(offset),
        expected: 'each field of an object once',
      });
    },
  });
}

/**
 * The offset of the field at `path` in a valid JSON text without repeated keys, or of the nearest
 * enclosing field that is there: of its key, or of the value of a list's element.
 */
export function jsonOffset(text: string, path: Path): number {
  let found = 0;
  const isOnTheWay = (at: JSONPath): boolean =>
    at.length <= path.length && at.every((step, index) => step === path[index]);
  const value = (offset: number, at: JSONPath): boolean => {
    if (!isOnTheWay(at)) return false;
    // A field is found by its key.
    if (typeof at.at(-1) !== 'string') found = offset;
    return true;
  };
  visit(text, {
    onObjectBegin: (offset, _length, _line, _column, path) => value(offset, path()),
    onArrayBegin: (offset, _length, _line, _column, path) => value(offset, path()),
    // Without these, a skipped value would end the visit of its neighbours as well.
    onObjectEnd: () => {},
    onArrayEnd: () => {},
    onLiteralValue: (_value, offset, _length, _line, _column, path) => {
      value(offset, path());
    },
    onObjectProperty: (key, offset, _length, _line, _column, path) => {
      if (isOnTheWay([...path(), key])) found = offset;
    },
  });
  return found;
}
