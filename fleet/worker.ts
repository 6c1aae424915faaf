import { hostname } from 'node:os';
import type { Job, Worker } from 'bullmq';
import { packageVersion } from '../input/package-files.ts';
import { escaped } from '../text/escape.ts';
import { InputError } from '../text/input-error.ts';
import { plural } from '../text/layout.ts';
import { fleetCode, type QueueKind, queueName } from './code.ts';
import { DEATHS_MOST, Deaths } from './deaths.ts';
import { awayNote, BACK_NOTE, FLEET_ERRORS } from './errors.ts';
import { type JobResult, packedAnswer, type ReadJob, readJob } from './jobs/job.ts';
import { type RedisAddress, withoutPassword } from './redis/address.ts';
import { connected, RETRY_MILLISECONDS } from './redis/connection.ts';
import { type BullMq, loadLibraries } from './redis/libraries.ts';
import { SpareSlots } from './search/spare-slots.ts';
import { Slots } from './slots.ts';

export interface FleetWorkerOptions {
  readonly redis: RedisAddress;
  /** How many jobs it runs at a time. */
  readonly slots: number;
  /** It ends after so many seconds without a job; null: never. */
  readonly idleSeconds: number | null;
  /** Other workers take its jobs over after it has been silent for so long. */
  readonly silentSeconds: number;
  /** It ends after so many seconds without Redis. */
  readonly awaySeconds: number;
  /** Limit for a job that has none; null: none. */
  readonly jobSeconds: number | null;
}

export const SILENT_DEFAULT = 30;
export const AWAY_DEFAULT = 300;

/** What a worker needs of its process. */
export interface Surroundings {
  readonly note: (line: string) => void;
  /** Calls back when the worker is to end. */
  readonly onStop: (callback: () => void) => void;
}

/** How often the lock of a job may be lost. It costs nothing but time: `Deaths` counts the rest. */
const STALLED_MOST = 1_000;
const IDLE_CHECK_MILLISECONDS = 250;
const CLOSING_MILLISECONDS = 5_000;
const LOST_LOCK = 'it gave away a job of this worker, which was silent for too long';
const KINDS: readonly QueueKind[] = ['models', 'mutants', 'search'];

/**
 * Takes the jobs of this version from Redis until it is told to end, or was idle for long enough.
 * Throws `InputError` if Redis is away for too long, or if the code changed.
 *
 * @returns the number of jobs that were answered.
 */
export async function runFleetWorker(
  options: FleetWorkerOptions,
  { note, onStop }: Surroundings,
): Promise<number> {
  const { redis: address, slots: count, awaySeconds, silentSeconds } = options;
  const queues = KINDS.map(queueName).filter((name) => name !== null);
  const searches = queueName('search') ?? '';
  const facts = { slots: count, redis: address, silentSeconds, awaySeconds };
  const slots = new Slots(facts, fleetCode(), options.jobSeconds);
  const { bullmq, ioredis } = loadLibraries();
  let end: (error: InputError | null) => void = () => undefined;
  const ended = new Promise<InputError | null>((resolve) => {
    end = resolve;
  });
  const connection = await connected(ioredis, address, {
    awaySeconds,
    onEnd: () => end(FLEET_ERRORS.notThere(address.shown, awaySeconds, connection.trouble())),
    onAway: (why) => note(awayNote(address.shown, awaySeconds, why)),
    onBack: () => note(BACK_NOTE),
  });
  const deaths = new Deaths(connection.redis);
  const state = new Running({ bullmq, slots, deaths, note, end: (error) => end(error) });
  const started = (name: string, concurrency: number): Worker =>
    new bullmq.Worker(name, (job: Job, token) => state.process(job, token), {
      connection: connection.redis,
      name: `${hostname()}-${process.pid}`,
      concurrency,
      lockDuration: silentSeconds * 1000,
      stalledInterval: silentSeconds * 500,
      maxStalledCount: STALLED_MOST,
      runRetryDelay: RETRY_MILLISECONDS,
    })
      .on('error', (error) => state.reported(withoutPassword(error.message, address)))
      .on('lockRenewalFailed', (ids) => void deaths.lives(name, ids).catch(() => undefined));
  const workers = queues.map((name) => started(name, count));
  const spare = new SpareSlots(connection.redis, searches, () => started(searches, 1));
  onStop(() => end(null));
  note(
    `Worker of reapcheck ${packageVersion()} (${queues[0]?.split('-').at(-1)}): ` +
      `${plural(count, 'job')} at a time from ${address.shown}`,
  );
  const idle = options.idleSeconds;
  const watch = setInterval(() => {
    if (idle !== null && state.idleSeconds() > idle) end(null);
    spare.look();
  }, IDLE_CHECK_MILLISECONDS);
  try {
    const error = await ended;
    if (error !== null) throw error;
    return state.answered;
  } finally {
    clearInterval(watch);
    spare.close();
    state.stop();
    await closed([...workers, ...spare.workers], connection.redis.status === 'ready');
    connection.close();
    note(`${plural(state.answered, 'job')} answered`);
  }
}

/**
 * Jobs that were given back are gone at once. Without Redis, nothing is waited for: it would take
 * until Redis is back.
 */
async function closed(workers: readonly Worker[], isThere: boolean): Promise<void> {
  const all = Promise.allSettled(workers.map((worker) => worker.close(!isThere)));
  let timer: NodeJS.Timeout | null = null;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, CLOSING_MILLISECONDS);
  });
  await Promise.race([all, late]);
  if (timer !== null) clearTimeout(timer);
}

interface Parts {
  readonly bullmq: BullMq;
  readonly slots: Slots;
  readonly deaths: Deaths;
  readonly note: (line: string) => void;
  readonly end: (error: InputError) => void;
}

class Running {
  readonly #parts: Parts;
  #isStopping = false;
  #latest = Date.now();
  #reported = '';
  answered = 0;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  idleSeconds(): number {
    return this.#parts.slots.busy > 0 ? 0 : (Date.now() - this.#latest) / 1000;
  }

  stop(): void {
    this.#isStopping = true;
    this.#parts.slots.stop();
  }

  /**
   * An error of BullMQ, such as a full Redis. The same one is said once, whichever script met it. Of
   * locks that were lost there are many, with the names of jobs.
   */
  reported(message: string): void {
    const [first = ''] = message.split(/\n| script: /, 1);
    const line = /\block\b/i.test(first) ? LOST_LOCK : first;
    if (this.#reported === line || /ECONN|Connection is closed|Socket/.test(line)) return;
    this.#reported = line;
    this.#parts.note(`Redis: ${escaped(line)}`);
  }

  /** Answers one job. An error is that of the job; the worker goes on. */
  async process(job: Job, token: string | undefined): Promise<JobResult> {
    const { id = '' } = job;
    const read = await this.#read(job);
    const told = await this.#told(job, read);
    this.#latest = Date.now();
    if (this.#isStopping) {
      // Another worker takes it at once.
      await job.moveToWait(token);
      throw new this.#parts.bullmq.WaitingError();
    }
    switch (told.reply) {
      case 'answer': {
        const result = await packedAnswer(read.kind, id, told.answer);
        this.answered += 1;
        return result;
      }
      case 'late':
        if (read.seconds !== null) return { kind: 'late', of: id };
        throw new this.#parts.bullmq.UnrecoverableError('it took longer than its worker allows');
      case 'died':
        throw new Error(told.why);
      default:
        throw new Error(`unknown reply ${JSON.stringify(told satisfies never)}`);
    }
  }

  async #read(job: Job): Promise<ReadJob> {
    try {
      return await readJob(job.name, job.id ?? '', job.data);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      this.#parts.note(`Refused a job: ${escaped(why)}`);
      // No other worker of this version would take it.
      throw new this.#parts.bullmq.UnrecoverableError(`its worker refused it: ${why}`);
    }
  }

  async #told(job: Job, read: ReadJob) {
    const { deaths, slots } = this.#parts;
    // A search of days may lose more workers than that.
    const most = read.kind === 'hold' ? Number.POSITIVE_INFINITY : DEATHS_MOST;
    const died = await deaths.begun(job);
    if (died >= most)
      throw new this.#parts.bullmq.UnrecoverableError(`${died} workers died with it`);
    try {
      return await slots.answer(read);
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      this.#isStopping = true;
      this.#parts.end(FLEET_ERRORS.codeChanged());
      return { reply: 'died', why: error.message } as const;
    } finally {
      await deaths.ended(job).catch(() => undefined);
    }
  }
}
