import type { Model } from '../../model.ts';
import type { Layout } from '../../values/layout.ts';
import type { SlotTable } from '../../values/slots.ts';
import type { TransitionObserver } from '../engine.ts';
import { initialPlainState } from '../plain.ts';
import type { EngineParts } from '../sharing.ts';
import { Incoming, type IncomingRows } from './incoming.ts';

/** The target of a transition that this engine does not store. */
const ELSEWHERE = -1;

/**
 * Takes in states that engines in other processes have found, and hands out the states that this one
 * finds. Each engine numbers slots and values as it meets them, so the caller spells out what packed rows
 * mean as names and values.
 */
export class EngineExchange<State> {
  private readonly parts: EngineParts<State>;

  constructor(parts: EngineParts<State>) {
    this.parts = parts;
  }

  get slots(): SlotTable {
    return this.parts.learner.slots;
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

  /** Stores a row of the present layout, unless it is known. Returns whether it is new. Throws `LimitHitError`. */
  enter(words: Int32Array, start: number, parent: number): boolean {
    const { store } = this.parts.encoding;
    const { next, width } = store;
    for (let word = 0; word < width; word++) next[word] = words[start + word]!;
    return this.parts.encoding.enterNext(parent);
  }

  /** Stores a state that is given as a whole, unless it is known, and returns its number. */
  store(model: Model<State>, state: State, parent: number): number {
    const { slots } = this;
    const given = initialPlainState(model, state).state as Readonly<Record<string, object>>;
    const locals = new Map<number, number>();
    for (const section of slots.sections) {
      const part = given[section.key]!;
      const entries = section.kind === 'value' ? [['', part] as const] : Object.entries(part);
      for (const [key, value] of entries) {
        const slot = slots.slotOrAbsent(section, key);
        locals.set(slot.number, slots.intern(slot, value));
      }
    }
    for (const slot of slots.slots) {
      if (!locals.has(slot.number)) locals.set(slot.number, slots.absentLocal(slot));
    }
    this.adapt();
    const { store, layout } = this.parts.encoding;
    store.next.fill(0, 0, store.width);
    for (const [slot, local] of locals) layout.write(store.next, slot, local);
    store.hash(0);
    store.insertAll(1, parent);
    return store.found[0]!;
  }

  /**
   * Expands the loaded state, and stores nothing. Hands out the successors that are not stored, in the order
   * of their instances, as packed rows in an array that is used again. Returns the number of transitions.
   */
  expand(
    observer: TransitionObserver,
    handOut: (instance: number, words: Int32Array, start: number) => void,
  ): number {
    const { firing, encoding, sieve, step, transitions } = this.parts;
    const { store } = encoding;
    sieve.enter();
    const count = firing.fire();
    store.findAll(count);
    const { fired, effects } = firing;
    // First, as judging may replace the rows.
    for (let index = 0; index < count; index++) {
      if (store.found[index]! < 0) handOut(fired[index]!, store.next, index * store.width);
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

  /** Where the packed row of a stored state is. The last two answers are true until a state is stored. */
  rowOf(state: number): readonly [words: Int32Array, start: number] {
    const { store } = this.parts.encoding;
    return [store.rows, store.place(state)];
  }
}
