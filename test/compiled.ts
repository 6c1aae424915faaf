import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { PACKAGE_FOLDER } from '../input/package-files.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** See `installed.ts`. */
    readonly installed: string;
  }
}

/**
 * Tests import the compiled code, and start processes of it: it has to be that of the sources.
 *
 * @returns what is to be done after all tests.
 */
export function setup(project: TestProject): () => void {
  const build = join(PACKAGE_FOLDER, 'tools', 'build.mjs');
  const { status } = spawnSync(process.execPath, [build, '--if-changed'], { stdio: 'inherit' });
  if (status !== 0) throw new Error('the sources cannot be compiled');
  const name = `reapcheck-installed-${process.pid}-${project.name}`;
  const installed = join(PACKAGE_FOLDER, 'node_modules', '.cache', name);
  project.provide('installed', installed);
  return () => rmSync(installed, { recursive: true, force: true });
}
