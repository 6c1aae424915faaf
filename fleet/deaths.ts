import { randomUUID } from 'node:crypto';
import type { Job } from 'bullmq';
import type { Redis } from 'ioredis';

/** With which jobs workers died: one that kills its worker is not given to more and more of them. */

/** A job whose worker died so often is not given to a further one. */
export const DEATHS_MOST = 5;
const KEPT_SECONDS = 86_400;

/**
 * BullMQ counts a job as stalled whenever its lock is lost: also while a busy machine only kept the
 * worker from renewing it, as often as that happens. So workers themselves write down which of them
 * has a job. What is left there is of those that died.
 */
export class Deaths {
  readonly #redis: Redis;
  /** A name and a number of a process may return after a restart. */
  readonly #worker = randomUUID();

  constructor(redis: Redis) {
    this.#redis = redis;
  }

  /** This worker begins the job. The answer is how many others died with it. */
  async begun(job: Job): Promise<number> {
    const key = keyOf(job.queueName, job.id);
    // A full Redis may refuse it. Then this worker does not count.
    await this.#redis.sadd(key, this.#worker).catch(() => undefined);
    await this.#redis.expire(key, KEPT_SECONDS);
    const workers = await this.#redis.smembers(key);
    return workers.filter((worker) => worker !== this.#worker).length;
  }

  /** A worker that lost the lock of a job, and can say so, lives. */
  async lives(queue: string, ids: readonly string[]): Promise<void> {
    for (const id of ids) await this.#redis.srem(keyOf(queue, id), this.#worker);
  }

  /** The job let its worker live. */
  async ended(job: Job): Promise<void> {
    await this.#redis.unlink(keyOf(job.queueName, job.id));
  }
}

function keyOf(queue: string, id = ''): string {
  return `bull:${queue}:${id}:begun`;
}
