import type { Values } from '../command-line.ts';
import type { ExitCode } from '../exit-codes.ts';
import type { CellOutcome, CodeDigests, RunCells } from '../gate/cell.ts';
import { codeDigests } from '../gate/code-digest.ts';
import { concluded } from '../gate/conclude.ts';
import { SUITE_DEFAULT } from '../gate/names.ts';
import { type PreparedGate, pinnedStates, prepareGate } from '../gate/prepare.ts';
import { cellRunner } from '../gate/run-cells.ts';
import type { Io } from '../io.ts';
import { MESSAGES } from '../messages.ts';
import { text } from '../option-values.ts';
import { openOutput } from '../output.ts';
import { plural } from '../render/layout.ts';
import { ANY_TRACE } from '../report/traces.ts';
import { openReports, wantedReports } from '../reports.ts';

/** How cells are run, and by which code. */
export interface GateMachinery {
  codeDigests(): CodeDigests;
  runner(code: CodeDigests): RunCells;
}

const PROCESSES: GateMachinery = { codeDigests, runner: (code) => cellRunner({ code }) };

/** Has the verdicts of a suite changed? Exit code 0: everything is as its lock pins it. */
export async function gateCommand(
  values: Values,
  words: readonly string[],
  io: Io,
  machinery: GateMachinery = PROCESSES,
): Promise<ExitCode> {
  const acceptance = {
    update: values.update === true,
    acceptWorse: values['accept-worse'] === true,
  };
  if (acceptance.acceptWorse && !acceptance.update) {
    throw MESSAGES.usage('--accept-worse says nothing without --update');
  }
  const wanted = wantedReports(values);
  const prepared = await prepareGate(text(values, 'suite') ?? SUITE_DEFAULT, io.stdin);
  const code = machinery.codeDigests();
  const reports = await openReports(wanted, io);
  try {
    const lock = acceptance.update ? await openOutput(prepared.lockFile) : null;
    try {
      const quiet = values.quiet === true;
      const outcomes = await runAll(prepared, machinery.runner(code), quiet, io);
      const conclusion = concluded(prepared, outcomes, code, acceptance, words);
      if (conclusion.lock !== null) await lock?.write(conclusion.lock);
      const showing = { traces: false, full: values.full === true, quiet, choice: ANY_TRACE };
      await reports.deliver(conclusion.document, showing);
      if (conclusion.lock !== null) await lock?.place();
      return conclusion.document.exitCode as ExitCode;
    } finally {
      await lock?.discard();
    }
  } finally {
    await reports.discard();
  }
}

const QUIET_SECONDS = 2;

async function runAll(
  prepared: PreparedGate,
  runCells: RunCells,
  quiet: boolean,
  io: Io,
): Promise<readonly CellOutcome[]> {
  const start = performance.now();
  const seconds = (): number => (performance.now() - start) / 1000;
  const { stderr } = io;
  let isShown = false;
  let interrupted = false;
  const stopListening = io.onInterrupt(() => {
    interrupted = true;
  });
  try {
    const outcomes = await runCells(prepared.cells, {
      interrupted: () => interrupted,
      pinnedStates: pinnedStates(prepared),
      onDone: (done, of) => {
        if (quiet || !stderr.isTerminal || seconds() < QUIET_SECONDS) return;
        stderr.write(`\r\u001b[2K${done} of ${plural(of, 'cell')}`);
        isShown = true;
      },
    });
    if (isShown) stderr.write('\r\u001b[2K');
    const done = outcomes.filter(({ kind }) => kind === 'done').length;
    const cached = outcomes.filter((outcome) => outcome.kind === 'done' && outcome.cached).length;
    const note = `${plural(done, 'cell')} in ${seconds().toFixed(1)} s, ${cached} of them from the cache`;
    if (!quiet) stderr.write(`${note}\n`);
    return outcomes;
  } finally {
    stopListening();
  }
}
