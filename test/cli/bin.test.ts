import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { packageVersion } from '../../input/package-files.ts';
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

it('writes long output to a pipe completely, and does not fail when the reader is gone', () => {
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

it('ends with its verdict and writes its reports, though nobody reads; a full disk is no verdict', () => {
  const words = [
    'check',
    'late-dependent-orphan',
    '--property',
    'orphaned objects are not collected',
  ];
  const folder = mkdtempSync(join(tmpdir(), 'reapcheck-bin-'));
  const run = (rest: string): string => {
    const script = `{ "$@" --protocol v1.20 --report junit=j.xml; echo " code $?" >&2; } ${rest}`;
    const args = ['-c', script, 'sh', process.execPath, bin, ...words];
    return spawnSync('sh', args, { encoding: 'utf8', cwd: folder }).stderr;
  };
  try {
    expect(run('| true')).toBe(' code 1\n');
    expect(readdirSync(folder)).toEqual(['j.xml']);
    expect(run('2>&1 >/dev/full | cat >&2')).toMatch(
      /^error: <stdout> cannot be written \(ENOSPC\)[\s\S]* code 2\n$/,
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
});
