import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { Script } from 'node:vm';

/** What the script is: it puts what its modules export into `module`. */
type Body = (
  require: NodeJS.Require,
  file: string,
  module: { exports: unknown },
  importModule: (name: string) => Promise<unknown>,
) => void;

const ALGORITHM = 'sha256';
/** In bytes. */
const DIGEST_LENGTH = 32;

/**
 * What the file of compiled code begins with: the digest of the script and of what V8 has compiled
 * of it. V8 compares only the length of the script, and would run compiled code of another one, or
 * damaged code.
 */
export function compiledDigest(script: Buffer, cachedData: Buffer): Buffer {
  return createHash(ALGORITHM).update(script).update(cachedData).digest();
}

/**
 * What the modules of a command export, from one script of their code and what V8 has compiled of
 * it: to compile takes longer than a small check. `tools/compile-ahead.mjs` makes the two files.
 *
 * @returns null if the folder has nothing that was compiled for this V8 and its options, or if the
 * files are damaged or of two builds. The modules then do the same.
 */
export function compiledAhead<Exports>(folder: URL): Exports | null {
  let stored: Buffer;
  let source: Buffer;
  const file = fileURLToPath(new URL('run.cjs', folder));
  try {
    stored = readFileSync(new URL(`${process.versions.v8}-${process.arch}`, folder));
    source = readFileSync(file);
  } catch {
    return null;
  }
  const cachedData = stored.subarray(DIGEST_LENGTH);
  const digest = stored.subarray(0, DIGEST_LENGTH);
  if (!compiledDigest(source, cachedData).equals(digest)) return null;
  const script = new Script(source.toString('latin1'), { cachedData });
  // V8 also rejects what was compiled under other options of its own than it has now.
  if (script.cachedDataRejected === true) return null;
  const module = { exports: {} };
  // V8 does not keep what `import()` in a compiled script would need.
  const importModule = (name: string): Promise<unknown> => import(name);
  (script.runInThisContext() as Body)(createRequire(file), file, module, importModule);
  return module.exports as Exports;
}
