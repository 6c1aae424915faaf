import type { Aspect, ColumnTable } from '../values/columns.ts';
import type { QueueOperations } from '../values/queue-operations.ts';
import type { Section, Slot, SlotTable } from '../values/slots.ts';
import type { Effects } from './effects.ts';
import { answerOf, type Locals, type Recording, type Source } from './recording.ts';

/**
 * The state after a transition, computed from the state before it and the effect taken. What is read
 * of it goes into the recording of the state before, as complements of the numbers of columns.
 */
export class AfterSource implements Source {
  private readonly recording: Recording;
  private readonly table: SlotTable;
  private readonly columns: ColumnTable;
  private readonly locals: Locals;

  constructor(recording: Recording, table: SlotTable, columns: ColumnTable, locals: Locals) {
    this.recording = recording;
    this.table = table;
    this.columns = columns;
    this.locals = locals;
  }

  whole(slot: Slot): unknown {
    this.note(slot, { kind: 'whole' });
    return this.value(slot);
  }

  present(slot: Slot): boolean {
    this.note(slot, { kind: 'presence' });
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
    return this.recording.enumerate(section);
  }

  slot(section: Section, key: string): Slot {
    return this.recording.slot(section, key);
  }

  private queue(slot: Slot): readonly unknown[] {
    const value = this.value(slot);
    if (!Array.isArray(value)) throw new Error('an absent queue was read');
    return value;
  }

  private value(slot: Slot): unknown {
    return this.table.value(slot, this.locals(slot.number));
  }

  private note(slot: Slot, aspect: Aspect): void {
    const column = this.columns.column(slot, aspect);
    this.recording.noteAnswer(~column.number, answerOf(column, this.locals(slot.number)));
  }
}

/** The local numbers after an effect, by slot. */
export function localsAfter(
  effect: number,
  effects: Effects,
  operations: QueueOperations,
  before: Locals,
): Locals {
  const taken = effects.list[effect]!;
  const written = new Map<number, number>(taken.writes);
  const operated = new Map(
    taken.operations.map((operation) => [operations.slot(operation).number, operation]),
  );
  return (slot) => {
    const local = written.get(slot) ?? before(slot);
    const operation = operated.get(slot);
    return operation === undefined ? local : operations.apply(operation, local);
  };
}
