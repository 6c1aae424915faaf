import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../cli/run-cli.ts';
import { PATIENCE } from '../clock.ts';
import { installedPackage } from '../installed.ts';
import { folderWith } from './gate-cli.ts';

/** The installed gate: compiled, with its processes and its cache. */

const BIN = join(installedPackage(), 'dist', 'cli', 'main.js');

const SMALL = 'groups: [{scenarios: [background-chain, dangling-owner, orphan-chain]}]';
const LARGE = 'groups: [{scenarios: [two-workers-foreground-diamond, foreground-diamond]}]';

function environment(cache: string) {
  return { PATH: process.env.PATH, XDG_CACHE_HOME: cache };
}

function gate(folder: string, words: readonly string[], cache = temporaryFolder()) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [BIN, 'gate', ...words], {
    cwd: folder,
    encoding: 'utf8',
    env: environment(cache),
  });
  return { status, stdout, stderr };
}

it('prints and writes the same, cached or not, in one process or in two', () => {
  const folder = folderWith({ 'reapcheck.suite.yaml': SMALL });
  const update = ['--update', '--accept-worse'];
  const cache = temporaryFolder();
  const lock = (): string => readFileSync(join(folder, 'reapcheck.lock.json'), 'utf8');
  const alone = gate(folder, [...update, '-q', '--processes', '1', '--no-cache'], cache);
  expect(alone).toMatchObject({ status: 0, stderr: '' });
  const pinned = lock();
  const runs = [
    gate(folder, ['-q', '--processes', '1', '--no-cache'], cache),
    gate(folder, ['-q', '--processes', '2'], cache),
    gate(folder, ['-q'], cache),
  ];
  expect(readdirSync(join(cache, 'reapcheck'))).toHaveLength(3);
  expect(runs[0]).toMatchObject({ status: 0, stderr: '' });
  expect(runs[1]).toEqual(runs[0]);
  expect(runs[2]).toEqual(runs[0]);
  rmSync(join(folder, 'reapcheck.lock.json'));
  const cached = gate(folder, update, cache);
  expect(cached.stderr).toMatch(/^3 cells in .*, 3 of them from the cache\n$/);
  expect(lock()).toBe(pinned);
});

it('runs without the default cache if that is not usable, but not without a given one', () => {
  const folder = folderWith({ 'reapcheck.suite.yaml': SMALL, file: '' });
  const without = gate(folder, [], join(folder, 'file'));
  expect(without.stderr).toMatch(/file\/reapcheck cannot be used as a cache .*: this run has none/);
  expect(without.status).toBe(1);
  const given = gate(folder, ['--cache', 'file']);
  expect(given).toMatchObject({ status: 2, stdout: '' });
  expect(given.stderr).toMatch(/^error: file cannot be used as a cache/);
  const both = gate(folder, ['--cache', 'here', '--no-cache']);
  expect(both.stderr).toMatch(/^error: --cache contradicts --no-cache/);
  const none = gate(folder, ['--processes', '0']);
  expect(none.stderr).toMatch(/^error: --processes does not take "0"/);
});

it.each(['SIGINT to it alone', 'SIGINT to all of its group'])(
  '%s ends all processes, writes no lock and leaves nothing behind',
  async (how) => {
    const folder = folderWith({ 'reapcheck.suite.yaml': LARGE });
    const words = [BIN, 'gate', '--update', '--accept-worse', '--no-cache', '--report', 'json=x'];
    const child = spawn(process.execPath, words, {
      cwd: folder,
      env: environment(temporaryFolder()),
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    const workers = await workersOf(child);
    process.kill(how.includes('alone') ? child.pid! : -child.pid!, 'SIGINT');
    const [status] = await once(child, 'exit');
    expect(status).toBe(130);
    await expect.poll(() => workers.filter(isThere), { timeout: PATIENCE }).toEqual([]);
    expect(existsSync(join(folder, 'reapcheck.lock.json'))).toBe(false);
    expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([]);
  },
);

/** Its worker processes, as soon as there is one. */
async function workersOf({ pid }: ChildProcess): Promise<readonly number[]> {
  const children = `/proc/${pid}/task/${pid}/children`;
  const found = (): readonly number[] =>
    readFileSync(children, 'utf8').split(' ').filter(Boolean).map(Number);
  await expect.poll(() => found().length, { timeout: PATIENCE }).toBeGreaterThan(0);
  return found();
}

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
