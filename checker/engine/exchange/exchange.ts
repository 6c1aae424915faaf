import type { Layout } from '../../values/layout.ts';
import type { Slot, SlotTable } from '../../values/slots.ts';
import type { TransitionObserver } from '../engine.ts';
import type { EngineParts } from '../sharing/sharing.ts';
import { Incoming, type IncomingRows } from './incoming.ts';

/** The target of a transition: this engine may not store it. */
const ELSEWHERE = -1;

/** Where successors go. */
export interface SuccessorRoute {
  /**
   * Says whether this engine is to store a successor, which is a packed row in an array that is
   * used again. If not, it is taken elsewhere.
   *
   * @param effect see `writes`.
   */
  isStored(instance: number, effect: number, words: Int32Array, start: number): boolean;
  /** A new state was stored. Called in the order of their numbers. */
  stored(instance: number): void;
}

/**
 * Takes in states that engines in other processes have found, and hands out the states that this
 * one finds. Each engine numbers slots and values as it meets them, so the caller spells out what
 * packed rows mean as names and values.
 */
export class EngineExchange<State> {
  private readonly parts: EngineParts<State>;
  /** Instances that lead to rows which are to be stored. */
  private readonly kept: Int32Array;

  constructor(parts: EngineParts<State>) {
    this.parts = parts;
    this.kept = new Int32Array(parts.transitions.length);
  }

  get slots(): SlotTable {
    return this.parts.learner.slots;
  }

  /** Whether a successor may be renamed after the effect of its step. */
  get isRenamed(): boolean {
    return this.parts.canonicalizer !== null;
  }

  /** The slots that an effect may change. */
  writes(effect: number): readonly Slot[] {
    return this.parts.firing.writes(effect);
  }

  /** Call this after slots or values were added. Throws `LimitHitError`. */
  adapt(): void {
    this.parts.encoding.adapt();
  }

  /** The layout of packed rows. It is another one after an engine has learnt much. */
  get layout(): Layout {
    return this.parts.encoding.layout;
  }

  /** All slots and values of these rows must be known to the engine: see `adapt`. */
  incoming(rows: IncomingRows): Incoming<State> {
    return new Incoming(this.parts, rows);
  }

  /** Expands the loaded state. Returns the number of its transitions. Throws `LimitHitError`. */
  expand(observer: TransitionObserver, route: SuccessorRoute): number {
    const { firing, encoding, sieve, step, transitions } = this.parts;
    const { store, loaded } = encoding;
    const { kept } = this;
    sieve.enter();
    const count = firing.fire();
    const { fired, effects } = firing;
    const { next, width } = store;
    // First, as judging may replace the rows.
    let own = 0;
    for (let index = 0; index < count; index++) {
      if (!route.isStored(fired[index]!, effects[index]!, next, index * width)) continue;
      if (own < index) store.put(own, store.hashOf(index), next, index * width);
      kept[own++] = fired[index]!;
    }
    let state = store.count;
    store.fetch(0, own);
    if (own > 0) store.insertAll(own, loaded);
    for (let index = 0; index < own; index++) {
      if (store.found[index] !== state) continue;
      route.stored(kept[index]!);
      state++;
    }
    for (let index = 0; index < count; index++) {
      const instance = fired[index]!;
      transitions[instance]!++;
      if (observer.watched[instance] !== 1) continue;
      step.observe(instance, effects[index]!);
      observer.transition(instance, ELSEWHERE);
    }
    return count;
  }

  /**
   * Stores the successors of a state by some instances, which ascend: those in the list from one
   * position to before another. False: one of them does not exist, or is no new state. Throws
   * `LimitHitError`.
   */
  take(
    state: number,
    instances: ArrayLike<number>,
    from: number,
    to: number,
    parent: number,
  ): boolean {
    const { firing, encoding } = this.parts;
    const { store } = encoding;
    encoding.load(state);
    const count = firing.fire();
    const { fired } = firing;
    const { next, width } = store;
    let own = 0;
    for (let index = 0; index < count && from + own < to; index++) {
      if (fired[index] !== instances[from + own]) continue;
      if (own < index) store.put(own, store.hashOf(index), next, index * width);
      own++;
    }
    if (own < to - from) return false;
    const before = store.count;
    store.insertAll(own, parent);
    return store.count === before + own;
  }

  /**
   * Where the packed row of a stored state is. The last two answers are true until a state is
   * stored.
   */
  rowOf(state: number): readonly [words: Int32Array, start: number] {
    const { store } = this.parts.encoding;
    return [store.rows, store.place(state)];
  }
}
