import type { Values } from '../input/options/values.ts';
import { packageVersion } from '../input/package-files.ts';
import { escapedLines } from '../text/escape.ts';
import { EXIT, type ExitCode } from '../text/exit-codes.ts';
import { errorLines, InputError } from '../text/input-error.ts';
import { colorsFor } from '../text/layout.ts';
import type { CheckArguments } from './check-arguments.ts';
import { parseCommandLine } from './command-line.ts';
import type { CommandName } from './command-options.ts';
import { withoutFleet } from './fleet-arguments.ts';
import type { Io } from './io.ts';

type Command = (values: Values, words: readonly string[], io: Io) => Promise<ExitCode>;

/** Each command loads what it needs alone: `--help` and a small check start in a fraction of a second. */
const COMMANDS: Readonly<Record<CommandName, Command>> = {
  delete: async (values, words, io) => {
    const { deletionArguments } = await import('./check-arguments.ts');
    const { deleteCommand } = await import('./commands/delete.ts');
    return deleteCommand(await clustered(deletionArguments(values, words), values, io), io);
  },
  compare: async (values, words, io) => {
    const { deletionArguments } = await import('./check-arguments.ts');
    const { compareCommand } = await import('./commands/delete.ts');
    return compareCommand(await clustered(deletionArguments(values, words), values, io), io);
  },
  collect: async (values, words, io) => {
    const { questionArguments } = await import('./check-arguments.ts');
    const { collectCommand } = await import('./commands/questions.ts');
    return collectCommand(await clustered(questionArguments(values, words), values, io), io);
  },
  survey: async (values, words, io) => {
    const { surveyArguments } = await import('./check-arguments.ts');
    const { surveyCommand } = await import('./commands/survey.ts');
    return surveyCommand(await clustered(surveyArguments(values, words), values, io), io);
  },
  explain: async (values, words, io) => {
    const { explainArguments } = await import('./check-arguments.ts');
    const { explainCommand } = await import('./commands/questions.ts');
    return explainCommand(await clustered(explainArguments(values, words), values, io), io);
  },
  uninstall: async (values, words, io) => {
    const { explainArguments } = await import('./check-arguments.ts');
    const { uninstallCommand } = await import('./commands/questions.ts');
    const given = await clustered(explainArguments(values, words), values, io);
    return uninstallCommand(given, values, io);
  },
  check: async (values, words, io) => {
    const { areModules, checkArguments, isQuestion } = await import('./check-arguments.ts');
    const given = await clustered(checkArguments(values, words), values, io);
    const { partitionedArguments } = await import('./fleet-arguments.ts');
    const fleet = partitionedArguments(values, { ...given, isQuestion: isQuestion(given) });
    if (fleet !== null) {
      return (await import('./commands/check-by-fleet.ts')).checkByFleet(given, fleet, io);
    }
    if (areModules(given)) {
      return (await import('./commands/check-models.ts')).checkModels(given, io);
    }
    if (given.checkpoint !== null) {
      return (await import('./commands/resume.ts')).checkpointedCheck(given, given.checkpoint, io);
    }
    if (isQuestion(given)) return (await import('./commands/delete.ts')).deleteCommand(given, io);
    return (await import('./commands/check.ts')).checkCommand(given, io);
  },
  conform: async (values, _words, io) =>
    (await import('./commands/conform.ts')).conformCommand(values, io),
  resume: async (values, _words, io) =>
    (await import('./commands/resume.ts')).resumeCommand(values, io),
  'dump-command': async (values, _words, io) =>
    (await import('./commands/dump-command.ts')).dumpCommandCommand(values, io),
  explore: async (values, _words, io) => {
    const { exploreArguments, serverToExplore } = await import('./explore-arguments.ts');
    const server = serverToExplore(values);
    if (server !== null) {
      const { exploreServer } = await import('./commands/explore/explore-server.ts');
      return exploreServer(server, io);
    }
    const { exploreCommand } = await import('./commands/explore/explore.ts');
    return exploreCommand(exploreArguments(values), io);
  },
  export: async (values, _words, io) =>
    (await import('./commands/export.ts')).exportCommand(values, io),
  fleet: async (values, _words, io) =>
    (await import('./commands/fleet.ts')).fleetCommand(values, io),
  gate: async (values, words, io) =>
    (await import('./commands/gate.ts')).gateCommand(values, words, io),
  list: async (values, _words, io) => (await import('./commands/list.ts')).listCommand(values, io),
  record: async (values, _words, io) =>
    (await import('./commands/record.ts')).recordCommand(values, io),
  render: async (values, _words, io) =>
    (await import('./commands/render.ts')).renderCommand(values, io),
  replay: async (values, words, io) => {
    const { replayArguments } = await import('./replay-arguments.ts');
    const { replayCommand } = await import('./commands/replay.ts');
    return replayCommand(replayArguments(values, words), io);
  },
  serve: async (values, _words, io) => {
    const { serveArguments } = await import('./serve-arguments.ts');
    const { serveCommand } = await import('./commands/serve.ts');
    return serveCommand(serveArguments(values), io);
  },
  simulate: async (values, words, io) => {
    const { simulateArguments } = await import('./simulate-arguments.ts');
    const { simulateCommand } = await import('./commands/simulate.ts');
    return simulateCommand(simulateArguments(values, words), io);
  },
};

/** With `--context`, the objects of a cluster take the place of a dump. */
async function clustered<Given extends CheckArguments>(
  given: Given,
  values: Values,
  io: Io,
): Promise<Given> {
  if (values.context === undefined && values.kubeconfig === undefined) return given;
  const { withCluster } = await import('./cluster-input.ts');
  return withCluster(given, values, io);
}

/** Runs one command line, without the name of the program, and returns the exit code. */
export async function run(words: readonly string[], io: Io): Promise<ExitCode> {
  try {
    const line = await parseCommandLine(words, packageVersion());
    if (line.kind === 'print') {
      io.stdout.write(line.text);
      return EXIT.asExpected;
    }
    return await COMMANDS[line.command](line.values, withoutFleet(words), io);
  } catch (error) {
    return report(error, io);
  }
}

function report(error: unknown, io: Io): ExitCode {
  const colors = colorsFor(io.env, io.stderr.isTerminal);
  if (error instanceof InputError) {
    const text = errorLines(error.text).join('\n');
    io.stderr.write(`${text.replace(/^error:/, colors.red('error:'))}\n`);
    return error.exitCode;
  }
  const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
  io.stderr.write(`${colors.magenta('defect of reapcheck:')} ${escapedLines(detail)}\n`);
  return EXIT.defect;
}
