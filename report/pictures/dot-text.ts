import { escaped } from '../../text/escape.ts';
import { shortLines } from './picture-text.ts';

/** A tooltip. Graphviz reads backslashes in it twice. */
export function dotTooltip(texts: readonly string[]): string {
  return `"${inner(slashed(escaped(texts.join('; '))))}"`;
}

/** Several lines, each aligned left. */
export function dotLines(lines: readonly string[]): string {
  return `"${lines.map((line) => `${inner(line)}\\l`).join('')}"`;
}

/** Text for an HTML-like label. */
export function dotMarkup(text: string): string {
  return slashed(escaped(text)).replaceAll(/[&<>"']/g, (found) => `&#${found.codePointAt(0)};`);
}

/** Lines of about `room` characters; the lines after the first one of each text are indented. */
export function folded(texts: readonly string[], room: number): readonly string[] {
  return texts.flatMap((text) =>
    shortLines(text, room).map((line, index) => (index === 0 ? line : `  ${line}`)),
  );
}

/** Graphviz reads first the escapes in strings, then entities. */
function inner(text: string): string {
  return slashed(text.replaceAll('&', '&amp;')).replaceAll('"', '\\"');
}

function slashed(text: string): string {
  return text.replaceAll('\\', '\\\\');
}

export type DotAttributes = Readonly<Record<string, string>>;

/** `[key=value, ...]`; values are strings of the language, numbers or plain words. */
export function dotAttributes(attributes: DotAttributes): string {
  const list = Object.entries(attributes).map(([key, value]) => `${key}=${value}`);
  return list.length === 0 ? '' : ` [${list.join(', ')}]`;
}
