import { allocateWords, type Guard, UNGUARDED } from '../../guard.ts';
import type { Section } from '../../values/slots.ts';

/**
 * Which action instances are independent: neither has ever written what the other one has ever read
 * or written. So far: in the views that were learnt, as far as there was an effect. And which ones
 * an instance leaves as they are: it has never written what they have read in any view, or written.
 */
export class Independence {
  /** Words of a set of instances. */
  readonly words: number;
  /** By instance, the set of the instances that are independent of it, of `words` words. */
  private sets: Int32Array | null = null;
  /** The same with the set of the instances that it leaves as they are. */
  private left = new Int32Array(0);
  /** By instance: numbers of slots. */
  private readonly read: readonly Set<number>[];
  /** By instance: numbers of slots that were read, also where there was no effect. */
  private readonly seen: readonly Set<number>[];
  private readonly written: readonly Set<number>[];
  /** By section whose keys were enumerated, the instances that did so. */
  private readonly enumerators = new Map<Section, Set<number>>();
  /** How often an entry was present for the first time. */
  presences = 0;
  /** Instances with effects. There can be thousands of others. */
  private readonly writers = new Set<number>();
  /** Instances about whose effects more is known than was compiled. */
  private readonly grown = new Set<number>();
  /** Instances that have read more than was compiled. */
  private readonly sawMore = new Set<number>();

  private readonly guard: Guard;

  constructor(instanceCount: number, guard: Guard = UNGUARDED) {
    this.guard = guard;
    const sets = (): Set<number>[] => Array.from({ length: instanceCount }, () => new Set());
    this.words = Math.ceil(instanceCount / 32);
    this.read = sets();
    this.seen = sets();
    this.written = sets();
  }

  /** Adds a view that has an effect. Slots by their numbers. */
  note(
    instance: number,
    read: readonly number[],
    enumerated: Iterable<Section>,
    written: Iterable<number>,
  ): void {
    for (const section of enumerated) {
      const known = this.enumerators.get(section);
      if (known === undefined) this.enumerators.set(section, new Set([instance]));
      else known.add(instance);
    }
    // One that enumerates has seen the entries that were not there, too.
    this.noteSeen(instance, read);
    const isNew = [addAll(this.read[instance]!, read), addAll(this.written[instance]!, written)];
    if (isNew.includes(true)) this.grown.add(instance);
    if (this.written[instance]!.size > 0) this.writers.add(instance);
  }

  /** Adds what was read in a view, with an effect or without. */
  noteSeen(instance: number, read: readonly number[]): void {
    if (addAll(this.seen[instance]!, read)) this.sawMore.add(instance);
  }

  /**
   * Call this when an entry of the section is present for the first time. Those who have enumerated
   * the keys have read that it was absent.
   */
  sectionGrew(section: Section): void {
    this.presences++;
    const enumerators = this.enumerators.get(section);
    // Each entry of a section calls this, and before the search nothing enumerates any.
    if (enumerators === undefined) return;
    const present = section.present.map(({ number }) => number);
    for (const instance of enumerators) this.note(instance, present, [], []);
  }

  /** Where the set of an instance begins in the results of `compiled` and `leftAlone`. */
  startOf(instance: number): number {
    return instance * this.words;
  }

  /** The sets, with all that was noted so far. */
  compiled(): Int32Array {
    if (this.sets === null) {
      // Their size grows with the square of the instances, and most searches never ask. All are
      // independent of one another as long as nothing is known: nothing has happened.
      this.sets = allocateWords(this.read.length * this.words, this.guard).fill(-1);
      this.left = allocateWords(this.sets.length, this.guard).fill(-1);
    }
    // Asked after each expansion, and to walk through an empty set makes garbage.
    if (this.grown.size > 0 || this.sawMore.size > 0) this.compile();
    return this.sets;
  }

  private compile(): void {
    const { left } = this;
    for (const one of this.grown) {
      this.guard.look();
      for (let other = 0; other < this.read.length; other++) this.compare(one, other);
    }
    for (const one of this.sawMore) {
      if (this.grown.has(one)) continue;
      this.guard.look();
      for (const writer of this.writers) {
        if (this.disturbs(writer, one)) this.remove(left, writer, one);
      }
    }
    this.grown.clear();
    this.sawMore.clear();
  }

  /**
   * By instance, the set of those that it leaves as they are: one that had no step before a step of
   * it has none afterwards. Call `compiled` before.
   */
  get leftAlone(): Int32Array {
    return this.left;
  }

  /** Members are only removed, as more and more is known. */
  private compare(one: number, other: number): void {
    const disturbs = this.disturbs(one, other);
    const isDisturbed = this.disturbs(other, one);
    // Most pairs end here. What was read where there was an effect is a part of what was seen.
    if (!disturbs && !isDisturbed) return;
    const { left } = this;
    const sets = this.sets!;
    if (disturbs) this.remove(left, one, other);
    if (isDisturbed) this.remove(left, other, one);
    if ((disturbs && this.conflicts(one, other)) || (isDisturbed && this.conflicts(other, one))) {
      this.remove(sets, one, other);
      this.remove(sets, other, one);
    }
  }

  private disturbs(writer: number, other: number): boolean {
    for (const slot of this.written[writer]!) {
      if (this.seen[other]!.has(slot) || this.written[other]!.has(slot)) return true;
    }
    return false;
  }

  private conflicts(writer: number, other: number): boolean {
    for (const slot of this.written[writer]!) {
      if (this.read[other]!.has(slot) || this.written[other]!.has(slot)) return true;
    }
    return false;
  }

  private remove(sets: Int32Array, one: number, other: number): void {
    const place = one * this.words + (other >> 5);
    sets[place] = sets[place]! & ~(1 << (other & 31));
  }
}

function addAll(set: Set<number>, members: Iterable<number>): boolean {
  const before = set.size;
  for (const member of members) set.add(member);
  return set.size > before;
}
