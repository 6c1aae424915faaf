import { join } from 'node:path';
import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { queueName } from '../../fleet/code.ts';
import { packedQuestion } from '../../fleet/jobs/job.ts';
import { gatherPlans } from '../../input/gather.ts';
import { inputOptions } from '../../input/options/input-options.ts';
import { PACKAGE_FOLDER } from '../../input/package-files.ts';
import { PATIENCE } from '../clock.ts';
import { expectedOf, freshCells, runByFleet } from './cells.ts';
import { type CutNetwork, proxyTo } from './proxy.ts';
import { HAS_REDIS, startRedis, type TestRedis } from './redis-server.ts';
import { startWorker, type TestWorker } from './worker-process.ts';

/** How often a worker is killed at a random moment. `npm run test:fleet` kills fifty. */
const KILLS = Number(process.env.FLEET_KILLS ?? 1);
const CELLS = 12;

const after = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

describe.skipIf(!HAS_REDIS)('a fleet (skipped where there is no redis-server)', () => {
  let redis: TestRedis;
  let workers: TestWorker[];
  beforeAll(async () => {
    redis = await startRedis('--appendonly', 'yes', '--appendfsync', 'always');
    workers = await Promise.all([startWorker(redis.url), startWorker(redis.url)]);
  });
  afterAll(async () => {
    await Promise.all(workers.map((worker) => worker.kill()));
    await redis.remove();
  });

  it(
    `gives the same results if a worker is killed at a random moment (${KILLS} times)`,
    async () => {
      for (let run = 0; run < KILLS; run++) {
        const cells = await freshCells(`killed ${run}`, CELLS);
        const expected = await expectedOf(cells);
        const found = runByFleet(redis.url, cells);
        await after(Math.random() * 400);
        const [killed, other] = workers as [TestWorker, TestWorker];
        await killed.kill();
        expect(await found, `run ${run}`).toEqual(expected);
        workers = [other, await startWorker(redis.url)];
        if (process.env.FLEET_KILLS) process.stderr.write(`${run + 1} of ${KILLS}\n`);
      }
    },
    2 * PATIENCE * KILLS,
  );

  it('gives the same results if Redis is killed and reads its append-only file', async () => {
    const cells = await freshCells('restarted', CELLS);
    const expected = await expectedOf(cells);
    let isRestarted: Promise<void> | null = null;
    const found = runByFleet(redis.url, cells, {
      onDone: () => {
        isRestarted ??= redis.kill().then(() => redis.start());
      },
    });
    expect(await found).toEqual(expected);
    expect(isRestarted).not.toBeNull();
    await isRestarted;
  });

  it('gives the same results if Redis forgets everything', async () => {
    const forgetful = await startRedis();
    const worker = await startWorker(forgetful.url);
    try {
      const cells = await freshCells('forgotten', CELLS);
      let isRestarted = false;
      const found = runByFleet(forgetful.url, cells, {
        onDone: () => {
          if (isRestarted) return;
          isRestarted = true;
          void forgetful.kill().then(() => forgetful.start());
        },
      });
      expect(await found).toEqual(await expectedOf(cells));
    } finally {
      await worker.kill();
      await forgetful.remove();
    }
  });

  it('does not wait for a worker that stands still, and does not believe it later', async () => {
    const cells = await freshCells('slow', CELLS);
    const expected = await expectedOf(cells);
    const [slow] = workers as [TestWorker];
    const found = runByFleet(redis.url, cells, {
      onDone: (done) => {
        if (done === 2) slow.signal('SIGSTOP');
      },
    });
    expect(await found).toEqual(expected);
    slow.signal('SIGCONT');
    const more = await freshCells('slow no more', CELLS);
    expect(await runByFleet(redis.url, more)).toEqual(await expectedOf(more));
  });

  describe('behind a network that is cut', () => {
    let proxy: CutNetwork;
    beforeAll(async () => {
      proxy = await proxyTo(redis.port);
    });
    afterAll(() => proxy.close());

    it('finishes once the network is there again', async () => {
      const cells = await freshCells('cut', CELLS);
      let isCut = false;
      const found = runByFleet(proxy.url, cells, {
        onDone: () => {
          if (isCut) return;
          isCut = true;
          proxy.cut();
          setTimeout(() => proxy.heal(), 1_500);
        },
      });
      expect(await found).toEqual(await expectedOf(cells));
    });

    it('ends with an error if the network stays away', async () => {
      const cells = await freshCells('away', CELLS);
      const found = runByFleet(proxy.url, cells, { patience: 1, onDone: () => proxy.cut() });
      await expect(found).rejects.toThrow(/^Redis at redis:\/\/127.0.0.1:\d+ has not answered/);
      proxy.heal();
    });
  });

  it('a worker that is asked to end gives its jobs back and ends with 0', async () => {
    const [asked, other] = workers as [TestWorker, TestWorker];
    const cells = await freshCells('asked to end', CELLS);
    const found = runByFleet(redis.url, cells, {
      onDone: (done) => {
        if (done === 1) asked.signal('SIGTERM');
      },
    });
    expect(await found).toEqual(await expectedOf(cells));
    expect(await asked.end()).toBe(0);
    workers = [other];
  });

  it('a worker whose job is gone from Redis ends as well', async () => {
    const own = await startRedis();
    const client = new Redis(own.port, '127.0.0.1', { maxRetriesPerRequest: null });
    let worker: TestWorker | null = null;
    try {
      worker = await startWorker(own.url);
      const queue = new Queue(queueName('models') ?? '', { connection: client });
      const given = inputOptions({ input: [join(PACKAGE_FOLDER, 'bench', 'three-pods.yaml')] });
      const [plan] = await gatherPlans(given, (async function* () {})());
      const question = { plan, limits: {}, reductions: [], again: '' };
      const large = await packedQuestion('cell', question);
      const data = { seconds: null, question: large.question };
      await queue.add('cell', data, { jobId: large.id });
      await expect.poll(() => queue.getActiveCount(), { timeout: PATIENCE }).toBe(1);
      await client.flushall();
      worker.signal('SIGTERM');
      expect(await worker.end()).toBe(0);
    } finally {
      await worker?.kill();
      client.disconnect();
      await own.remove();
    }
  });
});
