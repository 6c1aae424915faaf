import { existsSync, readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of package.json. Sources and `dist` are at different depths below it. */
export const PACKAGE_FOLDER = packageFolder(dirname(fileURLToPath(import.meta.url)));

function packageFolder(folder: string): string {
  if (existsSync(join(folder, 'package.json'))) return folder;
  const parent = dirname(folder);
  if (parent === folder) throw new Error('package.json of reapcheck is missing');
  return packageFolder(parent);
}

export function packageVersion(): string {
  const text = readFileSync(join(PACKAGE_FOLDER, 'package.json'), 'utf8');
  return (JSON.parse(text) as { readonly version: string }).version;
}

/** Built-in scenarios by name, in order of the names. */
export function builtInScenarios(): Promise<ReadonlyMap<string, string>> {
  return scenariosIn(join(PACKAGE_FOLDER, 'scenarios'));
}

/** The entries of the museum by id, in order of the ids. */
export function museumEntries(): Promise<ReadonlyMap<string, string>> {
  return scenariosIn(join(PACKAGE_FOLDER, 'scenarios', 'museum'));
}

async function scenariosIn(folder: string): Promise<ReadonlyMap<string, string>> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.yaml')).sort();
  return new Map(files.map((file) => [file.slice(0, -'.yaml'.length), join(folder, file)]));
}
