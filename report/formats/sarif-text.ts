import { escapedLines } from '../../text/escape.ts';

/**
 * Plain text of a SARIF message: without what a viewer would take for a link (`[text](target)`) or
 * for a placeholder (`{0}`).
 */
export function plain(text: string): string {
  return escapedLines(text)
    .replaceAll('](', '] (')
    .replaceAll(/\{(\d+)\}/g, '{{$1}}');
}
