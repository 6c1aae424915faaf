import type { Worker } from 'bullmq';
import type { Redis } from 'ioredis';

/** A partition that has waited for so long finds no free slot. */
const WAIT_MILLISECONDS = 1_500;

/**
 * Slots beyond those of a worker, for partitions that no worker has a slot for: a search needs all
 * its partitions at the same time. Each takes one partition, and is gone when the search ends.
 */
export class SpareSlots {
  readonly workers = new Set<Worker>();
  private readonly redis: Redis;
  private readonly queue: string;
  private readonly start: () => Worker;
  private waitingSince: number | null = null;
  private isLooking = false;
  private isClosed = false;

  constructor(redis: Redis, queue: string, start: () => Worker) {
    this.redis = redis;
    this.queue = queue;
    this.start = start;
  }

  /** Call this every now and then. */
  look(): void {
    if (this.isLooking) return;
    this.isLooking = true;
    this.lookNow()
      .catch(() => undefined)
      .finally(() => {
        this.isLooking = false;
      });
  }

  /** Starts no further worker: nothing would close it. */
  close(): void {
    this.isClosed = true;
  }

  private async lookNow(): Promise<void> {
    const waiting = await this.redis.llen(`bull:${this.queue}:wait`);
    if (this.isClosed) return;
    if (waiting === 0) {
      this.waitingSince = null;
      return;
    }
    this.waitingSince ??= Date.now();
    if (Date.now() - this.waitingSince < WAIT_MILLISECONDS) return;
    this.waitingSince = null;
    const worker = this.start();
    this.workers.add(worker);
    const end = (): void => {
      this.workers.delete(worker);
      void worker.close();
    };
    worker.once('completed', end).once('failed', end);
  }
}
