import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseCommandLine } from '../../cli/command-line.ts';
import { gateCommand } from '../../cli/commands/gate.ts';
import type { GateMachinery } from '../../cli/gate-machinery.ts';
import type { Io } from '../../cli/io.ts';
import type { Cell, CellOutcome, CodeDigests } from '../../gate/cell.ts';
import { runCell } from '../../gate/run/run-cell.ts';
import { runModule } from '../../gate/run/run-module.ts';
import { errorLines, InputError } from '../../text/input-error.ts';
import { type Outcome, temporaryFolder } from '../cli/run-cli.ts';

/** Runs `reapcheck gate` in this process, without caches, with a fixed digest of the code. */

export const CODE: CodeDigests = {
  checker: 'checker',
  model: 'model',
  properties: 'properties',
  input: 'input',
  packages: 'packages',
};

export interface GateSurroundings {
  readonly code?: CodeDigests;
  /** Replaces the outcome of a cell; null: the cell is run. */
  readonly outcomeOf?: (cell: Cell) => CellOutcome | null;
  readonly isTerminal?: boolean;
}

/** Outcomes of the cells that this process has run: no cell is run twice. */
const found = new Map<string, Promise<CellOutcome>>();

async function outcomeOf(cell: Cell): Promise<CellOutcome> {
  if (cell.plan === null) return runModule(cell, () => false);
  const key = JSON.stringify(cell);
  const outcome =
    found.get(key) ??
    runCell(cell).then((report) => ({ kind: 'done', report, cached: false }) as const);
  found.set(key, outcome);
  return outcome;
}

function machinery(surroundings: GateSurroundings): GateMachinery {
  return {
    codeDigests: () => surroundings.code ?? CODE,
    runner: () => async (cells) => {
      const outcomes: CellOutcome[] = [];
      for (const cell of cells) {
        outcomes.push(surroundings.outcomeOf?.(cell) ?? (await outcomeOf(cell)));
      }
      return outcomes;
    },
  };
}

export async function runGate(
  words: readonly string[],
  surroundings: GateSurroundings = {},
): Promise<Outcome> {
  const written = { stdout: '', stderr: '' };
  const stream = (name: keyof typeof written) => ({
    isTerminal: surroundings.isTerminal ?? false,
    write: (text: string) => {
      written[name] += text;
    },
  });
  const io: Io = {
    stdin: (async function* () {})(),
    stdout: stream('stdout'),
    stderr: stream('stderr'),
    env: { NO_COLOR: '1' },
    onInterrupt: () => () => undefined,
  };
  const line = await parseCommandLine(['gate', ...words], 'test');
  if (line.kind === 'print') throw new Error('a text is printed');
  try {
    const code = await gateCommand(line.values, ['gate', ...words], io, machinery(surroundings));
    return { code, ...written };
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return { code: 2, stdout: written.stdout, stderr: `${errorLines(error.text).join('\n')}\n` };
  }
}

/** A folder with these files. It is removed after the test. */
export function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = temporaryFolder();
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  return folder;
}

/** Acts in this working directory, so that paths are short and always the same. */
export async function inFolder<Result>(
  folder: string,
  act: () => Promise<Result>,
): Promise<Result> {
  const before = process.cwd();
  process.chdir(folder);
  try {
    return await act();
  } finally {
    process.chdir(before);
  }
}
