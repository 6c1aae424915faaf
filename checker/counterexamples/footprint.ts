import { DraftRun, type Outcome } from '../engine/draft-run.ts';
import { internStates } from '../engine/encoding.ts';
import { Recording } from '../engine/recording.ts';
import { viewState } from '../engine/view.ts';
import type { Instance } from '../instances.ts';
import type { Model } from '../model.ts';
import { ColumnTable } from '../values/columns.ts';
import { type Slot, SlotTable } from '../values/slots.ts';

/**
 * A part of the state that a step or predicate can read or write on its own. Elements of queues are
 * identified by the number of elements that were ever before them, so that a shift at the head and
 * a push at the end are independent.
 */
export type Part = string;

/** What a step or predicate has read, and what the step has written. */
export interface Footprint {
  readonly reads: ReadonlySet<Part>;
  readonly writes: ReadonlySet<Part>;
  /** Of `writes`: the parts whose new value does not depend on the old one. */
  readonly replaces: ReadonlySet<Part>;
  /** By queue: elements taken from its head. */
  readonly drops: ReadonlyMap<number, number>;
}

/** By queue: elements taken from its head on the way to a state. */
export type Dropped = ReadonlyMap<number, number>;

/** Computes the footprints of steps and predicates by running them on a recording of the state. */
export class Footprints<State> {
  private readonly slots: SlotTable;
  private readonly columns: ColumnTable;

  constructor(model: Model<State>) {
    this.slots = new SlotTable(model.slots);
    this.columns = new ColumnTable(this.slots);
  }

  /** Throws what the reducer throws. */
  ofStep(state: State, instance: Instance<State>, dropped: Dropped): Footprint {
    const locals = this.localsOf(state);
    const { recording, outcome } = this.run(locals, instance);
    const unread = this.pushedUnread(locals, instance, recording, outcome);
    const marks = new Marks(this.slots, locals, dropped);
    this.markReadings(marks, recording, unread);
    for (const [slot, local] of outcome.writes) marks.write(this.slots.slots[slot]!, local);
    for (const [slot, change] of outcome.queueChanges) marks.change(slot, change);
    return marks;
  }

  /** What a predicate reads in a state. Throws what it throws. */
  ofPredicate(state: State, evaluate: (state: State) => unknown, dropped: Dropped): Footprint {
    const locals = this.localsOf(state);
    const recording = new Recording(this.slots, this.columns, locals);
    evaluate(viewState(this.slots, recording) as State);
    recording.close();
    const marks = new Marks(this.slots, locals, dropped);
    this.markReadings(marks, recording, new Set());
    return marks;
  }

  private run(locals: (slot: number) => number, instance: Instance<State>) {
    const recording = new Recording(this.slots, this.columns, locals);
    const outcome = new DraftRun(this.slots, recording).run((draft) =>
      instance.reduce(draft as never),
    );
    return { recording, outcome };
  }

  /**
   * `push` returns the new length, so the length counts as read, but few reducers use it. Returns
   * the queues to which the step does the same if they have one more element at the head.
   */
  private pushedUnread(
    locals: (slot: number) => number,
    instance: Instance<State>,
    recording: Recording,
    outcome: Outcome,
  ): ReadonlySet<Slot> {
    const readingsOf = (slot: Slot) =>
      recording.columns.filter((column) => this.columns.slot(column) === slot).length;
    const pushes = outcome.queueChanges.filter(
      ([slot, { drop, replace, push }]) =>
        drop === 0 && replace.length === 0 && push.length > 0 && readingsOf(slot) <= 2,
    );
    return new Set(
      pushes.flatMap(([slot, { push }]) => {
        const before = this.slots.value(slot, locals(slot.number)) as readonly unknown[];
        const longer = [before[0] ?? this.slots.interner.values[push[0]!], ...before];
        const local = this.slots.intern(slot, longer);
        const changed = (number: number) => (number === slot.number ? local : locals(number));
        const other = this.run(changed, instance).outcome;
        return outcomeText(other) === outcomeText(outcome) ? [slot] : [];
      }),
    );
  }

  private markReadings(marks: Marks, recording: Recording, unread: ReadonlySet<Slot>): void {
    for (const number of recording.columns) {
      const { slot, aspect } = this.columns.columns[number - 1]!;
      if (!(aspect.kind === 'length' && unread.has(slot))) marks.read(slot, aspect);
    }
    for (const { number } of recording.enumerated) marks.reads.add(`${number} keys`);
  }

  private localsOf(state: State): (slot: number) => number {
    const [known] = internStates(this.slots, [{ state, text: '' }]);
    return (slot) => known![slot] ?? this.slots.absentLocal(this.slots.slots[slot]!);
  }
}

function outcomeText({ writes, queueChanges }: Outcome): string {
  return JSON.stringify([writes, queueChanges.map(([slot, change]) => [slot.number, change])]);
}

class Marks implements Footprint {
  readonly reads = new Set<Part>();
  readonly writes = new Set<Part>();
  readonly replaces = new Set<Part>();
  readonly drops = new Map<number, number>();
  private readonly slots: SlotTable;
  private readonly locals: (slot: number) => number;
  private readonly dropped: Dropped;

  constructor(slots: SlotTable, locals: (slot: number) => number, dropped: Dropped) {
    this.slots = slots;
    this.locals = locals;
    this.dropped = dropped;
  }

  read(slot: Slot, aspect: { readonly kind: string; readonly position?: number }): void {
    const name = nameOf(slot);
    this.reads.add(`${name} presence`);
    if (aspect.kind === 'presence') return;
    const queue = this.queue(slot);
    if (queue === null) this.reads.add(`${name} value`);
    else if (aspect.kind === 'element' && aspect.position! < queue.length) {
      for (const part of ['head', 'rest']) this.reads.add(`${name} ${part}`);
      this.reads.add(this.element(slot, aspect.position!));
    } else {
      for (const part of ['head', 'rest', 'end']) this.reads.add(`${name} ${part}`);
      if (aspect.kind !== 'whole') return;
      queue.forEach((_, position) => {
        this.reads.add(this.element(slot, position));
      });
    }
  }

  /** The slot gets another value as a whole. */
  write(slot: Slot, local: number): void {
    const name = nameOf(slot);
    const before = this.slots.isAbsent(slot, this.locals(slot.number));
    if (before !== this.slots.isAbsent(slot, local)) {
      this.writes.add(`${name} presence`).add(`${slot.section.number} keys`);
      this.replaces.add(`${name} presence`);
    }
    const parts = slot.section.kind === 'queues' ? ['head', 'rest', 'end'] : ['value'];
    for (const part of parts) {
      this.writes.add(`${name} ${part}`);
      this.replaces.add(`${name} ${part}`);
    }
  }

  change(
    slot: Slot,
    {
      drop,
      replace,
      push,
    }: {
      readonly drop: number;
      readonly replace: readonly (readonly [number, number])[];
      readonly push: readonly number[];
    },
  ): void {
    const name = nameOf(slot);
    const { length } = this.queue(slot)!;
    if (drop > 0) {
      this.writes.add(`${name} head`);
      this.drops.set(slot.number, drop);
    }
    if (push.length > 0) this.writes.add(`${name} end`);
    const written = [
      ...replace.map(([position]) => position),
      ...push.map((_, index) => length + index),
    ];
    for (const position of written) {
      this.writes.add(this.element(slot, position));
      this.replaces.add(this.element(slot, position));
    }
  }

  private element(slot: Slot, position: number): Part {
    return `${nameOf(slot)} ${(this.dropped.get(slot.number) ?? 0) + position}`;
  }

  private queue(slot: Slot): readonly unknown[] | null {
    if (slot.section.kind !== 'queues') return null;
    const value = this.slots.value(slot, this.locals(slot.number));
    return Array.isArray(value) ? value : [];
  }
}

function nameOf({ number, section }: Slot): string {
  return `${section.number}.${number}`;
}
