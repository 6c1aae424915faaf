import { ABSENT } from '../../values/intern.ts';
import { everySlotAWord, type Layout } from '../../values/layout.ts';
import type { Slot, SlotTable } from '../../values/slots.ts';
import type { RowCanonicalizer } from '../reduction.ts';
import { Ranks } from './ranks.ts';
import { type RenamingGroup, ValueImages } from './value-images.ts';

/** Renamings by number, as they act on the parts of a state. */
export interface SlotRenamings extends RenamingGroup {
  key(renaming: number, section: string, key: string): string;
  value(renaming: number, section: string, value: unknown): unknown;
}

const UNREAD = -1;

/**
 * Computes the representative of each orbit among packed rows: the renamed row with the least
 * values, compared slot by slot (`Ranks`). It depends on the state only, so that other processes
 * find the same one. A new slot is absent in all earlier rows, so the least row stays the least.
 *
 * Images of slots and values are computed for all renamings when they appear. After that, renaming
 * a row is table lookup.
 */
export class Representatives implements RowCanonicalizer {
  readonly learnsFromRows = false;
  readonly learnt = 0;
  private readonly slots: SlotTable;
  private readonly orbits: SlotRenamings;
  private readonly size: number;
  /** By renaming and slot: the slot that gets its value. */
  private readonly targets: number[][];
  /** By renaming and slot: the slot that its value comes from. */
  private readonly sources: number[][];
  /** By renaming and slot: the image of each of its local numbers in the target slot. */
  private readonly images: number[][][];
  /** By section. */
  private readonly valueImages: readonly ValueImages[];
  /** By slot: how many of its values have images. */
  private readonly imaged: number[] = [];
  /** The slots that some renaming changes, in ascending order. Only these are compared. */
  private moving = new Int32Array(0);
  private readonly isMoving = new Set<number>();
  /**
   * By place in `moving` and renaming: the place that the value comes from, and its table of
   * images.
   */
  private places = new Int32Array(0);
  private tables: (readonly number[])[] = [];
  /** By place and renaming, by the value before: the rank of the image. */
  private imageRanks: (readonly number[])[] = [];
  /** By slot: these lists by renaming, and the ranks that they are from. */
  private readonly ranked: { readonly ranks: readonly number[]; readonly lists: number[][] }[] = [];
  private readonly ranks: Ranks;
  private locals = new Int32Array(0);
  private readonly alive: Int32Array;
  private version = -1;

  constructor(slots: SlotTable, orbits: SlotRenamings, generators: readonly number[]) {
    this.slots = slots;
    this.ranks = new Ranks(slots);
    this.orbits = orbits;
    this.size = orbits.size;
    const byRenaming = <Value>(): Value[][] => Array.from({ length: this.size }, () => []);
    this.targets = byRenaming();
    this.sources = byRenaming();
    this.images = byRenaming();
    this.alive = new Int32Array(this.size);
    const products: Int32Array[] = [];
    this.valueImages = slots.sections.map(() => new ValueImages(orbits, generators, products));
  }

  get isBehind(): boolean {
    return this.version !== this.slots.version;
  }

  /** Takes in slots and values that were added; false if there were none. */
  takeIn(): boolean {
    const { slots } = this;
    if (!this.isBehind) return false;
    slots.demandLearning();
    do {
      this.version = slots.version;
      // Both lists may grow meanwhile.
      for (let number = this.imaged.length; number < slots.slots.length; number++) {
        this.addSlot(slots.slots[number]!);
      }
      for (const slot of slots.slots) this.addValues(slot);
    } while (this.version !== slots.version);
    this.compile();
    return true;
  }

  /** Replaces the row at `row` by its representative; returns the renaming that leads there. */
  canonicalize(rows: Int32Array, row: number, layout: Layout): number {
    const { moving, locals, tables, places, size } = this;
    locals.fill(UNREAD);
    const renaming = this.least(rows, row, layout);
    if (renaming === 0) return 0;
    for (let place = 0; place < moving.length; place++) {
      if (locals[place] === UNREAD) locals[place] = layout.read(rows, row, moving[place]!);
    }
    for (let place = 0; place < moving.length; place++) {
      const at = place * size + renaming;
      layout.writeAt(rows, row, moving[place]!, tables[at]![locals[places[at]!]!]!);
    }
    return renaming;
  }

  /** The same for a state given as local numbers by slot. */
  representative(state: readonly number[]): readonly number[] {
    const { slots } = this.slots;
    // A slot without a number is absent, which is its first value.
    const row = Int32Array.from(slots, (_, slot) => state[slot] ?? 0);
    this.canonicalize(row, 0, everySlotAWord(row.length));
    return [...row];
  }

  /**
   * The first of the renamings that give the least row, so that number 0 wins if it is one of them.
   * The first few slots rule out most renamings, so the other slots are not even read.
   */
  private least(rows: Int32Array, row: number, layout: Layout): number {
    const { moving, locals, imageRanks, places, size, alive } = this;
    let count = size;
    for (let renaming = 0; renaming < size; renaming++) alive[renaming] = renaming;
    for (let place = 0; place < moving.length && count > 1; place++) {
      const start = place * size;
      let least = Number.POSITIVE_INFINITY;
      let kept = 0;
      for (let index = 0; index < count; index++) {
        const renaming = alive[index]!;
        const at = start + renaming;
        const source = places[at]!;
        let before = locals[source]!;
        if (before === UNREAD) {
          before = layout.read(rows, row, moving[source]!);
          locals[source] = before;
        }
        const rank = imageRanks[at]![before]!;
        if (rank > least) continue;
        if (rank < least) {
          least = rank;
          kept = 0;
        }
        alive[kept++] = renaming;
      }
      count = kept;
    }
    return alive[0]!;
  }

  private addSlot(slot: Slot): void {
    const { slots, orbits } = this;
    const { section, key, number } = slot;
    this.imaged.push(0);
    for (let renaming = 0; renaming < this.size; renaming++) {
      const isWhole = section.kind === 'value' || renaming === 0;
      const target = isWhole
        ? slot
        : slots.slotOrAbsent(section, orbits.key(renaming, section.key, key));
      this.targets[renaming]![number] = target.number;
      this.sources[renaming]![target.number] = number;
      this.images[renaming]![number] = [];
      if (target !== slot) this.isMoving.add(number);
    }
  }

  private addValues(slot: Slot): void {
    const { slots, orbits, imaged } = this;
    const { number, section, values } = slot;
    const target = (renaming: number): Slot => slots.slots[this.targets[renaming]![number]!]!;
    for (; imaged[number]! < values.length; imaged[number]!++) {
      const local = imaged[number]!;
      const rename = (renaming: number): number => {
        const renamed = orbits.value(renaming, section.key, slots.value(slot, local));
        const to = target(renaming);
        return to.values[slots.intern(to, renamed)]!;
      };
      const images = slots.isAbsent(slot, local)
        ? null
        : this.valueImages[section.number]!.of(values[local]!, rename);
      for (let renaming = 0; renaming < this.size; renaming++) {
        const to = target(renaming);
        const image = slots.local(to, images === null ? ABSENT : images[renaming]!);
        this.images[renaming]![number]![local] = image;
        if (image !== local) this.isMoving.add(number);
      }
    }
  }

  private compile(): void {
    // A slot that gets values from a moving one moves as well.
    for (const number of [...this.isMoving]) {
      for (const targets of this.targets) this.isMoving.add(targets[number]!);
    }
    // Slots with one value so far make no difference; their images have one value too.
    const varying = [...this.isMoving].filter((slot) => this.slots.slots[slot]!.values.length > 1);
    this.moving = Int32Array.from(this.ranks.inOrder(varying));
    const placeOf = new Map([...this.moving].map((slot, place) => [slot, place]));
    this.locals = new Int32Array(this.moving.length);
    this.places = new Int32Array(this.moving.length * this.size);
    this.tables = [];
    this.imageRanks = [];
    this.moving.forEach((slot, place) => {
      const ranks = this.ranks.of(this.slots.slots[slot]!);
      if (this.ranked[slot]?.ranks !== ranks) {
        this.ranked[slot] = { ranks, lists: Array.from({ length: this.size }, () => []) };
      }
      const { lists } = this.ranked[slot]!;
      for (let renaming = 0; renaming < this.size; renaming++) {
        const source = this.sources[renaming]![slot]!;
        this.places[place * this.size + renaming] = placeOf.get(source)!;
        const images = this.images[renaming]![source]!;
        const list = lists[renaming]!;
        for (let before = list.length; before < images.length; before++) {
          list.push(ranks[images[before]!]!);
        }
        this.tables.push(images);
        this.imageRanks.push(list);
      }
    });
  }
}
