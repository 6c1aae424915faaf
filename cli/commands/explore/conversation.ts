import { type LineSource, linesOf } from '../../../explore/line-source.ts';
import { type Bytes, readSource } from '../../../input/documents/source.ts';
import { escaped } from '../../../text/escape.ts';
import { EXIT, type ExitCode } from '../../../text/exit-codes.ts';
import type { Io } from '../../io.ts';

const PROMPT = '> ';

/** What a command prints, and what follows from it. */
export interface Answer {
  readonly lines: readonly string[];
  readonly quit?: boolean;
  /** The command was not valid. */
  readonly failed?: boolean;
}

export interface Conversation {
  /** What is printed first. */
  head(isTyped: boolean): readonly string[];
  complete(line: string): readonly string[];
  answer(line: string, source: LineSource): Promise<Answer>;
}

/** The commands of a file; null: they are typed, or come from the input. Throws `InputError`. */
export async function scriptOf(
  file: string | null,
  io: Io,
  maxMegabytes: number,
): Promise<Bytes | null> {
  if (file === null) return null;
  const { text } = await readSource(file, io.stdin, { maxMegabytes });
  return bytesOf(text);
}

/** Reads and executes commands until they end. */
export async function converse(
  { head, complete, answer }: Conversation,
  script: Bytes | null,
  io: Io,
): Promise<ExitCode> {
  const print = (lines: readonly string[]): void => {
    if (lines.length > 0) io.stdout.write(`${lines.join('\n')}\n`);
  };
  const isTyped = script === null && io.openTerminal !== undefined;
  print(head(isTyped));
  const source: LineSource = isTyped
    ? io.openTerminal(PROMPT, complete)
    : linesOf(script ?? io.stdin, io.onInterrupt);
  let hasFailed = false;
  try {
    for (;;) {
      const line = await source.next();
      if (line.kind === 'interrupted') return EXIT.interrupted;
      if (line.kind === 'end') break;
      if (!isTyped) print(['', `${PROMPT}${escaped(line.text.trim())}`]);
      const { lines, failed, quit } = await answer(line.text, source);
      print(lines);
      hasFailed ||= failed === true;
      if (quit === true) break;
    }
  } finally {
    source.close();
  }
  // A person sees the error message; a script needs an exit code.
  return hasFailed && !isTyped ? EXIT.usage : EXIT.asExpected;
}

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}
