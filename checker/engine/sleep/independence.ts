import { allocateWords, type Guard, UNGUARDED } from '../../guard.ts';
import type { Section } from '../../values/slots.ts';

/**
 * Which action instances are independent: neither has ever written what the other one has ever read
 * or written. So far: in the views that were learnt, as far as there was an effect.
 */
export class Independence {
  /** Words of a set of instances. */
  readonly words: number;
  /** By instance, the set of the instances that are independent of it, of `words` words. */
  private sets: Int32Array | null = null;
  /** By instance: numbers of slots. */
  private readonly read: readonly Set<number>[];
  private readonly written: readonly Set<number>[];
  /** By section whose keys were enumerated, the instances that did so. */
  private readonly enumerators = new Map<Section, Set<number>>();
  /** Instances about which more is known than was compiled. */
  private readonly grown = new Set<number>();

  private readonly guard: Guard;

  constructor(instanceCount: number, guard: Guard = UNGUARDED) {
    this.guard = guard;
    const sets = (): Set<number>[] => Array.from({ length: instanceCount }, () => new Set());
    this.words = Math.ceil(instanceCount / 32);
    this.read = sets();
    this.written = sets();
    // All are independent of one another as long as nothing is known: nothing has happened.
    this.read.forEach((_, instance) => {
      this.grown.add(instance);
    });
  }

  /** Adds a view that has an effect. Slots by their numbers. */
  note(
    instance: number,
    read: Iterable<number>,
    enumerated: Iterable<Section>,
    written: Iterable<number>,
  ): void {
    for (const section of enumerated) {
      const known = this.enumerators.get(section);
      if (known === undefined) this.enumerators.set(section, new Set([instance]));
      else known.add(instance);
    }
    const isNew = [addAll(this.read[instance]!, read), addAll(this.written[instance]!, written)];
    if (isNew.includes(true)) this.grown.add(instance);
  }

  /**
   * Call this when an entry of the section is present for the first time. Those who have enumerated
   * the keys have read that it was absent.
   */
  sectionGrew(section: Section): void {
    const enumerators = this.enumerators.get(section);
    // Each entry of a section calls this, and before the search nothing enumerates any.
    if (enumerators === undefined) return;
    const present = section.present.map(({ number }) => number);
    for (const instance of enumerators) this.note(instance, present, [], []);
  }

  /** Where the set of an instance begins in the result of `compiled`. */
  startOf(instance: number): number {
    return instance * this.words;
  }

  /** The sets, with all that was noted so far. */
  compiled(): Int32Array {
    // Its size grows with the square of the instances, and most searches never ask.
    this.sets ??= allocateWords(this.read.length * this.words, this.guard);
    const { sets } = this;
    for (const one of this.grown) {
      this.guard.look();
      for (let other = 0; other < this.read.length; other++) {
        const isIndependent = !this.conflicts(one, other) && !this.conflicts(other, one);
        this.put(sets, one, other, isIndependent);
        this.put(sets, other, one, isIndependent);
      }
    }
    this.grown.clear();
    return sets;
  }

  private conflicts(writer: number, other: number): boolean {
    for (const slot of this.written[writer]!) {
      if (this.read[other]!.has(slot) || this.written[other]!.has(slot)) return true;
    }
    return false;
  }

  private put(sets: Int32Array, one: number, other: number, isIndependent: boolean): void {
    const place = one * this.words + (other >> 5);
    const bit = 1 << (other & 31);
    sets[place] = isIndependent ? sets[place]! | bit : sets[place]! & ~bit;
  }
}

function addAll(set: Set<number>, members: Iterable<number>): boolean {
  const before = set.size;
  for (const member of members) set.add(member);
  return set.size > before;
}
