import { spawnSync } from 'node:child_process';
import { appendFileSync, cpSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { type Job, Queue, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { queueName } from '../../fleet/code.ts';
import { Deaths } from '../../fleet/deaths.ts';
import { packedQuestion } from '../../fleet/jobs/job.ts';
import { PACKAGE_FOLDER } from '../../input/package-files.ts';
import {
  dump,
  expectError,
  type Outcome,
  runCli,
  temporaryFile,
  temporaryFolder,
} from '../cli/run-cli.ts';
import { LINGERING, PATIENCE } from '../clock.ts';
import { freshCells, runByFleet } from './cells.ts';
import { proxyTo } from './proxy.ts';
import { freePort, HAS_REDIS, startRedis, type TestRedis } from './redis-server.ts';
import { startWorker, type TestWorker } from './worker-process.ts';

/** Its locks do not end while a test looks. */
const QUIET = ['--slots', '1', '--silent', '30'];

const SUITE = `groups:
  - scenarios: [background-chain, dangling-owner]
    grid:
      workers: [1, 2]
`;

/** The document without what differs from run to run. */
function timeless({ stdout }: Outcome): string {
  return stdout.replaceAll(/("(?:\w*[sS]econds)": ?)[\d.e-]+/g, '$1 0');
}

const MODELS = (): string => {
  const name = queueName('models');
  if (name === null) throw new Error('there is no queue for models');
  return name;
};

describe.skipIf(!HAS_REDIS)('commands (skipped where there is no redis-server)', () => {
  let redis: TestRedis;
  let worker: TestWorker;
  beforeAll(async () => {
    redis = await startRedis();
    // No worker dies here. On a busy machine, to give out a job of 17 MB takes longer than a second.
    worker = await startWorker(redis.url, ['--slots', '2', '--silent', '30']);
  });
  afterAll(async () => {
    await worker.kill();
    await redis.remove();
  });

  /** A connection of BullMQ's, as anybody who knows the password has one. */
  const connection = (): Redis => {
    const client = new Redis(redis.port, '127.0.0.1', { maxRetriesPerRequest: null });
    onTestFinished(() => client.disconnect());
    return client;
  };

  it.each([
    ['gate', ['SUITE', '--no-cache']],
    ['survey', [dump('survey.yaml')]],
    ['simulate', ['background-chain', 'late-dependent-orphan', '--seed', '7', '--walks', '20']],
  ])('%s gives the same document, byte for byte but for times', async (command, words) => {
    const suite = temporaryFile('reapcheck.suite.yaml', SUITE);
    const all = [command, ...words.map((word) => word.replace('SUITE', suite))];
    const shown = [...all, '--format', 'json'];
    const here = await runCli(shown);
    const there = await runCli([...shown, '--fleet', redis.url]);
    expect(timeless(there)).toBe(timeless(here));
    expect(there.code).toBe(here.code);
    const client = connection();
    // What is finished is the cache that all clients share.
    const finished = await client.zcard(`bull:${MODELS()}:completed`);
    const again = await runCli([...shown, '--fleet', redis.url]);
    expect(timeless(again)).toBe(timeless(here));
    expect(await client.zcard(`bull:${MODELS()}:completed`)).toBe(finished);
  });

  it('a fleet tries mutants', async () => {
    const { openFleet } = await import('../../fleet/place.ts');
    const { redisAddress } = await import('../../fleet/redis/address.ts');
    const options = { patience: PATIENCE / 1000, until: null, note: () => undefined };
    const place = await openFleet(redisAddress('fleet', redis.url, {}), 'mutants', options);
    onTestFinished(() => place.close());
    const [answerer] = place.answerers({ main: 'tools/mutate/worker' }, 1);
    const mutant = { kind: 'rule', rule: 'cycleBreaking', value: 'none' };
    const searched = { mutant, scenario: 'synchronous-cycle', states: 1_000 };
    const question = { ask: 'mutant', megabytes: null, ...searched };
    expect(await answerer?.ask(question, null)).toMatchObject({
      reply: 'answer',
      answer: { outcome: { verdicts: { 'nothing is stuck': 'violated' } } },
    });
  });

  it('a worker refuses what is no job, and goes on', async () => {
    const queue = new Queue(MODELS(), { connection: connection() });
    const refused: readonly (readonly [name: string, jobId: string, data: unknown])[] = [
      // A kind of its own, a path, no data, what is not compressed, too much.
      ['module', 'module-x', { seconds: null, question: '' }],
      ['cell', 'cell-x', { seconds: null, question: '', module: '/tmp/evil.js' }],
      ['cell', 'cell-y', null],
      ['cell', 'cell-z', { seconds: null, question: 'AAAA' }],
      ['cell', 'cell-0', { seconds: null, question: 'A'.repeat(1.7e7) }],
    ];
    for (const [name, jobId, data] of refused) {
      const job = await queue.add(name, data, { jobId });
      await expect.poll(() => job.isFailed(), { timeout: PATIENCE }).toBe(true);
      const { failedReason } = (await queue.getJob(jobId)) as Job;
      expect(failedReason, jobId).toMatch(/^its worker refused it/);
      await job.remove();
    }
    const [cell] = await freshCells('after what was refused', 1);
    expect(await runByFleet(redis.url, [cell!])).toMatchObject([{ met: true }]);
  });

  it('counts the workers that died with a job, and not how often its lock was lost', async () => {
    const other = await startRedis();
    const client = new Redis(other.port, '127.0.0.1', { maxRetriesPerRequest: null });
    const queue = new Queue(MODELS(), { connection: client });
    // Nobody has them any more, and they were lost often already.
    const lost = async (jobId: string, data: unknown): Promise<Job> => {
      const job = await queue.add('cell', data, { jobId });
      await client.lmove(queue.toKey('wait'), queue.toKey('active'), 'LEFT', 'RIGHT');
      await client.hset(queue.toKey(jobId), 'stc', 50);
      return job;
    };
    const [cell] = await freshCells('deadly', 1);
    const { plan, limits, reductions, again } = cell!;
    const deadly = await packedQuestion('cell', { plan, limits, reductions, again });
    const jobs = [
      await lost('cell-y', null),
      await lost(deadly.id, { seconds: null, question: deadly.question }),
    ];
    for (let died = 0; died < 5; died++) await new Deaths(client).begun(jobs[1]!);
    const busy = await startWorker(other.url);
    try {
      await expect.poll(() => queue.getFailedCount(), { timeout: PATIENCE }).toBe(2);
      const why = await Promise.all(jobs.map(({ id }) => queue.getJob(id ?? '')));
      expect(why.map((job) => job?.failedReason)).toEqual([
        expect.stringMatching(/^its worker refused it/),
        '5 workers died with it',
      ]);
    } finally {
      await busy.kill();
      client.disconnect();
      await other.remove();
    }
  });

  it('a worker that ends as its code has changed has not died with its job', async () => {
    const other = await startRedis();
    const client = new Redis(other.port, '127.0.0.1', { maxRetriesPerRequest: null });
    const queue = new Queue(MODELS(), { connection: client });
    const folder = temporaryFolder();
    for (const part of ['dist', 'package.json', 'scenarios']) {
      cpSync(join(PACKAGE_FOLDER, part), join(folder, part), { recursive: true });
    }
    symlinkSync(join(PACKAGE_FOLDER, 'node_modules'), join(folder, 'node_modules'));
    const changing = await startWorker(other.url, QUIET, {}, folder);
    try {
      appendFileSync(join(folder, 'dist', 'run', 'walks.js'), '// another version');
      const [cell] = await freshCells('changed', 1);
      const { plan, limits, reductions, again } = cell!;
      const { id, question } = await packedQuestion('cell', { plan, limits, reductions, again });
      await queue.add('cell', { seconds: null, question }, { jobId: id });
      expect(await changing.end(LINGERING)).toBe(2);
      expect(await queue.getWaitingCount()).toBe(1);
      expect(await client.keys('*:begun')).toEqual([]);
    } finally {
      await changing.kill();
      client.disconnect();
      await other.remove();
    }
  });

  it('takes no answer that does not fit its question', async () => {
    const other = await startRedis();
    const client = new Redis(other.port, '127.0.0.1', { maxRetriesPerRequest: null });
    const answers = ['holds', { kind: 'late', of: 'cell-x' }, { kind: 'answer', of: '' }];
    const forger = new Worker(MODELS(), async () => answers.shift() ?? null, {
      connection: client,
    });
    try {
      const found = await runByFleet(other.url, await freshCells('forged', 3));
      const kinds = found.map((outcome) => (outcome as { readonly kind?: string }).kind);
      expect(kinds).toEqual(['failed', 'failed', 'failed']);
    } finally {
      await forger.close(true);
      client.disconnect();
      await other.remove();
    }
  });

  it('says that there is no worker of this version', async () => {
    const other = await startRedis();
    const client = new Redis(other.port, '127.0.0.1', { maxRetriesPerRequest: null });
    const old = new Worker('reapcheck-models-0123456789abcdef', async () => null, {
      connection: client,
      name: 'old',
    });
    await old.waitUntilReady();
    // The same worker has another queue.
    const search = new Worker('reapcheck-search-0123456789abcdef', async () => null, {
      connection: client,
    });
    await search.waitUntilReady();
    try {
      const words = ['simulate', 'background-chain', '--fleet', other.url, '--fleet-wait', '1'];
      const found = await runCli(words);
      expectError(
        { ...found, stderr: found.stderr.replace(/^No worker.*\n/, '') },
        /no worker of this version has been at redis:\/\/127.0.0.1:\d+ for 1 second\n[\s\S]*\n {2}there is 1 worker of another version\n/,
      );
    } finally {
      await Promise.all([old.close(true), search.close(true)]);
      client.disconnect();
      await other.remove();
    }
  });

  it('says that Redis is full, and goes on from there once it is not', async () => {
    const client = connection();
    const words = ['simulate', 'foreground-chain', '--seed', '3', '--fleet', redis.url, '-q'];
    await client.config('SET', 'maxmemory', '1mb');
    const found = await runCli([...words, '--fleet-wait', '3']);
    await client.config('SET', 'maxmemory', '0');
    expectError(found, /Redis at redis:\/\/127.0.0.1:\d+ is full/);
    expect(await runCli(words)).toMatchObject({ code: 3, stderr: '' });
  });

  it('keeps --timeout while Redis is away', async () => {
    const network = await proxyTo(redis.port);
    onTestFinished(() => network.close());
    // If it is not connected yet, it waits for so long.
    const wait = ['--fleet', network.url, '--fleet-wait', '3'];
    const words = ['survey', dump('survey.yaml'), '--timeout', '1', ...wait, '-q'];
    setTimeout(() => network.cut(), 300);
    const found = await runCli([...words, '--row-timeout', '0.9', '--format', 'json']);
    const isAnswer = found.code === 3 && found.stdout.includes('time');
    const isError = found.code === 2 && /has not answered/.test(found.stderr);
    expect(isAnswer || isError, `${found.code} ${found.stderr}`).toBe(true);
  });

  it('takes a password and TLS from the URL, and shows neither password nor user', async () => {
    const folder = temporaryFolder();
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
    const made = spawnSync('openssl', [
      ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-keyout', key],
      ...['-out', cert, '-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'],
    ]);
    expect(made.status, String(made.stderr)).toBe(0);
    const tls = ['--tls-port', 'PORT', '--port', '0', '--tls-cert-file', cert];
    const own = await startRedis(
      ...[...tls, '--tls-key-file', key, '--tls-auth-clients', 'no', '--requirepass', 's3cret'],
    );
    const url = (password: string) => `rediss://default:${password}@localhost:${own.port}`;
    const trusting = { NODE_EXTRA_CA_CERTS: cert };
    try {
      const tested = await startWorker(url('s3cret'), ['--idle', '1'], trusting);
      expect(await tested.end()).toBe(0);
      expect(tested.stderr()).toContain(`from rediss://localhost:${own.port}`);
      expect(tested.stderr()).not.toContain('s3cret');
      const wrong = startWorker(url('wr0ng'), [], trusting).catch((error: Error) => error.message);
      expect(await wrong).toMatch(/refuses reapcheck: user or password is wrong \(WRONGPASS\)/);
      expect(await wrong).not.toContain('wr0ng');
    } finally {
      await own.remove();
    }
  });

  it('says that Redis is not there, before it reads the suite', async () => {
    const url = `redis://127.0.0.1:${await freePort()}`;
    const words = ['gate', 'no-such.suite.yaml', '--no-cache', '--fleet', url];
    const found = await runCli([...words, '--fleet-wait', '3']);
    expectError(found, /has not answered for 3 seconds \(ECONNREFUSED\)/);
    expect(found.stderr).toMatch(/^Redis at .* does not answer \(ECONNREFUSED\); trying for 3 s$/m);
  });
});
