import { Auditor } from '../audit.ts';
import type { EngineExchange } from '../engine/exchange/exchange.ts';
import { TrackedEngine } from '../engine/tracked.ts';
import { LimitHitError } from '../errors.ts';
import { Judge } from '../judge.ts';
import type { Limits } from '../options.ts';
import { Clock, type SearchProgress } from '../progress.ts';
import type { PreparedQuestion } from '../question.ts';
import type { LimitKind } from '../result.ts';
import { type SearchPosition, search } from '../search.ts';
import { BlockError } from './errors.ts';
import { type Blocks, type FoundRows, rowsIn } from './found-rows.ts';
import { Keys, packKeys } from './keys.ts';
import { inKeyOrder, LayerStates, ReplayedLayer } from './layer.ts';
import { LayerSearch, Route } from './layer-search.ts';
import { eachKey, KeyCursor, keysIn, type Numbered } from './merge.ts';
import { Outbox, type SendBlock } from './outbox.ts';
import { type OwnerRule, Owners } from './owners/owners.ts';
import { type PartitionOptions, prepareForPartitions } from './question.ts';
import { Spelling } from './spelling.ts';
import type { ExpandTally, FoundAt } from './tallies.ts';

/** States expanded between two times that blocks are sent. */
const STATES_PER_SENDING = 1024;
const NOWHERE = -1;

/** A partition reports to nobody: it answers when it is done. */
const NO_PROGRESS: SearchProgress = {
  ...{ phase: 'search', layer: 0, frontier: 0, previousFrontier: 0, states: 0, transitions: 0 },
};

/** Which part of the states this is. */
export interface PartitionPlace {
  readonly index: number;
  readonly count: number;
}

/** How a partition is to expand its states of a layer. */
export interface Expansion {
  /** By partition: how many states of the layer it has. Empty for a layer that all know. */
  readonly sizes: readonly number[];
  /** Receives the blocks, in order. */
  readonly send: SendBlock;
  /** Awaited every now and then, so that not too many blocks wait. */
  readonly sent: () => Promise<void>;
  /** After which it ends with a limit; null: none. */
  readonly seconds: number | null;
}

/** What was sent, by partition; of this partition itself there is nothing. */
export type Sent = readonly Blocks[];

/**
 * The states that one partition of a search owns, and how it goes on, layer by layer:
 *
 * - `expand` numbers, judges and expands its states of a layer. Of what these lead to, it stores
 *   what it owns, and sends the rest to the owners.
 * - `fold` takes in what the other partitions have sent to it. What is new since the last layer is
 *   its part of the next one. Its keys go to all.
 *
 * A partition that is made anew goes through the same layers by `replay`: the keys say which steps
 * have led to its states, and what others have sent has the rest.
 *
 * All partitions know the states of the first layers, which each of them searches as a whole by
 * `searchFirst`. Of the last of these layers, each keeps what it owns: `divide`.
 */
export class Partition<State> {
  private readonly place: PartitionPlace;
  private readonly prepared: PreparedQuestion<State>;
  private readonly engine: TrackedEngine<State>;
  private readonly exchange: EngineExchange<State>;
  private readonly spelling: Spelling;
  /** Null: it has all states. */
  private owners: Owners<State> | null = null;
  /** The last layer whose states all partitions know. */
  private lastCommon = Number.POSITIVE_INFINITY;
  private readonly outbox: Outbox;
  private readonly clock: Clock;
  /** Its states of the last layer, and the number of the first state of that layer. */
  private layer = 0;
  private first = 0;
  private states: LayerStates;
  /** The last layer that this engine has expanded as a whole. */
  private expandedLayer = NOWHERE;
  /** What it has found for itself in the next layer: the states from `firstFound` on. */
  private found = new Keys();
  private firstFound: number;
  /** The number of the first state of the next layer. */
  private next: number;
  /** Blocks taken in so far, by source. */
  private readonly blocks: number[];

  /** Throws `CheckerError`, `DefectError` and `LimitHitError`. */
  constructor(options: PartitionOptions<State>, place: PartitionPlace, limits: Limits) {
    this.place = place;
    const { megabytes } = limits;
    const clock = new Clock({ limits: megabytes === undefined ? {} : { megabytes } });
    this.clock = clock;
    this.prepared = prepareForPartitions(options, clock);
    const engine = new TrackedEngine(this.prepared.question);
    this.engine = engine;
    this.exchange = engine.exchange();
    this.spelling = new Spelling(this.exchange.slots);
    this.outbox = new Outbox(this.spelling, place.count);
    this.blocks = Array.from({ length: place.count }, () => 0);
    this.firstFound = engine.stateCount;
    this.next = engine.initialCount;
    const all = Array.from({ length: engine.initialCount }, (_, state) => state);
    this.states = LayerStates.common(all);
  }

  /** The layer of which it has its states. */
  get knownLayer(): number {
    return this.layer;
  }

  /** Whether it has expanded its states of that layer. */
  get isExpanded(): boolean {
    return this.expandedLayer === this.layer;
  }

  /** How many states of the last layer it has. */
  get size(): number {
    return this.states.count;
  }

  /** Whether it has only the states that it owns. */
  get isDivided(): boolean {
    return this.owners !== null;
  }

  /** Takes in the next layer, after `expand`, while it has all states. */
  foldAll(): void {
    this.begin(LayerStates.ascending(this.firstFound, this.found));
    this.next = this.first + this.size;
  }

  /**
   * From now on, it has the states that it owns: of this layer, which all partitions have as a
   * whole.
   */
  divide(rule: OwnerRule): void {
    const { exchange, states, place } = this;
    const owners = new Owners(exchange, this.spelling, place.count, rule);
    const all = Array.from({ length: states.count }, (_, position) => states.at(position));
    const own = all.filter((state) => owners.of(...exchange.rowOf(state)) === place.index);
    this.owners = owners;
    this.states = LayerStates.common(own);
    this.lastCommon = this.layer;
  }

  /**
   * Takes in the next layer, after `expand`. After an error, the partition is of no more use.
   *
   * @param sent what the others have sent to this one in the layer before.
   */
  async fold(sent: Sent): Promise<void> {
    const { engine, found, firstFound } = this;
    const firstForeign = engine.stateCount;
    const foreign = new Keys();
    const foreignStates: number[] = [];
    const isForeign = new Uint8Array(found.count);
    await this.eachSent(sent, (block, row) => {
      const number = block.numbers[row]!;
      const instance = block.instances[row]!;
      const known = engine.stateCount;
      const state = block.enter(row);
      if (state < firstFound) return;
      const place = state - firstFound;
      if (state < firstForeign) {
        // Found from two partitions: what counts is the least key.
        if (isForeign[place] === 1 || found.isBefore(place, number, instance)) return;
        isForeign[place] = 1;
      } else if (state < known) return;
      foreign.add(number, instance);
      foreignStates.push(state);
    });
    this.begin(inKeyOrder(firstFound, { found, isForeign }, { foreign, foreignStates }));
  }

  /**
   * Takes in the next layer of a partition that was made anew. After an error, it is of no more
   * use.
   *
   * @param own its own keys in that layer.
   * @param sent what the others have sent to this one in the layer before.
   * @param keys those of the others in the layer before.
   */
  async replay(own: Blocks, sent: Sent, keys: Sent): Promise<void> {
    const { engine, exchange, states } = this;
    const { numbers } = await this.numbered(keys);
    const firstState = engine.stateCount;
    const goal = new Keys();
    for await (const block of keysIn(own)) {
      for (let index = 0; index < block.count; index++) {
        goal.add(block.numbers[index]!, block.instances[index]!);
      }
    }
    const layer = new ReplayedLayer(goal, numbers, (position, from, to) =>
      exchange.take(states.at(position), goal.instances, from, to, NOWHERE),
    );
    await this.eachSent(sent, (block, row) => {
      if (!layer.goTo(block.numbers[row]!, block.instances[row]!)) return;
      const known = engine.stateCount;
      if (block.enter(row) < known) throw new BlockError('has a state twice');
    });
    layer.end();
    this.begin(LayerStates.ascending(firstState, goal));
  }

  /** Throws `BlockError` unless so many blocks were taken in, by source. */
  demandBlocks(expected: readonly number[]): void {
    const { blocks } = this;
    if (expected.join() === blocks.join()) return;
    throw new BlockError(`is missing: of ${expected.join(', ')} there are ${blocks.join(', ')}`);
  }

  /**
   * Throws `BlockError` unless there are so many states: in all layers before, and by partition in
   * this one.
   */
  demandStates(first: number, sizes: readonly number[]): void {
    const own = sizes[this.place.index] ?? this.size;
    if (first === this.first && own === this.size) return;
    throw new BlockError(
      `of keys is missing: of ${first} and ${own} there are ${this.first} and ${this.size}`,
    );
  }

  /** The keys of its states of the layer, for all other partitions. */
  packedKeys(): Iterable<Uint8Array> {
    return packKeys(this.states.keys);
  }

  /**
   * Judges and expands its states of the layer. It can be repeated.
   *
   * @param keys those of the other partitions in this layer.
   */
  async expand(keys: Sent, { sizes, send, sent, seconds }: Expansion): Promise<ExpandTally> {
    const { engine, prepared, states, outbox, place } = this;
    const { numbers, others } = await this.numbered(keys);
    const expected = sizes.filter((_, index) => index !== place.index).join();
    if (expected !== others.join()) {
      throw new BlockError(`of keys is missing: of ${expected} there are ${others.join()}`);
    }
    const judge = new Judge(engine, prepared.compiled, prepared.reductions.orbits);
    outbox.begin(send);
    const transitionsBefore = engine.transitions.slice();
    const runsBefore = engine.reducerRuns.slice();
    const owners = place.count === 1 ? null : this.owners;
    const route = new Route(this.exchange, owners, outbox, place.index, this.found);
    const searched = new LayerSearch(this.exchange, engine, states, numbers, route);
    this.clock.setTime(seconds);
    let limit: LimitKind | null = null;
    let outside = 0;
    for (let from = 0; from < states.count && limit === null; from = searched.stateCount) {
      searched.stateCount = Math.min(from + STATES_PER_SENDING, states.count);
      const found = await search({
        ...{ engine: searched, judge, clock: this.clock, within: prepared.within, limits: {} },
        auditor: new Auditor(engine, prepared.question, 0),
        stopWhenDecided: false,
        start: startingAt(from, searched.stateCount, this.layer),
      });
      outside += found.outside;
      limit = found.limit;
      if (limit === null) await sent();
    }
    if (limit === null) {
      outbox.end();
      await sent();
      this.expandedLayer = this.layer;
    }
    return {
      judged: judge.judgedStates,
      terminal: judge.terminalStates,
      outside,
      transitions: since(transitionsBefore, engine.transitions),
      triggered: [...judge.triggered],
      findings: this.findingsOf(judge, numbers),
      reached: this.reachedIn(judge),
      reducerRuns: since(runsBefore, engine.reducerRuns),
      bytes: engine.bytes,
      rows: outbox.rows,
      sent: outbox.sent,
      limit,
    };
  }

  /** The numbers of its states of the layer, and how many each other partition has there. */
  private async numbered(keys: Sent): Promise<Numbered> {
    const { states, first } = this;
    if (this.layer <= this.lastCommon) return states.numbered(first, []);
    const found = await states.numbered(first, keys);
    this.next = found.others.reduce((sum, count) => sum + count, first + states.count);
    return found;
  }

  private begin(states: LayerStates): void {
    this.layer++;
    this.first = this.next;
    this.states = states;
    this.found = new Keys();
    this.firstFound = this.engine.stateCount;
  }

  /** Calls back for each row that the others have sent, in the order of keys. */
  private async eachSent(
    sent: Sent,
    visit: (block: FoundRows, row: number) => void,
  ): Promise<void> {
    const { clock, blocks } = this;
    const cursors = sent.map((one) => new KeyCursor(rowsIn(one, this.spelling, this.exchange)));
    clock.arm();
    try {
      await eachKey(cursors, visit, async () => {
        const hit = clock.pauseIsDue ? await clock.pause(() => NO_PROGRESS) : null;
        if (hit !== null) throw new LimitHitError(hit);
      });
    } finally {
      clock.disarm();
    }
    const others = blocks.flatMap((_, source) => (source === this.place.index ? [] : [source]));
    others.forEach((source, at) => {
      blocks[source] = blocks[source]! + cursors[at]!.blocks;
    });
  }

  private findingsOf(judge: Judge<State>, numbers: Float64Array): readonly (FoundAt | null)[] {
    const { properties } = this.prepared.compiled;
    return judge.findings.map((finding, property) => {
      if (finding === null) return null;
      const { judgement, state, step } = finding;
      return {
        judgement: properties[property]!.judgements.indexOf(judgement),
        number: numbers[state]!,
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

function startingAt(state: number, end: number, layer: number): SearchPosition {
  return {
    ...{ state, layer, layerStart: state, layerEnd: end },
    ...{ previousFrontier: 0, transitions: 0, outside: 0 },
  };
}

function since(before: Float64Array, now: Float64Array): readonly number[] {
  return Array.from(now, (count, index) => count - before[index]!);
}
