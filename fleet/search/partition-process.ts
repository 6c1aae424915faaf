import type { Job } from 'bullmq';
import { answerQuestions } from '../../run/worker-process.ts';
import type { WorkerFacts } from '../jobs/kinds.ts';
import { connected } from '../redis/connection.ts';
import { loadLibraries } from '../redis/libraries.ts';
import type { Hold } from './messages.ts';
import { SearchNames } from './names.ts';
import { stepsOf } from './steps.ts';

/** The process that holds a partition of a search, until the search ends. */

const LOOK_MILLISECONDS = 250;
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
  const { bullmq, ioredis } = await loadLibraries();
  // Without Redis, nobody knows this process any more.
  const { redis, close } = await connected(ioredis, address, {
    awaySeconds,
    onEnd: () => process.exit(1),
  });
  const names = new SearchNames(search);
  const step = stepsOf(question, redis, names);
  const worker = new bullmq.Worker(names.steps(partition), (job: Job) => step(job.data), {
    connection: redis,
    lockDuration: silentSeconds * 1000,
    stalledInterval: silentSeconds * 500,
    maxStalledCount: STALLED_MOST,
  }).on('error', () => undefined);
  while ((await redis.exists(names.alive)) === 1) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_MILLISECONDS));
  }
  await worker.close(true);
  await removed(new bullmq.Queue(names.steps(partition), { connection: redis }));
  const ways = Array.from({ length: partitions }, (_, to) => ({ from: partition, to }));
  await redis.unlink(...[...ways, { from: partition, to: null }].map((way) => names.log(way)));
  close();
}

/** Removes the queue with all that is in it. */
async function removed(queue: import('bullmq').Queue): Promise<void> {
  await queue.obliterate({ force: true }).catch(() => undefined);
  await queue.close();
}
