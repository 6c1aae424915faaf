import { escaped, escapedLines } from '../../text/escape.ts';

/**
 * Text from input that Markdown shows literally. Everything that could be markup is written as an
 * entity; inside `<code>` and `<pre>`, hosts do not link `@name` and `#1` either.
 */
export function inline(text: string): string {
  return `<code>${entities(escaped(text))}</code>`;
}

/** Literal text, except that links to https pages work. */
export function linked(text: string): string {
  return text
    .split(/(https:\/\/[A-Za-z0-9./_#?=&%~+-]+[A-Za-z0-9/_#=&%~+-])/)
    .map((part, index) => (part === '' ? '' : index % 2 === 1 ? `<${part}>` : inline(part)))
    .join('');
}

/** Literal lines: in a block of HTML, only these three characters are markup. */
export function preformatted(lines: readonly string[]): string {
  const text = escapedLines(lines.join('\n'));
  return `<pre>\n${text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')}\n</pre>`;
}

/** HTML, or Markdown, that a reader unfolds. */
export function folded(summary: string, content: string): string {
  return `<details><summary>${summary}</summary>\n\n${content}\n</details>\n`;
}

/** Writes everything as entities but letters, digits and harmless punctuation. */
function entities(text: string): string {
  return text
    .replaceAll(/[^\p{L}\p{N}\p{M}\n ,./()=+'"%?;:-]/gu, (found) => `&#${found.codePointAt(0)};`)
    .replaceAll('://', '&#58;//')
    .replaceAll(/www\./gi, (found) => `${found.slice(0, 3)}&#46;`);
}
