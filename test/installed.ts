import { cpSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { PACKAGE_FOLDER } from '../input/package-files.ts';
import { compile } from './compiled.ts';

/**
 * The package as it is where it is installed: compiled, without its sources. For all tests of the
 * file that calls this; the folder stands below ours, where it finds the packages of others.
 */
export function installedPackage(): string {
  const name = `reapcheck-installed-${process.pid}-${Math.random().toString(36).slice(2)}`;
  const folder = join(PACKAGE_FOLDER, 'node_modules', '.cache', name);
  beforeAll(() => {
    mkdirSync(folder, { recursive: true });
    for (const file of ['package.json', 'action.yml']) {
      cpSync(join(PACKAGE_FOLDER, file), join(folder, file));
    }
    symlinkSync(join(PACKAGE_FOLDER, 'scenarios'), join(folder, 'scenarios'));
    compile(join(folder, 'dist'));
  }, 120_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
