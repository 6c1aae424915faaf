import { dirname, posix, relative, resolve } from 'node:path';
import picomatch from 'picomatch';
import { glob, isDynamicPattern } from 'tinyglobby';
import type { Path } from '../../input/documents/document.ts';
import { isFile } from '../../input/gather.ts';
import { isModule } from '../../input/options/input-options.ts';
import { builtInScenarios, museumEntries } from '../../input/package-files.ts';
import { GATE_ERRORS } from '../errors.ts';
import type { Suite } from './suite.ts';
import type { DeletionEntry, Group } from './suite-schema.ts';

/** Something that a group of the suite names. The grid applies to it. */
export interface Subject {
  /** The names of its cells begin with this. Variants of the museum get a suffix later. */
  readonly name: string;
  /** What `reapcheck check` takes: names, or files relative to the working directory. */
  readonly inputs: readonly string[];
  /** The files that are read. */
  readonly files: readonly string[];
  readonly museum: boolean;
  readonly deletion: DeletionEntry | null;
  /** Where the suite names it. */
  readonly path: Path;
}

/** In the order of the suite. The matches of a pattern are sorted by name. */
export async function subjectsOf(
  suite: Suite,
  group: Group,
  path: Path,
): Promise<readonly Subject[]> {
  const subjects: Subject[] = [];
  const builtIn = await builtInScenarios();
  for (const [index, entry] of (group.scenarios ?? []).entries()) {
    const at = [...path, 'scenarios', index];
    const found =
      isFile(entry) || isModule(entry)
        ? await filesOf(suite, entry, at)
        : namedOf(entry, builtIn, 'scenario', suite, at);
    subjects.push(...found);
  }
  const museum = await museumEntries();
  for (const [index, entry] of (group.museum ?? []).entries()) {
    const at = [...path, 'museum', index];
    subjects.push(...namedOf(entry, museum, 'entry of the museum', suite, at));
  }
  for (const [index, deletion] of (group.deletions ?? []).entries()) {
    const files = deletion.dump.map((file) => fromHere(suite, file));
    subjects.push({
      name: deletion.dump.join(', '),
      inputs: files,
      files,
      museum: false,
      deletion,
      path: [...path, 'deletions', index],
    });
  }
  return subjects;
}

function namedOf(
  entry: string,
  known: ReadonlyMap<string, string>,
  what: 'scenario' | 'entry of the museum',
  suite: Suite,
  path: Path,
): readonly Subject[] {
  const names = [...known.keys()];
  const place = suite.document.place(path);
  const isPattern = isDynamicPattern(entry);
  const isMatch = isPattern ? picomatch(entry) : null;
  const matching = names.filter((name) => isMatch?.(name) ?? name === entry);
  if (matching.length === 0) {
    throw isPattern
      ? GATE_ERRORS.noMatch(entry, place, names)
      : GATE_ERRORS.unknownName(entry, what, names, place);
  }
  return matching.map((name) => ({
    name,
    inputs: [name],
    files: [known.get(name)!],
    museum: what !== 'scenario',
    deletion: null,
    path,
  }));
}

/** Files are named as the suite names them: relative to its folder. */
async function filesOf(suite: Suite, entry: string, path: Path): Promise<readonly Subject[]> {
  const folder = dirname(suite.file);
  const pattern = isDynamicPattern(entry);
  const found = pattern
    ? await glob(entry, { cwd: folder, ignore: ['**/node_modules/**'], expandDirectories: false })
    : [posix.normalize(entry)];
  const files = found
    .filter((file) => !pattern || resolve(folder, file) !== resolve(suite.file))
    .sort((a, b) => (a < b ? -1 : 1));
  if (files.length === 0) throw GATE_ERRORS.noMatch(entry, suite.document.place(path), []);
  return files.map((name) => {
    const file = fromHere(suite, name);
    return { name, inputs: [file], files: [file], museum: false, deletion: null, path };
  });
}

/** Never a plain word: that would be the name of a built-in scenario. */
function fromHere(suite: Suite, file: string): string {
  const here = relative('', resolve(dirname(suite.file), file)).replaceAll('\\', '/');
  return here.includes('/') ? here : `./${here}`;
}
