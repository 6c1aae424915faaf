import type { Slot, SlotTable } from './slots.ts';

/**
 * The changes of a reducer to a queue that it did not read as a whole. Positions count from the old
 * head.
 */
export interface QueueChange {
  /** Elements taken from the head. */
  readonly drop: number;
  /** Elements changed in place: position and interned number. */
  readonly replace: readonly (readonly [position: number, value: number])[];
  /** Interned numbers of the elements added at the end. */
  readonly push: readonly number[];
}

export interface Operation extends QueueChange {
  readonly slot: Slot;
  /** By local number: one more than the resulting local number; 0 if it is unknown. */
  table: Int32Array;
}

/** Queue operations as functions on the local numbers of a slot, tabulated on demand. */
export class QueueOperations {
  /** By operation. A table is at least as long as the number of values of its slot. */
  readonly tables: Int32Array[] = [];
  /** By number. */
  readonly list: Operation[] = [];
  /** Called before a result is computed. */
  onNewResult: (operation: number, local: number) => void = () => {};
  private readonly byKey = new Map<string, number>();
  private readonly slots: SlotTable;

  constructor(slots: SlotTable) {
    this.slots = slots;
  }

  number(slot: Slot, change: QueueChange): number {
    const { drop, replace, push } = change;
    const key = JSON.stringify([slot.number, drop, replace, push]);
    const known = this.byKey.get(key);
    if (known !== undefined) return known;
    const number = this.list.length;
    const table = new Int32Array(Math.max(16, 2 * slot.values.length));
    const operation: Operation = { drop, replace, push, slot, table };
    this.list.push(operation);
    this.tables.push(table);
    this.byKey.set(key, number);
    slot.listeners.push((local) => {
      if (local < operation.table.length) return;
      const longer = new Int32Array(2 * local);
      longer.set(operation.table);
      operation.table = longer;
      this.tables[number] = longer;
    });
    return number;
  }

  slot(operation: number): Slot {
    return this.list[operation]!.slot;
  }

  change(operation: number): QueueChange {
    return this.list[operation]!;
  }

  /**
   * The local number that the operation leads to. It is computed once and then kept in the table.
   */
  apply(operation: number, local: number): number {
    const known = this.tables[operation]![local]!;
    if (known > 0) return known - 1;
    this.slots.demandLearning();
    this.onNewResult(operation, local);
    const { slot, drop, replace, push } = this.list[operation]!;
    const before = this.slots.value(slot, local);
    if (!Array.isArray(before)) throw new Error('a queue operation met an absent queue');
    const { values } = this.slots.interner;
    const after = [...before];
    for (const [position, value] of replace) after[position] = values[value];
    after.splice(0, drop);
    for (const value of push) after.push(values[value]);
    const result = this.slots.intern(slot, after);
    this.tables[operation]![local] = result + 1;
    return result;
  }
}
