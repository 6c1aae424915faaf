import { MOST_LEVELS } from '../../input/documents/levels.ts';

const QUOTE = '"'.charCodeAt(0);
const BACKSLASH = '\\'.charCodeAt(0);
const OPENING = [...'[{'].map((one) => one.charCodeAt(0));
const CLOSING = [...']}'].map((one) => one.charCodeAt(0));

/**
 * The value of a JSON text. Throws an error that says why `what` is none.
 *
 * Questions and answers have about twenty levels. A text with millions of them would keep a worker
 * from renewing its locks: the parser needs half a minute for it, and the job would go from worker
 * to worker.
 */
export function shallowJson(text: string, what: string): unknown {
  if (isDeep(text)) throw new Error(`${what} is nested too deeply`);
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`${what} is no JSON`);
  }
}

function isDeep(text: string): boolean {
  let level = 0;
  let isQuoted = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) isQuoted = !isQuoted;
    else if (isQuoted) at += code === BACKSLASH ? 1 : 0;
    else if (OPENING.includes(code)) level++;
    else if (CLOSING.includes(code)) level--;
    if (level > MOST_LEVELS) return true;
  }
  return false;
}
