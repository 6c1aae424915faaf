import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { PACKAGE_FOLDER } from '../../input/package-files.ts';
import { MESSAGES } from '../../text/messages.ts';
import type { CodeDigests } from '../cell.ts';
import { digestOf } from './digest.ts';

/**
 * The code that a result depends on: every compiled module that is loaded to compute it. These are
 * the same in a checkout and in an installed package.
 */

/** Where the compiled code is, and its entry modules. */
export interface CodePlace {
  readonly folder: string;
  /** Paths below the folder, with `/`. */
  readonly mains: readonly string[];
  /**
   * Folder of the sources, if they exist. Compiled code that is older than its source is refused.
   */
  readonly sources: string;
}

/** One module turns input into models, the other checks them. */
export const GATE_CODE: CodePlace = {
  folder: join(PACKAGE_FOLDER, 'dist'),
  mains: ['input/gather.js', 'gate/run/run-cell.js'],
  sources: PACKAGE_FOLDER,
};

/** The compiler begins a line with each import. */
const STATIC_IMPORT = /^(?:import|export)\s(?:[^'";]*?\sfrom\s+)?['"]([^'"]+)['"]/gm;
/** Import expressions: with a name, and without one in the text. */
const NAMED_LATER = /\bimport\s*\(\s*['"]([^'"]+)['"]\s*\)/g;
const UNNAMED = /\bimport\s*\((?!\s*['"][^'"]+['"]\s*\))|\bcreateRequire\b/;

/** What was written of the files, by the digests of their code: see `checkCode`. */
const stampsOf = new WeakMap<CodeDigests, ReadonlyMap<string, string>>();

export function codeDigests(place: CodePlace = GATE_CODE): CodeDigests {
  const { files, packages, stamps } = loadedBy(place);
  const digest = (part: readonly LoadedFile[]): string =>
    digestOf(part.map(({ file, text }) => [file, text]));
  const layerOf = ({ file }: LoadedFile): string => file.split('/')[0] ?? '';
  const part = (name: string): string => digest(files.filter((file) => layerOf(file) === name));
  const rest = digest(
    files.filter((file) => !['checker', 'model', 'properties'].includes(layerOf(file))),
  );
  const digests = {
    checker: part('checker'),
    model: part('model'),
    properties: part('properties'),
    input: rest,
    packages: digestOf(packages.map((name) => [name, versionOf(name, place, stamps)])),
  };
  stampsOf.set(digests, stamps);
  return digests;
}

/**
 * Throws `InputError` if the code has changed. To read it all again takes as long as a small cell,
 * so this is done only where a file was written since.
 */
export function checkCode(before: CodeDigests, place: CodePlace = GATE_CODE): void {
  const stamps = [...(stampsOf.get(before) ?? [])];
  if (stamps.length > 0 && stamps.every(([file, stamp]) => stampOf(file) === stamp)) return;
  if (digestOf(codeDigests(place)) !== digestOf(before)) throw MESSAGES.codeChanged();
}

interface LoadedFile {
  readonly file: string;
  readonly text: string;
}

/** What a file system changes whenever a file is written or replaced; no program can set it. */
function stampOf(file: string): string | null {
  const found = statSync(file, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? null : `${found.dev} ${found.ino} ${found.ctimeNs} ${found.size}`;
}

export interface LoadedCode {
  /** Paths below the folder with `/`, sorted. */
  readonly files: readonly LoadedFile[];
  /** Names of third-party packages. */
  readonly packages: readonly string[];
  /** By absolute path, as they were before they were read. */
  readonly stamps: Map<string, string>;
}

/** All modules that are loaded, from the entry modules on. */
export function loadedBy({ folder, mains, sources }: CodePlace): LoadedCode {
  const found = new Map<string, string>();
  const packages = new Set<string>();
  const stamps = new Map<string, string>();
  const open = mains.map((main) => join(folder, main));
  for (const file of open) {
    if (found.has(file)) continue;
    noteStamp(file, stamps);
    const text = compiledText(file, folder, sources);
    found.set(file, text);
    for (const name of importsIn(text, file)) {
      if (name.startsWith('.')) open.push(join(dirname(file), name));
      else if (!name.startsWith('node:')) packages.add(packageOf(name));
    }
  }
  const files = [...found]
    .map(([file, text]) => ({ file: relative(folder, file).replaceAll(sep, '/'), text }))
    .sort((one, other) => (one.file < other.file ? -1 : 1));
  return { files, packages: [...packages].sort(), stamps };
}

/** Refuses stale compiled code: its results would be taken for results of the source. */
function compiledText(file: string, folder: string, sources: string): string {
  if (!existsSync(file)) throw MESSAGES.notCompiled(`${relative(sources, file)} is not there`);
  const source = join(sources, relative(folder, file)).replace(/\.js$/, '.ts');
  if (existsSync(source) && statSync(source).mtimeMs > statSync(file).mtimeMs) {
    throw MESSAGES.notCompiled(`${relative(sources, source)} is newer than the compiled code`);
  }
  return readFileSync(file, 'utf8');
}

function importsIn(text: string, file: string): readonly string[] {
  if (UNNAMED.test(text)) {
    throw new Error(`${file} imports while it runs, so that its text does not show what it loads`);
  }
  const imports = [...text.matchAll(STATIC_IMPORT), ...text.matchAll(NAMED_LATER)];
  return imports.map(([, name = '']) => name);
}

function packageOf(specifier: string): string {
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
}

function noteStamp(file: string, stamps: Map<string, string>): void {
  const stamp = stampOf(file);
  if (stamp !== null) stamps.set(file, stamp);
}

/** Looks for the package where Node does. */
function versionOf(name: string, { folder }: CodePlace, stamps: Map<string, string>): string {
  for (let at = folder; ; at = dirname(at)) {
    const file = join(at, 'node_modules', name, 'package.json');
    if (existsSync(file)) {
      noteStamp(file, stamps);
      return (JSON.parse(readFileSync(file, 'utf8')) as { readonly version: string }).version;
    }
    if (dirname(at) === at) throw new Error(`the package ${name} is not installed`);
  }
}
