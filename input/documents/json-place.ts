import type { Path } from './document.ts';

const WORD = /[^\s,\]}]*/y;

/** The end of a string literal that begins at `start`. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at + 1;
}

function skipSpace(text: string, start: number): number {
  let at = start;
  while (' \t\n\r'.includes(text[at] ?? '-')) at++;
  return at;
}

/** The end of the value that begins at `start`. Does not recurse, so depth is no danger. */
function endOfValue(text: string, start: number): number {
  let depth = 0;
  let at = start;
  do {
    const character = text[at];
    if (character === '"') at = endOfString(text, at);
    else if (character === '{' || character === '[') {
      depth++;
      at++;
    } else if (character === '}' || character === ']') {
      depth--;
      at++;
    } else if (depth > 0) at++;
    else {
      WORD.lastIndex = at;
      WORD.test(text);
      at = WORD.lastIndex;
    }
  } while (depth > 0);
  return at;
}

interface Found {
  /** Where the key stands, or the value of an array element. */
  readonly mark: number;
  readonly value: number;
}

/** One step down. `JSON.parse` takes the last of equal keys, and so does this. */
function child(text: string, container: number, step: string | number): Found | null {
  const isObject = text[container] === '{';
  if (!isObject && text[container] !== '[') return null;
  let found: Found | null = null;
  let index = 0;
  let at = skipSpace(text, container + 1);
  while (text[at] !== '}' && text[at] !== ']') {
    const mark = at;
    let key: string | number = index++;
    if (isObject) {
      at = endOfString(text, at);
      key = JSON.parse(text.slice(mark, at)) as string;
      at = skipSpace(text, skipSpace(text, at) + 1);
    }
    if (key === step) found = { mark, value: at };
    if (found && !isObject) return found;
    at = skipSpace(text, endOfValue(text, at));
    if (text[at] === ',') at = skipSpace(text, at + 1);
  }
  return found;
}

/**
 * The offset of the field at `path` in a valid JSON text, or of the nearest enclosing field that
 * is there. Positions are looked up only for errors, so that reading stays a plain `JSON.parse`.
 */
export function jsonOffset(text: string, start: number, path: Path): number {
  let value = skipSpace(text, start);
  let mark = value;
  for (const step of path) {
    const next = child(text, value, step);
    if (next === null) break;
    mark = next.mark;
    value = next.value;
  }
  return mark;
}

/**
 * The offset of the first key that its object has already, in a valid JSON text; null if there is
 * none. `JSON.parse` would take the last of equal keys and say nothing.
 */
export function repeatedKey(
  text: string,
): { readonly offset: number; readonly key: string } | null {
  // One for each object or list that is open; a list has no keys.
  const open: (Set<string> | null)[] = [];
  for (let at = 0; at < text.length; ) {
    const character = text[at];
    if (character === '"') {
      const end = endOfString(text, at);
      const keys = open.at(-1);
      if (keys && text[skipSpace(text, end)] === ':') {
        const key = JSON.parse(text.slice(at, end)) as string;
        if (keys.has(key)) return { offset: at, key };
        keys.add(key);
      }
      at = end;
      continue;
    }
    if (character === '{') open.push(new Set());
    else if (character === '[') open.push(null);
    else if (character === '}' || character === ']') open.pop();
    at++;
  }
  return null;
}
