import { type Guard, UNGUARDED } from '../guard.ts';
import { type Layout, type Move, movesBetween } from '../values/layout.ts';
import { planLayout, reviseLayout } from '../values/layout-plan.ts';
import type { Slot, SlotTable } from '../values/slots.ts';
import { Unpacking } from '../values/unpacking.ts';
import { FiledStateStore } from './filed/filed-store.ts';
import type { RowStorage } from './filed/row-storage.ts';
import type { Learner } from './learner.ts';
import type { PlainState } from './plain.ts';
import { StateStore, type StoreMemory } from './state-store.ts';

/** With so few states it is cheap to move to the best layout. */
const CHEAP_TO_ENCODE = 4000;

/**
 * The stored states and the current layout of their rows. After `adapt`, callers must fetch row
 * words, masks and answers again.
 */
export class Encoding<State> {
  readonly store: StateStore;
  private readonly unpacking = new Unpacking();
  /** Of the state after a step: see `ObservedStep`. */
  readonly unpackingAfter = new Unpacking();
  layout: Layout;
  /** How often rows were re-encoded, or other rows were taken. */
  layoutChanges = 0;
  /** The state whose answers are wanted. */
  loaded = 0;
  private isUnpacked = false;
  private readonly learner: Learner<State>;
  private outgrown = false;

  /** Stores the initial states, given as local numbers by slot. */
  constructor(
    learner: Learner<State>,
    initial: readonly (readonly number[])[],
    storage: RowStorage | null,
    sharesStates: boolean,
  ) {
    this.learner = learner;
    this.layout = planLayout(learner.slots.slots.map(({ values }) => values.length));
    const { width } = this.layout;
    const { guard } = learner;
    this.store =
      storage === null
        ? new StateStore(width, guard, sharesStates)
        : new FiledStateStore(width, guard, storage);
    this.store.reserve(1);
    for (const locals of initial) {
      guard.look();
      this.store.next.fill(0);
      locals.forEach((local, slot) => {
        this.layout.write(this.store.next, slot, local);
      });
      this.store.hash(0);
      this.store.insertAll(1, -1);
    }
    learner.effects.compileAll(this.layout);
    learner.dependencies.outdate(this.layout, true);
    learner.stepDependencies.outdate(this.layout, true);
    this.adapt();
  }

  load(state: number): void {
    if (state !== this.loaded) this.learner.leaveState();
    this.loaded = state;
    this.isUnpacked = false;
  }

  /** Of the loaded state by column. Of many states nothing is asked, so it waits until then. */
  get answers(): Int32Array {
    if (!this.isUnpacked) {
      this.unpacking.unpack(this.store.rows, this.store.place(this.loaded));
      this.isUnpacked = true;
    }
    return this.unpacking.answers;
  }

  /**
   * Stores the first row of the store's `next`, unless it is known. Returns whether it is new.
   * Throws `LimitHitError`.
   */
  enterNext(parent: number): boolean {
    const { store } = this;
    const before = store.count;
    store.hash(0);
    store.insertAll(1, parent);
    return store.count > before;
  }

  /** The local number of a slot in the loaded state. */
  readonly local = (slot: number): number => this.localIn(this.loaded, slot);

  localIn(state: number, slot: number): number {
    return this.layout.read(this.store.rows, this.store.place(state), slot);
  }

  /** Call this when slots, values, columns or effects may have been added. */
  adapt(): void {
    const { slots, effects } = this.learner;
    this.layout.cover(slots.slots.length);
    const isOutgrown = ({ values, number }: Slot): boolean =>
      !this.layout.fits(number, values.length - 1);
    // Remembered until all is done: a limit may end this halfway.
    if (slots.takeGrown().some(isOutgrown)) this.outgrown = true;
    if (this.outgrown) this.changeLayout();
    effects.compileNew(this.layout);
    this.compileReads(this.outgrown);
    this.outgrown = false;
    this.load(this.loaded);
  }

  /** Begins anew with rows of another layout, for `append`. Call `relearnt` at the end. */
  clear(layout: Layout): void {
    this.useLayout(layout);
    this.store.clear(layout.width);
  }

  /** Adds rows of this layout; the rows before are re-encoded. */
  append(layout: Layout, rows: Int32Array, parents: Int32Array): void {
    const moves = movesBetween(this.layout, layout);
    if (!isInPlace(moves, this.layout, layout)) this.store.moveRows(layout.width, moves);
    this.useLayout(layout);
    this.store.append(rows, parents);
  }

  /** Call this when all rows were appended and what they hold was learnt again. */
  relearnt(tableBits: number): void {
    const { slots, effects } = this.learner;
    this.store.index(tableBits);
    this.layout.cover(slots.slots.length);
    slots.takeGrown();
    effects.compileAll(this.layout);
    this.compileReads(true);
    this.load(0);
  }

  /**
   * From now on, reads the rows of another engine, in its layout. Then learn what it has learnt.
   */
  follow(layout: Layout, memory: StoreMemory): void {
    this.useLayout(layout);
    this.store.follow(memory, layout.width);
    this.outgrown = true;
  }

  /** Call this when everything was learnt that occurs in the rows of the other engine. */
  caughtUp(): void {
    const { slots, effects } = this.learner;
    slots.takeGrown();
    this.layout.cover(slots.slots.length);
    if (this.outgrown) effects.compileAll(this.layout);
    else effects.compileNew(this.layout);
    this.compileReads(this.outgrown);
    this.outgrown = false;
  }

  /**
   * What is read of rows: by predicates, and into answers.
   *
   * @param isAnew whether the layout is another one, so that nothing compiled before is right.
   */
  private compileReads(isAnew: boolean): void {
    const { columns, columnsAfter, dependencies, stepDependencies } = this.learner;
    dependencies.outdate(this.layout, isAnew);
    stepDependencies.outdate(this.layout, isAnew);
    if (columns.takeChanged() || isAnew) this.unpacking.refresh(columns, this.layout);
    if (columnsAfter.takeChanged() || isAnew) {
      this.unpackingAfter.refresh(columnsAfter, this.layout);
    }
  }

  private changeLayout(): void {
    const { slots, effects } = this.learner;
    const counts = slots.slots.map(({ values }) => values.length);
    const layout =
      this.store.count < CHEAP_TO_ENCODE ? planLayout(counts) : reviseLayout(this.layout, counts);
    this.store.changeLayout(layout.width, movesBetween(this.layout, layout));
    this.useLayout(layout);
    effects.compileAll(layout);
  }

  private useLayout(layout: Layout): void {
    this.layout = layout;
    this.layoutChanges++;
  }
}

/** Whether rows of one layout are rows of the other as they are. */
function isInPlace(moves: readonly Move[], from: Layout, to: Layout): boolean {
  const stays = ({ fromWord, toWord, distance }: Move) => fromWord === toWord && distance === 0;
  return from.width === to.width && moves.every(stays);
}

/** The local numbers of each state by slot. All slots and values that occur get numbers. */
export function internStates<State>(
  table: SlotTable,
  states: readonly PlainState<State>[],
  guard: Guard = UNGUARDED,
): readonly (readonly number[])[] {
  const entries = states.map(({ state }) => {
    guard.look();
    return entriesOf(table, state);
  });
  return entries.map((values) =>
    table.slots.map((slot) => {
      guard.look();
      const value = values.get(slot.number);
      return value === undefined ? table.absentLocal(slot) : table.intern(slot, value);
    }),
  );
}

function entriesOf(table: SlotTable, state: unknown): ReadonlyMap<number, unknown> {
  const values = new Map<number, unknown>();
  for (const section of table.sections) {
    const part = (state as Readonly<Record<string, unknown>>)[section.key];
    const entries =
      section.kind === 'value' ? [['', part] as const] : Object.entries(part as object);
    for (const [key, value] of entries) values.set(table.slot(section, key).number, value);
  }
  return values;
}
