import type { CodeDigests } from '../gate/cell.ts';
import { type Reply, WorkerProcess } from '../run/worker-process.ts';
import { checkFleetCode } from './code.ts';
import type { ReadJob } from './jobs/job.ts';
import { JOB_KINDS, type JobKind, type JobKindName, type WorkerFacts } from './jobs/kinds.ts';

type Process = WorkerProcess<object, unknown>;

const STOPPED = { reply: 'died', why: 'its worker is ending' } as const;

/** The processes of a worker. BullMQ sees to it that no more jobs come than there are slots. */
export class Slots {
  readonly #facts: WorkerFacts;
  readonly #code: CodeDigests;
  readonly #jobSeconds: number | null;
  readonly #idle = new Map<JobKindName, Process[]>();
  readonly #busy = new Set<Process>();
  /** Those that have answered once, so that their code is known. */
  readonly #known = new WeakSet<Process>();
  #isStopped = false;

  /** @param jobSeconds limit for a job without one of its own; null: none. */
  constructor(facts: WorkerFacts, code: CodeDigests, jobSeconds: number | null) {
    this.#facts = facts;
    this.#code = code;
    this.#jobSeconds = jobSeconds;
  }

  get busy(): number {
    return this.#busy.size;
  }

  /** Throws `InputError` if the code has changed since the worker was started. */
  async answer({ kind, question, seconds }: ReadJob): Promise<Reply<unknown>> {
    if (this.#isStopped) return STOPPED;
    const { module, completed }: JobKind = JOB_KINDS[kind];
    const process = this.#idle.get(kind)?.pop() ?? new WorkerProcess(module);
    this.#busy.add(process);
    try {
      const asked = completed === undefined ? question : completed(question, this.#facts);
      const told = await process.ask(asked, seconds ?? this.#jobSeconds);
      if (told.reply !== 'answer') return told;
      // It is idle before anything can fail, so that `stop` ends it.
      this.#idle.set(kind, [...(this.#idle.get(kind) ?? []), process]);
      // A process loads the code when it starts. The answers of other code are not for this queue.
      if (!this.#known.has(process)) checkFleetCode(this.#code);
      this.#known.add(process);
      return told;
    } finally {
      this.#busy.delete(process);
    }
  }

  /**
   * Ends all processes, and starts no further one: a job may still arrive that Redis has given out
   * before. A process that nothing stops would keep the worker alive.
   */
  stop(): void {
    this.#isStopped = true;
    for (const process of [...this.#busy, ...[...this.#idle.values()].flat()]) process.stop();
  }
}
