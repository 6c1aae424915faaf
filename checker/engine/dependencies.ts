import { allocateWords, type Guard, UNGUARDED } from '../guard.ts';
import { Layout } from '../values/layout.ts';
import type { Section, Slot } from '../values/slots.ts';

/**
 * The bits of a row that each predicate has ever read. If a state and its predecessor differ in
 * none of them, the predicate has the same answer in both. Bits are never removed: readings that a
 * trie has dropped (see `Tries.drop`) were still the reason for earlier answers.
 */
export class Dependencies {
  /** The result of `touched`: bit `p % 32` of word `p / 32` is set for predicate `p`. */
  readonly set: Int32Array;
  /** By bit of a row: the set of predicates that read it. Null: none of it is compiled. */
  private byBit: Int32Array | null = null;
  private layout = new Layout([], []);
  private readonly slots: Set<Slot>[];
  /** Sections whose keys were enumerated. All their slots count, future ones as well. */
  private readonly sections: Set<Section>[];
  /** By number of a slot or section: the set of predicates that read it, or its keys. */
  private readonly bySlot: Int32Array[] = [];
  private readonly bySection: Int32Array[] = [];
  private readonly changed = new Set<number>();
  /**
   * Sections that have grown since the last `compiled`. There may be one for each object of a dump.
   */
  private readonly grown = new Set<Section>();
  /** Grows whenever `addReaders` or `reads` may have another answer. */
  version = 0;

  private readonly guard: Guard;

  constructor(predicateCount: number, guard: Guard = UNGUARDED) {
    this.guard = guard;
    this.slots = Array.from({ length: predicateCount }, () => new Set());
    this.sections = Array.from({ length: predicateCount }, () => new Set());
    this.set = new Int32Array(Math.ceil(predicateCount / 32));
  }

  /** @param enumerated the sections whose keys the predicate has read. */
  add(predicate: number, read: Iterable<Slot>, enumerated: Iterable<Section>): void {
    const slots = this.slots[predicate]!;
    const sections = this.sections[predicate]!;
    const before = slots.size + sections.size;
    for (const slot of read) {
      slots.add(slot);
      this.include(this.bySlot, slot.number, predicate);
    }
    for (const section of enumerated) {
      sections.add(section);
      this.include(this.bySection, section.number, predicate);
    }
    if (slots.size + sections.size === before) return;
    this.changed.add(predicate);
    this.version++;
  }

  /** The slots that a predicate has ever read: all known ones of a section that it enumerated. */
  reads(predicate: number): ReadonlySet<Slot> {
    const slots = new Set(this.slots[predicate]!);
    for (const section of this.sections[predicate]!) {
      for (const slot of section.slots.values()) slots.add(slot);
    }
    return slots;
  }

  /**
   * Adds the predicates that have read the slot, or the keys of its section, to a set in `into`.
   */
  addReaders({ number, section }: Slot, into: Int32Array, start: number): void {
    const [ofSlot, ofSection] = [this.bySlot[number], this.bySection[section.number]];
    for (let word = 0; word < this.set.length; word++) {
      into[start + word] = into[start + word]! | (ofSlot?.[word] ?? 0) | (ofSection?.[word] ?? 0);
    }
  }

  /** Whether a predicate has ever read anything in these sections. */
  dependsOn(predicate: number, sections: ReadonlySet<string>): boolean {
    return (
      [...this.slots[predicate]!].some(({ section }) => sections.has(section.key)) ||
      [...this.sections[predicate]!].some(({ key }) => sections.has(key))
    );
  }

  /** Call this when an entry of the section is present for the first time. */
  sectionGrew(section: Section): void {
    this.grown.add(section);
  }

  /**
   * Call this when something was added, or for a new layout. `touched` compiles it, as much is
   * learnt in a state before it is asked again.
   */
  outdate(layout: Layout, layoutChanged: boolean): void {
    this.layout = layout;
    if (layoutChanged) this.byBit = null;
  }

  private compiled(): Int32Array {
    const { layout, changed, grown } = this;
    if (this.byBit === null) {
      this.byBit = allocateWords(32 * layout.width * this.set.length, this.guard);
      for (const predicate of this.slots.keys()) changed.add(predicate);
    }
    if (grown.size > 0) {
      this.sections.forEach((sections, predicate) => {
        if ([...sections].some((section) => grown.has(section))) changed.add(predicate);
      });
      grown.clear();
    }
    // To clear an empty set takes a tenth of a search.
    if (changed.size === 0) return this.byBit;
    for (const predicate of changed) this.compileOne(predicate, layout, this.byBit);
    changed.clear();
    return this.byBit;
  }

  /** The bits of a word of a row that some of these predicates, a bit set, have ever read. */
  bitsRead(predicates: Int32Array, word: number): number {
    const { set } = this;
    const byBit = this.compiled();
    let bits = 0;
    for (let bit = 0; bit < 32; bit++) {
      const start = (32 * word + bit) * set.length;
      if (set.some((_, index) => (byBit[start + index]! & predicates[index]!) !== 0))
        bits |= 1 << bit;
    }
    return bits;
  }

  /** Puts into `set` the predicates that read a bit in which the two rows differ. */
  touched(rows: Int32Array, one: number, other: number, width: number): void {
    const { set } = this;
    const byBit = this.compiled();
    // A call of `fill` takes longer than the rest.
    for (let index = 0; index < set.length; index++) set[index] = 0;
    for (let word = 0; word < width; word++) {
      let difference = rows[one + word]! ^ rows[other + word]!;
      while (difference !== 0) {
        const bit = 31 - Math.clz32(difference);
        difference ^= 1 << bit;
        const start = (32 * word + bit) * set.length;
        for (let index = 0; index < set.length; index++) {
          set[index] = set[index]! | byBit[start + index]!;
        }
      }
    }
  }

  private include(sets: Int32Array[], index: number, predicate: number): void {
    sets[index] ??= new Int32Array(this.set.length);
    const set = sets[index];
    set[predicate >> 5] = set[predicate >> 5]! | (1 << (predicate & 31));
  }

  private compileOne(predicate: number, layout: Layout, byBit: Int32Array): void {
    const { set } = this;
    const include = ({ number }: Slot) => {
      const first = 32 * layout.word[number]! + layout.shift[number]!;
      const size = 32 - Math.clz32(layout.mask[number]!);
      for (let bit = first; bit < first + size; bit++) {
        const place = bit * set.length + (predicate >> 5);
        byBit[place] = byBit[place]! | (1 << (predicate & 31));
      }
    };
    for (const slot of this.slots[predicate]!) include(slot);
    for (const section of this.sections[predicate]!) section.present.forEach(include);
  }
}
