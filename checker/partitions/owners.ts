import type { SlotTable } from '../values/slots.ts';

/**
 * Which partition owns a state. All processes must agree, so it is a hash of names and values, as text. Any
 * function of the state would be right; a good one gives each partition as many states as the others.
 */
export class Owners {
  private readonly table: SlotTable;
  private readonly partitions: number;
  /** By slot and local number. */
  private readonly prints: number[][] = [];

  constructor(table: SlotTable, partitions: number) {
    this.table = table;
    this.partitions = partitions;
  }

  /** The hash of a state, given as local numbers by slot. Slots beyond its end are absent. */
  hash(row: ArrayLike<number>): number {
    const { prints, table } = this;
    while (prints.length < table.slots.length) prints.push([]);
    let hash = 0;
    for (let slot = 0; slot < row.length; slot++) {
      const local = row[slot]!;
      hash = (hash + (prints[slot]![local] ?? this.learn(slot, local))) | 0;
    }
    hash ^= hash >>> 16;
    hash = Math.imul(hash, 0x7feb352d);
    return hash ^ (hash >>> 15);
  }

  of(hash: number): number {
    return (hash >>> 0) % this.partitions;
  }

  private learn(number: number, local: number): number {
    const slot = this.table.slots[number]!;
    // What is absent counts for nothing: other processes may not know the slot.
    const print = this.table.isAbsent(slot, local)
      ? 0
      : hashText(JSON.stringify([slot.section.key, slot.key, this.table.value(slot, local)]));
    const prints = this.prints[number]!;
    while (prints.length < local) this.learn(number, prints.length);
    prints[local] = print;
    return print;
  }
}

/** FNV-1a, with a last mix. */
function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  }
  hash ^= hash >>> 15;
  hash = Math.imul(hash, 0x846ca68b);
  return hash ^ (hash >>> 16);
}
