import {
  Composer,
  type CST,
  type Document,
  isMap,
  isScalar,
  isSeq,
  Lexer,
  Parser,
  YAMLParseError,
} from 'yaml';
import type { Place } from '../../text/input-error.ts';
import { MESSAGES } from '../../text/messages.ts';
import {
  fieldName,
  itemType,
  type ListedAs,
  type LookWithin,
  lineAndColumn,
  type Page,
  type Path,
  pageOf,
  type SourceDocument,
} from './document.ts';
import { MOST_LEVELS } from './levels.ts';
import type { Source } from './source.ts';

/** Limit of alias expansions. Real dumps have none; an "alias bomb" has millions. */
const MAX_ALIASES = 100;

/** A part of the file that is parsed separately. */
interface Chunk {
  readonly start: number;
  readonly text: string;
  /** The path of its content in the document: the items of a List are parsed one by one. */
  readonly prefix: Path;
  /** What a typed list says of this item. */
  readonly listed?: ListedAs;
  readonly page?: Page;
}

/**
 * The documents of a YAML file. The items of a `List` in kubectl's layout are parsed one at a time:
 * the parser's tree of a whole file would take much more memory than the objects.
 *
 * @param look at the limits, while a text is read that may be long.
 */
export function* yamlDocuments(source: Source, look: LookWithin): Generator<SourceDocument> {
  for (const chunk of chunks(source.text)) {
    // Places are rarely needed, so the tree is parsed for the first one, and then kept.
    let parsed: Document.Parsed | null = null;
    const place = (path: Path): Place => {
      parsed ??= parse(chunk, source, look);
      return placeIn(source, chunk, parsed, path);
    };
    const { listed, page } = chunk;
    const value = parsedValue(source, chunk, look);
    const around = { ...(listed && { listed }), ...(page && { page }) };
    yield { value, file: source.file, place, ...around };
  }
}

/** Letters of a document whose tree is kept. */
const SMALL = 100_000;

/**
 * What was parsed last. Scenarios are asked for places as soon as they are parsed; dumps hardly
 * ever are.
 */
let latest: { readonly chunk: Chunk; readonly tree: Document.Parsed } | null = null;

function parse(chunk: Chunk, source: Source, look: LookWithin): Document.Parsed {
  if (latest?.chunk === chunk) return latest.tree;
  const tree = treeOf(chunk, source, look);
  latest = chunk.text.length <= SMALL ? { chunk, tree } : null;
  return tree;
}

function treeOf({ text }: Chunk, { file }: Source, look: LookWithin): Document.Parsed {
  const composer = new Composer({
    ...{ merge: true, prettyErrors: false, logLevel: 'error' },
    uniqueKeys: sameKeys(look),
  });
  const [document, second] = composer.compose(tokens(text, file, look), true, text.length);
  if (second !== undefined) {
    document!.errors.push(
      new YAMLParseError(
        [second.range[0], second.range[1]],
        'MULTIPLE_DOCS',
        'Source contains multiple documents',
      ),
    );
  }
  return document as Document.Parsed;
}

/** Keys and words of the syntax between two looks. */
const LOOK_EVERY = 10_000;

/** Bytes that each word of the syntax takes in the tree. */
const OF_WORD = 150;

/** As the parser compares keys: each with all before it, so that many keys take long. */
function sameKeys(look: LookWithin): (one: unknown, other: unknown) => boolean {
  let compared = 0;
  return (one, other) => {
    compared += 1;
    if (compared % LOOK_EVERY === 0) look();
    return one === other || (isScalar(one) && isScalar(other) && one.value === other.value);
  };
}

/**
 * The syntax of the text. Composing it takes a call for each level, and more than linear work where
 * keys are mappings, so nesting is bounded while the text is read. Throws `InputError`.
 */
function* tokens(text: string, file: string, look: LookWithin): Generator<CST.Token, void> {
  const parser = new Parser();
  let words = 0;
  for (const lexeme of new Lexer().lex(text)) {
    words += 1;
    if (words % LOOK_EVERY === 0) look();
    yield* parser.next(lexeme);
    if (parser.stack.length > MOST_LEVELS) throw MESSAGES.tooDeep(file);
  }
  // The tree is made of the whole syntax at once.
  look(OF_WORD * words);
  yield* parser.end();
}

function parsedValue(source: Source, chunk: Chunk, look: LookWithin): unknown {
  const document = parse(chunk, source, look);
  const error = document.errors[0];
  if (error !== undefined) {
    if (error.code === 'RESOURCE_EXHAUSTION') throw MESSAGES.tooDeep(source.file);
    const offset = chunk.start + error.pos[0];
    const at = lineAndColumn(source.text, offset);
    const rest = source.text.slice(offset).trimEnd();
    const isLast = !rest.includes('\n');
    const line = source.text.slice(offset - at.column + 1).split('\n', 1)[0];
    throw MESSAGES.syntax('YAML', { file: source.file, ...at }, error.message, isLast, line);
  }
  try {
    return document.toJS({ maxAliasCount: MAX_ALIASES }) as unknown;
  } catch (failure) {
    if (failure instanceof RangeError) throw MESSAGES.tooDeep(source.file);
    const message = failure instanceof Error ? failure.message : String(failure);
    if (/alias count/.test(message)) throw MESSAGES.aliasBomb(source.file, MAX_ALIASES);
    const at = lineAndColumn(source.text, chunk.start);
    throw MESSAGES.syntax('YAML', { file: source.file, ...at }, message);
  }
}

function placeIn(source: Source, chunk: Chunk, document: Document.Parsed, path: Path): Place {
  const offset = chunk.start + offsetIn(document, path);
  const field = fieldName([...chunk.prefix, ...path]);
  return { file: source.file, ...lineAndColumn(source.text, offset), field };
}

/** The offset of the field's key, or of the element of a sequence. */
function offsetIn(document: Document.Parsed, path: Path): number {
  let node: unknown = document.contents;
  let offset = document.contents?.range[0] ?? 0;
  for (const step of path) {
    if (isMap(node)) {
      const pair = node.items.find((item) => isScalar(item.key) && String(item.key.value) === step);
      if (pair === undefined) break;
      offset = rangeStart(pair.key, offset);
      node = pair.value;
    } else if (isSeq(node) && typeof step === 'number' && step < node.items.length) {
      node = node.items[step];
      offset = rangeStart(node, offset);
    } else break;
  }
  return offset;
}

function rangeStart(node: unknown, otherwise: number): number {
  return isScalar(node) || isMap(node) || isSeq(node) ? (node.range?.[0] ?? otherwise) : otherwise;
}

const DOCUMENT_MARK = /^---(?=\s|$)|^\.\.\.(?=\s|$)/gm;

/**
 * A List in kubectl's layout: nothing relevant before or after the items. A line matches in one way
 * only, as many ways would take exponential time.
 */
const LIST_HEAD = /^(?:[^\S\n]*(?:#[^\n]*)?\n)*apiVersion: ["']?([\w./]+)["']?\nitems:\n(?=( *)- )/;
const LIST_TAIL = /\nkind: (\w*List)\n(?:metadata:\n((?: .*\n)*))?\s*$/;
const LIST_FIELD = /^ +(\w+): *["']?(?!null\b)([\w+/=-]*)/gm;

const ANCHOR = /[:\-[,{?]\s*&[\w-]+(?=\s)/;

function* chunks(text: string): Generator<Chunk> {
  // Directives apply across documents, so such a file is parsed as a whole. No known tool writes
  // them.
  if (/^%/m.test(text)) {
    yield { start: 0, text, prefix: [] };
    return;
  }
  let start = 0;
  for (const mark of text.matchAll(DOCUMENT_MARK)) {
    yield* itemsOf(start, text.slice(start, mark.index));
    start = mark.index + mark[0].length;
  }
  yield* itemsOf(start, text.slice(start));
}

function* itemsOf(start: number, text: string): Generator<Chunk> {
  const head = text.match(LIST_HEAD);
  const tail = head === null ? null : text.match(LIST_TAIL);
  // A later item may refer to an anchor, so such a list is parsed in one piece.
  if (head === null || tail === null || ANCHOR.test(text)) {
    yield { start, text, prefix: [] };
    return;
  }
  const end = (tail.index ?? text.length) + 1;
  const indent = head[2] ?? '';
  const type = itemType(head[1], tail[1]);
  const metadata = [...(tail[2] ?? '').matchAll(LIST_FIELD)].map(([, name, said]) => [name, said]);
  const page = pageOf({ metadata: Object.fromEntries(metadata) });
  const around = { page, ...(type === null ? {} : { listed: type }) };
  const dash = new RegExp(`^${indent}-(?=\\s)`, 'gm');
  let from = head[0].length;
  for (let index = 0; from < end; index++) {
    dash.lastIndex = from + 1;
    const next = dash.exec(text)?.index ?? end;
    const to = Math.min(next, end);
    const item = `${indent} ${text.slice(from + indent.length + 1, to)}`;
    yield { start: start + from, text: item, prefix: ['items', index], ...around };
    from = to;
  }
}
