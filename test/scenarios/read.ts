import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { documents } from '../../input/documents/documents.ts';
import { KindCatalogue } from '../../input/manifests/kind-catalogue.ts';
import { readScenario, type Scenario } from '../../input/scenarios/scenario.ts';
import { BUILT_IN_KINDS } from '../../model/state/kind-table.ts';
import { PROPERTIES } from '../../properties/index.ts';

export const folder = resolve(dirname(fileURLToPath(import.meta.url)), '../../scenarios');

export interface NamedScenario extends Scenario {
  readonly name: string;
  readonly text: string;
}

/** One scenario, read from the text of its file. */
export function scenarioOf(name: string, file: string, text: string): NamedScenario {
  const [document] = [...documents({ file, text })];
  if (document === undefined) throw new Error(`${file} is empty`);
  const properties = PROPERTIES.map((property) => property.name);
  const kinds = new KindCatalogue(BUILT_IN_KINDS);
  return { name, text, ...readScenario(name, document, kinds, properties) };
}

let known: readonly NamedScenario[] | null = null;

/**
 * All scenarios that come with the package. Many files ask for them, and reading takes a second.
 */
export function scenarios(): readonly NamedScenario[] {
  known ??= readdirSync(folder)
    .filter((file) => file.endsWith('.yaml'))
    .sort()
    .map((file) => {
      const text = readFileSync(join(folder, file), 'utf8');
      return scenarioOf(file.slice(0, -'.yaml'.length), file, text);
    });
  return known;
}
