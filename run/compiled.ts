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

/**
 * What the modules of a command export, from one script of their code and what V8 has compiled of it:
 * to compile takes longer than a small check. `tools/compile-ahead.mjs` makes the two files.
 *
 * @returns null if the folder has nothing that was compiled for this V8 and its options. The modules then
 * do the same.
 */
export function compiledAhead<Exports>(folder: URL): Exports | null {
  let cachedData: Buffer;
  let source: string;
  const file = fileURLToPath(new URL('run.cjs', folder));
  try {
    cachedData = readFileSync(new URL(`${process.versions.v8}-${process.arch}`, folder));
    source = readFileSync(file, 'latin1');
  } catch {
    return null;
  }
  const script = new Script(source, { cachedData });
  // V8 also rejects what was compiled under other options of its own than it has now.
  if (script.cachedDataRejected === true) return null;
  const module = { exports: {} };
  // V8 does not keep what `import()` in a compiled script would need.
  const importModule = (name: string): Promise<unknown> => import(name);
  (script.runInThisContext() as Body)(createRequire(file), file, module, importModule);
  return module.exports as Exports;
}
