import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { PACKAGE_FOLDER } from '../../input/package-files.ts';
import { temporaryFolder } from '../cli/run-cli.ts';

/** A repository with a suite of its own, as others would have it: one small cell for each part. */

const SUITE = `groups:
  - scenarios: [models/chain.yaml]
  - scenarios: [dangling-owner]
    grid:
      protocol: [v1.20, v1.7]
`;

export interface Checkout {
  /** What is checked out: a suite and its lock. */
  readonly repository: string;
  /** For what a runner needs besides. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
}

/** @param installed a package of reapcheck, which writes the lock. */
export function checkout(installed: string): Checkout {
  const repository = temporaryFolder();
  const folder = temporaryFolder();
  cpSync(committed(installed), repository, { recursive: true });
  return { repository, folder, env: { PATH: process.env.PATH ?? '', HOME: folder } };
}

const repositories = new Map<string, string>();

/** The lock takes long to write, so it is written once for all tests of a process. */
function committed(installed: string): string {
  const known = repositories.get(installed);
  if (known !== undefined) return known;
  // In the folder of the package, which is removed after all tests.
  const repository = join(installed, `repository-${process.pid}`);
  repositories.set(installed, repository);
  mkdirSync(join(repository, 'models'), { recursive: true });
  const chain = readFileSync(join(PACKAGE_FOLDER, 'scenarios', 'orphan-chain.yaml'));
  writeFileSync(join(repository, 'models', 'chain.yaml'), chain);
  writeFileSync(join(repository, 'reapcheck.suite.yaml'), SUITE);
  const main = join(installed, 'dist', 'cli', 'main.js');
  const words = [main, 'gate', '--update', '--accept-worse', '--no-cache', '--processes', '1'];
  const run = spawnSync(process.execPath, words, { cwd: repository, encoding: 'utf8' });
  if (run.status !== 0) throw new Error(`the lock was not written: ${run.stdout}${run.stderr}`);
  program(join(repository, '.ci', 'run'), 'echo the tests of the repository');
  return repository;
}

/** Makes the lock pin another size of the state space than the gate will find. */
export function withDrift({ repository }: Checkout): void {
  const lock = join(repository, 'reapcheck.lock.json');
  const text = readFileSync(lock, 'utf8');
  const size = '"states": 99999, "transitions": 99999, "depth": 99, ';
  const changed = text.replace(/chain\.yaml", \{.*?(?="triggered")/, (before) => before + size);
  if (changed === text) throw new Error('there is no such cell in the lock');
  writeFileSync(lock, changed);
}

/** A PATH on which these programs are replaced by scripts. */
export function pathWith(scripts: Readonly<Record<string, string>>): string {
  const folder = temporaryFolder();
  for (const [name, script] of Object.entries(scripts)) program(join(folder, name), script);
  return `${folder}${delimiter}${process.env.PATH}`;
}

export function program(file: string, script: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `#!/usr/bin/env bash\n${script}\n`);
  chmodSync(file, 0o755);
}
