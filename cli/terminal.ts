import { createInterface } from 'node:readline';
import type { NextLine, OpenTerminal } from '../explore/line-source.ts';

const HISTORY = 500;

/** Reads lines from a terminal, with history and completion. */
export function terminalOn(
  input: NodeJS.ReadableStream,
  output: NodeJS.WritableStream,
): OpenTerminal {
  return (prompt, complete) => {
    const terminal = createInterface({
      input,
      output,
      prompt,
      terminal: true,
      historySize: HISTORY,
      removeHistoryDuplicates: true,
      completer: (line: string) => [[...complete(line)], line],
    });
    // Lines typed while nothing waits for them.
    const typed: NextLine[] = [];
    let end: NextLine | null = null;
    let waiting: ((line: NextLine) => void) | null = null;
    let listener: (() => void) | null = null;
    const answer = (line: NextLine): void => {
      const resolve = waiting;
      waiting = null;
      resolve?.(line);
    };
    terminal.on('line', (text) => {
      const line: NextLine = { kind: 'line', text };
      if (waiting === null) typed.push(line);
      else answer(line);
    });
    terminal.on('SIGINT', () => {
      if (listener !== null) {
        listener();
        return;
      }
      end = { kind: 'interrupted' };
      terminal.close();
    });
    terminal.on('close', () => {
      end ??= { kind: 'end' };
      answer(end);
    });
    return {
      next: () => {
        const line = typed.shift() ?? end;
        if (line !== null) return Promise.resolve(line);
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
  };
}
