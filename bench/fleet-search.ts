import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { timed } from './timed.ts';

/**
 * `node dist/bench/fleet-search.js [STATES [PORT]]` measures one search that is divided among
 * workers: first with 1,000 states, for what processes take when they have begun; then with one
 * worker, by one process with as many states, and with two and four workers, a partition each. It
 * needs redis-server, bash and ps. CPU seconds are those of the client, the workers and their
 * processes; wall seconds count only on a quiet machine; megabytes are the most that the process of
 * a partition had resident.
 */
const STATES = process.argv[2] ?? '300000';
const PORT = Number(process.argv[3] ?? 7421);
const URL = `redis://127.0.0.1:${PORT}`;
const MAIN = join(import.meta.dirname, '..', 'cli', 'main.js');
const PODS = join(import.meta.dirname, '..', '..', 'bench', 'three-pods.yaml');
const folder = mkdtempSync(join(tmpdir(), 'reapcheck-fleet-'));
/** A worker ends by itself, so that its CPU time has that of its processes. */
const IDLE_SECONDS = '20';
const SAMPLE_MILLISECONDS = 100;

interface Measured {
  readonly states: number;
  readonly cpuSeconds: number;
  readonly wallSeconds: number;
  readonly bytes: number;
  readonly blocks: number;
  readonly megabytes: number;
}

async function check(most: string, ...words: readonly string[]): Promise<Measured> {
  const file = join(folder, 'result.json');
  const search = ['--property', 'nothing-stuck', '--max-states', most, '--reduction', 'none'];
  const { cpuSeconds, stderr } = await timed([
    ...[MAIN, 'check', PODS, ...search, '--format', 'json', '-o', file],
    ...words,
  ]).ended;
  const text = readFileSync(file, 'utf8');
  rmSync(file);
  const [found] = (
    JSON.parse(text) as {
      readonly checks: readonly {
        readonly result: { readonly statistics: { states: number; wallSeconds: number } };
      }[];
    }
  ).checks;
  if (found === undefined) throw new Error(`check failed: ${stderr}`);
  const { states, wallSeconds } = found.result.statistics;
  return { states, wallSeconds, cpuSeconds, bytes: 0, blocks: 0, megabytes: 0 };
}

/** What the process of a partition has resident: of those that this process has started, the largest. */
function megabytesOfPartition(): number {
  const { stdout } = spawnSync('ps', ['-eo', 'pid=,ppid=,rss=,args=']);
  const parents = new Map<number, number>();
  const found = new Map<number, number>();
  for (const line of stdout.toString().split('\n')) {
    const [, pid, parent, kilobytes, words = ''] = line.match(/(\d+) +(\d+) +(\d+) (.*)/) ?? [];
    parents.set(Number(pid), Number(parent));
    if (words.includes('partition-process')) found.set(Number(pid), Number(kilobytes) / 1000);
  }
  const isOurs = (pid: number | undefined): boolean =>
    pid === process.pid || (pid !== undefined && isOurs(parents.get(pid)));
  return Math.max(0, ...[...found].flatMap(([pid, size]) => (isOurs(pid) ? size : [])));
}

/** The log of a search and the process of a partition, when they were largest. */
async function sampled(isOver: () => boolean) {
  const redis = new Redis(PORT, '127.0.0.1');
  let most = { bytes: 0, blocks: 0 };
  let megabytes = 0;
  while (!isOver()) {
    megabytes = Math.max(megabytes, megabytesOfPartition());
    let bytes = 0;
    let blocks = 0;
    for (const key of await redis.keys('bull:*:log:*')) {
      bytes += (await redis.memory('USAGE', key, 'SAMPLES', 0)) ?? 0;
      blocks += await redis.xlen(key);
    }
    if (blocks > most.blocks) most = { bytes, blocks };
    await after(SAMPLE_MILLISECONDS);
  }
  redis.disconnect();
  return { ...most, megabytes };
}

async function byFleet(count: number, states = STATES): Promise<Measured> {
  spawnSync('redis-cli', ['-p', String(PORT), 'flushall']);
  const words = ['fleet', 'worker', '--redis', URL, '--slots', '1', '--idle', IDLE_SECONDS];
  const workers = Array.from({ length: count }, () => timed([MAIN, ...words]));
  await Promise.all(workers.map(({ started }) => started));
  let isOver = false;
  const log = sampled(() => isOver);
  const found = await check(states, '--fleet', URL, '--partitions', String(count));
  isOver = true;
  const ends = await Promise.all(workers.map(({ ended }) => ended));
  const cpuSeconds = ends.reduce((sum, end) => sum + end.cpuSeconds, found.cpuSeconds);
  return { ...found, cpuSeconds, ...(await log) };
}

const redis = spawn('redis-server', ['--port', String(PORT), '--save', ''], { stdio: 'ignore' });
try {
  await after(1_000);
  const line = (
    name: string,
    { states, cpuSeconds, wallSeconds, bytes, blocks, megabytes }: Measured,
  ) =>
    `${name}: ${states} states, ${cpuSeconds.toFixed(1)} s of CPU, ${wallSeconds.toFixed(1)} s, ` +
    `${Math.round(states / cpuSeconds)} states a CPU second, ` +
    `${(bytes / states).toFixed(1)} bytes a state in Redis, ` +
    `${((1000 * blocks) / states).toFixed(2)} blocks a thousand states, ${megabytes.toFixed(0)} MB\n`;
  process.stdout.write(`load ${loadavg()[0]?.toFixed(1)}\n`);
  process.stdout.write(line('1 worker, few states', await byFleet(1, '1000')));
  const one = await byFleet(1);
  // A fleet finishes the layer that goes beyond the limit. One process is to do as much.
  const plain = await check(String(one.states));
  process.stdout.write(line('one process', plain));
  process.stdout.write(line('1 worker and partition', one));
  const times = one.cpuSeconds / plain.cpuSeconds;
  process.stdout.write(`1 worker takes ${times.toFixed(2)} times the CPU of one process\n`);
  for (const count of [2, 4]) {
    process.stdout.write(line(`${count} workers and partitions`, await byFleet(count)));
  }
  process.stdout.write(`load ${loadavg()[0]?.toFixed(1)}\n`);
} finally {
  redis.kill();
  rmSync(folder, { recursive: true, force: true });
}
