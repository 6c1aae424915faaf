import { escaped } from '../../text/escape.ts';
import { shortLines } from './picture-text.ts';

/** The largest diagrams that Mermaid draws by default, in characters and, for flowcharts, edges. */
export const MERMAID_MOST_CHARACTERS = 50_000;
export const MERMAID_MOST_EDGES = 500;

/**
 * Every character that is not literal in Mermaid; hyphens and dots are literal within a word only.
 */
const SYNTAX = /(?<![\p{L}\p{N}])[-.]|[-.](?![\p{L}\p{N}])|[^\p{L}\p{N} ,=()/.-]/gu;

/**
 * Text that any diagram of Mermaid shows literally. Characters that could be syntax, HTML or
 * Markdown
 * are written as their numbers.
 */
export function mermaidText(text: string): string {
  return text.replace(SYNTAX, (found) => `#${found.codePointAt(0)};`);
}

/** Literal text in lines of about `room` characters. */
export function mermaidLines(text: string, room: number): string {
  return shortLines(text, room).map(mermaidText).join('<br/>');
}

/** A comment in the source. Mermaid finds directives even in comments, so these are escaped. */
export function mermaidComment(text: string): string {
  return `%% ${escaped(text).replaceAll(/[%{}]/g, mermaidText)}`;
}
