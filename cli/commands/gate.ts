import type { CellOutcome } from '../../gate/cell.ts';
import { concluded } from '../../gate/conclude.ts';
import { type PreparedGate, pinnedStates, prepareGate } from '../../gate/prepare.ts';
import { joined } from '../../gate/run/shard-document.ts';
import { readSource, type Source } from '../../input/documents/source.ts';
import { MAX_INPUT_HIGHEST, text, texts, type Values, whole } from '../../input/options/values.ts';
import { SUITE_DEFAULT } from '../../input/scenarios/terms.ts';
import { ANY_TRACE } from '../../report/document/traces.ts';
import type { ExitCode } from '../../text/exit-codes.ts';
import { MESSAGES } from '../../text/messages.ts';
import { type GateMachinery, processMachinery, runAll } from '../gate-machinery.ts';
import type { Io } from '../io.ts';
import { loadModule } from '../modules.ts';
import { demandNotRead, openOutput } from '../output.ts';
import { openReports, reportsShowing } from '../reports.ts';
import { gateShardCommand, shardedRun } from './gate-shard.ts';

/** Have the verdicts of a suite changed? Exit code 0: everything is as the lock pins it. */
export async function gateCommand(
  values: Values,
  words: readonly string[],
  io: Io,
  given?: GateMachinery,
): Promise<ExitCode> {
  const acceptance = {
    update: values.update === true,
    acceptWorse: values['accept-worse'] === true,
  };
  if (acceptance.acceptWorse && !acceptance.update) {
    throw MESSAGES.usage('--accept-worse says nothing without --update');
  }
  const { suite, parts, processes } = gateInputs(values);
  const wanted = reportsShowing(values, 'gate', ['trace']);
  const machinery = given ?? (await processMachinery(values, processes, io));
  const prepared = await prepareGate(suite, io.stdin, loadModule);
  const files = [wanted.output, ...wanted.reports.map(({ file }) => file)];
  await demandNotRead(
    files.filter((file) => file !== null),
    [suite, prepared.lockFile, ...(parts ?? [])],
  );
  if (values.shard !== undefined) return gateShardCommand(values, prepared, machinery, io);
  const code = machinery.codeDigests();
  const found = parts === null ? null : await joinedParts(parts, prepared, machinery, io);
  const lock = acceptance.update ? await openOutput(prepared.lockFile) : null;
  try {
    const reports = await openReports(wanted, io);
    try {
      const quiet = values.quiet === true;
      const run = (): Promise<readonly CellOutcome[]> =>
        runAll(prepared.cells, pinnedStates(prepared), machinery.runner(code), { quiet, io });
      const outcomes = found ?? (await run());
      const conclusion = concluded(prepared, outcomes, code, acceptance, words);
      if (conclusion.lock !== null) await lock?.write(conclusion.lock);
      const placeRest = async (): Promise<void> => {
        if (conclusion.lock !== null) await lock?.place();
      };
      const showing = { traces: false, full: values.full === true, quiet, choice: ANY_TRACE };
      await reports.deliver(conclusion.document, { ...showing, placeRest });
      return conclusion.document.exitCode as ExitCode;
    } finally {
      await reports.discard();
    }
  } finally {
    await lock?.discard();
  }
}

/** Options that only say how cells are run. */
const RUN_ONLY = ['shard', 'processes', 'fleet', 'fleet-wait', 'cache', 'no-cache'];

/** `reapcheck gate [SUITE]`, or `reapcheck gate merge PART... [--suite SUITE]`. */
function gateInputs(values: Values): {
  readonly suite: string;
  /** Null: the cells are run here. */
  readonly parts: readonly string[] | null;
  /** Number of processes; null: one per core. */
  readonly processes: number | null;
} {
  const [first, ...rest] = [...texts(values, 'input'), ...texts(values, 'afterDashes')];
  const suite = text(values, 'suite');
  const processes = whole(values, 'processes', 1);
  if (first === 'merge') {
    for (const option of RUN_ONLY.filter((name) => values[name] !== undefined)) {
      throw MESSAGES.usage(`--${option} says nothing with merge: the cells have been run`);
    }
    return { suite: suite ?? SUITE_DEFAULT, parts: rest, processes };
  }
  if (suite !== null) throw MESSAGES.usage('--suite is for merge', 'reapcheck gate SUITE');
  if (rest[0] !== undefined) throw MESSAGES.usage(`"${rest[0]}" is one word too many`);
  return { suite: first ?? SUITE_DEFAULT, parts: null, processes };
}

async function joinedParts(
  parts: readonly string[],
  prepared: PreparedGate,
  machinery: GateMachinery,
  { stdin }: Io,
): Promise<readonly CellOutcome[]> {
  const sources: Source[] = [];
  for (const file of parts) {
    sources.push(await readSource(file, stdin, { maxMegabytes: MAX_INPUT_HIGHEST }));
  }
  return joined(shardedRun(prepared, machinery), sources);
}
