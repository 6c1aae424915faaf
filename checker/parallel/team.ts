import { questionDigest } from '../checkpoint/question-digest.ts';
import type { Engine } from '../engine/engine.ts';
import type { EngineSharing } from '../engine/sharing/sharing.ts';
import { TrackedEngine } from '../engine/tracked.ts';
import { CheckerError } from '../errors.ts';
import type { Judge } from '../judge.ts';
import type { CheckOptions, ThreadOptions } from '../options.ts';
import type { PreparedQuestion } from '../question.ts';
import type { AheadOfSearch } from '../search.ts';
import { CHUNK_STATES, OwnerBoard } from './board.ts';
import type { HelperTask, OwnerMessage } from './messages.ts';
import { RecordReader } from './records.ts';
import { type HelperThread, type StartHelpers, startThreads } from './threads.ts';

/** Before that, much is to be learnt, so most of what helpers prepare is in vain. */
const FROM_STATES = 2_000;
/** They start before: to load the model takes them as long as the search takes until then. */
const START_STATES = 200;
/** How long to wait for a chunk in work, as a multiple of the time that an own one takes. */
const PATIENCE = 1;
/**
 * What was learnt is sent once in so many chunks. States stored after that are published with it.
 */
const CHUNKS_PER_MESSAGE = 8;

/** Null: the search has one thread. Throws `CheckerError` for what threads do not go with. */
export function teamOf<State>(
  options: CheckOptions<State>,
  prepared: PreparedQuestion<State>,
  engine: Engine<State>,
  judge: Judge<State>,
): Team<State> | null {
  const { threads, checkpoint, storage } = options;
  if (threads === undefined) return null;
  validateThreads(threads);
  if (threads.count === 1) return null;
  const refuse = (what: string): never => {
    throw new CheckerError('badOption', `threads do not go with ${what}; drop one`);
  };
  if (!(engine instanceof TrackedEngine)) return refuse(`the ${engine.kind} engine`);
  if (engine.selectors.length > 0) return refuse('a reduction that leaves out steps');
  if (checkpoint !== undefined) return refuse('checkpoints');
  if (storage !== undefined) return refuse('rows in a storage');
  return new Team(options, prepared, engine, judge, threads, (task, fail) =>
    startThreads(threads, task, fail),
  );
}

function validateThreads({ count, module, fromStates = 0 }: ThreadOptions): void {
  const demand = (isFine: boolean, name: string, value: unknown, expected: string): void => {
    if (isFine) return;
    const what = `option threads: ${name} is ${String(value)}; it must be ${expected}`;
    throw new CheckerError('badOption', what);
  };
  const isWhole = (value: number, least: number) => Number.isSafeInteger(value) && value >= least;
  demand(isWhole(count, 1), 'count', count, 'a whole number >= 1');
  demand(module instanceof URL, 'module', module, 'the URL of a module');
  demand(isWhole(fromStates, 0), 'fromStates', fromStates, 'a whole number >= 0');
}

/**
 * The threads of a search. This thread is the owner of the search: it goes through all states in
 * order, as a search alone does, and only its engine learns, stores and decides. Helpers expand
 * states ahead of it, as far as they can without learning or deciding anything; of these states,
 * the owner takes over what they have found. So the result is that of one thread.
 */
export class Team<State> implements AheadOfSearch {
  private readonly board = new OwnerBoard();
  private readonly sharing: EngineSharing<State>;
  private readonly engine: TrackedEngine<State>;
  private readonly judge: Judge<State>;
  private readonly threads: ThreadOptions;
  private readonly task: HelperTask;
  private readonly reader = new RecordReader();
  private helpers: readonly HelperThread[] = [];
  private readonly startHelpers: StartHelpers;
  private failure: Error | null = null;
  private version = 0;
  /** The chunk before which the last message was sent. */
  private messageChunk = Number.NEGATIVE_INFINITY;
  private decidedChanges = 0;
  /** The chunk in work. */
  private chunk = -1;
  private isPrepared = false;
  private enteredAt = 0;
  /** Milliseconds that a chunk takes this thread alone, at most; a running mean. */
  private ownMs = 1;

  constructor(
    options: CheckOptions<State>,
    prepared: PreparedQuestion<State>,
    engine: TrackedEngine<State>,
    judge: Judge<State>,
    threads: ThreadOptions,
    startHelpers: StartHelpers,
  ) {
    this.startHelpers = startHelpers;
    this.engine = engine;
    this.judge = judge;
    this.threads = threads;
    this.sharing = engine.share();
    this.task = {
      board: this.board.memory,
      helpers: threads.count - 1,
      properties: options.properties.map(({ name }) => name),
      reductions: options.reductions,
      question: questionDigest(prepared),
      data: threads.data,
    };
  }

  /** Throws `ThreadError` if a helper has ended, `CheckerError` if its module does not fit. */
  has(state: number): boolean {
    const chunk = Math.floor(state / CHUNK_STATES);
    if (chunk !== this.chunk) this.enter(chunk);
    if (!this.isPrepared) return false;
    const { reader, sharing } = this;
    if (reader.generation !== this.generation) {
      this.isPrepared = false;
      return false;
    }
    return !sharing.isBehind && reader.seek(state - chunk * CHUNK_STATES);
  }

  take(state: number): number | null {
    const { reader, judge, sharing } = this;
    reader.read(sharing.sleepWords);
    const { foreseen, buffer } = reader;
    judge.judgedStates++;
    for (let at = reader.triggersFrom; at < reader.triggersTo; at++) {
      judge.triggered[buffer[at]!]!++;
    }
    if (reader.isOutside) return null;
    const taken = sharing.adopt(state, foreseen, buffer);
    if (taken === 0) judge.terminalStates++;
    return taken;
  }

  /** Ends the helpers. */
  async stop(): Promise<void> {
    this.board.stop();
    await Promise.all(this.helpers.map((helper) => helper.end()));
    this.helpers = [];
  }

  private enter(chunk: number): void {
    if (this.failure !== null) throw this.failure;
    const isNext = chunk === this.chunk + 1;
    if (isNext && this.chunk >= 0) this.measure();
    this.chunk = chunk;
    const { stateCount } = this.engine;
    const { fromStates = FROM_STATES } = this.threads;
    if (this.helpers.length === 0 && stateCount >= Math.min(START_STATES, fromStates)) this.start();
    if (stateCount < fromStates) return;
    this.publish(chunk);
    const buffer = this.board.enter(chunk, PATIENCE * this.ownMs);
    this.board.signal(chunk);
    this.isPrepared = buffer !== null && this.open(buffer, chunk);
    this.enteredAt = performance.now();
  }

  /** Another number after anything on which it depends what a helper finds. */
  private get generation(): number {
    return this.sharing.generation + this.judge.changes;
  }

  private open(buffer: Int32Array, chunk: number): boolean {
    const { reader, sharing } = this;
    if (!reader.open(buffer, chunk) || reader.generation !== this.generation) return false;
    const count = reader.listHashes(sharing.targetWords);
    sharing.fetch(reader.hashes, count);
    return true;
  }

  private measure(): void {
    if (this.isPrepared || this.enteredAt === 0) return;
    const ms = performance.now() - this.enteredAt;
    this.ownMs += (ms - this.ownMs) / 16;
  }

  /** Lets helpers read what was stored so far, after everything that was learnt up to there. */
  private publish(chunk: number): void {
    const { board, engine, judge } = this;
    const isDecided = judge.changes !== this.decidedChanges;
    if (this.sharing.hasUpdate || isDecided) {
      if (chunk < this.messageChunk + CHUNKS_PER_MESSAGE || this.sharing.isBehind) return;
      this.messageChunk = chunk;
      this.decidedChanges = judge.changes;
      const update = this.sharing.update();
      const decisions = isDecided ? judge.decisions() : null;
      const message: OwnerMessage = { engine: update, decisions, generation: this.generation };
      for (const helper of this.helpers) helper.send(message);
      this.version++;
    }
    board.publish(engine.stateCount, this.version);
  }

  private start(): void {
    this.helpers = this.startHelpers(this.task, (error) => {
      this.failure ??= error;
    });
  }
}
