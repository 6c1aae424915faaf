import type { Bytes } from '../input/documents/source.ts';

/** The next line, the end of the input, or Ctrl-C. */
export type NextLine =
  | { readonly kind: 'line'; readonly text: string }
  | { readonly kind: 'end' }
  | { readonly kind: 'interrupted' };

/** A source of commands, one per line. */
export interface LineSource {
  next(): Promise<NextLine>;
  /**
   * Calls back at Ctrl-C while nothing waits for a line. Returns a function that stops listening.
   */
  onInterrupt(callback: () => void): () => void;
  close(): void;
}

/** Opens an interactive terminal. */
export type OpenTerminal = (
  prompt: string,
  complete: (line: string) => readonly string[],
) => LineSource;

const LONGEST = 100_000;

/** The lines of a pipe. A line that is too long is cut. */
export function linesOf(bytes: Bytes, onInterrupt: LineSource['onInterrupt']): LineSource {
  const lines = split(bytes);
  return {
    next: async () => {
      const { value, done } = await lines.next();
      return done === true ? { kind: 'end' } : { kind: 'line', text: value };
    },
    onInterrupt,
    close: () => undefined,
  };
}

async function* split(bytes: Bytes): AsyncGenerator<string, undefined> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of bytes) {
    const [first = '', ...more] = decoder.decode(chunk, { stream: true }).split('\n');
    rest = (rest + first).slice(0, LONGEST);
    for (const line of more) {
      yield rest;
      rest = line.slice(0, LONGEST);
    }
  }
  rest += decoder.decode();
  if (rest !== '') yield rest;
}
