import { questionDigest } from '../checkpoint/question-digest.ts';
import type { EngineReplica } from '../engine/sharing/replica.ts';
import { TrackedEngine } from '../engine/tracked.ts';
import { CheckerError, UnlearntError } from '../errors.ts';
import { UNGUARDED } from '../guard.ts';
import { type Decisions, Judge } from '../judge.ts';
import { NO_PREDICATE } from '../judgements.ts';
import type { CheckOptions } from '../options.ts';
import type { Property } from '../property.ts';
import { type PreparedQuestion, prepareQuestion } from '../question.ts';
import { CHUNK_STATES, type Claim, HelperBoard } from './board.ts';
import type { HelperTask, OwnerMessage } from './messages.ts';
import { RecordWriter } from './records.ts';

/** What is searched: the same as the options of the check say. */
export type Searched<State> = Pick<CheckOptions<State>, 'model' | 'properties' | 'within'>;

/**
 * Expands states ahead of a search, in a thread of its own. It has a replica of the engine, and a
 * judge of its own, and reports nothing but states where nothing is to be learnt and nothing is
 * found.
 */
export class Helper<State> {
  private readonly board: HelperBoard;
  private readonly prepared: PreparedQuestion<State>;
  private readonly engine: TrackedEngine<State>;
  private readonly replica: EngineReplica<State>;
  private judge: Judge<State>;
  /** Those of the owner; null: nothing is decided. */
  private decisions: Decisions | null = null;
  private version = 0;
  private generation = 0;
  private claimed: Claim | null = null;
  private readonly receive: () => OwnerMessage;
  /** By property: `judge.triggered` after the state before. */
  private readonly triggeredBefore: Float64Array;
  private readonly triggered: number[] = [];

  /**
   * Throws `CheckerError` if it is not the question of the task.
   *
   * @param receive gives the next message of the owner, which has been sent.
   */
  constructor(task: HelperTask, searched: Searched<State>, receive: () => OwnerMessage) {
    const { board, helpers, properties, reductions, question } = task;
    this.receive = receive;
    this.board = new HelperBoard(board, 16 + 16 * helpers);
    const options: CheckOptions<State> = {
      model: searched.model,
      properties: named(searched.properties, properties),
      ...(searched.within === undefined ? {} : { within: searched.within }),
      ...(reductions === undefined ? {} : { reductions }),
    };
    this.prepared = prepareQuestion(options, UNGUARDED);
    if (questionDigest(this.prepared) !== question) {
      throw new CheckerError(
        'badOption',
        'the module of the option threads makes another question',
      );
    }
    this.engine = new TrackedEngine(this.prepared.question);
    this.replica = this.engine.replicate();
    this.judge = this.newJudge();
    this.triggeredBefore = this.judge.triggered.slice();
  }

  get isStopped(): boolean {
    return this.board.isStopped;
  }

  /** Take this before `claim`, for `wait`. */
  get signals(): number {
    return this.board.signals;
  }

  /** Waits for a signal after these, for a short time. */
  wait(signals: number): void {
    this.board.wait(signals);
  }

  /** Catches up with the owner, and claims a chunk. False: there is none. */
  claim(): boolean {
    const { board } = this;
    const { states } = board;
    this.update(board.version);
    this.claimed = board.claim(states);
    return this.claimed !== null;
  }

  /** Prepares the chunk that was claimed. */
  prepare(): void {
    const { chunk, buffer } = this.claimed!;
    this.prepareChunk(chunk, new RecordWriter(buffer, chunk, this.generation));
    this.board.handOver(chunk);
  }

  /** Takes in what the owner has learnt up to this version. */
  private update(version: number): void {
    while (this.version < version) {
      const { engine, decisions, generation } = this.receive();
      if (engine !== null) this.replica.follow(engine);
      if (decisions !== null) {
        this.decisions = decisions;
        this.judge.restore(decisions);
      }
      this.generation = generation;
      this.version++;
    }
  }

  /** Stops at a state in which something is found: what is judged after it depends on that. */
  private prepareChunk(chunk: number, writer: RecordWriter): void {
    const first = chunk * CHUNK_STATES;
    for (let state = first; state < first + CHUNK_STATES; state++) {
      const { changes } = this.judge;
      const isWritten = this.prepareState(state, writer);
      if (this.judge.changes !== changes) {
        this.judge = this.newJudge();
        this.triggeredBefore.set(this.judge.triggered);
        return;
      }
      if (!isWritten) return;
    }
  }

  private prepareState(state: number, writer: RecordWriter): boolean {
    const { engine, judge, replica } = this;
    const { within } = this.prepared;
    let fired: number | null = null;
    const { changes } = judge;
    try {
      engine.load(state);
      judge.state(state);
      if (within === NO_PREDICATE || engine.test(within)) {
        replica.enter();
        fired = engine.foresee(judge);
        if (fired === 0 && replica.asleep.every((bits) => bits === 0)) judge.terminal(state);
      }
    } catch (error) {
      if (!(error instanceof UnlearntError)) throw error;
      this.triggeredBefore.set(judge.triggered);
      return writer.leave();
    }
    if (judge.changes !== changes) return false;
    this.noteTriggered();
    return writer.write(fired, replica, this.triggered);
  }

  private noteTriggered(): void {
    const { triggered, triggeredBefore } = this;
    const after = this.judge.triggered;
    // To cut an empty list takes a call of the runtime.
    if (triggered.length > 0) triggered.length = 0;
    for (let property = 0; property < after.length; property++) {
      for (; triggeredBefore[property]! < after[property]!; triggeredBefore[property]!++) {
        triggered.push(property);
      }
    }
  }

  private newJudge(): Judge<State> {
    const { compiled, reductions } = this.prepared;
    const judge = new Judge(this.engine, compiled, reductions.orbits);
    if (this.decisions !== null) judge.restore(this.decisions);
    return judge;
  }
}

function named<State>(
  properties: readonly Property<State>[],
  names: readonly string[],
): readonly Property<State>[] {
  return names.map((name) => {
    const property = properties.find((candidate) => candidate.name === name);
    if (property !== undefined) return property;
    throw new CheckerError(
      'badOption',
      `the module of the option threads lacks the property ${name}`,
    );
  });
}
