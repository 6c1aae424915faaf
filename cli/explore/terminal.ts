import { createInterface } from 'node:readline';
import type { LineSource, OpenTerminal } from './line-source.ts';

const HISTORY = 500;

/** Lines typed on the terminal, with history and completion. */
export const openTerminal: OpenTerminal = (prompt, complete) => {
  const terminal = createInterface({
    input: process.stdin,
    output: process.stdout,
    prompt,
    historySize: HISTORY,
    removeHistoryDuplicates: true,
    completer: (line: string) => [[...complete(line)], line],
  });
  const typed: string[] = [];
  let ended: null | 'interrupted' | undefined;
  let waiting: ((line: string | null | 'interrupted') => void) | null = null;
  let listener: (() => void) | null = null;
  const answer = (line: string | null | 'interrupted'): void => {
    const resolve = waiting;
    waiting = null;
    resolve?.(line);
  };
  terminal.on('line', (line) => {
    if (waiting === null) typed.push(line);
    else answer(line);
  });
  terminal.on('SIGINT', () => {
    if (listener !== null) {
      listener();
      return;
    }
    ended = 'interrupted';
    terminal.close();
  });
  terminal.on('close', () => {
    ended ??= null;
    answer(ended);
  });
  const source: LineSource = {
    next: () => {
      const line = typed.shift();
      if (line !== undefined) return Promise.resolve(line);
      if (ended !== undefined) return Promise.resolve(ended);
      terminal.prompt();
      return new Promise((resolve) => {
        waiting = resolve;
      });
    },
    onInterrupt: (callback) => {
      listener = callback;
      return () => {
        listener = null;
      };
    },
    close: () => terminal.close(),
  };
  return source;
};
