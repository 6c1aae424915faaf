import type { SlotKind } from '../../model.ts';
import { type Slot, SlotTable } from '../../values/slots.ts';
import { type Labelled, LabelledRows, type PartRenamings } from './labelled-rows.ts';

/** A state by its canonical labelling; equal texts mean that the orbits are the same. */
interface Compared {
  readonly text: string;
  readonly images: readonly number[];
  readonly labelled: Labelled;
}

/** Compares plain states up to renaming, for groups whose renamings cannot be listed. */
export class LabelledStates<State> {
  private readonly slots: SlotTable;
  private readonly rows: LabelledRows;
  private readonly renamings: PartRenamings;
  private readonly known = new WeakMap<object, Compared>();

  constructor(kinds: Readonly<Record<string, SlotKind>>, renamings: PartRenamings) {
    this.slots = new SlotTable(kinds);
    this.rows = new LabelledRows(this.slots, renamings);
    this.renamings = renamings;
  }

  /**
   * Renamings that take the one state to the other, none if there are none. There may be more:
   * these differ in which of two alike members they take where.
   */
  *between(one: State, other: State): Iterable<number> {
    const from = this.compare(one);
    const to = this.compare(other);
    if (from.text !== to.text) return;
    const { group } = this.renamings;
    const back: number[] = [];
    to.images.forEach((image, member) => {
      back[image] = member;
    });
    const after = (before: (member: number) => number): number =>
      group.number(from.images.map((_, member) => back[from.images[before(member)]!]!));
    yield after((member) => member);
    const { alike, others } = from.labelled.labelling;
    for (const members of alike) {
      for (const first of members) {
        for (const second of members) {
          if (first >= second) continue;
          yield after((member) => (member === first ? second : member === second ? first : member));
        }
      }
    }
    for (const automorphism of others) yield after((member) => automorphism[member]!);
  }

  private compare(state: State): Compared {
    const known = this.known.get(state as object);
    if (known !== undefined) return known;
    const entries = this.entriesOf(state);
    const labelled = this.rows.label(entries);
    const moved = new Set(labelled.entries.map(([slot]) => slot));
    const text = [...entries.filter(([slot]) => !moved.has(slot)), ...labelled.images]
      .map(([slot, local]) => `${slot.number}=${local}`)
      .sort()
      .join();
    const compared = { text, images: labelled.labelling.images, labelled };
    this.known.set(state as object, compared);
    return compared;
  }

  private entriesOf(state: State): readonly (readonly [Slot, number])[] {
    const { slots } = this;
    const entries: (readonly [Slot, number])[] = [];
    for (const section of slots.sections) {
      const part = (state as Readonly<Record<string, unknown>>)[section.key];
      const values =
        section.kind !== 'value'
          ? Object.entries(part as object)
          : part === undefined
            ? []
            : [['', part] as const];
      for (const [key, value] of values) {
        const slot = slots.slotOrAbsent(section, key);
        entries.push([slot, slots.intern(slot, value)]);
      }
    }
    return entries;
  }
}
