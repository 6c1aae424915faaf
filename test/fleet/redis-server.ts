import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PATIENCE } from '../clock.ts';

/** A redis-server of a test, from Debian's package. */

export const HAS_REDIS = spawnSync('redis-server', ['--version']).status === 0;

export interface TestRedis {
  readonly url: string;
  readonly port: number;
  readonly folder: string;
  /** Ends it at once, as kill -9 does. */
  kill(): Promise<void>;
  /** It holds its connections, and does not answer. `kill` ends it as well. */
  standStill(): void;
  /** Starts it again in the same folder, so that it reads its append-only file. */
  start(): Promise<void>;
  /** Ends it and removes its folder. */
  remove(): Promise<void>;
}

/** @param options further words for the command line. */
export async function startRedis(...options: readonly string[]): Promise<TestRedis> {
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'reapcheck-redis-'));
  let child: ChildProcess | null = null;
  const start = async (): Promise<void> => {
    const words = ['--dir', folder, '--save', '', '--maxmemory-policy', 'noeviction'];
    const listening = options.includes('--tls-port') ? [] : ['--port', String(port)];
    child = spawn(
      'redis-server',
      [...listening, ...words, ...options.map((word) => word.replace('PORT', String(port)))],
      {
        stdio: 'ignore',
      },
    );
    await listens(port);
  };
  const kill = async (): Promise<void> => {
    const running = child;
    child = null;
    if (running === null) return;
    const ended = new Promise((resolve) => running.once('exit', resolve));
    running.kill('SIGKILL');
    await ended;
  };
  // Also if a test ends before it can remove it.
  process.once('exit', () => child?.kill('SIGKILL'));
  await start();
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    folder,
    kill,
    standStill: () => void child?.kill('SIGSTOP'),
    start,
    remove: async () => {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export async function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      server.close(() => resolve(port));
    });
  });
}

async function listens(port: number): Promise<void> {
  const end = Date.now() + PATIENCE;
  while (Date.now() < end) {
    const isThere = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1')
        .once('connect', () => resolve(true))
        .once('error', () => resolve(false));
      socket.once('connect', () => socket.destroy());
    });
    if (isThere) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('redis-server did not start');
}
