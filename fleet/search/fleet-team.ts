import { randomBytes } from 'node:crypto';
import type { FlowJob, FlowProducer, Job, Queue, Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import type * as z from 'zod';
import {
  type Blocks,
  DefectError,
  type ExpandAt,
  type FirstLayers,
  type FoldAt,
  type ModelDefect,
  type PartitionTeam,
} from '../../checker/index.ts';
import type { Division } from '../../run/fleet-search.ts';
import { FLEET_ERRORS, refusedWrites } from '../errors.ts';
import { type FleetOptions, openQueue, type SharedQueue } from '../queue.ts';
import { type RedisAddress, withoutPassword } from '../redis/address.ts';
import { type Connection, connected, RETRY_MILLISECONDS } from '../redis/connection.ts';
import { type BullMq, loadLibraries } from '../redis/libraries.ts';
import { type Hold, type Step, type StepAnswer, stepAnswerSchema } from './messages.ts';
import { SearchNames } from './names.ts';
import { StreamLog } from './stream-log.ts';

/** How often a step is tried before its failure counts. */
const ATTEMPTS = 3;
/** Holders of a client that is silent for so long end their work. */
const ALIVE_SECONDS = 60;
const LOOK_MILLISECONDS = 1_000;
const CLOSING_MILLISECONDS = 3_000;
/**
 * If Redis goes away while it gives a layer to this process, nobody has it. Then it is given again
 * after this time, or a bit more. BullMQ by itself would take a minute. No other process takes
 * layers, so to do one twice does no harm.
 */
const UNANSWERED_MILLISECONDS = 2_000;
const UNANSWERED_MOST = 1_000;

/** The partitions of a search at the workers of a fleet. `close` it in the end. */
export interface FleetTeam extends PartitionTeam {
  close(): Promise<void>;
}

/** What is searched. */
export type SearchedPlan = Pick<Hold, 'plan' | 'limits' | 'reductions'>;

/** Where a search is done, and by how many partitions. */
export interface FleetSearch extends Division {
  readonly address: RedisAddress;
  readonly options: FleetOptions;
}

/**
 * Has workers hold the partitions of a search for a plan. Throws `InputError` if there is no Redis;
 * later failures reject what is asked.
 *
 * A step of all partitions is a flow of BullMQ: a child for each partition, in the queue of that
 * partition, and a parent that is done by this process when all children are. To hold a partition
 * is a job, too: the worker that has it takes the steps of the partition from their queue. If it
 * dies, BullMQ gives that job to another worker, which reads what was sent to the partition from
 * Redis Streams and goes on with its steps.
 */
export async function openTeam(
  { address, options, ...division }: FleetSearch,
  { plan, limits, reductions }: SearchedPlan,
): Promise<FleetTeam> {
  const queue = await openQueue(address, 'search', options);
  const { bullmq, ioredis } = loadLibraries();
  const { partitions } = division;
  const { note, patience } = options;
  let broken: (error: Error) => void = () => undefined;
  const away = () => FLEET_ERRORS.away(address.shown, patience, connection?.trouble() ?? null);
  const search = randomBytes(16).toString('hex');
  const names = new SearchNames(search);
  let connection: Connection | null = null;
  try {
    connection = await connected(ioredis, address, {
      awaySeconds: patience,
      onEnd: () => broken(away()),
    });
    await written(connection.redis, names.alive, address, patience);
  } catch (error) {
    const isAway = connection?.redis.status === 'end';
    connection?.close();
    await queue.close();
    throw isAway ? away() : error;
  }
  const parts = { queue, bullmq, connection, names, address, note };
  const team = new OpenTeam({ ...parts, ...division });
  broken = (error) => team.fail(error);
  const holds = Array.from({ length: partitions }, (_, partition): Hold => {
    return { search, partition, before: 0, partitions, plan, limits, reductions };
  });
  team.hold(holds);
  return team;
}

interface Parts extends Division {
  readonly queue: SharedQueue;
  readonly bullmq: BullMq;
  readonly connection: Connection;
  readonly names: SearchNames;
  readonly address: RedisAddress;
  readonly note: (line: string) => void;
}

/** A flow that has not answered yet. */
interface Asked {
  readonly id: string;
  readonly settle: (answers: readonly StepAnswer[]) => void;
  readonly fail: (error: Error) => void;
  /** Whether Redis has it. */
  isThere: boolean;
}

class OpenTeam implements FleetTeam {
  readonly count: number;
  readonly dividedFrom: number;
  readonly dividedLatest: number;
  readonly #parts: Parts;
  readonly #flows: FlowProducer;
  readonly #layers: Queue;
  readonly #worker: Worker;
  readonly #round: NodeJS.Timeout;
  #asked: Asked | null = null;
  #broken: Error | null = null;
  #isClosed = false;
  #steps = 0;
  #held: Promise<unknown> = Promise.resolve();

  constructor(parts: Parts) {
    const { bullmq, connection, names, partitions } = parts;
    this.#parts = parts;
    this.count = partitions;
    this.dividedFrom = parts.dividedFrom;
    this.dividedLatest = parts.dividedLatest;
    const ignore = (): void => undefined;
    this.#flows = new bullmq.FlowProducer({ connection: connection.redis }).on('error', ignore);
    this.#layers = new bullmq.Queue(names.layers, { connection: connection.redis }).on(
      'error',
      ignore,
    );
    this.#worker = new bullmq.Worker(names.layers, (job: Job) => this.#done(job), {
      connection: connection.redis,
      lockDuration: UNANSWERED_MILLISECONDS,
      stalledInterval: UNANSWERED_MILLISECONDS / 2,
      maxStalledCount: UNANSWERED_MOST,
      runRetryDelay: RETRY_MILLISECONDS,
    }).on('error', ignore);
    this.#round = setInterval(() => void this.#look().catch(ignore), LOOK_MILLISECONDS);
  }

  /**
   * On a machine that stands still, a process may find that another one has its partition, and end
   * its job after that one was lost. So the partition is given away again, but not for ever.
   */
  hold(holds: readonly Hold[]): void {
    const asked = holds.map(async (hold) => {
      let why = 'a partition was left again and again';
      for (let before = 0; before < ATTEMPTS; before++) {
        const reply = await this.#parts.queue.ask('hold', { ...hold, before }, null);
        if (this.#isClosed) return;
        if (reply.reply === 'answer') continue;
        why = reply.reply === 'died' ? reply.why : 'the time of a partition is over';
        break;
      }
      this.fail(FLEET_ERRORS.stepFailed(this.#parts.address.shown, why));
    });
    for (const one of asked) one.catch((error: Error) => this.fail(error));
    this.#held = Promise.allSettled(asked);
  }

  fail(error: Error): void {
    this.#broken ??= error;
    this.#asked?.fail(this.#broken);
    this.#asked = null;
  }

  async first(layers: FirstLayers) {
    const step = { step: 'first', ...layers } as const;
    const answers = await this.#ask(Array.from({ length: this.count }, () => step));
    return answers.map((answer) => {
      if (answer.kind !== 'first') throw new Error('a partition gave the answer of another step');
      return answer.tally;
    });
  }

  async expand(steps: readonly ExpandAt[]) {
    const answers = await this.#ask(steps.map((step) => ({ step: 'expand', ...step })));
    return answers.map((answer) => {
      if (answer.kind !== 'expanded')
        throw new Error('a partition gave the answer of another step');
      return answer.tally;
    });
  }

  async fold(steps: readonly FoldAt[]) {
    const answers = await this.#ask(steps.map((step) => ({ step: 'fold', ...step })));
    return answers.map((answer) => {
      if (answer.kind !== 'folded') throw new Error('a partition gave the answer of another step');
      return answer.tally;
    });
  }

  gathers(states: number): void {
    this.#parts.note(
      `All ${states} states were found; leads-to properties are judged on this machine, which gathers them`,
    );
  }

  async *keys(partition: number, layer: number): Blocks {
    const { connection, names } = this.#parts;
    const way = { from: partition, to: null };
    try {
      yield* new StreamLog(connection.redis, names).read(way, layer);
    } catch (error) {
      // The connection says why, after it has failed all that waited for it.
      await new Promise((resolve) => setImmediate(resolve));
      throw this.#broken ?? error;
    }
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    clearInterval(this.#round);
    const { queue, bullmq, connection, names } = this.#parts;
    const { redis } = connection;
    // Whatever becomes of Redis meanwhile: a worker that is not closed tries again for ever.
    const workerClosed = this.#worker.close(true).catch(() => undefined);
    if (redis.status === 'ready') {
      const closed = (async () => {
        await redis.del(names.alive);
        await workerClosed;
        await this.#held;
        // No step can end any more.
        await this.#layers.obliterate({ force: true }).catch(() => undefined);
        await Promise.allSettled([this.#layers.close(), this.#flows.close()]);
        // What their holders have left: of those that were lost.
        for (let from = 0; from < this.count; from++) {
          const steps = new bullmq.Queue(names.steps(from), { connection: redis });
          await steps.obliterate({ force: true }).catch(() => undefined);
          await steps.close();
          const ways = Array.from({ length: this.count }, (_, to) => ({ from, to }));
          const logs = [...ways, { from, to: null }].map((way) => names.log(way));
          await redis.unlink(...logs, names.holder(from));
        }
      })();
      await Promise.race([closed.catch(() => undefined), patience(CLOSING_MILLISECONDS)]);
    } else {
      // They would wait for Redis. But they must not try again.
      for (const one of [this.#layers, this.#flows]) one.close().catch(() => undefined);
    }
    await queue.close();
    connection.close();
  }

  /** The answers of the partitions. Throws `DefectError`. */
  async #ask(steps: readonly Step[]): Promise<readonly StepAnswer[]> {
    if (this.#broken !== null) throw this.#broken;
    const { names } = this.#parts;
    const id = `step-${this.#steps++}`;
    const children = steps.map((step, partition) => ({
      name: step.step,
      queueName: names.steps(partition),
      data: step,
      opts: {
        jobId: `${id}-${partition}`,
        attempts: ATTEMPTS,
        backoff: { type: 'exponential', delay: 500 },
        failParentOnFailure: true,
        removeOnComplete: true,
      },
    }));
    const asked = new Promise<readonly StepAnswer[]>((settle, fail) => {
      this.#asked = { id, settle, fail, isThere: false };
    });
    asked.catch(() => undefined);
    const opts = { jobId: id, removeOnComplete: true };
    const added = this.#add({ name: 'layer', queueName: names.layers, data: {}, opts, children });
    // A connection that ends can leave a transaction without any answer, so a failure goes first.
    const answers = await Promise.race([asked, added.then(() => asked)]);
    const defect = answers.find((answer) => answer.kind === 'defect');
    if (defect !== undefined) throw new DefectError(defect.defect as ModelDefect);
    return answers;
  }

  /** Redis may refuse at first. If it does so for too long, the queue of the holders fails. */
  async #add(flow: FlowJob): Promise<void> {
    for (;;) {
      try {
        await this.#flows.add(flow);
        if (this.#asked !== null) this.#asked.isThere = true;
        return;
      } catch {
        await new Promise((resolve) => setTimeout(resolve, LOOK_MILLISECONDS));
        if (this.#broken !== null) throw this.#broken;
        if (this.#isClosed) throw new Error('the search has ended');
      }
    }
  }

  /** All children of a flow are done. */
  async #done(job: Job): Promise<void> {
    const asked = this.#asked;
    if (asked === null || job.id !== asked.id) return;
    const values = await job.getChildrenValues();
    const { names, address } = this.#parts;
    const keys = Array.from(
      { length: this.count },
      (_, partition) => `bull:${names.steps(partition)}:${asked.id}-${partition}`,
    );
    // Every child was done, so Redis has lost the value of one that has none.
    if (keys.some((key) => values[key] === undefined)) {
      this.fail(FLEET_ERRORS.lost(address.shown, 1));
      return;
    }
    this.#asked = null;
    try {
      asked.settle(keys.map((key) => checked(stepAnswerSchema, values[key])));
    } catch (error) {
      asked.fail(error instanceof Error ? error : new Error(String(error)));
    }
  }

  /**
   * Whether the flow that was asked is there, and has not failed; and that holders know that we
   * are.
   */
  async #look(): Promise<void> {
    const { connection, names, address } = this.#parts;
    const { redis } = connection;
    // A full Redis takes this, and no new key.
    const isThere = (await redis.expire(names.alive, ALIVE_SECONDS)) === 1;
    if (!isThere) await redis.set(names.alive, '1', 'EX', ALIVE_SECONDS);
    const asked = this.#asked;
    if (asked?.isThere !== true) return;
    const state = await this.#layers.getJobState(asked.id);
    if (this.#asked !== asked) return;
    switch (state) {
      case 'failed': {
        const why = withoutPassword(await this.#why(asked.id), address);
        if (this.#asked === asked) this.fail(FLEET_ERRORS.stepFailed(address.shown, why));
        return;
      }
      case 'unknown':
        this.fail(FLEET_ERRORS.lost(address.shown, 1));
        return;
      default:
        return;
    }
  }

  async #why(id: string): Promise<string> {
    const { bullmq, connection, names } = this.#parts;
    for (let partition = 0; partition < this.count; partition++) {
      const queue = new bullmq.Queue(names.steps(partition), { connection: connection.redis });
      const reason = (await queue.getJob(`${id}-${partition}`))?.failedReason;
      await queue.close();
      if (reason) return `partition ${partition}: ${reason}`;
    }
    return 'for no known reason';
  }
}

/** Redis may refuse at first. Throws `InputError` if it does so for too long. */
async function written(
  redis: Redis,
  key: string,
  address: RedisAddress,
  seconds: number,
): Promise<void> {
  const until = Date.now() + seconds * 1000;
  for (;;) {
    try {
      await redis.set(key, '1', 'EX', ALIVE_SECONDS);
      return;
    } catch (error) {
      const why = withoutPassword(error instanceof Error ? error.message : String(error), address);
      if (Date.now() >= until) throw refusedWrites(address.shown, seconds, why);
    }
    await new Promise((resolve) => setTimeout(resolve, RETRY_MILLISECONDS));
  }
}

function checked<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  throw new Error('a partition gave an answer that does not fit its schema');
}

function patience(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds).unref());
}
