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

function safe(text: string): string {
  return text.replace(UNSAFE, (found) => (found === '\n' ? found : unicodeEscapes(found)));
}

function unicodeEscapes(character: string): string {
  return character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}
