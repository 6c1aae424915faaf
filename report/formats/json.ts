import { UNSAFE } from '../../text/escape.ts';

/**
 * A document as JSON, fit for a terminal: what `JSON.stringify` leaves as it is (C1 controls,
 * bidirectional marks) is written as `\uXXXX`, which reads back as the same text.
 */
export function renderJson(document: object): string {
  return `${safe(JSON.stringify(document, null, 2))}\n`;
}

/** The same, on one line. */
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
