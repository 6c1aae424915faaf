import type { Reply, WorkerModule } from '../run/worker-process.ts';
import type { Answerer, Workplace } from '../run/workplace.ts';
import type { QueueKind } from './code.ts';
import { JOB_KINDS, kindFor } from './jobs/kinds.ts';
import { type FleetOptions, openQueue, type SharedQueue } from './queue.ts';
import type { RedisAddress } from './redis/address.ts';

/**
 * So many jobs of a client are in Redis at a time. Enough for some hundred cores; all cells of a
 * large survey would not fit in the memory of Redis.
 */
const WINDOW = 256;

/** A fleet as a place where questions are answered. `close` it in the end. */
export interface Fleet extends Workplace {
  close(): Promise<void>;
}

/**
 * Opens the queue of this version in Redis. Throws `InputError` if that fails; later failures
 * reject the questions that are open.
 */
export async function openFleet(
  address: RedisAddress,
  kind: QueueKind,
  options: FleetOptions,
): Promise<Fleet> {
  const queue = await openQueue(address, kind, options);
  return {
    // Each worker knows its own memory.
    megabytes: null,
    answerers: <Question extends object, Answer>(module: WorkerModule, most: number) => {
      const name = kindFor(module);
      if (JOB_KINDS[name].queue !== kind) throw new Error(`${name} has another queue`);
      return Array.from({ length: Math.min(WINDOW, most) }, () =>
        answererOf<Question, Answer>(queue, name),
      );
    },
    close: () => queue.close(),
  };
}

function answererOf<Question extends object, Answer>(
  queue: SharedQueue,
  kind: keyof typeof JOB_KINDS,
): Answerer<Question, Answer> {
  let abandon: (() => void) | null = null;
  return {
    ask: async (question, seconds) => {
      const given = queue.ask(kind, question, seconds);
      const abandoned = new Promise<Reply<Answer>>((resolve) => {
        abandon = () => resolve({ reply: 'died', why: 'it was given up' });
      });
      // The answer fits the schema of its kind.
      return await Promise.race([given as Promise<Reply<Answer>>, abandoned]);
    },
    stop: () => abandon?.(),
  };
}
