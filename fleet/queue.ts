import type { Queue, QueueEvents } from 'bullmq';
import { packageVersion } from '../input/package-files.ts';
import type { Reply } from '../run/worker-process.ts';
import { InputError } from '../text/input-error.ts';
import { MESSAGES } from '../text/messages.ts';
import { type QueueKind, queueName } from './code.ts';
import { awayNote, BACK_NOTE, FLEET_ERRORS, refusedWrites } from './errors.ts';
import { type JobData, packedQuestion, readResult } from './jobs/job.ts';
import type { JobKindName } from './jobs/kinds.ts';
import { type RedisAddress, withoutPassword } from './redis/address.ts';
import { type Connection, connected } from './redis/connection.ts';
import { loadLibraries } from './redis/libraries.ts';
import { liveWorkers } from './redis/live-workers.ts';

export interface FleetOptions {
  /** After so many seconds without Redis, or without a worker of this version, it is an error. */
  readonly patience: number;
  /** Milliseconds since the epoch, after which every question is late; null: no limit. */
  readonly until: number | null;
  /** Says something on the side, as a line. */
  readonly note: (line: string) => void;
}

export const PATIENCE_DEFAULT = 60;

/** The queue of a version, from the side of who asks. BullMQ does the rest. */
export interface SharedQueue {
  ask(kind: JobKindName, question: object, seconds: number | null): Promise<Reply<unknown>>;
  close(): Promise<void>;
}

/** How often a job is tried before its failure counts. */
const ATTEMPTS = 3;
/** How often a job that is gone from Redis, or whose result is of no use, is added again. */
const ADDED_MOST = 5;
/** Finished jobs are the shared cache: by age in seconds, and by number. */
const KEPT = { age: 86_400, count: 2_000 } as const;
const KEPT_FAILED = { age: 3_600, count: 200 } as const;
/** The stream of events has results in it. More would fill Redis. */
const EVENTS_MOST = 500;
const ROUND_MILLISECONDS = 1_000;
/** Nobody has to wait longer than that for what is only tidying up. */
const CLOSING_MILLISECONDS = 3_000;
/** Events can be missed. A job without one is looked up after so long. */
const LOOK_MILLISECONDS = 4_000;

interface Asked {
  readonly id: string;
  readonly kind: JobKindName;
  readonly data: JobData;
  readonly settle: (reply: Reply<unknown>) => void;
  readonly fail: (error: Error) => void;
  /** How often it was added. */
  added: number;
  /** Whether Redis has it, as far as is known. */
  isThere: boolean;
  looked: number;
}

export async function openQueue(
  address: RedisAddress,
  kind: QueueKind,
  options: FleetOptions,
): Promise<SharedQueue> {
  const name = queueName(kind);
  if (name === null)
    throw MESSAGES.usage('mutants need a checkout of reapcheck, with npm run build');
  const { bullmq, ioredis } = loadLibraries();
  const { patience, note } = options;
  let broken: (error: InputError) => void = () => undefined;
  const connection = await connected(ioredis, address, {
    awaySeconds: patience,
    onEnd: () => broken(FLEET_ERRORS.away(address.shown, patience, connection.trouble())),
    onAway: (why) => note(awayNote(address.shown, patience, why)),
    onBack: () => note(BACK_NOTE),
  });
  // BullMQ reports on each connection that breaks. Only its end counts.
  const ignore = (): void => undefined;
  const streams = { events: { maxLen: EVENTS_MOST } };
  const queue = new bullmq.Queue(name, { connection: connection.redis, streams }).on(
    'error',
    ignore,
  );
  // From now by the clock of Redis: nothing that ends later is missed.
  const [seconds, microseconds] = await connection.redis.time();
  const events = new bullmq.QueueEvents(name, {
    connection: connection.redis,
    // To the millisecond: an event of an earlier run would answer a question that is asked again.
    lastEventId: `${1000 * Number(seconds) + Math.floor(Number(microseconds) / 1000)}`,
    blockingTimeout: 5_000,
  }).on('error', ignore);
  const open = new OpenQueue({ queue, events, connection, address, options });
  broken = (error) => open.failAll(error);
  return open;
}

interface Parts {
  readonly queue: Queue;
  readonly events: QueueEvents;
  readonly connection: Connection;
  readonly address: RedisAddress;
  readonly options: FleetOptions;
}

class OpenQueue implements SharedQueue {
  readonly #parts: Parts;
  /** By id. Several may ask the same. */
  readonly #asked = new Map<string, Asked[]>();
  #broken: InputError | null = null;
  #isClosed = false;
  #round: NodeJS.Timeout;
  readonly #watchdog: NodeJS.Timeout;
  readonly #deadline: NodeJS.Timeout | null;
  /**
   * How many rounds of the watchdog have passed since Redis answered. The clock would count the
   * time for which this process stood still.
   */
  #silentRounds = 0;
  /** Since when Redis has refused to write, and why. */
  #refusal: { readonly since: number; readonly why: string } | null = null;
  #refusals = 0;
  #aloneSince: number | null = null;
  #isNoted = false;

  constructor(parts: Parts) {
    this.#parts = parts;
    const { events, options } = parts;
    events.on('completed', ({ jobId, returnvalue }) => this.#completed(jobId, returnvalue));
    events.on('failed', ({ jobId }) => this.#lookUp(jobId));
    this.#round = setTimeout(() => this.#nextRound(), 0);
    // A network that drops packets says nothing: the round hangs.
    this.#watchdog = setInterval(() => this.#demandAnswers(), ROUND_MILLISECONDS);
    const { until } = options;
    this.#deadline =
      until === null ? null : setTimeout(() => this.#late(), Math.max(0, until - Date.now()));
  }

  async ask(kind: JobKindName, question: object, seconds: number | null): Promise<Reply<unknown>> {
    const { id, question: packed } = await packedQuestion(kind, question);
    if (this.#broken !== null) throw this.#broken;
    const { until } = this.#parts.options;
    if (until !== null && Date.now() >= until) return { reply: 'late' };
    return await new Promise((settle, fail) => {
      const data = { seconds, question: packed };
      const asked = { id, kind, data, settle, fail, added: 0, isThere: false, looked: 0 };
      this.#asked.set(id, [...(this.#asked.get(id) ?? []), asked]);
      void this.#add(asked);
    });
  }

  failAll(error: InputError): void {
    this.#broken ??= error;
    const all = [...this.#asked.values()].flat();
    this.#asked.clear();
    for (const { fail } of all) fail(error);
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    clearTimeout(this.#round);
    clearInterval(this.#watchdog);
    if (this.#deadline !== null) clearTimeout(this.#deadline);
    const { queue, events, connection } = this.#parts;
    const isThere = connection.redis.status === 'ready';
    // Whatever becomes of Redis meanwhile: events that are not closed read again for ever.
    const closed = events.close().catch(() => undefined);
    const all = (async () => {
      // Nobody waits any more for what is left: after an interruption.
      if (isThere) await this.#withdrawn();
      await Promise.allSettled([closed, queue.close()]);
    })();
    // Without Redis, they would wait for it.
    if (isThere) await soonOr(all);
    connection.close();
  }

  async #withdrawn(): Promise<void> {
    const { queue } = this.#parts;
    const ids = [...this.#asked.keys()];
    this.#asked.clear();
    // A job that is running stays: its worker has it.
    await Promise.allSettled(ids.map((id) => queue.remove(id)));
  }

  #late(): void {
    const { queue, connection } = this.#parts;
    for (const id of [...this.#asked.keys()]) {
      this.#settle(id, { reply: 'late' });
      if (connection.redis.status === 'ready') queue.remove(id).catch(() => undefined);
    }
  }

  #settle(id: string, reply: Reply<unknown>): void {
    const all = this.#asked.get(id) ?? [];
    this.#asked.delete(id);
    for (const { settle } of all) settle(reply);
  }

  /** A job with this id that is there already is the same job: BullMQ adds no second one. */
  async #add(asked: Asked): Promise<void> {
    const { id, kind, data } = asked;
    const { queue, address } = this.#parts;
    if (asked.added >= ADDED_MOST) {
      this.failAll(FLEET_ERRORS.lost(address.shown, asked.added));
      return;
    }
    try {
      const isFirst = asked.added === 0;
      await queue.add(kind, data, {
        jobId: id,
        attempts: ATTEMPTS,
        removeOnComplete: KEPT,
        removeOnFail: KEPT_FAILED,
      });
      asked.added += 1;
      asked.isThere = true;
      await this.#look(asked, isFirst);
    } catch (error) {
      this.#refused(error);
    }
  }

  /** @param isFirst whether the job may be one of an earlier run. */
  async #look(asked: Asked, isFirst: boolean): Promise<void> {
    const { id } = asked;
    const { queue } = this.#parts;
    asked.looked = Date.now();
    const state = await queue.getJobState(id);
    if (!this.#asked.has(id)) return;
    switch (state) {
      case 'completed':
        await this.#completed(id, (await queue.getJob(id))?.returnvalue, isFirst);
        return;
      case 'failed':
        if (isFirst) await this.#addAgain(asked);
        else this.#settle(id, { reply: 'died', why: this.#shown(await this.#whyFailed(id)) });
        return;
      case 'unknown':
        asked.isThere = false;
        await this.#add(asked);
        return;
      default:
        return;
    }
  }

  async #whyFailed(id: string): Promise<string> {
    return (await this.#parts.queue.getJob(id))?.failedReason ?? 'it failed';
  }

  async #addAgain(asked: Asked): Promise<void> {
    await this.#parts.queue.remove(asked.id);
    asked.isThere = false;
    await this.#add(asked);
  }

  async #completed(id: string, result: unknown, isOld = false): Promise<void> {
    const [asked] = this.#asked.get(id) ?? [];
    if (asked === undefined) return;
    try {
      const read = await readResult(asked.kind, id, result);
      // An earlier run had less time or memory, perhaps.
      const isOfUse = read?.repeatable === true;
      if (isOld && !isOfUse) return await this.#addAgain(asked);
      if (!isOfUse) this.#parts.queue.remove(id).catch(() => undefined);
      this.#settle(
        id,
        read === null ? { reply: 'late' } : { reply: 'answer', answer: read.answer },
      );
    } catch (error) {
      if (isOld) return await this.#addAgain(asked);
      const why = error instanceof Error ? error.message : String(error);
      this.#settle(id, { reply: 'died', why: `the fleet gave no answer: ${this.#shown(why)}` });
    }
  }

  #lookUp(id: string): void {
    const [asked] = this.#asked.get(id) ?? [];
    if (asked !== undefined) this.#look(asked, false).catch((error) => this.#refused(error));
  }

  #demandAnswers(): void {
    const { connection, address, options } = this.#parts;
    const { patience } = options;
    this.#silentRounds += 1;
    if (this.#silentRounds * ROUND_MILLISECONDS <= (patience + 1) * 1000) return;
    this.failAll(FLEET_ERRORS.away(address.shown, patience, connection.trouble()));
  }

  async #nextRound(): Promise<void> {
    const refusals = this.#refusals;
    try {
      await this.#watch();
      if (this.#refusals === refusals) this.#refusal = null;
    } catch (error) {
      this.#refused(error);
    }
    const { patience } = this.#parts.options;
    const refusal = this.#refusal;
    if (refusal !== null && Date.now() - refusal.since > patience * 1000) {
      this.failAll(refusedWrites(this.#parts.address.shown, patience, refusal.why));
    }
    if (!this.#isClosed) {
      this.#round = setTimeout(() => this.#nextRound(), ROUND_MILLISECONDS);
    }
  }

  /** Whether Redis takes writes and workers are there; and jobs whose events were missed. */
  async #watch(): Promise<void> {
    const { connection, queue } = this.#parts;
    await connection.redis.set(`bull:${queue.name}:asked`, '1', 'EX', 60);
    this.#silentRounds = 0;
    if (this.#asked.size === 0) return;
    await this.#watchWorkers();
    const before = Date.now() - LOOK_MILLISECONDS;
    const all = [...this.#asked.values()].flat();
    for (const asked of all) {
      this.#silentRounds = 0;
      if (!asked.isThere) await this.#add(asked);
      else if (asked.looked < before) await this.#look(asked, false);
    }
  }

  async #watchWorkers(): Promise<void> {
    const { queue, connection, address, options } = this.#parts;
    const { own, others } = await liveWorkers(queue, connection.redis);
    if (own > 0) {
      this.#aloneSince = null;
      return;
    }
    this.#aloneSince ??= Date.now();
    const { patience, note } = options;
    if (!this.#isNoted) {
      this.#isNoted = true;
      note(`No worker of this version is at ${address.shown} yet; waiting ${patience} s for one`);
    }
    if (Date.now() - this.#aloneSince <= patience * 1000) return;
    this.failAll(FLEET_ERRORS.noWorker(address.shown, patience, packageVersion(), others));
  }

  /** Redis may write again later, so one refusal is no error yet. */
  #refused(error: unknown): void {
    const why = this.#shown(error instanceof Error ? error.message : String(error));
    if (error instanceof InputError) this.failAll(error);
    else this.#refusal ??= { since: Date.now(), why };
    this.#refusals += 1;
  }

  #shown(text: string): string {
    return withoutPassword(text, this.#parts.address);
  }
}

async function soonOr(work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | null = null;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, CLOSING_MILLISECONDS);
  });
  await Promise.race([work, late]);
  if (timer !== null) clearTimeout(timer);
}
