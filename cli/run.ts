import { packageVersion } from '../input/package-files.ts';
import { escapedLines } from '../text/escape.ts';
import { EXIT, type ExitCode } from '../text/exit-codes.ts';
import { errorLines, InputError } from '../text/input-error.ts';
import { colorsFor } from '../text/layout.ts';
import {
  checkArguments,
  explainArguments,
  questionArguments,
  surveyArguments,
} from './check-arguments.ts';
import { parseCommandLine } from './command-line.ts';
import { checkCommand } from './commands/check.ts';
import { collectCommand } from './commands/collect.ts';
import { compareCommand } from './commands/compare.ts';
import { conformCommand } from './commands/conform.ts';
import { deleteCommand, isQuestion } from './commands/delete.ts';
import { dumpCommandCommand } from './commands/dump-command.ts';
import { explainCommand } from './commands/explain.ts';
import { exploreCommand } from './commands/explore.ts';
import { gateCommand } from './commands/gate.ts';
import { listCommand } from './commands/list.ts';
import { renderCommand } from './commands/render.ts';
import { replayCommand } from './commands/replay.ts';
import { simulateCommand } from './commands/simulate.ts';
import { surveyCommand } from './commands/survey.ts';
import { uninstallCommand } from './commands/uninstall.ts';
import { exploreArguments } from './explore-arguments.ts';
import type { Io } from './io.ts';
import { replayArguments } from './replay-arguments.ts';
import { simulateArguments } from './simulate-arguments.ts';

/** Runs one command line, without the name of the program, and returns the exit code. */
export async function run(words: readonly string[], io: Io): Promise<ExitCode> {
  try {
    const line = await parseCommandLine(words, packageVersion());
    if (line.kind === 'print') {
      io.stdout.write(line.text);
      return EXIT.asExpected;
    }
    switch (line.command) {
      case 'delete':
        return await deleteCommand(questionArguments(line.values, words), io);
      case 'compare':
        return await compareCommand(questionArguments(line.values, words), io);
      case 'collect':
        return await collectCommand(questionArguments(line.values, words), io);
      case 'survey':
        return await surveyCommand(surveyArguments(line.values, words), io);
      case 'explain':
        return await explainCommand(explainArguments(line.values, words), io);
      case 'uninstall':
        return await uninstallCommand(explainArguments(line.values, words), line.values, io);
      case 'check': {
        const given = checkArguments(line.values, words);
        return await (isQuestion(given) ? deleteCommand : checkCommand)(given, io);
      }
      case 'conform':
        return await conformCommand(line.values, io);
      case 'dump-command':
        return dumpCommandCommand(line.values, io);
      case 'explore':
        return await exploreCommand(exploreArguments(line.values), io);
      case 'gate':
        return await gateCommand(line.values, words, io);
      case 'list':
        return await listCommand(line.values, io);
      case 'render':
        return await renderCommand(line.values, io);
      case 'replay':
        return await replayCommand(replayArguments(line.values, words), io);
      case 'simulate':
        return await simulateCommand(simulateArguments(line.values, words), io);
      default:
        throw new Error(`unknown command ${line.command satisfies never}`);
    }
  } catch (error) {
    return report(error, io);
  }
}

function report(error: unknown, io: Io): ExitCode {
  const colors = colorsFor(io.env, io.stderr.isTerminal);
  if (error instanceof InputError) {
    const text = errorLines(error.text).join('\n');
    io.stderr.write(`${text.replace(/^error:/, colors.red('error:'))}\n`);
    return EXIT.usage;
  }
  const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
  io.stderr.write(`${colors.magenta('defect of reapcheck:')} ${escapedLines(detail)}\n`);
  return EXIT.defect;
}
