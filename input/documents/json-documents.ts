import { type JSONPath, type JSONVisitor, printParseErrorCode, visit } from 'jsonc-parser';
import { InputError, type Place } from '../../text/input-error.ts';
import { MESSAGES } from '../../text/messages.ts';
import {
  fieldName,
  isList,
  itemType,
  type LookWithin,
  lineAndColumn,
  type Path,
  pageOf,
  type SourceDocument,
} from './document.ts';
import { isMapping } from './shape.ts';
import type { Source } from './source.ts';

/**
 * The documents of a JSON file: one value, or several in a row, as two `kubectl get` that append to
 * one file leave them. The items of a `List` are parsed one at a time, as the values of a whole file
 * would take many times the memory of what is kept of them.
 *
 * `JSON.parse` reads the values. The parser with positions only looks for faults, repeated keys and
 * places, and keeps no tree: one would take ten times the memory of the text.
 *
 * @param look at the limits, while a text is read that may be long.
 */
export function* jsonDocuments(
  { file, text }: Source,
  look: LookWithin,
): Generator<SourceDocument> {
  for (let start = 0; start < text.length; ) {
    const from = start;
    const placeAt = (offset: number): Place => ({ file, ...lineAndColumn(text, from + offset) });
    const outline = outlined(text.slice(from), placeAt, look);
    const own = text.slice(from, from + outline.length);
    yield* listed(file, own, outline, placeAt, look) ?? [
      documentOf(file, own, { prefix: [], bytes: outline.bytes }, placeAt, look),
    ];
    start = from + outline.length;
  }
}

/**
 * Bytes that values take for each letter of their text, for each object, and for each key of an
 * object that has many, which the engine keeps in a table.
 */
const BYTES = { letter: 2, object: 60, key: 150 } as const;
const MANY_KEYS = 128;

/**
 * @param prefix the path of the text in its document.
 * @param bytes that its objects and keys take, besides its letters.
 */
function documentOf(
  file: string,
  text: string,
  { prefix, bytes }: { readonly prefix: Path; readonly bytes: number },
  placeAt: (offset: number) => Place,
  look: LookWithin,
): SourceDocument {
  look(BYTES.letter * text.length + bytes);
  return {
    value: parsed(text, placeAt),
    file,
    place: (path) => ({
      ...placeAt(jsonOffset(text, path)),
      field: fieldName([...prefix, ...path]),
    }),
  };
}

/** The items of a list, each as it is needed; null: it is none, or not all items are mappings. */
function listed(
  file: string,
  text: string,
  { items }: Outline,
  placeAt: (offset: number) => Place,
  look: LookWithin,
): Iterable<SourceDocument> | null {
  if (items === null || items.isMixed || items.starts.length === 0) return null;
  const { starts, ends, bytes } = items;
  // Without the items, which alone are long.
  const frame = parsed(`${text.slice(0, starts[0])}${text.slice(ends.at(-1))}`, placeAt);
  if (!isMapping(frame) || !isList(frame)) return null;
  const type = itemType(frame.apiVersion, frame.kind);
  const page = pageOf(frame);
  return (function* () {
    for (const [index, start] of starts.entries()) {
      const item = text.slice(start, ends[index]);
      const part = { prefix: ['items', index], bytes: bytes[index] ?? 0 };
      const document = documentOf(file, item, part, (at) => placeAt(start + at), look);
      yield { ...document, page, ...(type === null ? {} : { listed: type }) };
    }
  })();
}

/** Whether a text is one JSON value, or begins with one and goes on with another. */
export function isJson(text: string, look: LookWithin): boolean {
  let end: number | null = null;
  let isFaulty = false;
  try {
    // Keys that are equal are a fault of the document, which the reader of JSON names.
    const counted = sometimes(look);
    visit(
      text,
      {
        onObjectProperty: counted,
        onLiteralValue: counted,
        onError: (error, offset) => {
          if (end === null && printParseErrorCode(error) === 'EndOfFileExpected') end = offset;
          else isFaulty ||= end === null;
        },
      },
      STRICT,
    );
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
  // YAML documents that are flow mappings have a line of hyphens between them.
  return !isFaulty && (end === null || /[[{]/.test(text.charAt(end)));
}

function parsed(text: string, placeAt: (offset: number) => Place): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw MESSAGES.syntax('JSON', placeAt(0), String(error), false);
  }
}

/** What is where in the text of a value. */
interface Outline {
  /** How many characters the first value takes. */
  readonly length: number;
  /** What its objects and keys take, as values. */
  readonly bytes: number;
  /** Where the elements of its field `items` are, if that is a list. */
  readonly items: {
    readonly starts: readonly number[];
    readonly ends: readonly number[];
    readonly bytes: readonly number[];
    /** Whether some are no mappings. */
    readonly isMixed: boolean;
  } | null;
}

/** Fields and values between two looks: most take less than a microsecond. */
const LOOK_EVERY = 1000;

function sometimes(look: LookWithin): () => void {
  let count = 0;
  return () => {
    count += 1;
    if (count % LOOK_EVERY === 0) look();
  };
}

/**
 * Throws `InputError` where a text does not begin with a JSON value, and where an object has a key
 * twice: `JSON.parse` would take the last one without a word.
 */
function outlined(text: string, placeAt: (offset: number) => Place, look: LookWithin): Outline {
  let length = text.length;
  const keys = distinctKeys(placeAt);
  const starts: number[] = [];
  const ends: number[] = [];
  const itemBytes: number[] = [];
  let bytes = 0;
  let bytesBefore = 0;
  let isMixed = false;
  let isItems = false;
  let wasItems = false;
  let depth = 0;
  let field = '';
  const counted = sometimes(look);
  const begins = (isMapping: boolean, offset: number): void => {
    counted();
    if (depth === 2 && isItems) {
      if (isMapping) starts.push(offset);
      else isMixed = true;
      bytesBefore = bytes;
    }
    depth += 1;
  };
  visitJson(text, placeAt, {
    onObjectBegin: (offset) => {
      keys.onObjectBegin();
      begins(true, offset);
      bytes += BYTES.object;
    },
    onObjectEnd: (offset) => {
      keys.onObjectEnd();
      depth -= 1;
      if (depth !== 2 || !isItems) return;
      ends.push(offset + 1);
      itemBytes.push(bytes - bytesBefore);
    },
    onArrayBegin: (offset) => {
      if (depth === 1 && field === 'items') {
        isItems = true;
        wasItems = true;
      }
      begins(false, offset);
    },
    onArrayEnd: () => {
      depth -= 1;
      if (depth === 1) isItems = false;
    },
    onLiteralValue: () => {
      counted();
      if (depth === 2 && isItems) isMixed = true;
    },
    onObjectProperty: (key, offset) => {
      if (depth === 1) field = key;
      if (keys.onObjectProperty(key, offset) > MANY_KEYS) bytes += BYTES.key;
    },
    onError: (error, offset) => {
      const code = printParseErrorCode(error);
      if (code !== 'EndOfFileExpected') {
        const isLast = offset >= text.trimEnd().length;
        throw MESSAGES.syntax('JSON', placeAt(offset), FAULTS[code] ?? code, isLast);
      }
      length = offset;
    },
  });
  const items = wasItems ? { starts, ends, bytes: itemBytes, isMixed } : null;
  return { length, bytes, items };
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

const STRICT = { disallowComments: true } as const;

/** The parser calls itself once for each level, so depth is limited. Throws `InputError`. */
function visitJson(text: string, placeAt: (offset: number) => Place, visitor: JSONVisitor): void {
  try {
    visit(text, visitor, STRICT);
  } catch (error) {
    throw error instanceof RangeError ? MESSAGES.tooDeep(placeAt(0).file) : error;
  }
}

/**
 * Throws `InputError` where an object of a valid JSON text has a key twice: `JSON.parse` would take
 * the last one without a word.
 */
export function demandDistinctKeys(text: string, placeAt: (offset: number) => Place): void {
  visitJson(text, placeAt, distinctKeys(placeAt));
}

function distinctKeys(placeAt: (offset: number) => Place) {
  const open: Set<string>[] = [];
  return {
    onObjectBegin: (): void => {
      open.push(new Set());
    },
    onObjectEnd: (): void => {
      open.pop();
    },
    /** How many keys the object has so far. */
    onObjectProperty: (key: string, offset: number): number => {
      const keys = open.at(-1)!;
      if (!keys.has(key)) {
        keys.add(key);
        return keys.size;
      }
      throw new InputError({
        what: `the field ${JSON.stringify(key)} is given twice`,
        where: placeAt(offset),
        expected: 'each field of an object once',
      });
    },
  } satisfies JSONVisitor;
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
