import { randomUUID } from 'node:crypto';
import type { Job } from 'bullmq';
import type { Redis } from 'ioredis';
import { answerQuestions } from '../../run/worker-process.ts';
import type { WorkerFacts } from '../jobs/kinds.ts';
import { connected, RETRY_MILLISECONDS } from '../redis/connection.ts';
import { loadLibraries } from '../redis/libraries.ts';
import type { Hold } from './messages.ts';
import { SearchNames } from './names.ts';
import { stepsOf } from './steps.ts';
import { KEPT_SECONDS } from './stream-log.ts';

/** The process that holds a partition of a search, until the search ends. */

const LOOK_MILLISECONDS = 250;
/** A search may last longer than what it leaves is kept. */
const REFRESH_MILLISECONDS = 600_000;
/** A step whose process died so often is not tried again. */
const STALLED_MOST = 1_000;

type HoldQuestion = Hold & WorkerFacts;

answerQuestions<HoldQuestion, { readonly kind: 'ended' }>(async (question) => {
  await hold(question);
  return { kind: 'ended' };
});

async function hold(question: HoldQuestion): Promise<void> {
  const { search, partition, partitions, redis: address } = question;
  const { awaySeconds, silentSeconds } = question;
  const { bullmq, ioredis } = loadLibraries();
  // Without Redis, nobody knows this process any more.
  const { redis, close } = await connected(ioredis, address, {
    awaySeconds,
    onEnd: () => process.exit(1),
  });
  const names = new SearchNames(search);
  const isHeld = await held(redis, names, partition);
  const step = stepsOf(question, redis, names);
  const worker = new bullmq.Worker(names.steps(partition), (job: Job) => step(job.data), {
    connection: redis,
    lockDuration: silentSeconds * 1000,
    stalledInterval: silentSeconds * 500,
    maxStalledCount: STALLED_MOST,
    runRetryDelay: RETRY_MILLISECONDS,
  }).on('error', () => undefined);
  const ways = Array.from({ length: partitions }, (_, to) => ({ from: partition, to }));
  const logs = [...ways, { from: partition, to: null }].map((way) => names.log(way));
  const kept = [...logs, names.holder(partition)];
  for (let refreshed = Date.now(); await isHeld(); await look()) {
    if (Date.now() - refreshed < REFRESH_MILLISECONDS) continue;
    refreshed = Date.now();
    for (const key of kept) await redis.expire(key, KEPT_SECONDS);
  }
  await worker.close(true);
  if ((await redis.exists(names.alive)) === 1) {
    // Another process has the partition.
    close();
    return;
  }
  await removed(new bullmq.Queue(names.steps(partition), { connection: redis }));
  // A client that was killed has left it.
  if (partition === 0) await removed(new bullmq.Queue(names.layers, { connection: redis }));
  await redis.unlink(...kept);
  close();
}

/**
 * Takes the partition. The answer says whether the search goes on, and no other process has taken
 * it since: a worker that stood still gets its work back only if nobody else has it. Two holders
 * would do each other's steps.
 */
async function held(
  redis: Redis,
  names: SearchNames,
  partition: number,
): Promise<() => Promise<boolean>> {
  const key = names.holder(partition);
  const id = randomUUID();
  const isAlive = async (): Promise<boolean> => (await redis.exists(names.alive)) === 1;
  let isTaken = false;
  // A full Redis may take it later.
  while (!isTaken && (await isAlive())) {
    isTaken = await redis.set(key, id, 'EX', KEPT_SECONDS).then(
      () => true,
      () => false,
    );
    if (!isTaken) await look();
  }
  return async () => (await isAlive()) && (await redis.get(key)) === id;
}

function look(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, LOOK_MILLISECONDS));
}

/** Removes the queue with all that is in it. */
async function removed(queue: import('bullmq').Queue): Promise<void> {
  await queue.obliterate({ force: true }).catch(() => undefined);
  await queue.close();
}
