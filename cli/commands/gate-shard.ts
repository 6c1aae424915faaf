import { type PreparedGate, pinnedStates } from '../../gate/prepare.ts';
import { type ShardedRun, shardDocument } from '../../gate/run/shard-document.ts';
import { cellsOfShard, readShard, shardText } from '../../gate/run/shards.ts';
import { text, type Values } from '../../input/options/values.ts';
import { packageVersion } from '../../input/package-files.ts';
import { escaped } from '../../text/escape.ts';
import { EXIT, type ExitCode } from '../../text/exit-codes.ts';
import { plural } from '../../text/layout.ts';
import { MESSAGES } from '../../text/messages.ts';
import { type GateMachinery, runAll } from '../gate-machinery.ts';
import type { Io } from '../io.ts';
import { openOutput } from '../output.ts';

/** Options that make sense only for a run with a verdict. */
const VERDICT_ONLY = ['update', 'accept-worse', 'format', 'report', 'full'];

/** Runs one of several parts of a suite and writes its results. `gate merge` judges them. */
export async function gateShardCommand(
  values: Values,
  prepared: PreparedGate,
  machinery: GateMachinery,
  io: Io,
): Promise<ExitCode> {
  const shard = readShard(text(values, 'shard') ?? '');
  for (const option of VERDICT_ONLY.filter((name) => values[name] !== undefined)) {
    throw MESSAGES.usage(`--${option} says nothing with --shard: reapcheck gate merge judges`);
  }
  const run = shardedRun(prepared, machinery);
  const file = text(values, 'output');
  const output = file === null ? null : await openOutput(file);
  try {
    const cells = cellsOfShard(run.cells, shard, run.pinnedStates);
    const quiet = values.quiet === true;
    const note = (line: string): void => {
      if (!quiet) io.stderr.write(`${line}\n`);
    };
    const runCells = machinery.runner(run.code);
    const outcomes = await runAll(cells, run.pinnedStates, runCells, { quiet, io });
    if (outcomes.some(({ kind }) => kind === 'notRun')) {
      note('The shard was interrupted; nothing is written.');
      return EXIT.interrupted;
    }
    const content = `${JSON.stringify(shardDocument(run, shard, outcomes))}\n`;
    if (output === null) io.stdout.write(content);
    await output?.commit(content);
    const part = `Shard ${shardText(shard)} of ${plural(run.cells.length, 'cell')}`;
    note(`${part}${file === null ? '' : ` is in ${file}`}; reapcheck gate merge judges.`);
    const failed = outcomes.flatMap((outcome, index) =>
      outcome.kind === 'failed' ? [`${cells[index]?.name}: ${outcome.message}`] : [],
    );
    for (const line of failed) note(escaped(line));
    return failed.length > 0 ? EXIT.defect : EXIT.asExpected;
  } finally {
    await output?.discard();
  }
}

export function shardedRun(prepared: PreparedGate, machinery: GateMachinery): ShardedRun {
  return {
    version: packageVersion(),
    cells: prepared.cells,
    lockText: prepared.lock?.text ?? null,
    code: machinery.codeDigests(),
    pinnedStates: pinnedStates(prepared),
  };
}
