import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { PACKAGE_FOLDER } from '../../input/package-files.ts';
import { temporaryFolder } from '../cli/run-cli.ts';
import { installedPackage } from '../installed.ts';
import { checkout, pathWith } from './checkout.ts';
import { runWorkflow, workflowWith } from './github-runner.ts';

const INSTALLED = installedPackage();

const NPM = spawnSync('bash', ['-c', 'command -v npm'], { encoding: 'utf8' }).stdout.trim();

/**
 * npm, but it neither downloads nor compiles: it says whether it would install what the lock pins,
 * calls the scripts of the package, and puts there what they would. `tools/setup.mjs` and
 * test/package run the whole of it.
 */
const SAVING_NPM = `case "$1 $2" in
  'ci --prefix') exec "${NPM}" "$@" --dry-run ;;
  'run build')
    ln -s "${join(PACKAGE_FOLDER, 'node_modules')}" node_modules
    cp -r "${join(PACKAGE_FOLDER, 'dist')}" dist ;;
  *) exit 9 ;;
esac`;

it('the action installs itself with npm ci where that has not been done', () => {
  const folder = join(temporaryFolder(), 'action');
  execFileSync('git', ['clone', '--quiet', '--depth', '1', `file://${PACKAGE_FOLDER}`, folder]);
  const given = checkout(INSTALLED);
  // npm finds its registry and its certificates as this machine has them.
  const own = { HOME: process.env.HOME ?? '', PATH: pathWith({ npm: SAVING_NPM }) };
  const env = { ...process.env, ...given.env, ...own };
  const [run] = runWorkflow(workflowWith({}), { ...given, env, actions: { './': folder } });
  expect(run!.log).toMatch(/added \d+ packages/);
  expect(run!.log).toMatch(/3 cells/);
  expect(run!.failed).toBe(false);
});
