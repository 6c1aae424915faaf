import { formatKey, type LiveRead, liveReads } from '../../model/index.ts';
import { Held } from './held.ts';
import { isOfPlayed, type KnownRun } from './run-calls.ts';

/**
 * The GETs and LISTs of the operator that plays a controller of the run. What the controller reads
 * of the API server at a step of the run, the operator gets in the state before that step: a read
 * that comes early waits, and the run waits for one that comes late.
 */
export class HeldReads {
  /** By index of a step of the run: what the controller reads live in it. */
  readonly #steps = new Map<number, readonly LiveRead[]>();
  readonly #held: Held<LiveRead>;
  /** What the operator has read at the present step. */
  #done: LiveRead[] = [];

  constructor(run: KnownRun) {
    this.#held = new Held(run.played?.patience ?? 0);
    for (const [index, action] of run.actions.entries()) {
      const before = run.states[index];
      const { controller, object } = action.parameters;
      if (before === undefined || controller === undefined || !isOfPlayed(run, action)) continue;
      const reads = liveReads(run.setup, before, String(controller), String(object));
      if (reads.length > 0) this.#steps.set(index, reads);
    }
  }

  /** Resolves when the read may be answered. @param at the present step. */
  hold(read: LiveRead, at: number): Promise<void> {
    const next = [...this.#steps.keys()].find((index) => index >= at);
    if (next === undefined || !this.#has(next, read)) return Promise.resolve();
    return this.#held.hold(read);
  }

  /** Answers the reads of this step. @returns whether there are any. */
  answer(at: number): boolean {
    const found = this.#held.waiting.filter(([, read]) => this.#has(at, read));
    for (const [send, read] of found) {
      this.#done.push(read);
      send();
    }
    return found.length > 0;
  }

  /** The run waits for a request of the operator, which may first wait for what it reads. */
  release(): void {
    for (const [send] of this.#held.waiting) send();
  }

  /** What the operator has not read yet at this step. Null: nothing. */
  unread(at: number): LiveRead | null {
    const reads = this.#steps.get(at) ?? [];
    return reads.find((read) => !this.#done.some((one) => isSame(one, read))) ?? null;
  }

  /** The present step is over. */
  pass(): void {
    this.#done = [];
  }

  /** Nothing is held back any more. */
  end(): void {
    this.#steps.clear();
    this.release();
  }

  #has(at: number, read: LiveRead): boolean {
    return this.#steps.get(at)?.some((one) => isSame(one, read)) === true;
  }
}

function isSame(one: LiveRead, other: LiveRead): boolean {
  return one.kind === other.kind && one.key === other.key;
}

export function wordsOfRead({ kind, key }: LiveRead): string {
  return key === null ? `LIST ${kind}` : `GET ${formatKey(key)}`;
}
