import { spawnSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { PACKAGE_FOLDER } from '../input/package-files.ts';

/** Tests that start processes of reapcheck need the compiled code to be that of the sources. */
export function setup(): void {
  const newest = Math.max(...LAYERS.map((layer) => newestIn(join(PACKAGE_FOLDER, layer), '.ts')));
  const compiled = LAYERS.map((layer) => newestIn(join(PACKAGE_FOLDER, 'dist', layer), '.js'));
  if (Math.min(...compiled) > newest) return;
  compile(join(PACKAGE_FOLDER, 'dist'));
}

/** What is not right in the code is for the type check to tell. */
export function compile(folder: string): void {
  const compiler = join(PACKAGE_FOLDER, 'node_modules', '.bin', 'tsc');
  const project = join(PACKAGE_FOLDER, 'tsconfig.build.json');
  spawnSync(compiler, ['-p', project, '--outDir', folder]);
}

const LAYERS = [
  'model',
  'checker',
  'properties',
  'text',
  'input',
  'report',
  'run',
  'gate',
  'explore',
  'conformance',
  'cli',
  'tools',
];

function newestIn(folder: string, ending: string): number {
  try {
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    const times = files
      .filter((file) => file.endsWith(ending))
      .map((file) => statSync(join(folder, file)).mtimeMs);
    return Math.max(0, ...times);
  } catch {
    return 0;
  }
}
