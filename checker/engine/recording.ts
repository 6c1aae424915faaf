import { LeakedDraftError } from '../errors.ts';
import { type Guard, UNGUARDED } from '../guard.ts';
import type { Aspect, Column, ColumnTable } from '../values/columns.ts';
import type { Section, Slot, SlotTable } from '../values/slots.ts';

/** The local numbers of a state, by slot. */
export type Locals = (slot: number) => number;

/** What user code may read; every read is recorded. */
export interface Source {
  /** The slot's value, `undefined` if absent. */
  whole(slot: Slot): unknown;
  present(slot: Slot): boolean;
  /** Only for a queue that is present. */
  length(slot: Slot): number;
  /** Element of a queue that is present; `undefined` beyond its end. */
  element(slot: Slot, position: number): unknown;
  /** The slots whose presence determines the keys of the section. */
  enumerate(section: Section): readonly Slot[];
  /** The slot of a key that user code named. */
  slot(section: Section, key: string): Slot;
}

/** Made once: every read asks for one of them. */
export const WHOLE: Aspect = { kind: 'whole' };
export const PRESENCE: Aspect = { kind: 'presence' };

/** A look at the limits costs as much as a few accesses. */
const ACCESSES_PER_LOOK = 64;

/** Records what one run of a reducer or predicate reads of one state. */
export class Recording implements Source {
  readonly columns: number[] = [];
  readonly answers: number[] = [];
  /** Sections whose keys were enumerated. */
  readonly enumerated = new Set<Section>();
  private open = true;
  private readonly seen = new Set<number>();
  private readonly table: SlotTable;
  private readonly columnTable: ColumnTable;
  private readonly locals: Locals;

  private readonly guard: Guard;
  private unlooked = 0;

  constructor(
    table: SlotTable,
    columnTable: ColumnTable,
    locals: Locals,
    guard: Guard = UNGUARDED,
  ) {
    this.guard = guard;
    this.table = table;
    this.columnTable = columnTable;
    this.locals = locals;
  }

  /** Any later use throws `LeakedDraftError`. */
  close(): void {
    this.open = false;
  }

  /** Every access calls it, so a run that accesses much looks at the limits. */
  assertOpen(): void {
    if (!this.open) throw new LeakedDraftError();
    if (++this.unlooked < ACCESSES_PER_LOOK) return;
    this.unlooked = 0;
    this.guard.look();
  }

  whole(slot: Slot): unknown {
    this.note(slot, WHOLE);
    return this.table.value(slot, this.locals(slot.number));
  }

  present(slot: Slot): boolean {
    this.note(slot, PRESENCE);
    return !this.table.isAbsent(slot, this.locals(slot.number));
  }

  length(slot: Slot): number {
    this.note(slot, { kind: 'length' });
    return this.queue(slot).length;
  }

  element(slot: Slot, position: number): unknown {
    this.note(slot, { kind: 'element', position });
    return this.queue(slot)[position];
  }

  enumerate(section: Section): readonly Slot[] {
    this.assertOpen();
    this.enumerated.add(section);
    return [...section.present];
  }

  slot(section: Section, key: string): Slot {
    this.assertOpen();
    return this.table.slotOrAbsent(section, key);
  }

  /** Records everything that another recording of the same state has read. */
  include({ columns, answers, enumerated }: Recording): void {
    columns.forEach((column, index) => {
      this.noteAnswer(column, answers[index]!);
    });
    for (const section of enumerated) this.enumerated.add(section);
  }

  /**
   * Records a reading by the number of its column. Of the state after a step, see `AfterSource`.
   */
  noteAnswer(column: number, answer: number): void {
    this.assertOpen();
    if (this.seen.has(column)) return;
    this.seen.add(column);
    this.columns.push(column);
    this.answers.push(answer);
  }

  hasRead(slot: Slot): boolean {
    return this.seen.has(this.columnTable.column(slot, WHOLE).number);
  }

  /** The local number of the slot's value, not recorded. */
  local(slot: Slot): number {
    return this.locals(slot.number);
  }

  /** The value of the slot, not recorded. */
  peek(slot: Slot): unknown {
    return this.table.value(slot, this.locals(slot.number));
  }

  private queue(slot: Slot): readonly unknown[] {
    const value = this.peek(slot);
    if (!Array.isArray(value)) throw new Error('an absent queue was read');
    return value;
  }

  private note(slot: Slot, aspect: Aspect): void {
    const column = this.columnTable.column(slot, aspect);
    this.noteAnswer(column.number, answerOf(column, this.locals(slot.number)));
  }
}

/** What a column answers for a local number of its slot. */
export function answerOf({ table }: Column, local: number): number {
  return table === null ? local : table[local]!;
}

/** Whether two runs have read the same, in the same order. */
export function isSameReading(one: Recording, other: Recording): boolean {
  return isSame(one.columns, other.columns) && isSame(one.answers, other.answers);
}

function isSame(one: readonly number[], other: readonly number[]): boolean {
  return one.length === other.length && one.every((number, index) => number === other[index]);
}
