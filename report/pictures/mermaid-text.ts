import { escaped } from '../../text/escape.ts';
import { shortLines } from './picture-text.ts';

/** What Mermaid draws without being told otherwise, in characters and, in flowcharts, in edges. */
export const MERMAID_MOST_CHARACTERS = 50_000;
export const MERMAID_MOST_EDGES = 500;

/** All but what stands for itself: hyphens and dots do so within a word only. */
const SYNTAX = /(?<![\p{L}\p{N}])[-.]|[-.](?![\p{L}\p{N}])|[^\p{L}\p{N} ,=()/.-]/gu;

/**
 * Text as any diagram of Mermaid takes it. All that could be syntax, HTML or Markdown is written as
 * the number of its character, which Mermaid puts into the picture as that character.
 */
export function mermaidText(text: string): string {
  return text.replace(SYNTAX, (found) => `#${found.codePointAt(0)};`);
}

/** The same in lines of about so many characters. */
export function mermaidLines(text: string, room: number): string {
  return shortLines(text, room).map(mermaidText).join('<br/>');
}

/** A line for those who read the source. Mermaid looks for its directives even in comments. */
export function mermaidComment(text: string): string {
  return `%% ${escaped(text).replaceAll(/[%{}]/g, mermaidText)}`;
}
