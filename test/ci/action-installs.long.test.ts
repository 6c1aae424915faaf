import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { PACKAGE_FOLDER } from '../../input/package-files.ts';
import { temporaryFolder } from '../cli/run-cli.ts';
import { installedPackage } from '../installed.ts';
import { checkout } from './checkout.ts';
import { runWorkflow, workflowWith } from './github-runner.ts';

const INSTALLED = installedPackage();

it('the action installs itself with npm ci where that has not been done', () => {
  const folder = join(temporaryFolder(), 'action');
  execFileSync('git', ['clone', '--quiet', '--depth', '1', `file://${PACKAGE_FOLDER}`, folder]);
  const given = checkout(INSTALLED);
  // npm finds its registry and its certificates as this machine has them.
  const env = { ...process.env, ...given.env, HOME: process.env.HOME ?? '' };
  const [run] = runWorkflow(workflowWith({}), { ...given, env, actions: { './': folder } });
  expect(run!.log).toMatch(/5 cells/);
  expect(run!.failed).toBe(false);
});
