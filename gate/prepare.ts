import { existsSync } from 'node:fs';
import { type Bytes, readSource } from '../input/documents/source.ts';
import { MAX_INPUT_DEFAULT } from '../input/options/values.ts';
import { readLock } from './lock/lock.ts';
import type { Cell, Lock } from './cell.ts';
import { cellsOf } from './suite/cells.ts';
import { lockFileOf, readSuite } from './suite/suite.ts';

/** A suite with all that it names, and its lock. */
export interface PreparedGate {
  readonly suiteFile: string;
  readonly cells: readonly Cell[];
  readonly lockFile: string;
  /** Null where there is none yet. */
  readonly lock: { readonly content: Lock; readonly text: string } | null;
}

/** Reads everything, so that nothing wrong is left to find out later. Throws `InputError`. */
export async function prepareGate(suiteFile: string, stdin: Bytes): Promise<PreparedGate> {
  const suite = await readSuite(suiteFile, stdin);
  const lockFile = lockFileOf(suiteFile);
  const lock = existsSync(lockFile) ? await lockIn(lockFile, suiteFile, stdin) : null;
  const cells = await cellsOf(suite, stdin);
  return { suiteFile, cells, lockFile, lock };
}

async function lockIn(file: string, suite: string, stdin: Bytes): Promise<PreparedGate['lock']> {
  const source = await readSource(file, stdin, { maxMegabytes: MAX_INPUT_DEFAULT });
  return { content: readLock(source, suite), text: source.text };
}

/** States that the lock pins, by name of the cell. */
export function pinnedStates({ lock }: PreparedGate): ReadonlyMap<string, number> {
  const cells = [...(lock?.content.cells ?? [])];
  return new Map(
    cells.flatMap(([name, { facts }]) => (facts.size === null ? [] : [[name, facts.size.states]])),
  );
}
