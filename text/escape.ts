/**
 * Characters that could control a terminal or reorder the line: C0 and C1 controls, DEL, line and
 * paragraph separators, zero-width and bidirectional marks, the byte order mark, lone surrogates.
 */
export const UNSAFE =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff\u{e0000}-\u{e007f}]/gu;

function written(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code > 0xffff) return `\\u{${code.toString(16)}}`;
  if (code > 0xff) return `\\u${code.toString(16).padStart(4, '0')}`;
  return `\\x${code.toString(16).padStart(2, '0')}`;
}

/** Makes text from files safe to print on one line: `\x1b`, `\u202e` instead of the character. */
export function escaped(text: string): string {
  return text.replace(UNSAFE, written);
}

/** Like `escaped`, for text of several lines. */
export function escapedLines(text: string): string {
  return text.split('\n').map(escaped).join('\n');
}
