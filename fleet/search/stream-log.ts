import type { Redis } from 'ioredis';
import { isSameBlock, type PartitionLog, type Way } from '../../checker/index.ts';
import type { SearchNames } from './names.ts';

/** Nothing is left of a search whose client and workers all died. */
export const KEPT_SECONDS = 86_400;
const BLOCKS_PER_READ = 4;
const LAST = '18446744073709551615';
const RETRY_MILLISECONDS = 1_000;

/**
 * The log of a search in Redis Streams, one for each way. The id of a block is its layer and its
 * number: Redis itself refuses a block that comes a second time.
 */
export class StreamLog implements PartitionLog {
  private readonly redis: Redis;
  private readonly names: SearchNames;
  private readonly kept = new Set<string>();

  constructor(redis: Redis, names: SearchNames) {
    this.redis = redis;
    this.names = names;
  }

  async append(way: Way, layer: number, number: number, bytes: Uint8Array): Promise<void> {
    const key = this.names.log(way);
    const id = `${layer}-${number}`;
    for (;;) {
      const refusal = await this.refusal(key, id, bytes);
      if (refusal === null) break;
      // Redis may write again later. How long it may take is for the client to say.
      if ((await this.redis.exists(this.names.alive)) === 0) throw refusal;
      await new Promise((resolve) => setTimeout(resolve, RETRY_MILLISECONDS));
    }
    if (this.kept.has(key)) return;
    await this.redis.expire(key, KEPT_SECONDS);
    this.kept.add(key);
  }

  /** Null: the block is there. */
  private async refusal(key: string, id: string, bytes: Uint8Array): Promise<Error | null> {
    try {
      await this.redis.xadd(key, id, 'block', Buffer.from(bytes));
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      if (/^(OOM|MISCONF)/.test(error.message)) return error;
      if (!error.message.includes('equal or smaller')) throw error;
      await this.demandSame(key, id, bytes);
    }
    return null;
  }

  async *read(way: Way, layer: number): AsyncGenerator<Uint8Array> {
    const key = this.names.log(way);
    let from = `${layer}-0`;
    for (;;) {
      const found = await this.redis.xrangeBuffer(
        key,
        from,
        `${layer}-${LAST}`,
        'COUNT',
        BLOCKS_PER_READ,
      );
      for (const [id, fields] of found) {
        from = `(${id.toString('latin1')}`;
        yield fields[1]!;
      }
      if (found.length < BLOCKS_PER_READ) return;
    }
  }

  private async demandSame(key: string, id: string, bytes: Uint8Array): Promise<void> {
    const [known] = await this.redis.xrangeBuffer(key, id, id);
    const block = known?.[1][1];
    if (block === undefined) throw new Error(`the log of the search lacks block ${id}`);
    if (!isSameBlock(block, bytes)) {
      throw new Error(`block ${id} of the search was another one before`);
    }
  }
}
