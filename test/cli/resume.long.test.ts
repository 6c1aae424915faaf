import { spawn, spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { PACKAGE_FOLDER } from '../../input/package-files.ts';
import { PATIENCE } from '../clock.ts';
import { temporaryFolder } from './run-cli.ts';

const MAIN = join(PACKAGE_FOLDER, 'dist', 'cli', 'main.js');
const WORDS = ['bench/three-pods.yaml', '--reduction=symmetry,confluence-only', '--format=json'];
/** The search takes less than the start of a process. */
const SEARCH = ['check', ...WORDS, '--max-states=6000'];
const KILLS = 2;

const timeless = (text: string): string => text.replaceAll(/"(cpu|wall)Seconds": [^,\n]*/g, '');

let known: string | null = null;

/** What the search gives that is not stopped. */
function plain(): string {
  known ??= run(SEARCH);
  return known;
}

function run(words: readonly string[]): string {
  const { stdout, stderr } = spawnSync(process.execPath, [MAIN, ...words], {
    cwd: PACKAGE_FOLDER,
    encoding: 'utf8',
    maxBuffer: 1e9,
  });
  expect(stderr).not.toMatch(/error:|defect/);
  return timeless(stdout);
}

/** Kills the process when the file of blocks has so many bytes. Returns how it ended. */
function killedAt(bytes: number, folder: string, words: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [MAIN, ...words], { cwd: PACKAGE_FOLDER });
    child.stdout.resume();
    child.stderr.resume();
    const watch = setInterval(() => {
      if (sizeOf(folder) >= bytes) child.kill('SIGKILL');
    }, 1);
    child.on('close', (code, signal) => {
      clearInterval(watch);
      resolve(signal ?? String(code));
    });
  });
}

function sizeOf(folder: string): number {
  return statSync(join(folder, 'search.blocks'), { throwIfNoEntry: false })?.size ?? -1;
}

/** Numbers below 1, always the same. */
function* fractions(seed: number): Generator<number> {
  for (let state = seed; ; ) {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    yield state / 0x7fffffff;
  }
}

it(
  'a search that is killed again and again gives the document of one that is not',
  async () => {
    const folder = join(temporaryFolder(), 'saved');
    const every = '--checkpoint-every=400states';
    run([...SEARCH, every, '--checkpoint', folder]);
    const whole = sizeOf(folder);
    const random = fractions(16);
    const killed = join(temporaryFolder(), 'saved');
    const begin = [...SEARCH, every, '--checkpoint', killed];
    const ends = [await killedAt(0, killed, begin)];
    // Each run has to get further than the one before, or the search would never end.
    for (let kill = 0; kill < KILLS; kill++) {
      const now = Math.max(0, sizeOf(killed));
      const bytes = now + 1 + Math.floor(random.next().value! * 0.3 * (whole - now));
      ends.push(await killedAt(bytes, killed, ['resume', killed]));
    }
    expect(ends[0]).toBe('SIGKILL');
    expect(run(['resume', killed]), ends.join()).toBe(plain());
  },
  PATIENCE,
);

it(
  'SIGTERM leaves a saved search that goes on',
  async () => {
    const folder = join(temporaryFolder(), 'saved');
    const words = [...SEARCH, '--checkpoint', folder];
    const code = await new Promise((resolve) => {
      const child = spawn(process.execPath, [MAIN, ...words], { cwd: PACKAGE_FOLDER });
      child.stdout.resume();
      child.stderr.resume();
      const watch = setInterval(() => {
        if (sizeOf(folder) > 0) {
          clearInterval(watch);
          child.kill('SIGTERM');
        }
      }, 1);
      child.on('close', resolve);
    });
    expect(code).toBe(130);
    const before = sizeOf(folder);
    expect(run(['resume', folder])).toBe(plain());
    expect(sizeOf(folder)).toBeGreaterThan(before);
  },
  PATIENCE,
);
