import type { Cell, CellOutcome, CodeDigests, RunCells } from '../gate/cell.ts';
import { cacheFolder, NO_CACHE, openCache, type ReportCache } from '../gate/run/cache.ts';
import { checkCode, codeDigests } from '../gate/run/code-digest.ts';
import { cellRunner } from '../gate/run/run-cells.ts';
import { text, type Values } from '../input/options/values.ts';
import { InputError } from '../text/input-error.ts';
import { plural } from '../text/layout.ts';
import { MESSAGES } from '../text/messages.ts';
import { atPlace, fleetArguments } from './fleet-arguments.ts';
import type { Io } from './io.ts';
import { statusLine } from './status-line.ts';

/** How cells are run, and by which code. */
export interface GateMachinery {
  codeDigests(): CodeDigests;
  runner(code: CodeDigests): RunCells;
}

/** Runs cells in processes or by a fleet, and with a cache, as the options say. Throws `InputError`. */
export async function processMachinery(
  values: Values,
  processes: number | null,
  io: Io,
): Promise<GateMachinery> {
  const cache = await wantedCache(values, io);
  const fleet = fleetArguments(values);
  const options = { processes, until: null, quiet: values.quiet === true };
  // To read a large suite takes seconds: say before that Redis is not there.
  if (fleet !== null) await atPlace(fleet, options, io, async () => undefined);
  return {
    codeDigests,
    runner: (code) => (cells, running) =>
      atPlace(fleet, options, io, (place) =>
        cellRunner({ code, place, cache, checkCode: () => checkCode(code) })(cells, running),
      ),
  };
}

async function wantedCache(values: Values, io: Io): Promise<ReportCache> {
  const given = text(values, 'cache');
  const without = values['no-cache'] === true;
  if (given !== null && without) throw MESSAGES.usage('--cache contradicts --no-cache');
  if (given === '') throw MESSAGES.wrongValue('cache', 'a folder', given);
  if (given !== null) return openCache(given);
  const usual = cacheFolder(io.env);
  if (without || usual === null) return NO_CACHE;
  try {
    return await openCache(usual);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    if (values.quiet !== true) io.stderr.write(`${error.text.what}: this run has none\n`);
    return NO_CACHE;
  }
}

/** Runs cells and shows a line of progress if that takes longer. */
export async function runAll(
  cells: readonly Cell[],
  pinnedStates: ReadonlyMap<string, number>,
  runCells: RunCells,
  { quiet, io }: { readonly quiet: boolean; readonly io: Io },
): Promise<readonly CellOutcome[]> {
  const start = performance.now();
  const line = statusLine(io, quiet);
  let interrupted = false;
  const stopListening = io.onInterrupt(() => {
    interrupted = true;
  });
  try {
    const outcomes = await runCells(cells, {
      interrupted: () => interrupted,
      pinnedStates,
      onDone: (done, of) => line.show(`${done} of ${plural(of, 'cell')}`),
    });
    line.clear();
    const done = outcomes.filter(({ kind }) => kind === 'done').length;
    const cached = outcomes.filter((outcome) => outcome.kind === 'done' && outcome.cached).length;
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    const note = `${plural(done, 'cell')} in ${seconds} s, ${cached} of them from the cache`;
    if (!quiet) io.stderr.write(`${note}\n`);
    return outcomes;
  } finally {
    stopListening();
  }
}
