import { canonicalText } from '../../values/canonical.ts';
import type { Slot, SlotTable } from '../../values/slots.ts';

interface RankedSlot {
  /** By local number: the text of the value; "absent" is the empty text, and comes first. */
  readonly texts: string[];
  /** Local numbers in the order of their texts. */
  readonly order: number[];
  /** By local number. */
  ranks: number[];
}

/**
 * The values of slots, and the slots themselves, in an order that depends on names and values only,
 * and not on when they were met: so that every process finds the same representatives. What is
 * added later does not change the order of what was there.
 */
export class Ranks {
  private readonly table: SlotTable;
  private readonly slots: RankedSlot[] = [];

  constructor(table: SlotTable) {
    this.table = table;
  }

  /**
   * The ranks of all values of a slot, by local number. A new value gets a rank between its
   * neighbours. If there is no number between them, all get new ranks, in another array.
   */
  of(slot: Slot): readonly number[] {
    this.slots[slot.number] ??= { texts: [], order: [], ranks: [] };
    const ranked = this.slots[slot.number]!;
    for (let local = ranked.texts.length; local < slot.values.length; local++) {
      const isAbsent = this.table.isAbsent(slot, local);
      add(ranked, isAbsent ? '' : canonicalText(this.table.value(slot, local)));
    }
    return ranked.ranks;
  }

  inOrder(slots: Iterable<number>): readonly number[] {
    const { slots: all } = this.table;
    return [...slots].sort((one, other) => {
      const before = all[one]!;
      const after = all[other]!;
      const difference = before.section.number - after.section.number;
      return difference === 0 ? (before.key < after.key ? -1 : 1) : difference;
    });
  }
}

function add(ranked: RankedSlot, text: string): void {
  const { texts, order, ranks } = ranked;
  const local = texts.push(text) - 1;
  let [from, to] = [0, order.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (texts[order[middle]!]! < text) from = middle + 1;
    else to = middle;
  }
  const before = ranks[order[from - 1]!] ?? Number.NEGATIVE_INFINITY;
  const after = ranks[order[from]!] ?? Number.POSITIVE_INFINITY;
  order.splice(from, 0, local);
  const rank = between(before, after);
  if (rank > before && rank < after) ranks.push(rank);
  else {
    ranked.ranks = [];
    order.forEach((one, place) => {
      ranked.ranks[one] = place;
    });
  }
}

function between(before: number, after: number): number {
  if (before === Number.NEGATIVE_INFINITY)
    return after === Number.POSITIVE_INFINITY ? 0 : after - 1;
  return after === Number.POSITIVE_INFINITY ? before + 1 : (before + after) / 2;
}
