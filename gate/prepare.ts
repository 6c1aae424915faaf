import { existsSync } from 'node:fs';
import { type Bytes, readSource } from '../input/documents/source.ts';
import { MAX_INPUT_DEFAULT } from '../input/options/values.ts';
import type { LoadModule } from '../run/authored/authored.ts';
import type { Cell } from './cell.ts';
import { isOfMachine } from './facts.ts';
import { statedBy } from './lock/entry.ts';
import { readLock } from './lock/lock.ts';
import type { Lock } from './lock/lock-schema.ts';
import { cellsOf } from './suite/cells.ts';
import { lockFileOf, readSuite } from './suite/suite.ts';

/** A suite with everything that it names, and its lock. */
export interface PreparedGate {
  readonly suiteFile: string;
  readonly cells: readonly Cell[];
  readonly lockFile: string;
  /** Null where there is none yet. */
  readonly lock: { readonly content: Lock; readonly text: string } | null;
}

/**
 * Reads everything, so that every input error shows before a cell is run. Throws `InputError`.
 *
 * @param load executes a module that the suite names.
 */
export async function prepareGate(
  suiteFile: string,
  stdin: Bytes,
  load: LoadModule,
): Promise<PreparedGate> {
  const suite = await readSuite(suiteFile, stdin);
  const lockFile = lockFileOf(suiteFile);
  const lock = existsSync(lockFile) ? await lockIn(lockFile, suiteFile, stdin) : null;
  const cells = await cellsOf(suite, stdin, load);
  return { suiteFile, cells, lockFile, lock };
}

async function lockIn(file: string, suite: string, stdin: Bytes): Promise<PreparedGate['lock']> {
  const source = await readSource(file, stdin, { maxMegabytes: MAX_INPUT_DEFAULT });
  return { content: readLock(source, suite), text: source.text };
}

/** The states of each cell, by its name, where the lock or its scenario says how many there are. */
export function pinnedStates({ cells, lock }: PreparedGate): ReadonlyMap<string, number> {
  const entries = new Map(Object.entries(lock?.content.cells ?? {}));
  return new Map(
    cells.flatMap((cell): readonly [string, number][] => {
      const entry = entries.get(cell.name);
      if (entry === undefined || isOfMachine(entry.outcome ?? 'complete')) return [];
      const states = entry.states ?? statedBy(cell).size.states;
      return states === undefined ? [] : [[cell.name, states]];
    }),
  );
}
