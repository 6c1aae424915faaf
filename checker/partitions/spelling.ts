import type { Slot, SlotTable } from '../values/slots.ts';
import { BlockError } from './errors.ts';

/** Values as JSON texts and back. Each value is spelled out and read once. */
export class Spelling {
  readonly table: SlotTable;
  /** By slot and local number. */
  private readonly texts: string[][] = [];
  /** By slot: local numbers by text. */
  private readonly locals: Map<string, number>[] = [];

  constructor(table: SlotTable) {
    this.table = table;
  }

  /** Null: the slot is absent. A slot without values is. */
  text(slot: Slot, local: number): string | null {
    if (slot.values.length === 0 || this.table.isAbsent(slot, local)) return null;
    this.texts[slot.number] ??= [];
    const texts = this.texts[slot.number]!;
    while (texts.length <= local) {
      const next = texts.length;
      const isAbsent = this.table.isAbsent(slot, next);
      texts.push(isAbsent ? '' : JSON.stringify(this.table.value(slot, next)));
    }
    return texts[local]!;
  }

  /**
   * The local number of a text of any origin; it is added to the slot if it is new. Throws
   * `BlockError` and `BadValueError`.
   */
  local(slot: Slot, text: string | null): number {
    if (text === null) return this.table.absentLocal(slot);
    this.locals[slot.number] ??= new Map();
    const locals = this.locals[slot.number]!;
    const known = locals.get(text);
    if (known !== undefined) return known;
    const local = this.table.intern(slot, parsed(text));
    locals.set(text, local);
    return local;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new BlockError('has a value that is no JSON');
  }
}
