import { Console } from 'node:console';
import { isAbsolute, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { readSource } from '../input/documents/source.ts';
import type { LoadedModule } from '../run/authored/authored.ts';
import { AUTHORED_ERRORS } from '../run/authored/errors.ts';
import { loadedWithin } from '../run/authored/loading-limit.ts';
import { InputError, type Place } from '../text/input-error.ts';
import { shellQuoted } from '../text/layout.ts';

/** A module is code: nobody writes one of a gigabyte. */
const MOST_MEGABYTES = 100;

const nothing = (async function* () {})();

/**
 * Loads a module of the user's, which executes it. Only the command line loads code by its name, so
 * that the digests of the gate name all code that a result depends on. Throws `InputError`. If the
 * module runs for longer than so many seconds, the process ends.
 */
export async function loadModule(file: string, seconds?: number): Promise<LoadedModule> {
  const { text } = await readSource(file, nothing, { maxMegabytes: MOST_MEGABYTES });
  // What a module logs, now or in its reducers, must not get between the lines of a report.
  globalThis.console = new Console(process.stderr, process.stderr);
  let end = (): void => undefined;
  // Emitted when nothing is left to do, and the module still waits.
  const stuck = new Promise<never>((_, reject) => {
    end = () => reject(new Error('its top-level await never ends'));
    process.once('beforeExit', end);
  });
  try {
    const load = (): Promise<unknown> =>
      Promise.race([import(pathToFileURL(resolve(file)).href), stuck]);
    const late = () => AUTHORED_ERRORS.late(file, seconds ?? 0);
    return { file, text, exports: exportsIn(await loadedWithin(seconds, late, load)) };
  } catch (error) {
    throw loadingError(file, error);
  } finally {
    process.off('beforeExit', end);
  }
}

/** A compiled CommonJS module has its exports in `default`. */
function exportsIn(loaded: unknown): LoadedModule['exports'] {
  const named = { ...(loaded as Readonly<Record<string, unknown>>) };
  const { default: whole, ...others } = named;
  const isWhole = typeof whole === 'object' && whole !== null && !('model' in others);
  return isWhole ? { ...(whole as Readonly<Record<string, unknown>>), ...others } : named;
}

function loadingError(file: string, error: unknown): InputError {
  const message = error instanceof Error ? error.message : String(error);
  switch ((error as { readonly code?: unknown } | null)?.code) {
    case 'ERR_UNKNOWN_FILE_EXTENSION':
      return /\.[mc]?ts\b/.test(message)
        ? new InputError({
            what: `Node.js ${process.versions.node} does not run TypeScript such as ${file}`,
            expected: 'Node.js 22.18 or later, or a loader',
            next: [
              'npm install --save-dev tsx',
              `NODE_OPTIONS='--import tsx' npx reapcheck check ${shellQuoted(file)}`,
              'or compile it, and give the .js file',
            ],
          })
        : failed(file, error, message, 'give a module: .js, .mjs, .ts or .mts');
    case 'ERR_MODULE_NOT_FOUND':
      return /package 'reapcheck'/.test(message)
        ? new InputError({
            what: `${file} imports reapcheck, which is not installed where the module is`,
            next: 'in the folder of the module: npm install reapcheck',
          })
        : failed(file, error, message, 'check the names that it imports');
    default:
      if (/outside a module|Unexpected token 'export'/.test(message)) {
        const next = 'set "type": "module" in its package.json, or name it .mts or .mjs';
        return failed(file, error, message, next);
      }
      if (isOfLibrary(error)) {
        const { what, where = placeIn(file, error), ...rest } = error.text;
        return new InputError({ what: `${file} cannot be loaded: ${what}`, where, ...rest });
      }
      return error instanceof SyntaxError || /^Transform failed/.test(message)
        ? failed(file, error, message, 'correct it; tsc --noEmit shows all errors of TypeScript')
        : failed(file, error, message, 'it runs when it is loaded; it must only define and export');
  }
}

/**
 * What the library says of a model or a controller. The module may have loaded the library anew, with
 * a class `InputError` of its own.
 */
function isOfLibrary(error: unknown): error is InputError {
  return error instanceof Error && error.name === 'InputError' && 'text' in error;
}

function failed(file: string, error: unknown, message: string, next: string): InputError {
  // A loader such as tsx gives a heading first, and what is wrong in the next line.
  const what = `${file} cannot be loaded: ${message.replace(/:\n\s*/, ': ').split('\n')[0]}`;
  return new InputError({ what, where: placeIn(file, error), next });
}

/** The first place in the stack that is in the module itself. */
function placeIn(file: string, error: unknown): Place | undefined {
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  for (const [, at = '', line, column] of stack.matchAll(
    /(file:\/\/[^\s)]+?|\/[^\s):]+):(\d+)(?::(\d+))?/g,
  )) {
    const path = at.startsWith('file:') ? fileURLToPath(at) : at;
    if (!isAbsolute(path) || path !== resolve(file)) continue;
    return { file, line: Number(line), column: Number(column ?? 1) };
  }
  return undefined;
}
