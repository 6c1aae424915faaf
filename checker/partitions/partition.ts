import { Auditor } from '../audit.ts';
import type { TransitionObserver } from '../engine/engine.ts';
import type { EngineExchange } from '../engine/exchange/exchange.ts';
import { TrackedEngine } from '../engine/tracked.ts';
import { LimitHitError } from '../errors.ts';
import { Judge } from '../judge.ts';
import type { CheckOptions, Limits } from '../options.ts';
import { Clock, type SearchProgress } from '../progress.ts';
import { type PreparedQuestion, prepareQuestion } from '../question.ts';
import type { LimitKind } from '../result.ts';
import { type SavedSearch, type SearchedEngine, search } from '../search.ts';
import { BlockError } from './errors.ts';
import { type Blocks, type FoundRows, rowsIn, rowsKept } from './found-rows.ts';
import { Keys, packKeys } from './keys.ts';
import { eachRow, numbered, RowCursor } from './merge.ts';
import { Outbox, type OwnBlock, type SendBlock } from './outbox.ts';
import { Owners } from './owners.ts';
import { Spelling } from './spelling.ts';
import type { ExpandTally, FoundAt, PathPart } from './tallies.ts';

/** States expanded between two times that blocks are sent. */
const STATES_PER_SENDING = 1024;
const NOWHERE = -1;
const BYTES_PER_ORIGIN = 5;

/** A partition reports to nobody: it answers when it is done. */
const NO_PROGRESS: SearchProgress = {
  ...{ phase: 'search', layer: 0, frontier: 0, previousFrontier: 0, states: 0, transitions: 0 },
};

/** What is searched. All partitions must have the same. */
export type PartitionOptions<State> = Pick<CheckOptions<State>, 'model' | 'properties' | 'within'>;

/** Which part of the states this is. */
export interface PartitionPlace {
  readonly index: number;
  readonly count: number;
}

/** How a partition is to expand its states of a layer. */
export interface Expansion {
  /** The number of the first state of the layer in the whole search. */
  readonly first: number;
  /** The keys of the other partitions, and how many each has. */
  readonly others: readonly { readonly blocks: Blocks; readonly count: number }[];
  /** Receives the blocks, in order. */
  readonly send: SendBlock;
  /** Awaited every now and then, so that not too many blocks wait. */
  readonly sent: () => Promise<void>;
  /** After which it ends with a limit; null: none. */
  readonly seconds: number | null;
}

/** By state: the partition and the state from which it was found. */
class Origins {
  private partitions = new Uint8Array(1024);
  private locals = new Int32Array(1024);

  set(state: number, partition: number, local: number): void {
    if (state >= this.locals.length) {
      const partitions = new Uint8Array(2 * state);
      partitions.set(this.partitions);
      const locals = new Int32Array(2 * state);
      locals.set(this.locals);
      this.partitions = partitions;
      this.locals = locals;
    }
    this.partitions[state] = partition;
    this.locals[state] = local;
  }

  of(state: number): readonly [partition: number, local: number] {
    return [this.partitions[state]!, this.locals[state]!];
  }
}

/**
 * The states that one partition of a search owns, and how it goes on, layer by layer:
 *
 * - `fold` takes in what all partitions have found in the layer before, in the order of keys. What is new is
 *   its part of the layer, and its keys go to all.
 * - `expand` numbers these states, judges and expands them, and sends what they lead to.
 *
 * It is a fold of the blocks that were sent to it: a partition that is made anew and given the same blocks
 * is the same. All partitions know the initial states; each expands those that it owns.
 */
export class Partition<State> {
  private readonly place: PartitionPlace;
  private readonly prepared: PreparedQuestion<State>;
  private readonly engine: TrackedEngine<State>;
  private readonly exchange: EngineExchange<State>;
  private readonly spelling: Spelling;
  private readonly owners: Owners;
  private readonly origins = new Origins();
  private readonly clock: Clock;
  /** As `performance.now` gives it. */
  private deadline = Number.POSITIVE_INFINITY;
  /** Its states of the last layer, and their keys. */
  private layer = 0;
  private first = 0;
  private keys = new Keys();
  /** The last layer that this engine has expanded as a whole. */
  private expandedLayer = NOWHERE;
  /** What it has found there for itself. */
  private kept: readonly OwnBlock[] = [];
  /** Blocks taken in so far, by source. */
  private readonly blocks: number[];

  /** Throws `CheckerError`, `DefectError` and `LimitHitError`. */
  constructor(options: PartitionOptions<State>, place: PartitionPlace, limits: Limits) {
    this.place = place;
    const { megabytes } = limits;
    const clock = new Clock({
      limits: megabytes === undefined ? {} : { megabytes },
      interrupted: () => performance.now() > this.deadline,
    });
    this.clock = clock;
    this.prepared = prepareQuestion({ ...options, reductions: [] }, clock);
    this.engine = new TrackedEngine(this.prepared.question);
    this.exchange = this.engine.exchange();
    this.spelling = new Spelling(this.exchange.slots);
    this.owners = new Owners(this.spelling, place.count);
    this.blocks = Array.from({ length: place.count }, () => 0);
  }

  /** The layer of which it has its states. */
  get knownLayer(): number {
    return this.layer;
  }

  /**
   * Takes in the next layer. After an error, the partition is of no more use.
   *
   * @param sent by partition: what it has sent to this one in the layer before.
   */
  async fold(sent: readonly Blocks[]): Promise<void> {
    const { engine, exchange, clock, place } = this;
    const keys = new Keys();
    const first = engine.stateCount;
    // Answers are taken over from a predecessor only if this engine has evaluated there what it evaluates.
    const isJudged = this.expandedLayer === this.layer;
    const cursors = sent.map((blocks, source) => {
      const isKept = source === place.index && isJudged;
      return new RowCursor(
        isKept ? rowsKept(this.kept, exchange) : rowsIn(blocks, this.spelling, exchange),
      );
    });
    const enter = (source: number, block: FoundRows, row: number): void => {
      const state = engine.stateCount;
      const local = block.sources[row]!;
      if (source === place.index && local >= first) throw new BlockError('names a later state');
      const parent = source === place.index && isJudged ? local : NOWHERE;
      if (!block.enter(row, parent)) return;
      this.origins.set(state, source, local);
      keys.add(block.numbers[row]!, block.instances[row]!);
    };
    clock.arm();
    try {
      await eachRow(cursors, enter, async () => {
        const hit = clock.pauseIsDue ? await clock.pause(() => NO_PROGRESS) : null;
        if (hit !== null) throw new LimitHitError(hit);
      });
    } finally {
      clock.disarm();
    }
    cursors.forEach(({ blocks }, source) => {
      this.blocks[source] = this.blocks[source]! + blocks;
    });
    this.kept = [];
    this.layer++;
    this.first = first;
    this.keys = keys;
  }

  /** Throws `BlockError` unless so many blocks were taken in, by source. */
  demandBlocks(expected: readonly number[]): void {
    const { blocks } = this;
    if (expected.join() === blocks.join()) return;
    throw new BlockError(`is missing: of ${expected.join(', ')} there are ${blocks.join(', ')}`);
  }

  /** How many states of the last layer it has. */
  get size(): number {
    return this.keys.count;
  }

  /** The keys of its states of the layer, for all other partitions. */
  packedKeys(): Iterable<Uint8Array> {
    return packKeys(this.keys);
  }

  /** Judges and expands its states of the layer. It can be repeated. */
  async expand({ first, others, send, sent, seconds }: Expansion): Promise<ExpandTally> {
    const { engine, prepared, place, exchange } = this;
    const isFirst = this.layer === 0;
    const numbers = isFirst ? null : await numbered(first, this.keys, others);
    const numberOf = (state: number): number =>
      numbers === null ? state : numbers[state - this.first]!;
    const judge = new Judge(engine, prepared.compiled, null);
    const outbox = new Outbox(this.spelling, this.owners, place, send);
    const transitionsBefore = engine.transitions.slice();
    const runsBefore = engine.reducerRuns.slice();
    let end = 0;
    const expand = (observer: TransitionObserver): number =>
      exchange.expand(observer, (instance, words, start) => {
        const { loaded } = engine;
        outbox.add(loaded, numberOf(loaded), instance, { words, start, layout: exchange.layout });
      });
    const searched: SearchedEngine<State> = rangeOf(engine, expand, () => end);
    this.deadline =
      seconds === null ? Number.POSITIVE_INFINITY : performance.now() + 1000 * seconds;
    let limit: LimitKind | null = null;
    let outside = 0;
    for (const [from, to] of this.ranges()) {
      end = to;
      const found = await search({
        ...{ engine: searched, judge, clock: this.clock, within: prepared.within, limits: {} },
        auditor: new Auditor(engine, prepared.question, 0),
        stopWhenDecided: false,
        saved: startingAt(from, to, this.layer),
      });
      outside += found.outside;
      limit = found.limit === 'interrupted' ? 'time' : found.limit;
      if (limit !== null) break;
      await sent();
    }
    if (limit === null) {
      outbox.end();
      await sent();
      this.expandedLayer = this.layer;
      this.kept = outbox.kept;
    }
    return {
      judged: judge.judgedStates,
      terminal: judge.terminalStates,
      outside,
      transitions: since(transitionsBefore, engine.transitions),
      triggered: [...judge.triggered],
      findings: this.findingsOf(judge, numberOf),
      reached: this.reachedIn(judge),
      reducerRuns: since(runsBefore, engine.reducerRuns),
      bytes: engine.bytes + BYTES_PER_ORIGIN * engine.stateCount,
      rows: outbox.rows,
      sent: outbox.sent,
      limit,
    };
  }

  /** The states from which this one was found, back to one that was found from another partition. */
  path(local: number): PathPart<State> {
    const { engine, origins, place } = this;
    const states: State[] = [];
    for (let state = local; ; ) {
      if (state < 0 || state >= engine.stateCount) throw new BlockError('names an unknown state');
      states.push(engine.decode(state));
      if (state < engine.initialCount) return { states, from: null };
      const [partition, source] = origins.of(state);
      if (partition !== place.index) return { states, from: [partition, source] };
      state = source;
    }
  }

  /** Consecutive states of its layer, in order. */
  private *ranges(): Iterable<readonly [from: number, to: number]> {
    const { engine, layer, owners, exchange, place } = this;
    if (layer > 0) {
      for (let from = this.first; from < engine.stateCount; from += STATES_PER_SENDING) {
        yield [from, Math.min(from + STATES_PER_SENDING, engine.stateCount)];
      }
      return;
    }
    for (let state = 0; state < engine.initialCount; state++) {
      const hash = owners.hash(...exchange.rowOf(state), exchange.layout);
      if (owners.of(hash) === place.index) yield [state, state + 1];
    }
  }

  private findingsOf(
    judge: Judge<State>,
    numberOf: (state: number) => number,
  ): readonly (FoundAt | null)[] {
    const { properties } = this.prepared.compiled;
    return judge.findings.map((finding, property) => {
      if (finding === null) return null;
      const { judgement, state, step } = finding;
      return {
        judgement: properties[property]!.judgements.indexOf(judgement),
        number: numberOf(state),
        local: state,
        instance: step?.instance ?? null,
      };
    });
  }

  private reachedIn(judge: Judge<State>): readonly (readonly number[])[] {
    return this.prepared.compiled.properties.map(({ property, judgements }, index) =>
      property.kind !== 'witness'
        ? []
        : judgements.flatMap((judgement, place) =>
            judge.unreached[index]!.has(judgement) ? [] : [place],
          ),
    );
  }
}

/** A part of the states of an engine, for one search: it stores none. */
function rangeOf<State>(
  engine: TrackedEngine<State>,
  expand: (observer: TransitionObserver) => number,
  end: () => number,
): SearchedEngine<State> {
  const { actionCount, initialCount, selectors } = engine;
  return {
    ...{ actionCount, initialCount, selectors, expand, reducedBy: null },
    get stateCount() {
      return end();
    },
    // States of other parts are expanded elsewhere, so each successor is looked up.
    expandInOrder: () => {},
    load: (state) => engine.load(state),
    test: (predicate) => engine.test(predicate),
    successors: (state, into) => engine.successors(state, into),
  };
}

/** A search of the states from `from` on. It is not saved. */
function startingAt(from: number, to: number, layer: number): SavedSearch {
  return {
    start: {
      ...{ state: from, layer, layerStart: from, layerEnd: to },
      ...{ previousFrontier: 0, transitions: 0, outside: 0 },
    },
    mark: () => undefined,
    isDue: false,
    save: () => undefined,
  };
}

function since(before: Float64Array, now: Float64Array): readonly number[] {
  return Array.from(now, (count, index) => count - before[index]!);
}
