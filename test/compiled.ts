import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { PACKAGE_FOLDER } from '../input/package-files.ts';

/** Tests that start processes of reapcheck need the compiled code to be that of the sources. */
export function setup(): void {
  const build = join(PACKAGE_FOLDER, 'tools', 'build.mjs');
  const { status } = spawnSync(process.execPath, [build, '--if-changed'], { stdio: 'inherit' });
  if (status !== 0) throw new Error('the sources cannot be compiled');
}
