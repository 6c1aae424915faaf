import { parseCommand } from '../../../explore/commands.ts';
import { ManualServer } from '../../../explore/manual-server.ts';
import { MAX_INPUT_DEFAULT } from '../../../input/options/values.ts';
import type { ExitCode } from '../../../text/exit-codes.ts';
import { colorsFor } from '../../../text/layout.ts';
import type { ServerToExplore } from '../../explore-arguments.ts';
import type { Io } from '../../io.ts';
import { converse, scriptOf } from './conversation.ts';

/** Reads and executes commands until the input ends. Throws `InputError` if no server answers. */
export async function exploreServer({ url, commands }: ServerToExplore, io: Io): Promise<ExitCode> {
  const server = new ManualServer(url, colorsFor(io.env, io.stdout.isTerminal));
  const script = await scriptOf(commands, io, MAX_INPUT_DEFAULT);
  const first = await server.possible();
  let shown = first.shown ?? [];
  const conversation = {
    head: () => first.lines,
    complete: () => [],
    answer: async (line: string) => {
      const answer = await server.execute(parseCommand(line), shown);
      shown = answer.shown ?? shown;
      return answer;
    },
  };
  return converse(conversation, script, io);
}
