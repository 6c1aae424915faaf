import { loadModule } from '../../cli/modules.ts';
import type { Cell } from '../../gate/cell.ts';
import { cellsOf } from '../../gate/suite/cells.ts';
import { readSuite } from '../../gate/suite/suite.ts';
import { folderWith, inFolder } from './gate-cli.ts';

const NOTHING = (async function* () {})();

/** The cells of a suite in a folder with these files, of which the last is the suite. */
export function cellsIn(files: Readonly<Record<string, string>>): Promise<readonly Cell[]> {
  const suite = Object.keys(files).at(-1) ?? '';
  return inFolder(folderWith(files), async () => cellsHere(suite));
}

/** The cells of a suite, its path relative to the working directory. */
export async function cellsHere(suite: string): Promise<readonly Cell[]> {
  return cellsOf(await readSuite(suite, NOTHING), NOTHING, loadModule);
}
