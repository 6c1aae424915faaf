import type { TransitionObserver } from '../engine/engine.ts';
import type { EngineExchange, SuccessorRoute } from '../engine/exchange/exchange.ts';
import type { TrackedEngine } from '../engine/tracked.ts';
import type { SearchedEngine } from '../search.ts';
import type { Keys } from './keys.ts';
import type { LayerStates } from './layer.ts';
import type { Outbox } from './outbox.ts';
import type { Owners } from './owners/owners.ts';

/** Where the states go that a layer leads to: what the partition owns stays, the rest is sent. */
export class Route<State> implements SuccessorRoute {
  /** The number, in the whole search, of the state that is expanded. */
  number = 0;
  private readonly exchange: EngineExchange<State>;
  private readonly owners: Owners<State> | null;
  private readonly outbox: Outbox;
  private readonly own: number;
  private readonly found: Keys;

  /**
   * @param owners null: all states stay.
   * @param found receives the keys of what stays and is new.
   */
  constructor(
    exchange: EngineExchange<State>,
    owners: Owners<State> | null,
    outbox: Outbox,
    own: number,
    found: Keys,
  ) {
    this.exchange = exchange;
    this.owners = owners;
    this.outbox = outbox;
    this.own = own;
    this.found = found;
  }

  isStored(instance: number, effect: number, words: Int32Array, start: number): boolean {
    const { owners, own } = this;
    if (owners === null || !owners.mayMove(effect)) return true;
    const target = owners.of(words, start);
    if (target === own) return true;
    this.outbox.add(target, words, start, this.exchange.layout, this.number, instance);
    return false;
  }

  stored(instance: number): void {
    this.found.add(this.number, instance);
  }
}

/** The states of a layer as one search has them: by their positions in the order of keys. */
export class LayerSearch<State> implements SearchedEngine<State> {
  readonly reducedBy = null;
  readonly actionCount: number;
  readonly initialCount = 0;
  readonly selectors = [];
  /** It ends here. */
  stateCount = 0;
  private readonly exchange: EngineExchange<State>;
  private readonly engine: TrackedEngine<State>;
  private readonly states: LayerStates;
  private readonly numbers: Float64Array;
  private readonly route: Route<State>;
  private loaded = 0;

  constructor(
    exchange: EngineExchange<State>,
    engine: TrackedEngine<State>,
    states: LayerStates,
    numbers: Float64Array,
    route: Route<State>,
  ) {
    this.exchange = exchange;
    this.engine = engine;
    this.states = states;
    this.numbers = numbers;
    this.route = route;
    this.actionCount = engine.actionCount;
  }

  /** States of other partitions are expanded elsewhere, so each successor is looked up. */
  expandInOrder(): void {}

  load(position: number): void {
    this.loaded = position;
    this.engine.load(this.states.at(position));
  }

  test(predicate: number): boolean {
    return this.engine.test(predicate);
  }

  expand(observer: TransitionObserver): number {
    this.route.number = this.numbers[this.loaded]!;
    return this.exchange.expand(observer, this.route);
  }

  successors(): number {
    throw new Error('a layer is searched without a limit on the depth');
  }
}
