import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { timed } from './timed.ts';

/**
 * `node dist/bench/fleet.js [PORT]` measures what a fleet costs: a plain run with one process
 * against one fleet worker with one slot, and one worker against two. It needs redis-server and
 * bash. CPU seconds are those of the client, the workers and their processes, without Redis; wall
 * seconds count only on a quiet machine.
 */
const MAIN = join(import.meta.dirname, '..', 'cli', 'main.js');
const PORT = Number(process.argv[2] ?? 7420);
const URL = `redis://127.0.0.1:${PORT}`;
const folder = mkdtempSync(join(tmpdir(), 'reapcheck-fleet-'));

const SMALL = join(folder, 'small.suite.yaml');
writeFileSync(SMALL, 'groups:\n  - scenarios: ["foreground-*", "cycle-*"]\n');
/** Four cells of 1,000,000 states each: a search that a limit on states ends. */
const EQUAL = join(folder, 'equal.suite.yaml');
const PODS = join(import.meta.dirname, '..', '..', 'bench', 'three-pods.yaml');
const RULES = 'cycleBreaking: [asWritten, none]\n        absentOwnerKey: [asWritten, uid]';
writeFileSync(
  EQUAL,
  'limits: {states: 1000000}\n' +
    `groups:\n  - scenarios: [${PODS}]\n    properties: [nothing-stuck]\n    grid:\n` +
    `      rules:\n        ${RULES}\n`,
);
/** A worker ends by itself, so that its CPU time has that of its processes. */
const IDLE_SECONDS = '60';

interface Measured {
  readonly cells: number;
  readonly states: number;
  readonly wallSeconds: number;
  readonly cpuSeconds: number;
}

/** Runs the suite without a cache. */
async function gate(suite: string, ...words: readonly string[]): Promise<Measured> {
  const file = join(folder, 'result.json');
  const all = [MAIN, 'gate', suite, '--no-cache', '--format', 'json', '-o', file, ...words];
  const { cpuSeconds, stderr } = await timed(all).ended;
  const [, seconds] = stderr.match(/[\d,]+ cells? in ([\d.]+) s/) ?? [];
  if (seconds === undefined) throw new Error(`gate failed: ${stderr}`);
  const { cells } = JSON.parse(readFileSync(file, 'utf8')) as {
    readonly cells: readonly { readonly facts: { readonly size: { readonly states: number } } }[];
  };
  const states = cells.reduce((sum, { facts }) => sum + facts.size.states, 0);
  return { cells: cells.length, states, wallSeconds: Number(seconds), cpuSeconds };
}

/** Redis forgets all results before. */
async function byFleet(suite: string, count: number): Promise<Measured> {
  spawnSync('redis-cli', ['-p', String(PORT), 'flushall']);
  const words = ['fleet', 'worker', '--redis', URL, '--slots', '1', '--idle', IDLE_SECONDS];
  const workers = Array.from({ length: count }, () => timed([MAIN, ...words]));
  await Promise.all(workers.map(({ started }) => started));
  const found = await gate(suite, '--fleet', URL);
  const ends = await Promise.all(workers.map(({ ended }) => ended));
  const cpuSeconds = ends.reduce((sum, end) => sum + end.cpuSeconds, found.cpuSeconds);
  return { ...found, cpuSeconds };
}

const redis = spawn('redis-server', ['--port', String(PORT), '--save', ''], { stdio: 'ignore' });
try {
  await after(1_000);
  for (const [name, suite] of Object.entries({ small: SMALL, equal: EQUAL })) {
    const plain = await gate(suite, '--processes', '1');
    const one = await byFleet(suite, 1);
    const two = await byFleet(suite, 2);
    const line = ({ wallSeconds, cpuSeconds, states }: Measured) =>
      `${wallSeconds} s, ${cpuSeconds.toFixed(1)} s of CPU, ` +
      `${Math.round(states / cpuSeconds)} states per second of CPU`;
    const ratio = (some: number, others: number) => (some / others).toFixed(2);
    process.stdout.write(
      `${name}: ${plain.cells} cells, ${plain.states} states, load ${loadavg()[0]?.toFixed(1)}\n` +
        `  one process   ${line(plain)}\n` +
        `  one worker    ${line(one)}: ${ratio(one.cpuSeconds, plain.cpuSeconds)} times the CPU, ` +
        `${ratio(one.wallSeconds, plain.wallSeconds)} times as long\n` +
        `  two workers   ${line(two)}: ${ratio(one.wallSeconds, two.wallSeconds)} times as fast as one\n`,
    );
  }
} finally {
  redis.kill();
  rmSync(folder, { recursive: true, force: true });
}
