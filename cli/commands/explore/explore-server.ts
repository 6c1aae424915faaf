import { parseCommand } from '../../../explore/commands.ts';
import { ManualServer } from '../../../explore/manual-server.ts';
import { readSource } from '../../../input/documents/source.ts';
import { MAX_INPUT_DEFAULT } from '../../../input/options/values.ts';
import { escaped } from '../../../text/escape.ts';
import { EXIT, type ExitCode } from '../../../text/exit-codes.ts';
import { colorsFor } from '../../../text/layout.ts';
import type { ServerToExplore } from '../../explore-arguments.ts';
import type { Io } from '../../io.ts';
import { type LineSource, linesOf } from '../../line-source.ts';

const PROMPT = '> ';

/** Reads and executes commands until the input ends. Throws `InputError` if no server answers. */
export async function exploreServer({ url, commands }: ServerToExplore, io: Io): Promise<ExitCode> {
  const server = new ManualServer(url, colorsFor(io.env, io.stdout.isTerminal));
  const print = (lines: readonly string[]): void => {
    if (lines.length > 0) io.stdout.write(`${lines.join('\n')}\n`);
  };
  const script =
    commands === null
      ? null
      : (await readSource(commands, io.stdin, { maxMegabytes: MAX_INPUT_DEFAULT })).text;
  const first = await server.possible();
  print(first.lines);
  let shown = first.shown ?? [];
  const isTyped = script === null && io.openTerminal !== undefined;
  const source: LineSource = isTyped
    ? io.openTerminal(PROMPT, () => [])
    : linesOf(script === null ? io.stdin : bytesOf(script), io.onInterrupt);
  let failed = false;
  try {
    for (;;) {
      const line = await source.next();
      if (line.kind === 'interrupted') return EXIT.interrupted;
      if (line.kind === 'end') break;
      if (!isTyped) print(['', `${PROMPT}${escaped(line.text.trim())}`]);
      const answer = await server.execute(parseCommand(line.text), shown);
      print(answer.lines);
      shown = answer.shown ?? shown;
      failed ||= answer.failed === true;
      if (answer.quit === true) break;
    }
  } finally {
    source.close();
  }
  // A person sees the error message; a script needs an exit code.
  return failed && !isTyped ? EXIT.usage : EXIT.asExpected;
}

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}
