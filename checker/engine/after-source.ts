import { EFFECT_COLUMN } from '../values/columns.ts';
import type { QueueOperations } from '../values/queue-operations.ts';
import type { Section, Slot, SlotTable } from '../values/slots.ts';
import type { Effects } from './effects.ts';
import type { Recording, Source } from './recording.ts';

/**
 * The state after a transition, computed from the state before it and the effect taken: slots that
 * the effect wrote are known, the others are unchanged. So a step rule is a function of the state
 * before.
 */
export class AfterSource implements Source {
  private readonly recording: Recording;
  private readonly table: SlotTable;
  private readonly operations: QueueOperations;
  private readonly written = new Map<Slot, number>();
  private readonly operated = new Map<Slot, number>();

  constructor(
    recording: Recording,
    table: SlotTable,
    operations: QueueOperations,
    effects: Effects,
    effect: number,
  ) {
    this.recording = recording;
    this.table = table;
    this.operations = operations;
    const taken = effects.list[effect]!;
    recording.noteAnswer(EFFECT_COLUMN, taken.numberInAction);
    for (const [slot, local] of taken.writes) this.written.set(table.slots[slot]!, local);
    for (const operation of taken.operations) {
      this.operated.set(operations.slot(operation), operation);
    }
  }

  whole(slot: Slot): unknown {
    this.recording.assertOpen();
    const local = this.written.get(slot);
    if (local !== undefined) return this.table.value(slot, local);
    const operation = this.operated.get(slot);
    if (operation === undefined) return this.recording.whole(slot);
    const before = this.recording.local(slot);
    const after = this.operations.apply(operation, before);
    this.recording.noteAspect(slot, { kind: 'after', operation });
    return this.table.value(slot, after);
  }

  present(slot: Slot): boolean {
    if (this.written.has(slot)) return this.whole(slot) !== undefined;
    // Queue operations neither make nor remove a queue.
    return this.recording.present(slot);
  }

  length(slot: Slot): number {
    return this.isTouched(slot) ? this.queue(slot).length : this.recording.length(slot);
  }

  element(slot: Slot, position: number): unknown {
    return this.isTouched(slot)
      ? this.queue(slot)[position]
      : this.recording.element(slot, position);
  }

  enumerate(section: Section): readonly Slot[] {
    return this.recording.enumerate(section);
  }

  slot(section: Section, key: string): Slot {
    return this.recording.slot(section, key);
  }

  private isTouched(slot: Slot): boolean {
    return this.written.has(slot) || this.operated.has(slot);
  }

  private queue(slot: Slot): readonly unknown[] {
    const value = this.whole(slot);
    if (!Array.isArray(value)) throw new Error('an absent queue was read');
    return value;
  }
}
