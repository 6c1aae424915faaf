import { spawnSync } from 'node:child_process';
import { Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { checkPartitioned } from '../../checker/index.ts';
import { redisAddress } from '../../fleet/redis/address.ts';
import { openTeam } from '../../fleet/search/fleet-team.ts';
import { gatherPlans } from '../../input/gather.ts';
import { inputOptions } from '../../input/options/input-options.ts';
import { judgedBy, modelOf } from '../../run/assemble.ts';
import { expectError } from '../cli/run-cli.ts';
import { PATIENCE } from '../clock.ts';
import { proxyTo } from './proxy.ts';
import { HAS_REDIS, startRedis, type TestRedis } from './redis-server.ts';
import { alone, byFleet, LARGE, reached, SMALLER, shared } from './searches.ts';
import { startWorker, type TestWorker } from './worker-process.ts';

/** How often workers are killed at random moments. `npm run test:fleet` kills fifty times. */
const KILLS = Number(process.env.FLEET_KILLS ?? 1);

const after = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

describe.skipIf(!HAS_REDIS)('faults of a divided search (skipped without redis-server)', () => {
  let redis: TestRedis;
  let client: Redis;
  let workers: TestWorker[];
  beforeAll(async () => {
    redis = await startRedis();
    client = new Redis(redis.port, '127.0.0.1', { maxRetriesPerRequest: null });
    workers = [await startWorker(redis.url, ['--slots', '2'])];
  });
  afterAll(async () => {
    client.disconnect();
    await Promise.all(workers.map((worker) => worker.kill()));
    await redis.remove();
  });

  it('--timeout ends the search: nothing holds, and nothing is left in Redis', async () => {
    const found = await byFleet(redis.url, [...LARGE, '--timeout', '0.5'], 2);
    expect(found.code).toBe(3);
    const [{ result }] = JSON.parse(found.stdout).checks;
    expect(result).toMatchObject({ outcome: 'limited', limit: { kind: 'time' } });
    for (const { verdict } of result.properties) expect(verdict).toBe('inconclusive');
    const left = async () => (await client.keys('bull:*:log:*')).length;
    await expect.poll(left, { timeout: PATIENCE }).toBe(0);
  });

  it('a partition whose memory is full ends the search: nothing holds', async () => {
    const given = inputOptions({ input: [SMALLER[0]!], property: ['nothing-stuck'] });
    const [plan] = await gatherPlans(given, (async function* () {})());
    const options = { patience: PATIENCE / 1000, until: null, note: () => undefined };
    const address = redisAddress('fleet', redis.url, {});
    const asked = { plan: plan!, limits: { megabytes: 1 }, reductions: [] };
    const division = { partitions: 2, dividedFrom: 1, dividedLatest: 1 };
    const team = await openTeam({ address, ...division, options }, asked);
    try {
      const question = { model: modelOf(plan!.setup), properties: judgedBy(plan!), limits: {} };
      const found = await checkPartitioned(question as never, team);
      expect(found).toMatchObject({ outcome: 'limited', limit: { kind: 'memory' } });
      for (const { verdict } of found.properties) expect(verdict).toBe('inconclusive');
    } finally {
      await team.close();
    }
  });

  it('Redis is full for a while: the search goes on then', async () => {
    const found = byFleet(redis.url, SMALLER, 2);
    await reached(client, 8, found);
    await client.config('SET', 'maxmemory', '1mb');
    await after(2_500);
    await client.config('SET', 'maxmemory', '0');
    expect(shared(await found)).toEqual(await alone(SMALLER));
  });

  it('Redis stays full: one error, and no answer', async () => {
    const found = byFleet(redis.url, [...SMALLER, '--fleet-wait', '2'], 2);
    await reached(client, 8, found);
    await client.config('SET', 'maxmemory', '1mb');
    const outcome = await found;
    await client.config('SET', 'maxmemory', '0');
    // The client itself may only have waited for the workers, which cannot write.
    expectError(outcome, /Redis at redis:\/\/127.0.0.1:\d+ (is full|has not answered)/);
  });

  it('the network of the client is cut for a while, and for good', async () => {
    const network = await proxyTo(redis.port);
    onTestFinished(() => network.close());
    const found = byFleet(network.url, SMALLER, 2);
    await reached(client, 8, found);
    network.cut();
    await after(1_500);
    network.heal();
    expect(shared(await found)).toEqual(await alone(SMALLER));
    const more = byFleet(network.url, [...SMALLER, '--fleet-wait', '1'], 2);
    await reached(client, 8, more);
    network.cut();
    expectError(await more, /Redis at redis:\/\/127.0.0.1:\d+ has not answered/);
  });

  it('the network of a worker is cut: another one takes its partitions over', async () => {
    const [first] = workers as [TestWorker];
    const network = await proxyTo(redis.port);
    onTestFinished(() => network.close());
    const far = await startWorker(network.url, ['--slots', '2']);
    onTestFinished(() => far.kill());
    first.signalAll('SIGSTOP');
    const found = byFleet(redis.url, SMALLER, 2);
    await reached(client, 8, found);
    network.cut();
    first.signalAll('SIGCONT');
    await reached(client, 20, found);
    network.heal();
    expect(shared(await found)).toEqual(await alone(SMALLER));
  });

  it('the processes that hold partitions die', async () => {
    const [worker] = workers as [TestWorker];
    const found = byFleet(redis.url, SMALLER, 2);
    await reached(client, 8, found);
    const children = spawnSync('pgrep', ['-P', String(worker.pid)]).stdout.toString();
    for (const pid of children.trim().split('\n')) process.kill(Number(pid), 'SIGKILL');
    expect(shared(await found)).toEqual(await alone(SMALLER));
  });

  /** The first new key like this. What a killed client has left is there for a minute. */
  const newKey = async (pattern: string): Promise<() => Promise<string>> => {
    const before = await client.keys(pattern);
    return async () => {
      let found: string | undefined;
      const look = async (): Promise<string | undefined> => {
        found = (await client.keys(pattern)).find((key) => !before.includes(key));
        return found;
      };
      await expect.poll(look, { timeout: PATIENCE, interval: 20 }).toBeDefined();
      return found!;
    };
  };

  it('a partition that its process has left is given away again', async () => {
    const holder = await newKey('*:holder:*');
    const found = byFleet(redis.url, SMALLER, 2);
    await reached(client, 8, found);
    await client.set(await holder(), 'another process');
    expect(shared(await found)).toEqual(await alone(SMALLER));
  });

  it('Redis has given a step to the client, which does not know: it gets the step again', async () => {
    const meta = await newKey('bull:*-layers:meta');
    const found = byFleet(redis.url, SMALLER, 2);
    await reached(client, 8, found);
    const name = (await meta()).slice('bull:'.length, -':meta'.length);
    const deaf = new Worker(name, null, { connection: client, lockDuration: 500 });
    while ((await deaf.getNextJob('deaf')) === undefined);
    await deaf.close(true);
    expect(shared(await found)).toEqual(await alone(SMALLER));
  });

  it(
    `workers are killed at random moments (${KILLS} times)`,
    async () => {
      for (let run = 0; run < KILLS; run++) {
        // All layers are divided, those in the midst, or none: they have up to a hundred states.
        const dividedFrom = [1, 75, 4096][Math.floor(3 * Math.random())]!;
        while (workers.length < 2) workers.push(await startWorker(redis.url));
        const found = byFleet(redis.url, SMALLER, 3, dividedFrom);
        await reached(client, Math.floor(34 * Math.random()), found);
        const killed = workers.splice(0, Math.random() < 0.3 ? 2 : 1);
        await Promise.all(killed.map((worker) => worker.kill()));
        workers.push(await startWorker(redis.url));
        expect(shared(await found), `run ${run}`).toEqual(await alone(SMALLER));
        if (process.env.FLEET_KILLS) process.stderr.write(`${run + 1} of ${KILLS}\n`);
      }
    },
    2 * PATIENCE * KILLS,
  );
});
