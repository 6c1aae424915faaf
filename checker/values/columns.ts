import type { Slot, SlotTable } from './slots.ts';

/**
 * What a trie can branch on: the whole value of a slot, or a part of it. `length` counts from 1; 0
 * means absent. `element` numbers the values at one position of a queue.
 */
export type Aspect =
  | { readonly kind: 'whole' }
  | { readonly kind: 'presence' }
  | { readonly kind: 'length' }
  | { readonly kind: 'element'; readonly position: number };

export interface Column {
  readonly number: number;
  readonly slot: Slot;
  readonly aspect: Aspect;
  /** Answer by local number of the slot's value; null for the identity. */
  table: Int32Array | null;
}

/** A number of no slot's column. The tries of step rules give it a meaning of their own. */
export const NO_SLOT_COLUMN = 0;

/** The answer of an `element` column where the queue has no such element. */
export const ABSENT_ELEMENT = 0;

/** All columns that some trie reads of one state. Numbers begin after `NO_SLOT_COLUMN`. */
export class ColumnTable {
  readonly columns: Column[] = [];
  private changed = true;
  /** By slot, then by `placeOf` its aspect. */
  private readonly bySlot: (Column | undefined)[][] = [];
  private readonly slots: SlotTable;

  constructor(slots: SlotTable) {
    this.slots = slots;
  }

  /** One more than the highest column number. */
  get count(): number {
    return this.columns.length + 1;
  }

  column(slot: Slot, aspect: Aspect): Column {
    this.bySlot[slot.number] ??= [];
    const ofSlot = this.bySlot[slot.number]!;
    const place = placeOf(aspect);
    const known = ofSlot[place];
    if (known !== undefined) return known;
    const column = this.create(slot, aspect);
    this.changed = true;
    this.columns.push(column);
    ofSlot[place] = column;
    return column;
  }

  /** Whether columns were added, or their tables replaced, since the last call. */
  takeChanged(): boolean {
    const { changed } = this;
    this.changed = false;
    return changed;
  }

  slot(column: number): Slot {
    return this.columns[column - 1]!.slot;
  }

  private create(slot: Slot, aspect: Aspect): Column {
    const number = this.count;
    if (aspect.kind === 'whole') return { number, slot, aspect, table: null };
    const answer = this.answering(slot, aspect);
    const table = new Int32Array(8);
    const column: Column = { number, slot, aspect, table };
    const add = (local: number) => {
      let table = column.table!;
      if (local >= table.length) {
        table = new Int32Array(2 * table.length + local);
        table.set(column.table!);
        column.table = table;
        this.changed = true;
      }
      table[local] = answer(local);
    };
    slot.values.forEach((_, local) => {
      add(local);
    });
    slot.listeners.push(add);
    return column;
  }

  private answering(
    slot: Slot,
    aspect: Exclude<Aspect, { kind: 'whole' }>,
  ): (local: number) => number {
    const { slots } = this;
    switch (aspect.kind) {
      case 'presence':
        return (local) => (slots.isAbsent(slot, local) ? 0 : 1);
      case 'length':
        return (local) => {
          const value = slots.value(slot, local);
          return Array.isArray(value) ? value.length + 1 : 0;
        };
      case 'element': {
        // Interned number 0 means absent: here, beyond the end.
        const answers = new Map<number, number>([[0, ABSENT_ELEMENT]]);
        return (local) => {
          const value = slots.value(slot, local);
          const within = Array.isArray(value) && aspect.position < value.length;
          const element = within ? slots.interner.number(value[aspect.position]) : 0;
          const known = answers.get(element);
          if (known !== undefined) return known;
          answers.set(element, answers.size);
          return answers.size - 1;
        };
      }
      default: {
        const never: never = aspect;
        throw new Error(`unknown aspect ${String(never)}`);
      }
    }
  }
}

function placeOf(aspect: Aspect): number {
  switch (aspect.kind) {
    case 'whole':
      return 0;
    case 'presence':
      return 1;
    case 'length':
      return 2;
    case 'element':
      return 3 + aspect.position;
    default: {
      const never: never = aspect;
      throw new Error(`unknown aspect ${String(never)}`);
    }
  }
}
