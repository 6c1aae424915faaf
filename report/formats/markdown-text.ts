import { escaped, escapedLines } from '../../text/escape.ts';

/**
 * Text from input as Markdown shows it, letter by letter. Everything that could be markup is written
 * as an entity; inside of `<code>` and `<pre>`, hosts also leave `@name` and `#1` alone.
 */
export function inline(text: string): string {
  return `<code>${entities(escaped(text))}</code>`;
}

/** The same, but links to pages of the web can be followed. */
export function linked(text: string): string {
  return text
    .split(/(https:\/\/[A-Za-z0-9./_#?=&%~+-]+[A-Za-z0-9/_#=&%~+-])/)
    .map((part, index) => (part === '' ? '' : index % 2 === 1 ? `<${part}>` : inline(part)))
    .join('');
}

/** Lines as they are: in a block of HTML, nothing else is markup. */
export function preformatted(lines: readonly string[]): string {
  const text = escapedLines(lines.join('\n'));
  return `<pre>\n${text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')}\n</pre>`;
}

/** Letters, digits and harmless punctuation as they are. */
function entities(text: string): string {
  return text
    .replaceAll(/[^\p{L}\p{N}\p{M}\n ,./()=+'"%?;:-]/gu, (found) => `&#${found.codePointAt(0)};`)
    .replaceAll('://', '&#58;//')
    .replaceAll(/www\./gi, (found) => `${found.slice(0, 3)}&#46;`);
}
