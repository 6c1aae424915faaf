import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, inject } from 'vitest';
import { PACKAGE_FOLDER } from '../input/package-files.ts';

/**
 * The package as it is where it is installed: compiled, without its sources. The folder is below
 * ours, so that it finds the packages of others. The first test of a run that needs it makes it
 * from the code that the global set-up has compiled (`compiled.ts`), which removes it in the end.
 */
export function installedPackage(): string {
  const folder = inject('installed');
  beforeAll(() => {
    if (existsSync(folder)) return;
    mkdirSync(dirname(folder), { recursive: true });
    const made = mkdtempSync(`${folder}-`);
    for (const file of ['package.json', 'action.yml', 'dist']) {
      cpSync(join(PACKAGE_FOLDER, file), join(made, file), { recursive: true });
    }
    for (const data of ['scenarios', 'serve']) {
      symlinkSync(join(PACKAGE_FOLDER, data), join(made, data));
    }
    try {
      renameSync(made, folder);
    } catch (error) {
      // Another process was faster.
      rmSync(made, { recursive: true });
      if (!existsSync(folder)) throw error;
    }
  });
  return folder;
}
