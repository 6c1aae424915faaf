import { UNSAFE } from '../../text/escape.ts';

/**
 * A document as JSON that is safe for a terminal. C1 controls and bidirectional marks, which
 * `JSON.stringify` does not escape, are written as `\uXXXX` and read back as the same text.
 */
export function renderJson(document: object): string {
  return `${safe(JSON.stringify(document, null, 2))}\n`;
}

/** A value as JSON that is safe for a terminal, on one line. */
export function safeJson(value: unknown): string {
  return safe(JSON.stringify(value));
}

/** `JSON.stringify` has escaped the newlines of texts. Those between lines are many, and stay. */
const UNSAFE_IN_JSON = new RegExp(`(?!\n)${UNSAFE.source}`, UNSAFE.flags);

function safe(text: string): string {
  return text.replace(UNSAFE_IN_JSON, unicodeEscapes);
}

function unicodeEscapes(character: string): string {
  return character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}
