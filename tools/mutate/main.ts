import yargs from 'yargs';
import { openFleet } from '../../fleet/place.ts';
import { PATIENCE_DEFAULT } from '../../fleet/queue.ts';
import { redisAddress } from '../../fleet/redis/address.ts';
import {
  megabytes,
  positive,
  seconds,
  text,
  type Values,
  whole,
} from '../../input/options/values.ts';
import { packageVersion } from '../../input/package-files.ts';
import { renderJson } from '../../report/formats/json.ts';
import { processesHere, type Workplace } from '../../run/workplace.ts';
import { EXIT, type ExitCode, worst } from '../../text/exit-codes.ts';
import { errorLines, InputError } from '../../text/input-error.ts';
import { colorsFor } from '../../text/layout.ts';
import { MESSAGES } from '../../text/messages.ts';
import { readEarlier, triedDigest } from './earlier.ts';
import { SMALLEST_FIRST } from './kill-rates.ts';
import { allMutants, type Mutant, mutantWords, sampled } from './mutants.ts';
import { mutationReport } from './report.ts';
import { rowLines } from './rows/lines.ts';
import { proveRows, rowsDocument } from './rows/prove.ts';
import { sourceRows } from './rows/source-rows.ts';
import { type MutationOptions, runMutants, type Trial } from './run.ts';
import { mutantLines, whyUnfinished } from './text.ts';

/** `npm run mutate`: changes the model in small ways and shows which property notices. */

const DEFAULT_SEED = 1;

const EPILOGUE = `A mutant is another value of one rule, or another result of one decision in the model's code. It
is tried on the built-in scenarios and on the repaired variants of the museum until the verdict of
a property changes: then it is killed. All properties are judged. A mutant is tried only on
scenarios in which it decides differently; those with the most kills per time come first. Scenarios
with more than 2,000 states are left out if the mutant decides differently in ten others.
docs/mutants.md lists the known survivors with reasons. Below the bar, the exit code is 1. All
mutants take some minutes. A sample is quicker:

  npm run mutate -- --sample 100 --seed 7
  npm run mutate -- --only 'rule deletionStart='

With --earlier, a run goes on where an interrupted one has ended (Ctrl-C prints what it has). After a
change to the code or the scenarios every mutant is tried again, but what killed it before comes first:

  npm run --silent mutate -- --format json --earlier mutants.json > mutants-now.json

With --rows, what a row of docs/sources.md is about is disabled, one decision or rule after the
other, until the row's scenario answers otherwise. If no change turns a row, the
exit code is 1:

  npm run mutate -- --rows absentOwnerCache`;

/** Without a type, the parser guesses no number: the reader of the value refuses 1e3. */
const number = { requiresArg: true } as const;

function parserFor(words: readonly string[]) {
  return yargs([...words])
    .scriptName('npm run mutate --')
    .usage('$0 [options]')
    .options({
      only: {
        type: 'string',
        requiresArg: true,
        describe: 'Try only mutants with this text in their line',
      },
      sample: { ...number, describe: 'Try only this many mutants, chosen by --seed' },
      seed: { ...number, describe: 'Chooses the sample [1]' },
      earlier: {
        type: 'string',
        requiresArg: true,
        describe: 'Save work by the result of an earlier run, a file from --format json',
      },
      timeout: { ...number, describe: 'End after so many seconds, with what is known then' },
      memory: {
        ...number,
        describe: 'End each search at so many megabytes of its process, which says nothing then',
      },
      processes: { ...number, describe: 'How many processes share the work [one a core]' },
      fleet: {
        type: 'string',
        requiresArg: true,
        describe: 'Have it done by the workers at this Redis (docs/fleet.md)',
      },
      'fleet-wait': {
        ...number,
        describe: `Give up after so many seconds without Redis or a worker [${PATIENCE_DEFAULT}]`,
      },
      rows: {
        type: 'string',
        describe: 'Try the rows of docs/sources.md instead: all, or those with this text',
      },
      format: { choices: ['text', 'json'], requiresArg: true, describe: 'What to print [text]' },
    })
    .epilogue(EPILOGUE)
    .wrap(100)
    .version(false)
    .strict()
    .fail((message: string | null, error: Error | undefined) => {
      throw MESSAGES.usage(message ?? error?.message ?? 'wrong usage', HELP);
    });
}

const HELP = 'npm run mutate -- --help';

/** The streams of the process, so that tests run the tool in their own process. */
export interface Streams {
  readonly stdout: Out;
  readonly stderr: Out;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Calls back at the first Ctrl-C; returns how to stop listening. */
  onInterrupt(callback: () => void): () => void;
}

interface Out {
  write(text: string): void;
  readonly isTerminal: boolean;
}

/** @param here where mutants are tried without a fleet. */
export async function mutate(
  words: readonly string[],
  streams: Streams,
  here = processesHere,
): Promise<ExitCode> {
  const begun = performance.now();
  try {
    let printed = '';
    const values = await parserFor(words).parseAsync([...words], {}, (_error, _values, output) => {
      printed = output;
    });
    if (printed === '') return await tryMutants(values, streams, here, begun);
    streams.stdout.write(`${printed}\n`);
    return EXIT.asExpected;
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    streams.stderr.write(`${errorLines(error.text).join('\n')}\n`);
    return error.exitCode;
  }
}

async function tryMutants(
  values: Values,
  streams: Streams,
  here: typeof processesHere,
  begun: number,
): Promise<ExitCode> {
  const count = whole(values, 'sample', 1);
  const seed = whole(values, 'seed', 0);
  const processes = whole(values, 'processes', 1);
  const rowsWith = values.rows === undefined ? null : String(values.rows);
  const url = text(values, 'fleet');
  if (url !== null && processes !== null) {
    throw MESSAGES.usage('--processes says nothing with --fleet', HELP);
  }
  if (rowsWith !== null) {
    // A row is a command line with paths, which no job carries.
    if (url !== null) throw MESSAGES.usage('--rows takes no --fleet', HELP);
    const others = [count, text(values, 'only'), text(values, 'earlier')];
    if (others.some((value) => value !== null)) {
      throw MESSAGES.usage('--rows takes no --only, no --sample and no --earlier', HELP);
    }
    return await tryRows(rowsWith, processes, values, streams, begun);
  }
  if (seed !== null && count === null) {
    throw MESSAGES.usage('--seed says nothing without --sample', HELP);
  }
  const sample = count === null ? null : { count, seed: seed ?? DEFAULT_SEED };
  const all = mutantsWith(text(values, 'only'));
  const mutants = sample === null ? all : sampled(all, sample.count, sample.seed);
  const tried = await triedDigest();
  const file = text(values, 'earlier');
  const earlier = file === null ? null : readEarlier(file, tried);
  if (file !== null && earlier === null) {
    throw MESSAGES.usage(`${file} is no result of --format json`, HELP);
  }
  const end = endOf(values, streams, begun);
  const { stdout, stderr } = streams;
  try {
    const trials = await triedAt(url, values, here(processes), streams, mutants, {
      earlier,
      interrupted: end.isOver,
      megabytes: megabytes(values, 'memory'),
      onProgress: (done, of, killed) => {
        if (stderr.isTerminal) {
          stderr.write(`\r\u001b[2K${done} of ${of} mutants, ${killed} killed`);
        }
      },
    });
    if (stderr.isTerminal) stderr.write('\r\u001b[2K');
    const notRun = mutants.length - trials.length;
    const report = mutationReport(packageVersion(), tried, sample, trials, notRun, end.exitCode());
    const colors = colorsFor(streams.env, stdout.isTerminal);
    const isJson = text(values, 'format') === 'json';
    stdout.write(isJson ? renderJson(report) : `${mutantLines(report, colors).join('\n')}\n`);
    return report.exitCode;
  } finally {
    end.stopListening();
  }
}

/** When a run ends before all is tried. */
interface End {
  readonly isOver: () => boolean;
  /** Of a run that has ended so. */
  readonly exitCode: () => ExitCode;
  readonly stopListening: () => void;
}

/**
 * At Ctrl-C, or when the time is up.
 *
 * @param begun when the command began, as `performance.now` gives it.
 */
function endOf(values: Values, { onInterrupt }: Streams, begun: number): End {
  const limit = seconds(values, 'timeout');
  let interrupted = false;
  const stopListening = onInterrupt(() => {
    interrupted = true;
  });
  return {
    isOver: () => interrupted || (limit !== null && performance.now() > begun + 1000 * limit),
    exitCode: () => (interrupted ? EXIT.interrupted : EXIT.inconclusive),
    stopListening,
  };
}

async function triedAt(
  url: string | null,
  values: Values,
  here: Workplace,
  { env, stderr }: Streams,
  mutants: readonly Mutant[],
  options: MutationOptions,
): Promise<readonly Trial[]> {
  if (url === null) return runMutants(mutants, { ...options, place: here });
  const fleet = await openFleet(redisAddress('fleet', url, env), 'mutants', {
    patience: positive(values, 'fleet-wait') ?? PATIENCE_DEFAULT,
    until: null,
    note: (line) => stderr.write(`${line}\n`),
  });
  try {
    // What a mutant is tried on must not depend on the order of answers.
    return await runMutants(mutants, { ...options, place: fleet, order: SMALLEST_FIRST });
  } finally {
    await fleet.close();
  }
}

async function tryRows(
  part: string,
  processes: number | null,
  values: Values,
  streams: Streams,
  begun: number,
): Promise<ExitCode> {
  const rows = sourceRows().filter(
    (row) =>
      row.verdict !== 'abstracted' &&
      `${row.where}: ${row.statement} ${row.command}`.includes(part),
  );
  if (rows.length === 0) throw MESSAGES.usage(`no row of docs/sources.md has "${part}"`, HELP);
  const { stdout, stderr, env } = streams;
  const isJson = text(values, 'format') === 'json';
  const end = endOf(values, streams, begun);
  try {
    const proofs = await proveRows(rows, {
      ...(processes === null ? {} : { processes }),
      interrupted: end.isOver,
      megabytes: megabytes(values, 'memory'),
      onProgress: (done, of) => {
        if (stderr.isTerminal) stderr.write(`\r\u001b[2K${done} of ${of} rows`);
      },
    });
    if (stderr.isTerminal) stderr.write('\r\u001b[2K');
    const notRun = rows.length - proofs.length;
    const colors = colorsFor(env, stdout.isTerminal);
    stdout.write(
      isJson
        ? renderJson(rowsDocument(proofs))
        : `${rowLines(proofs, notRun, whyUnfinished(end.exitCode()), colors).join('\n')}\n`,
    );
    const codes = notRun > 0 ? [end.exitCode()] : [];
    const code = proofs.every(({ turnedBy }) => turnedBy !== null)
      ? EXIT.asExpected
      : EXIT.violated;
    return worst([...codes, code]);
  } finally {
    end.stopListening();
  }
}

function mutantsWith(part: string | null): readonly Mutant[] {
  if (part === null) return allMutants();
  const found = allMutants().filter((mutant) => mutantWords(mutant).includes(part));
  if (found.length > 0) return found;
  throw MESSAGES.usage(`no mutant has "${part}" in its line`, HELP);
}

function outTo(stream: NodeJS.WriteStream): Out {
  return { write: (written) => void stream.write(written), isTerminal: stream.isTTY === true };
}

if (process.argv[1] === import.meta.filename) {
  process.exitCode = await mutate(process.argv.slice(2), {
    stdout: outTo(process.stdout),
    stderr: outTo(process.stderr),
    env: process.env,
    onInterrupt: (callback) => {
      process.once('SIGINT', callback);
      return () => void process.off('SIGINT', callback);
    },
  });
}
