import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { redisAddress } from '../../fleet/redis/address.ts';
import { connected } from '../../fleet/redis/connection.ts';
import { loadLibraries } from '../../fleet/redis/libraries.ts';
import { PACKAGE_FOLDER } from '../../input/package-files.ts';
import { expectError, runCli } from '../cli/run-cli.ts';
import { LINGERING, PATIENCE } from '../clock.ts';
import { HAS_REDIS, startRedis, type TestRedis } from './redis-server.ts';
import { alone, byFleet, LARGE, reached, SMALLER, SYMMETRIC, shared } from './searches.ts';
import { startWorker, type TestWorker } from './worker-process.ts';

describe.skipIf(!HAS_REDIS)(
  'one search by a fleet (skipped where there is no redis-server)',
  () => {
    let redis: TestRedis;
    let client: Redis;
    let workers: TestWorker[];
    beforeAll(async () => {
      redis = await startRedis('--appendonly', 'yes', '--appendfsync', 'always');
      client = new Redis(redis.port, '127.0.0.1', { maxRetriesPerRequest: null });
      workers = [await startWorker(redis.url, ['--slots', '2'])];
    });
    afterAll(async () => {
      client.disconnect();
      await Promise.all(workers.map((worker) => worker.kill()));
      await redis.remove();
    });

    it.each([
      [2, ['background-chain', 'late-dependent-orphan']],
      [2, [SYMMETRIC, '--reduction', 'symmetry']],
      // Two slots are not enough for them: the worker takes more.
      [3, ['synchronous-cycle']],
    ])('%i partitions, one worker: the document is that of one process', async (count, words) => {
      expect(shared(await byFleet(redis.url, words, count))).toEqual(await alone(words));
      // Nothing is left of it.
      const left = async () => (await client.keys('bull:*:log:*')).length;
      await expect.poll(left, { timeout: PATIENCE }).toBe(0);
    });

    it('a limit on states, and what does not go with a fleet', async () => {
      const words = [...LARGE, '--max-states', '2000'];
      const limited = await byFleet(redis.url, words, 2);
      expect(limited.code).toBe(3);
      const [{ result }] = JSON.parse(limited.stdout).checks;
      expect(result).toMatchObject({ outcome: 'limited', limit: { kind: 'states', value: 2000 } });
      expect(result.statistics.states).toBeGreaterThan(2000);
      expect(result.statistics.states).toBeLessThan(8000);
      const verdicts = result.properties.map(({ verdict }: { verdict: string }) => verdict);
      expect(verdicts).not.toContain('holds');
      for (const refused of ['--max-depth=3', '--reduction=confluence']) {
        const found = await runCli(['check', 'background-chain', refused, '--fleet', redis.url]);
        const [option] = refused.split('=');
        expect(found.code).toBe(2);
        expect(found.stderr).toContain(`--fleet does not go with ${option}`);
      }
    });

    it('a Redis that is full from the beginning: one error', async () => {
      await client.config('SET', 'maxmemory', '1mb');
      const found = await byFleet(redis.url, [...SMALLER, '--fleet-wait', '1'], 2);
      await client.config('SET', 'maxmemory', '0');
      expectError(found, /Redis at .* is full/);
    });

    it.each([
      ['~other* +@all', /NOPERM .* keys/],
      ['~bull:reapcheck* +@all -info', /NOPERM .* 'info'/],
    ])('a user with the rights %s is refused at once', async (rights, why) => {
      await client.acl('SETUSER', 'few', 'reset', 'on', '>pw', ...rights.split(' '));
      const address = redisAddress('fleet', redis.url.replace('//', '//few:pw@'), {});
      const options = { awaySeconds: 600, onEnd: () => undefined };
      await expect(connected(loadLibraries().ioredis, address, options)).rejects.toThrow(why);
    });

    it('a connection that is opened again before it hears of its end', async () => {
      const address = redisAddress('fleet', redis.url, {});
      const options = { awaySeconds: 600, onEnd: () => undefined };
      const { redis: one, close } = await connected(loadLibraries().ioredis, address, options);
      const other = one.duplicate({ lazyConnect: true });
      other.disconnect();
      expect(other.status).toBe('end');
      const opened = other.connect();
      expect(await other.ping()).toBe('PONG');
      await opened;
      const ended = new Promise((resolve) => other.once('end', resolve));
      close();
      await ended;
    });

    it('a worker stands still, and goes on when others have its partition', async () => {
      workers.push(await startWorker(redis.url));
      const found = byFleet(redis.url, SMALLER, 2);
      await reached(client, 8, found);
      const [slow] = workers as [TestWorker];
      slow.signalAll('SIGSTOP');
      await reached(client, 14, found);
      slow.signalAll('SIGCONT');
      expect(shared(await found)).toEqual(await alone(SMALLER));
    });

    it('Redis is killed, and reads its append-only file', async () => {
      const found = byFleet(redis.url, SMALLER, 2);
      await reached(client, 10, found);
      await redis.kill();
      await redis.start();
      expect(shared(await found)).toEqual(await alone(SMALLER));
    });

    it('Redis forgets everything: an error, and no answer', async () => {
      const { own } = await startApart();
      const other = new Redis(own.port, '127.0.0.1', { maxRetriesPerRequest: null });
      const found = byFleet(own.url, SMALLER, 1);
      await blocksIn(other);
      await other.flushall();
      other.disconnect();
      const { code, stdout, stderr } = await found;
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toMatch(/^error: (Redis at .* lost a job|the workers at .* could not go on)/m);
    });

    it.each([
      ['is killed', ({ kill }: TestRedis) => kill()],
      ['stands still', async ({ standStill }: TestRedis) => standStill()],
    ])('Redis %s for good: the processes of the client and of a worker end', async (_, go) => {
      const { own, worker } = await startApart();
      const main = join(PACKAGE_FOLDER, 'dist', 'cli', 'main.js');
      const words = ['check', ...LARGE, '--fleet', own.url, '--fleet-wait', '1'];
      const asking = spawn(process.execPath, [main, ...words], {
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      onTestFinished(() => void asking.kill('SIGKILL'));
      const ended = new Promise((resolve) => asking.once('close', resolve));
      const other = new Redis(own.port, '127.0.0.1', { maxRetriesPerRequest: null });
      await blocksIn(other);
      other.disconnect();
      await go(own);
      await said(asking.stderr, 'error: Redis at');
      const late = setTimeout(() => asking.kill('SIGKILL'), LINGERING);
      expect(await ended).toBe(2);
      clearTimeout(late);
      worker.signal('SIGTERM');
      expect(await worker.end(LINGERING)).toBe(0);
    });

    it.each([
      ['while Redis is away', 'reconnecting', async () => undefined],
      ['while Redis takes connections and does not answer', 'connect', mute],
    ])(
      'a connection that is closed %s leaves nothing waiting',
      async (_, status, then) => {
        const own = await startRedis();
        onTestFinished(() => own.remove());
        const options = { awaySeconds: 600, onEnd: () => undefined };
        const address = redisAddress('fleet', own.url, {});
        const { redis: one, close } = await connected(loadLibraries().ioredis, address, options);
        const other = one.duplicate();
        await other.connect();
        await other.client('PAUSE', 600_000);
        const waiting: Promise<unknown>[] = [one.get('a'), other.get('b')];
        const away = [one, other].map((each) => {
          return new Promise((resolve) => each.once(status, resolve));
        });
        await own.kill();
        const isEmpty = await then(own.port);
        await Promise.all(away);
        waiting.push(one.get('c'), other.get('d'));
        close();
        const late = one.duplicate();
        waiting.push(late.get('e'));
        const settled = await Promise.allSettled(waiting);
        expect(new Set(settled.map(({ status }) => status))).toEqual(new Set(['rejected']));
        await expect(other.connect()).rejects.toThrow();
        // No socket keeps the process alive.
        await isEmpty?.();
      },
      LINGERING,
    );
  },
);

/** Takes connections, and never answers. The result waits until all of them are gone. */
async function mute(port: number): Promise<() => Promise<unknown>> {
  const server = createServer((socket) => void socket.on('error', () => undefined).resume());
  await once(server.listen(port, '127.0.0.1'), 'listening');
  return () => once(server.close(), 'close');
}

/** A Redis with a worker, for one test. */
async function startApart() {
  const own = await startRedis();
  const worker = await startWorker(own.url);
  onTestFinished(async () => {
    await worker.kill();
    await own.remove();
  });
  return { own, worker };
}

/** Reads until this has come. */
async function said(stream: Readable, text: string): Promise<void> {
  let all = '';
  await new Promise<void>((resolve) => {
    stream.setEncoding('utf8').on('data', (more: string) => {
      all += more;
      if (all.includes(text)) resolve();
    });
  });
}

/** Waits until partitions have sent each other something. */
async function blocksIn(redis: Redis): Promise<void> {
  const sent = async () => (await redis.keys('bull:*:log:*')).length;
  await expect.poll(sent, { timeout: PATIENCE, interval: 20 }).toBeGreaterThan(0);
}
