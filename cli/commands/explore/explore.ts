import { begin } from '../../../explore/begin.ts';
import { parseCommand } from '../../../explore/commands.ts';
import { completions } from '../../../explore/completion.ts';
import type { Explorer } from '../../../explore/explorer.ts';
import type { Goal } from '../../../explore/goals.ts';
import type { LineSource } from '../../../explore/line-source.ts';
import { enabledLines, textLines } from '../../../explore/lines.ts';
import { hereIn, type Session } from '../../../explore/position.ts';
import { search } from '../../../explore/search.ts';
import { arrive, execute, type Reaction } from '../../../explore/session.ts';
import { traceLines } from '../../../explore/state-lines.ts';
import { escaped } from '../../../text/escape.ts';
import type { ExitCode } from '../../../text/exit-codes.ts';
import { colorsFor } from '../../../text/layout.ts';
import type { ExploreArguments } from '../../explore-arguments.ts';
import type { Io } from '../../io.ts';
import { loadModule } from '../../modules.ts';
import { progressLine } from '../../progress.ts';
import { converse, scriptOf } from './conversation.ts';

/** Reads and executes commands until the input ends. `explore/session.ts` implements the commands. */
export async function exploreCommand(given: ExploreArguments, io: Io): Promise<ExitCode> {
  const colors = colorsFor(io.env, io.stdout.isTerminal);
  const script = await scriptOf(given.commands, io, given.options.maxMegabytes);
  const { explorer, session: start } = await begin(given, io.stdin, colors, loadModule);
  let session = start;
  const conversation = {
    head: (isTyped: boolean) => headLines(explorer, start, isTyped),
    complete: completions(explorer),
    answer: async (line: string, source: LineSource) => {
      const reaction = await react(explorer, session, line, given, source, io);
      session = reaction.session;
      return reaction;
    },
  };
  return converse(conversation, script, io);
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
  const progress = progressLine(io, false);
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
