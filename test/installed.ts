import { cpSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { PACKAGE_FOLDER } from '../input/package-files.ts';

/**
 * The package as it is where it is installed: compiled, without its sources. For all tests of the
 * file that calls this; the folder is below ours, so that it finds the packages of others. The
 * compiled code is that of the global set-up (`compiled.ts`).
 */
export function installedPackage(): string {
  const name = `reapcheck-installed-${process.pid}-${Math.random().toString(36).slice(2)}`;
  const folder = join(PACKAGE_FOLDER, 'node_modules', '.cache', name);
  beforeAll(() => {
    mkdirSync(folder, { recursive: true });
    for (const file of ['package.json', 'action.yml', 'dist']) {
      cpSync(join(PACKAGE_FOLDER, file), join(folder, file), { recursive: true });
    }
    for (const data of ['scenarios', 'serve']) {
      symlinkSync(join(PACKAGE_FOLDER, data), join(folder, data));
    }
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
