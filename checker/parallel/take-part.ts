import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { questionDigest } from '../checkpoint/question-digest.ts';
import type { EngineReplica } from '../engine/replica.ts';
import { TrackedEngine } from '../engine/tracked.ts';
import { CheckerError, UnlearntError } from '../errors.ts';
import { UNGUARDED } from '../guard.ts';
import { type Decisions, Judge } from '../judge.ts';
import { NO_PREDICATE } from '../judgements.ts';
import type { CheckOptions } from '../options.ts';
import type { Property } from '../property.ts';
import { type PreparedQuestion, prepareQuestion } from '../question.ts';
import { CHUNK_STATES, HelperBoard } from './board.ts';
import type { HelperFailure, HelperTask, OwnerMessage } from './messages.ts';
import { RecordWriter } from './records.ts';

/** What is searched: the same as the options of the check say. */
export type Searched<State> = Pick<CheckOptions<State>, 'model' | 'properties' | 'within'>;

/** The data of `ThreadOptions`, in a thread of a search. */
export function threadData(): unknown {
  return (workerData as HelperTask).data;
}

/**
 * Call this in the module of `ThreadOptions`, which runs in a thread of a search, with the model and
 * the properties of the check. The thread expands states until the search ends.
 */
export function takePart<State>(searched: Searched<State>): void {
  try {
    new Helper(workerData as HelperTask, searched).run();
  } catch (error) {
    const failure: HelperFailure = {
      isMisfit: error instanceof CheckerError,
      message: error instanceof Error ? error.message : String(error),
    };
    parentPort!.postMessage(failure);
  }
}

class Helper<State> {
  private readonly board: HelperBoard;
  private readonly prepared: PreparedQuestion<State>;
  private readonly engine: TrackedEngine<State>;
  private readonly replica: EngineReplica<State>;
  private judge: Judge<State>;
  /** Those of the owner; null: nothing is decided. */
  private decisions: Decisions | null = null;
  private version = 0;
  /** By property: `judge.triggered` after the state before. */
  private readonly triggeredBefore: Float64Array;
  private readonly triggered: number[] = [];

  constructor(
    { board, helpers, properties, symmetry, question }: HelperTask,
    searched: Searched<State>,
  ) {
    this.board = new HelperBoard(board, 4 + 4 * helpers);
    const options: CheckOptions<State> = {
      model: searched.model,
      properties: named(searched.properties, properties),
      ...(searched.within === undefined ? {} : { within: searched.within }),
      ...(symmetry === undefined ? {} : { symmetry }),
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

  run(): void {
    const { board } = this;
    while (!board.isStopped) {
      const signals = board.signals;
      const { states } = board;
      this.update(board.version);
      const claim = board.claim(states);
      if (claim === null) {
        board.wait(signals);
        continue;
      }
      this.replica.known = states;
      const { chunk, buffer } = claim;
      this.prepare(chunk, new RecordWriter(buffer, chunk, this.replica.generation));
      board.handOver(chunk);
    }
  }

  /** Takes in what the owner has learnt up to this version. */
  private update(version: number): void {
    while (this.version < version) {
      const received = receiveMessageOnPort(parentPort!);
      if (received === undefined) throw new Error('a message of the search is missing');
      const { engine, decisions } = received.message as OwnerMessage;
      if (engine !== null) this.replica.follow(engine);
      if (decisions !== null) {
        this.decisions = decisions;
        this.judge.restore(decisions);
      }
      this.version++;
    }
  }

  /** Stops at a state in which something is found: what is judged after it depends on that. */
  private prepare(chunk: number, writer: RecordWriter): void {
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
        fired = engine.foresee(judge);
        if (fired === 0) judge.terminal(state);
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
    triggered.length = 0;
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
