import type { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { QUEUES, type QueueKind } from '../code.ts';

export interface LiveWorkers {
  /** Of this version. */
  readonly own: number;
  readonly others: number;
}

/** A worker has a connection for each of its queues. All have one of this kind. */
const EACH_HAS: QueueKind = 'models';

/**
 * The workers that are connected to Redis, by the names that BullMQ gives their connections. Where
 * Redis lists no clients, there counts one.
 */
export async function liveWorkers(queue: Queue, redis: Redis): Promise<LiveWorkers> {
  const own = await queue.getWorkersCount();
  if (own > 0) return { own, others: 0 };
  const names = String(await redis.client('LIST')).matchAll(/ name=bull:([\w+/=]+):w:/g);
  const others = [...names].filter(([, name = '']) =>
    Buffer.from(name, 'base64').toString('latin1').startsWith(`${QUEUES}-${EACH_HAS}-`),
  );
  return { own, others: others.length };
}
