import type { Model } from '../../model.ts';
import type { Layout } from '../../values/layout.ts';
import type { SlotTable } from '../../values/slots.ts';
import type { TransitionObserver } from '../engine.ts';
import { initialPlainState } from '../plain.ts';
import type { EngineParts } from '../sharing.ts';
import { RecentRows } from './recent-rows.ts';

/** The target of a transition that this engine does not store. */
const ELSEWHERE = -1;

/** States that come from another engine, in the numbers of this one. */
export interface IncomingRows {
  /** Packed rows, and their layout: by place in `slots`, a place in `locals`. */
  readonly words: Int32Array;
  readonly layout: Layout;
  /** Slots of this engine. All others are absent. */
  readonly slots: readonly number[];
  /** By place in `slots`: local numbers. */
  readonly locals: readonly (readonly number[])[];
}

/** What is the same in all incoming rows, as a row of this layout; and the places of what differs. */
interface PreparedRows {
  readonly layout: Layout;
  readonly common: Int32Array;
  readonly varying: readonly number[];
}

/**
 * Takes in states that engines in other processes have found, and hands out the states that this one
 * finds. Each engine numbers slots and values as it meets them, so states go out by local numbers, which
 * the caller spells out as names and values.
 */
export class EngineExchange<State> {
  private readonly parts: EngineParts<State>;
  private outgoing = new Int32Array(0);
  private readonly prepared = new WeakMap<IncomingRows, PreparedRows>();
  private readonly sent: RecentRows;

  constructor(parts: EngineParts<State>) {
    this.parts = parts;
    this.sent = new RecentRows(parts.encoding.store);
  }

  get slots(): SlotTable {
    return this.parts.learner.slots;
  }

  /** Call this after slots or values were added. Throws `LimitHitError`. */
  adapt(): void {
    this.parts.encoding.adapt();
  }

  /**
   * Stores the row at this index, unless it is known. Returns whether it is new. All slots and values must
   * be known, and all slots must have "absent" among their values. Throws `LimitHitError`.
   */
  enter(rows: IncomingRows, index: number, parent: number): boolean {
    const { store, layout } = this.parts.encoding;
    let prepared = this.prepared.get(rows);
    if (prepared === undefined || prepared.layout !== layout) {
      prepared = this.prepare(rows);
      this.prepared.set(rows, prepared);
    }
    const { common, varying } = prepared;
    const { next, width } = store;
    for (let word = 0; word < width; word++) next[word] = common[word]!;
    const start = index * rows.layout.width;
    for (let at = 0; at < varying.length; at++) {
      const place = varying[at]!;
      const local = rows.locals[place]![rows.layout.read(rows.words, start, place)]!;
      layout.writeAt(next, 0, rows.slots[place]!, local);
    }
    store.hash(0);
    const before = store.count;
    store.insertAll(1, parent);
    return store.count > before;
  }

  private prepare(rows: IncomingRows): PreparedRows {
    const { layout, store } = this.parts.encoding;
    const common = new Int32Array(store.width);
    const known = new Set(rows.slots);
    for (const slot of this.slots.slots) {
      if (known.has(slot.number)) continue;
      layout.write(common, slot.number, this.slots.absentLocal(slot));
    }
    const varying = rows.slots.flatMap((slot, place) => {
      const [only = 0, another] = rows.locals[place]!;
      if (another !== undefined) return [place];
      layout.write(common, slot, only);
      return [];
    });
    return { layout, common, varying };
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
   * of their instances, as local numbers by slot in an array that is used again. Returns the number of
   * transitions.
   *
   * @param handOut returns a number for where it has put the row.
   * @param isThere whether a row is still where it was put. Equal rows are then not handed out.
   */
  expand(
    observer: TransitionObserver,
    handOut: (instance: number, row: Int32Array) => number,
    isThere: (place: number) => boolean,
  ): number {
    const { firing, encoding, sieve, step, transitions } = this.parts;
    const { store } = encoding;
    sieve.enter();
    const count = firing.fire();
    store.findAll(count);
    const { fired, effects } = firing;
    // First, as judging may replace the rows.
    for (let index = 0; index < count; index++) {
      if (store.found[index]! >= 0) continue;
      const place = this.sent.placeOf(index);
      if (place >= 0 && isThere(place)) continue;
      const row = this.localsOf(store.next, index * store.width);
      this.sent.set(index, handOut(fired[index]!, row));
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

  /** Call this before rows are put elsewhere than before. */
  forgetSent(): void {
    this.sent.forget();
  }

  /** Local numbers by slot of a stored state, in an array that is used again. */
  localsIn(state: number): Int32Array {
    const { store } = this.parts.encoding;
    return this.localsOf(store.rows, store.place(state));
  }

  private localsOf(rows: Int32Array, start: number): Int32Array {
    const { layout } = this.parts.encoding;
    const count = this.slots.slots.length;
    if (this.outgoing.length !== count) this.outgoing = new Int32Array(count);
    const { outgoing } = this;
    for (let slot = 0; slot < count; slot++) outgoing[slot] = layout.read(rows, start, slot);
    return outgoing;
  }
}
