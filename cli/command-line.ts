import yargs, { type Argv, type Options } from 'yargs';
import { currentWord } from '../input/options/kubectl-options.ts';
import type { Values } from '../input/options/values.ts';
import { SUITE_DEFAULT } from '../input/scenarios/terms.ts';
import { exitCodeTable } from '../text/exit-codes.ts';
import { MESSAGES } from '../text/messages.ts';
import { COMMANDS, type CommandName, QUESTIONS } from './command-options.ts';
import {
  COLLECT_EPILOGUE,
  COMPARE_EPILOGUE,
  CONFORM_EPILOGUE,
  DUMP_COMMAND_EPILOGUE,
  EXAMPLES,
  EXPLAIN_EPILOGUE,
  EXPLORE_EPILOGUE,
  EXPORT_EPILOGUE,
  FLEET_EPILOGUE,
  GATE_EPILOGUE,
  QUESTION_EPILOGUE,
  RECORD_EPILOGUE,
  REPLAY_EPILOGUE,
  renderEpilogue,
  resumeEpilogue,
  SERVE_EPILOGUE,
  SIMULATE_EPILOGUE,
  SURVEY_EPILOGUE,
  UNINSTALL_EPILOGUE,
} from './manual.ts';
import { AUDIT_DEFAULT, CONFORMS, FLEET_ROLES, LISTS } from './option-tables.ts';
import { usageError } from './usage-errors.ts';

/** What the words after `reapcheck` ask for: a text to print (help, version), or a command to run. */
export type CommandLine =
  | { readonly kind: 'print'; readonly text: string }
  | { readonly kind: 'run'; readonly command: CommandName; readonly values: Values };

/** The option parser drops a single dash, so `-` is replaced before parsing and restored afterwards. */
const STDIN_WORD = '<stdin>';

/** With `--context` the cluster is the input: the parser gets a word in its place. */
const CLUSTER_WORD = '<cluster>';

/** Throws `InputError`, with a suggestion if one is close enough. */
export async function parseCommandLine(
  words: readonly string[],
  version: string,
): Promise<CommandLine> {
  let printed = '';
  const parser = withCompletion(parserFor(version), words).fail(
    (message: string | null, error: Error | undefined) => {
      throw usageError(message ?? error?.message ?? 'wrong usage', words);
    },
  );
  const print = (_error: unknown, _values: unknown, output: string): void => {
    printed = output;
  };
  let values: ParsedValues;
  try {
    values = await parser.parseAsync(prepared(words), {}, print);
  } catch (thrown) {
    if (!(thrown instanceof Parsed)) throw thrown;
    values = thrown.values;
  }
  if (printed !== '') return { kind: 'print', text: `${printed}\n` };
  const [command, ...more] = values._.map(String);
  rejectValuesOfFlags(command as CommandName, words);
  const restored = Object.entries(values).map(([name, value]) => [name, restoredValue(value)]);
  return {
    kind: 'run',
    command: command as CommandName,
    values: { ...Object.fromEntries(restored), afterDashes: more },
  };
}

/** The values of a command line that is right, thrown by the handler of its command. */
class Parsed {
  readonly values!: ParsedValues;
}

type ParsedValues = Awaited<ReturnType<Argv['parseAsync']>>;

/** After a handler returns, yargs composes the help for a later parse: a tenth of a small check. */
function handler(values: ParsedValues): never {
  throw Object.assign(new Parsed(), { values });
}

/** Completes commands, options and their values, and the ids of properties. */
function withCompletion(parser: Argv, words: readonly string[]): Argv {
  return parser.completion(
    'completion',
    'Print a completion script for bash or zsh',
    async (_word: string, _values: unknown, usual: () => void, done: (found: string[]) => void) => {
      if (words.at(-2) !== '--property') return usual();
      const { PROPERTIES } = await import('../properties/index.ts');
      done(PROPERTIES.map(({ id }) => id));
    },
  );
}

/** The parser would read `--quiet=no` as `--quiet`. kubectl's users write `--wait=false`. */
function rejectValuesOfFlags(command: CommandName, words: readonly string[]): void {
  const options: Readonly<Record<string, Options>> = COMMANDS[command];
  for (const [flag, { type }] of Object.entries(options)) {
    const isGiven =
      type === 'boolean' &&
      words.some((word) => word.startsWith(`--${flag}=`) && !/=(true|false)$/.test(word));
    if (isGiven) throw MESSAGES.usage(`--${flag} takes no value but true or false`);
  }
}

function restoredValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(restoredValue);
  return value === STDIN_WORD ? '-' : value;
}

function prepared(words: readonly string[]): string[] {
  const [command = '', ...rest] = words;
  const isLive =
    Object.hasOwn(QUESTIONS, command) &&
    rest.some((word) => word === '--context' || word.startsWith('--context='));
  return (isLive ? [command, CLUSTER_WORD, ...rest] : words).map((word, index, words) => {
    if (word === '-') return STDIN_WORD;
    // `--audit` may have no value, so it must not consume the input that follows it.
    const next = words[index + 1];
    const alone = word === '--audit' && !/^\d+$/.test(next ?? '');
    return alone ? `--audit=${AUDIT_DEFAULT}` : currentWord(word, next);
  });
}

function parserFor(version: string): Argv {
  return yargs()
    .scriptName('reapcheck')
    .usage('$0 COMMAND: a model checker for Kubernetes object deletion')
    .locale('en')
    .wrap(100)
    .parserConfiguration({
      'camel-case-expansion': false,
      'dot-notation': false,
      'parse-numbers': false,
      'boolean-negation': false,
    })
    .command(
      'delete <input> <object..>',
      'Say what happens if objects of a dump are deleted',
      (ask) => aboutObjects(ask).options(COMMANDS.delete).epilogue(QUESTION_EPILOGUE),
      handler,
    )
    .command(
      'compare <input> <object..>',
      'Show what each propagation policy does, side by side',
      (ask) => aboutObjects(ask).options(COMMANDS.compare).epilogue(COMPARE_EPILOGUE),
      handler,
    )
    .command(
      'collect <input>',
      'Say what the garbage collector does to objects that nobody deletes',
      (ask) => aboutDump(ask).options(COMMANDS.collect).epilogue(COLLECT_EPILOGUE),
      handler,
    )
    .command(
      'survey <input>',
      'Try the deletion of every root object of a dump, with every policy',
      (ask) => aboutDump(ask).options(COMMANDS.survey).epilogue(SURVEY_EPILOGUE),
      handler,
    )
    .command(
      'explain <input> [object..]',
      'Say why objects of a dump are not gone, and what helps',
      (ask) =>
        aboutDump(ask)
          .positional('object', {
            array: true,
            type: 'string',
            describe: 'KIND/NAME[.NAMESPACE] or KIND NAME; none: all that is being deleted',
          })
          .options(COMMANDS.explain)
          .epilogue(EXPLAIN_EPILOGUE),
      handler,
    )
    .command(
      'uninstall <input>',
      'Find an order of deletions that ends clean',
      (ask) => aboutDump(ask).options(COMMANDS.uninstall).epilogue(UNINSTALL_EPILOGUE),
      handler,
    )
    .command(
      'check [input..]',
      'Check scenarios, a deletion in a dump, or a model of your own',
      (check) =>
        check
          .positional('input', {
            array: true,
            type: 'string',
            describe:
              'Scenarios by name or file; dumps with --delete; modules (.ts, .js); - is stdin',
          })
          .options(COMMANDS.check)
          .epilogue(exitCodeTable()),
      handler,
    )
    .command(
      'resume <folder>',
      'Continue a search that check --checkpoint saved',
      (resume) =>
        resume
          .positional('folder', {
            type: 'string',
            demandOption: true,
            describe: 'The folder that was given to --checkpoint',
          })
          .options(COMMANDS.resume)
          .epilogue(resumeEpilogue()),
      handler,
    )
    .command(
      'simulate <input..>',
      'Try random fair walks, for models too large to search',
      (simulate) =>
        simulate
          .positional('input', {
            array: true,
            type: 'string',
            demandOption: true,
            describe:
              'Scenarios by name or file; dumps with --delete; modules (.ts, .js); - is stdin',
          })
          .options(COMMANDS.simulate)
          .epilogue(SIMULATE_EPILOGUE),
      handler,
    )
    .command(
      'conform <mode> [path..]',
      'Compare the model with facts about Kubernetes',
      (conform) =>
        conform
          .positional('mode', {
            choices: CONFORMS,
            demandOption: true,
            describe: 'What to compare with',
          })
          .positional('path', {
            array: true,
            type: 'string',
            describe: 'Files with cases or traces, or folders of them; - is stdin',
          })
          .options(COMMANDS.conform)
          .epilogue(CONFORM_EPILOGUE),
      handler,
    )
    .command(
      'gate [input..]',
      'Compare the results of a suite with its lock',
      (gate) =>
        gate
          .positional('input', {
            array: true,
            type: 'string',
            describe: `The suite, with its lock beside it [${SUITE_DEFAULT}]; or merge and shards`,
          })
          .options(COMMANDS.gate)
          .epilogue(GATE_EPILOGUE),
      handler,
    )
    .command(
      'fleet <role>',
      'Work for the checks, walks and searches of other machines',
      (fleet) =>
        fleet
          .positional('role', {
            choices: FLEET_ROLES,
            demandOption: true,
            describe: 'What this machine does',
          })
          .options(COMMANDS.fleet)
          .epilogue(FLEET_EPILOGUE),
      handler,
    )
    .command(
      'explore <input..>',
      'Step through a model interactively',
      (explore) =>
        explore
          .positional('input', {
            array: true,
            type: 'string',
            demandOption: true,
            describe:
              'A scenario by name or file, a dump with --delete, a module, a token, or the address of a server',
          })
          .options(COMMANDS.explore)
          .epilogue(EXPLORE_EPILOGUE),
      handler,
    )
    .command(
      'serve [input]',
      'Serve the model as a Kubernetes API server, for tests',
      (serve) =>
        serve
          .positional('input', { type: 'string', describe: 'A dump, or a scenario; none: empty' })
          .options(COMMANDS.serve)
          .epilogue(SERVE_EPILOGUE),
      handler,
    )
    .command(
      'record',
      'Record what happens in a cluster, for conform trace',
      (record) => record.options(COMMANDS.record).epilogue(RECORD_EPILOGUE),
      handler,
    )
    .command(
      'list <what>',
      `Print the ${LISTS.join(', ')}`,
      (list) =>
        list
          .positional('what', { choices: LISTS, demandOption: true, describe: 'What to list' })
          .options(COMMANDS.list),
      handler,
    )
    .command(
      'render <result>',
      'Show a stored result in another format',
      (render) =>
        render
          .positional('result', {
            type: 'string',
            demandOption: true,
            describe: 'JSON result of check, gate or conform; - is stdin',
          })
          .options(COMMANDS.render)
          .epilogue(renderEpilogue()),
      handler,
    )
    .command(
      'replay <run>',
      'Execute a recorded run again and judge it',
      (replay) => aboutRun(replay).options(COMMANDS.replay).epilogue(REPLAY_EPILOGUE),
      handler,
    )
    .command(
      'export <run>',
      'Write a counterexample as a test for the repository of an operator',
      (exporting) => aboutRun(exporting).options(COMMANDS.export).epilogue(EXPORT_EPILOGUE),
      handler,
    )
    .command(
      'dump-command',
      'Print a shell command that dumps what deletion can need',
      (dumpCommand) =>
        dumpCommand.options(COMMANDS['dump-command']).epilogue(DUMP_COMMAND_EPILOGUE),
      handler,
    )
    .demandCommand(1, 'no command is given')
    .strict()
    .help()
    .alias('help', 'h')
    .version(version)
    .epilogue(`${EXAMPLES}\n\n${exitCodeTable()}`)
    .exitProcess(false);
}

/** The dump of a question. */
function aboutDump(ask: Argv): Argv {
  return ask.positional('input', {
    type: 'string',
    demandOption: true,
    describe:
      'What kubectl get -o yaml printed: a file, a folder, - for stdin; none with --context',
  });
}

function aboutObjects(ask: Argv): Argv {
  return aboutDump(ask).positional('object', {
    array: true,
    type: 'string',
    demandOption: true,
    describe: 'KIND/NAME[.NAMESPACE], or KIND NAME, or KIND with --all or --selector',
  });
}

function aboutRun(parser: Argv): Argv {
  return parser.positional('run', {
    type: 'string',
    demandOption: true,
    describe: 'A token, or a JSON result of check; - is stdin',
  });
}
