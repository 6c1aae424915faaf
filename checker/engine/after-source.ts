import type { Aspect, ColumnTable } from '../values/columns.ts';
import type { QueueOperations } from '../values/queue-operations.ts';
import type { Section, Slot, SlotTable } from '../values/slots.ts';
import type { Effects } from './effects.ts';
import {
  answerOf,
  type Locals,
  PRESENCE,
  type Recording,
  type Source,
  WHOLE,
} from './recording.ts';

/**
 * The state after a transition, computed from the state before it and the effect taken. What is
 * read of it goes into the recording of the state before, as complements of the numbers of columns.
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
    this.note(slot, WHOLE);
    return this.value(slot);
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
  // There are few of each.
  const { writes, operations: changes } = effects.list[effect]!;
  return (slot) => {
    const local = writes.find(([written]) => written === slot)?.[1] ?? before(slot);
    const change = changes.find((operation) => operations.slot(operation).number === slot);
    return change === undefined ? local : operations.apply(change, local);
  };
}
