import type { Way } from '../../checker/index.ts';
import { queueName } from '../code.ts';

/** Where a search is in Redis. All its keys begin with that of its queues. */
export class SearchNames {
  private readonly prefix: string;

  /** @param search an id that no other search has. */
  constructor(search: string) {
    this.prefix = `${queueName('search')}-${search}`;
  }

  /** The queue of the layers: jobs that are done when all partitions have done a step. */
  get layers(): string {
    return `${this.prefix}-layers`;
  }

  /** The queue of the steps of a partition. */
  steps(partition: number): string {
    return `${this.prefix}-${partition}`;
  }

  /** The stream of what a partition has sent to another one; or, if that is null, of its keys. */
  log({ from, to }: Way): string {
    return `bull:${this.prefix}:log:${from}:${to ?? 'keys'}`;
  }

  /** A key that says which process holds a partition: the one that has begun last. */
  holder(partition: number): string {
    return `bull:${this.prefix}:holder:${partition}`;
  }

  /** A key that is there as long as the client is. */
  get alive(): string {
    return `bull:${this.prefix}:alive`;
  }
}
