import { begin } from '../../../explore/begin.ts';
import { parseCommand } from '../../../explore/commands.ts';
import { completions } from '../../../explore/completion.ts';
import type { Explorer } from '../../../explore/explorer.ts';
import type { Goal } from '../../../explore/goals.ts';
import { enabledLines, textLines } from '../../../explore/lines.ts';
import { hereIn, type Session } from '../../../explore/position.ts';
import { search } from '../../../explore/search.ts';
import { arrive, execute, type Reaction } from '../../../explore/session.ts';
import { traceLines } from '../../../explore/state-lines.ts';
import { readSource } from '../../../input/documents/source.ts';
import { escaped } from '../../../text/escape.ts';
import { EXIT, type ExitCode } from '../../../text/exit-codes.ts';
import { colorsFor } from '../../../text/layout.ts';
import type { ExploreArguments } from '../../explore-arguments.ts';
import type { Io } from '../../io.ts';
import { type LineSource, linesOf } from '../../line-source.ts';
import { loadModule } from '../../modules.ts';
import { NO_PROGRESS, progressLine } from '../../progress.ts';

const PROMPT = '> ';

/** Reads and executes commands until the input ends. `explore/session.ts` implements the commands. */
export async function exploreCommand(given: ExploreArguments, io: Io): Promise<ExitCode> {
  const colors = colorsFor(io.env, io.stdout.isTerminal);
  const script = given.commands === null ? null : await scriptOf(given.commands, given, io);
  const { explorer, session: start } = await begin(given, io.stdin, colors, loadModule);
  const print = (lines: readonly string[]): void => {
    if (lines.length > 0) io.stdout.write(`${lines.join('\n')}\n`);
  };
  const isTyped = script === null && io.openTerminal !== undefined;
  print(headLines(explorer, start, isTyped));
  const source: LineSource = isTyped
    ? io.openTerminal(PROMPT, completions(explorer))
    : linesOf(script ?? io.stdin, io.onInterrupt);
  let session = start;
  let failed = false;
  try {
    for (;;) {
      const line = await source.next();
      if (line.kind === 'interrupted') return EXIT.interrupted;
      if (line.kind === 'end') break;
      if (!isTyped) print(['', `${PROMPT}${escaped(line.text.trim())}`]);
      const reaction = await react(explorer, session, line.text, given, source, io);
      print(reaction.lines);
      session = reaction.session;
      failed ||= reaction.failed === true;
      if (reaction.quit === true) break;
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

async function scriptOf(file: string, { options }: ExploreArguments, io: Io) {
  const { text } = await readSource(file, io.stdin, { maxMegabytes: options.maxMegabytes });
  return bytesOf(text);
}

function headLines(explorer: Explorer, session: Session, isTyped: boolean): string[] {
  const { title, about, cut, warnings, colors } = explorer;
  return [
    colors.bold(escaped(title)),
    ...(about === null ? [] : textLines(about.trim().replaceAll(/\s+/g, ' '), '  ')),
    ...cut.flatMap((part) => textLines(part, '  left out: ').map(colors.dim)),
    ...warnings.flatMap((warning) => textLines(warning, '  note: ').map(colors.yellow)),
    ...(isTyped ? [colors.dim('  help lists the commands')] : []),
    '',
    ...traceLines(explorer, session, false),
    '',
    ...enabledLines(explorer, hereIn(session)),
  ];
}

async function react(
  explorer: Explorer,
  session: Session,
  line: string,
  given: ExploreArguments,
  source: LineSource,
  io: Io,
): Promise<Reaction> {
  const reaction = execute(explorer, session, parseCommand(line));
  if (reaction.search === undefined) return reaction;
  return searched(explorer, reaction.session, reaction.search, given, source, io);
}

async function searched(
  explorer: Explorer,
  session: Session,
  goal: Goal,
  { limits }: ExploreArguments,
  source: LineSource,
  io: Io,
): Promise<Reaction> {
  const progress = io.stderr.isTerminal ? progressLine(io.stderr.write) : NO_PROGRESS;
  let interrupted = false;
  const stopListening = source.onInterrupt(() => {
    interrupted = true;
  });
  try {
    const outcome = await search(explorer, session, goal, {
      limits,
      interrupted: () => interrupted,
      onProgress: (event) => progress.show(goal.words, event),
    });
    progress.clear();
    return arrive(explorer, session, goal, outcome);
  } finally {
    progress.clear();
    stopListening();
  }
}
