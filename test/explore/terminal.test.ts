import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import type { Io } from '../../cli/io.ts';
import { run } from '../../cli/run.ts';
import { terminalOn } from '../../cli/terminal.ts';

const LATE = 'late-dependent-orphan';
const UP = '\u001b[A';
const CTRL_C = '\u0003';
const CTRL_D = '\u0004';
/** With one of these a prompt is answered. */
const ENDS = ['\r', CTRL_C, CTRL_D];

/**
 * A session on a terminal: at each prompt the pieces up to the next one that ends a line are typed,
 * and Ctrl-C at once in each search.
 */
async function typed(pieces: readonly string[], options: readonly string[] = []) {
  const input = new PassThrough();
  let written = '';
  const left = [...pieces];
  const write = (text: string): void => {
    written += text;
  };
  const typeLine = (): void => {
    const piece = left.shift() ?? CTRL_D;
    input.write(piece);
    if (!ENDS.some((end) => piece.endsWith(end))) typeLine();
  };
  const output = new PassThrough();
  output.on('data', (data) => write(String(data)));
  const io: Io = {
    stdin: (async function* () {})(),
    stdout: { isTerminal: true, write },
    stderr: { isTerminal: false, write: () => undefined },
    env: { NO_COLOR: '1' },
    onInterrupt: () => () => undefined,
    openTerminal: (prompt, complete) => {
      const source = terminalOn(input, output)(prompt, complete);
      const onInterrupt: typeof source.onInterrupt = (callback) => {
        const stopListening = source.onInterrupt(callback);
        input.write(CTRL_C);
        return stopListening;
      };
      const next: typeof source.next = () => {
        const line = source.next();
        typeLine();
        return line;
      };
      return { ...source, next, onInterrupt };
    },
  };
  const code = await run(['explore', LATE, ...options], io);
  // Without what moves the cursor.
  return { code, text: written.replaceAll(/\u001b\[\d*[A-Z]|\r/g, ''), left };
}

it('is left by quit, by the end of input and by Ctrl-C', async () => {
  expect(await typed(['1\r', 'quit\r', 'unread'])).toMatchObject({ code: 0, left: ['unread'] });
  expect(await typed(['1\r', CTRL_D])).toMatchObject({ code: 0 });
  expect(await typed(['1\r', CTRL_C, 'unread'])).toMatchObject({ code: 130, left: ['unread'] });
});

it('goes on after a mistake, and after a search that Ctrl-C has ended', async () => {
  const pieces = ['nonsense\r', 'until end\r', 'state\r'];
  // Searches listen now and then, so that one may be over before; not if its time is up at once.
  const { code, text } = await typed(pieces, ['--timeout', '0.000001']);
  expect(text).toMatch('there is no command "nonsense"');
  expect(text).toMatch(
    /Not known whether nothing can be done, after \d+ states?\. The search\s+ended at its limit/,
  );
  expect(text).toMatch('At the start\n  ConfigMap/a');
  expect(code).toBe(0);
});

it('completes what is typed, and remembers it', async () => {
  const { text } = await typed(['why takeforo', '\t', '\r', UP, '\r', 'unti', '\t', '\r']);
  expect(text.match(/Secret\/late is not in attemptToOrphan/g)).toHaveLength(2);
  expect(text).toMatch('usage: until WHAT');
});
