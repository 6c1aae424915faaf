import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { packageVersion } from '../../cli/package-files.ts';
import { installedPackage } from '../installed.ts';
import { dump } from './run-cli.ts';

/** The command as it is installed: compiled, and run as a process of its own. */

const bin = join(installedPackage(), 'dist', 'cli', 'main.js');

function reapcheck(words: readonly string[], input = '') {
  return spawnSync(process.execPath, [bin, ...words], {
    encoding: 'utf8',
    input,
    env: { PATH: process.env.PATH },
  });
}

it('says its version, and finds the built-in scenarios', () => {
  expect(reapcheck(['--version'])).toMatchObject({ status: 0, stdout: `${packageVersion()}\n` });
  const { status, stdout, stderr } = reapcheck(['check', 'background-chain']);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).toMatch(/holds +nothing is stuck/);
});

it('reads stdin, prints errors to stderr, and hands its exit code over', () => {
  const { status, stdout, stderr } = reapcheck(['check', '-', '--delete', 'cm/a'], 'a: [');
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  expect(stderr).toMatch(/^error: this is not valid YAML: .*\n {2}at <stdin>:1:/);
});

it('writes long output to a pipe to the end, and bears it when nobody reads', () => {
  const words = ['check', dump('shop.yaml'), '--delete', 'deploy/web', '--format', 'json'];
  const { status, stdout } = reapcheck(words);
  expect(status).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ exitCode: 0 });
  const command = [process.execPath, bin, 'list', 'properties']
    .map((word) => `'${word}'`)
    .join(' ');
  const cut = spawnSync('sh', ['-c', `${command} | head -c 10`], { encoding: 'utf8' });
  expect({ status: cut.status, stderr: cut.stderr }).toEqual({ status: 0, stderr: '' });
});
