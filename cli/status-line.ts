import { WIDTH } from '../text/layout.ts';
import type { Io } from './io.ts';

/** Milliseconds. What takes less needs no line. */
const QUIET = 2_000;

/** A line of words on a terminal that is written again in place. */
export interface StatusLine {
  /** @param text without characters that control a terminal. */
  show(text: string): void;
  clear(): void;
}

/** Shows nothing for so many milliseconds, and nothing at all where nobody watches. */
export function statusLine({ stderr }: Io, quiet: boolean, delay = QUIET): StatusLine {
  const begun = performance.now();
  let isShown = false;
  return {
    show: (text) => {
      if (quiet || !stderr.isTerminal || performance.now() - begun < delay) return;
      stderr.write(`\r\u001b[2K${text.length <= WIDTH ? text : `${text.slice(0, WIDTH - 3)}...`}`);
      isShown = true;
    },
    clear: () => {
      if (isShown) stderr.write('\r\u001b[2K');
      isShown = false;
    },
  };
}
