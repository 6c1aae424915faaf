import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';

/**
 * `node dist/bench/fleet.js [PORT]` measures what a fleet costs: jobs a second with small cells, a
 * plain run with one process against one fleet worker with one slot, and one worker against two. It
 * needs redis-server. CPU seconds are those of all processes; wall seconds count only on a quiet
 * machine.
 */
const MAIN = join(import.meta.dirname, '..', 'cli', 'main.js');
const PORT = Number(process.argv[2] ?? 7420);
const URL = `redis://127.0.0.1:${PORT}`;
const folder = mkdtempSync(join(tmpdir(), 'reapcheck-fleet-'));

const SMALL = join(folder, 'small.suite.yaml');
writeFileSync(SMALL, 'groups:\n  - scenarios: ["foreground-*", "cycle-*"]\n');
const LARGE = join(folder, 'large.suite.yaml');
const RULES = 'cycleBreaking: [asWritten, none]\n        absentOwnerKey: [asWritten, uid]';
writeFileSync(
  LARGE,
  `groups:\n  - scenarios: [foreground-tree]\n    grid:\n      workers: [3]\n      rules:\n        ${RULES}\n`,
);

/** Runs the suite without a cache. Redis forgets all results before. */
function gate(suite: string, ...words: readonly string[]): { seconds: number; cells: number } {
  const file = join(folder, 'result.json');
  const all = [MAIN, 'gate', suite, '--no-cache', '--format', 'json', '-o', file, ...words];
  const { stderr, status } = spawnSync(process.execPath, all, { encoding: 'utf8' });
  const [, cells, seconds] = stderr.match(/([\d,]+) cells? in ([\d.]+) s/) ?? [];
  if (cells === undefined) throw new Error(`gate ended with ${status}: ${stderr}`);
  return { cells: Number(cells.replaceAll(',', '')), seconds: Number(seconds) };
}

async function byFleet(suite: string, workers: number): Promise<ReturnType<typeof gate>> {
  spawnSync('redis-cli', ['-p', String(PORT), 'flushall']);
  const words = [MAIN, 'fleet', 'worker', '--redis', URL, '--slots', '1'];
  const running: ChildProcess[] = [];
  for (let index = 0; index < workers; index++) {
    const worker = spawn(process.execPath, words, { stdio: ['ignore', 'ignore', 'pipe'] });
    running.push(worker);
    await new Promise<void>((resolve) => worker.stderr?.once('data', () => resolve()));
  }
  const found = gate(suite, '--fleet', URL);
  for (const worker of running) worker.kill();
  await Promise.all(
    running.map((worker) => new Promise((resolve) => worker.once('close', resolve))),
  );
  return found;
}

const redis = spawn('redis-server', ['--port', String(PORT), '--save', ''], { stdio: 'ignore' });
try {
  await after(1_000);
  for (const [name, suite] of Object.entries({ small: SMALL, large: LARGE })) {
    const plain = gate(suite, '--processes', '1');
    const one = await byFleet(suite, 1);
    const two = await byFleet(suite, 2);
    const rate = ({ cells, seconds }: typeof plain) => `${(cells / seconds).toFixed(1)} jobs/s`;
    process.stdout.write(
      `${name}: ${plain.cells} cells\n` +
        `  one process   ${plain.seconds} s, ${rate(plain)}\n` +
        `  one worker    ${one.seconds} s, ${rate(one)}, ${(one.seconds / plain.seconds).toFixed(2)} times\n` +
        `  two workers   ${two.seconds} s, ${rate(two)}, ${(one.seconds / two.seconds).toFixed(2)} times one\n`,
    );
  }
} finally {
  redis.kill();
  rmSync(folder, { recursive: true, force: true });
}
