import type { Io } from '../../cli/io.ts';
import { formatOf, text, type Values, whole } from '../../input/options/values.ts';
import { packageVersion } from '../../input/package-files.ts';
import { renderJson } from '../../report/formats/json.ts';
import type { ExitCode } from '../../text/exit-codes.ts';
import { colorsFor } from '../../text/layout.ts';
import { MESSAGES } from '../../text/messages.ts';
import { allMutants, type Mutant, mutantWords, sampled } from './mutants.ts';
import { mutationReport } from './report.ts';
import { runMutants } from './run.ts';
import { mutantLines } from './text.ts';

const DEFAULT_SEED = 1;

/** How strong is the specification? Changes the model in small ways and looks who notices. */
export async function mutateCommand(values: Values, io: Io): Promise<ExitCode> {
  const count = whole(values, 'sample', 1);
  const seed = whole(values, 'seed', 0);
  const processes = whole(values, 'processes', 1);
  if (seed !== null && count === null) {
    throw MESSAGES.usage('--seed says nothing without --sample');
  }
  const sample = count === null ? null : { count, seed: seed ?? DEFAULT_SEED };
  const all = mutantsWith(text(values, 'only'));
  const mutants = sample === null ? all : sampled(all, sample.count, sample.seed);
  let interrupted = false;
  const stopListening = io.onInterrupt(() => {
    interrupted = true;
  });
  const { isTerminal, write } = io.stderr;
  try {
    const trials = await runMutants(mutants, {
      ...(processes === null ? {} : { processes }),
      interrupted: () => interrupted,
      onProgress: (done, of, killed) => {
        if (isTerminal) write(`\r\u001b[2K${done} of ${of} mutants, ${killed} killed`);
      },
    });
    if (isTerminal) write('\r\u001b[2K');
    const notRun = mutants.length - trials.length;
    const report = mutationReport(packageVersion(), sample, trials, notRun);
    const colors = colorsFor(io.env, io.stdout.isTerminal);
    const json = formatOf(values) === 'json';
    io.stdout.write(json ? renderJson(report) : `${mutantLines(report, colors).join('\n')}\n`);
    return report.exitCode;
  } finally {
    stopListening();
  }
}

function mutantsWith(part: string | null): readonly Mutant[] {
  if (part === null) return allMutants();
  const found = allMutants().filter((mutant) => mutantWords(mutant).includes(part));
  if (found.length > 0) return found;
  throw MESSAGES.usage(`no mutant has "${part}" in its line`);
}
