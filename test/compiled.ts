import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { PACKAGE_FOLDER } from '../input/package-files.ts';

/**
 * Tests that start processes of reapcheck need the compiled code to be that of the sources. Whether
 * the types are right is a question for the type check, so errors are passed over.
 */
export function setup(): void {
  const compiler = join(PACKAGE_FOLDER, 'node_modules', '.bin', 'tsc');
  spawnSync(compiler, ['-p', join(PACKAGE_FOLDER, 'tsconfig.build.json')]);
}
