import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { Script } from 'node:vm';
import { crc32 } from 'node:zlib';

/** What the script is: it puts what its modules export into `module`. */
type Body = (
  require: NodeJS.Require,
  file: string,
  module: { exports: unknown },
  importModule: (name: string) => Promise<unknown>,
) => void;

/**
 * The commands of which the build keeps compiled code, by what they are asked about: code that a
 * scenario does not need takes time at the start of its check.
 */
const COMPILED = {
  scenario: ['check', 'replay'],
  dump: ['delete', 'compare', 'collect', 'explain', 'uninstall'],
};
export type CompiledFor = keyof typeof COMPILED;

/** @returns null if nothing is kept for the command. */
export function compiledFor(command: string | undefined): CompiledFor | null {
  if (command === undefined) return null;
  if (COMPILED.scenario.includes(command)) return 'scenario';
  return COMPILED.dump.includes(command) ? 'dump' : null;
}

/** The name of the file with compiled code for this V8. */
export function compiledName(asked: CompiledFor): string {
  return `${process.versions.v8}-${process.arch}-${asked}`;
}

/**
 * The name that stacks have of the script, wherever the package is installed. The V8 of Node 20 takes
 * it from the compiled code, later ones do not.
 */
export const SCRIPT_NAME = 'reapcheck/dist/cli/compiled/run.cjs';

/** In bytes. V8 copies compiled code that does not begin at a multiple of eight. */
const CHECKSUM_LENGTH = 8;

/**
 * What the file of compiled code begins with: checksums of the script and of what V8 has compiled
 * of it. V8 compares only the length of the script, and would run compiled code of another one, or
 * damaged code. A digest would take a tenth of the start, and who can write these files can write
 * all files of the package.
 */
export function compiledChecksum(script: number, cachedData: number): Buffer {
  const checksum = Buffer.alloc(CHECKSUM_LENGTH);
  checksum.writeUInt32LE(script);
  checksum.writeUInt32LE(cachedData, CHECKSUM_LENGTH / 2);
  return checksum;
}

function readInto(memory: Buffer, file: number): Buffer {
  return memory.subarray(0, readSync(file, memory, 0, memory.length, 0));
}

interface Stored {
  readonly source: string;
  readonly cachedData: Buffer;
}

/**
 * Reads both files, one after the other, into the same memory: memory that is used for a first time
 * takes longer than to read.
 *
 * @returns null if they are damaged or of two builds.
 */
function stored(scriptFile: number, compiledFile: number): Stored | null {
  const sizes = [scriptFile, compiledFile].map((file) => fstatSync(file).size);
  const memory = Buffer.allocUnsafeSlow(Math.max(...sizes));
  const script = readInto(memory, scriptFile);
  const ofScript = crc32(script);
  const source = script.toString('latin1');
  const compiled = readInto(memory, compiledFile);
  const cachedData = compiled.subarray(CHECKSUM_LENGTH);
  const checksum = compiledChecksum(ofScript, crc32(cachedData));
  return checksum.equals(compiled.subarray(0, CHECKSUM_LENGTH)) ? { source, cachedData } : null;
}

/**
 * What the modules of a command export, from one script of their code and what V8 has compiled of
 * it: to compile takes longer than a small check. `tools/compile-ahead.mjs` makes these files.
 *
 * @returns null if the folder has nothing that was compiled for this V8 and its options, or if the
 * files are damaged or of two builds. The modules then do the same.
 */
export function compiledAhead<Exports>(folder: URL, asked: CompiledFor): Exports | null {
  const file = fileURLToPath(new URL('run.cjs', folder));
  const files: number[] = [];
  let found: Stored | null;
  try {
    files.push(openSync(file, 'r'));
    files.push(openSync(new URL(compiledName(asked), folder), 'r'));
    found = stored(files[0]!, files[1]!);
  } catch {
    return null;
  } finally {
    files.forEach(closeSync);
  }
  if (found === null) return null;
  const script = new Script(found.source, {
    filename: SCRIPT_NAME,
    cachedData: found.cachedData,
  });
  // V8 also rejects what was compiled under other options of its own than it has now.
  if (script.cachedDataRejected === true) return null;
  const module = { exports: {} };
  // V8 does not keep what `import()` in a compiled script would need.
  const importModule = (name: string): Promise<unknown> => import(name);
  (script.runInThisContext() as Body)(createRequire(file), file, module, importModule);
  return module.exports as Exports;
}
