import type { Labelling, Relation } from './labelling.ts';

/** A relation in the form that `Signatures` compares. */
export interface Incidence {
  readonly shape: number;
  /** The members that it distinguishes, and by each of them the number of its class. */
  readonly members: readonly number[];
  readonly classes: readonly number[];
  /** Whether each class plays a part of its own. Else `Signatures` does not apply. */
  readonly isRigid: boolean;
}

/** More classes have no room in a number of a signature. */
const MOST_CLASSES = 64;

export function incidenceOf({ shape, classes, orders }: Relation): Incidence {
  return {
    shape,
    members: classes.flat(),
    classes: classes.flatMap((members, index) => members.map(() => index)),
    isRigid: orders.length === 1 && classes.length <= MOST_CLASSES,
  };
}

/**
 * Labels members by their signatures: the shapes of the relations that distinguish a member, and
 * its class in each of them. This is the first step of partition refinement, and in most states the
 * last one, so it is worth a way of its own that makes no texts.
 *
 * It applies if, of each shape, either all relations distinguish one member only, or there is only
 * one. Then two members with the same signature can be exchanged without a change, so the order of
 * the signatures is a canonical labelling. Renaming a state changes no shape, so it applies to all
 * states of an orbit or to none.
 */
export class Signatures {
  private readonly groups: readonly (readonly number[])[];
  /** By member. */
  private readonly signatures: number[][];
  /** By shape: the last labelling that has met it. */
  private met = new Int32Array(256);
  private now = 0;

  constructor(groups: readonly (readonly number[])[]) {
    this.groups = groups;
    this.signatures = groups.flat().map(() => []);
  }

  /** Null: it does not apply. */
  labelling(parts: readonly (readonly Incidence[])[]): Labelling | null {
    if (!this.collect(parts)) return null;
    for (const signature of this.signatures) inOrder(signature);
    const images: number[] = [];
    const alike: number[][] = [];
    for (const places of this.groups) {
      const sorted = [...places];
      // Members with one signature keep their order.
      for (let at = 1; at < sorted.length; at++) {
        const member = sorted[at]!;
        let to = at;
        for (; to > 0 && this.compare(sorted[to - 1]!, member) > 0; to--) {
          sorted[to] = sorted[to - 1]!;
        }
        sorted[to] = member;
      }
      let cell: number[] = [];
      for (let at = 0; at < sorted.length; at++) {
        const member = sorted[at]!;
        images[member] = places[at]!;
        if (at > 0 && this.compare(sorted[at - 1]!, member) !== 0) {
          if (cell.length > 1) alike.push(cell);
          cell = [];
        }
        cell.push(member);
      }
      if (cell.length > 1) alike.push(cell);
    }
    return { images, alike, others: [] };
  }

  private collect(parts: readonly (readonly Incidence[])[]): boolean {
    const { signatures } = this;
    for (const signature of signatures) signature.length = 0;
    this.now++;
    for (const incidences of parts) {
      for (const { shape, members, classes, isRigid } of incidences) {
        if (!isRigid) return false;
        if (members.length > 1 && this.meets(shape)) return false;
        for (let index = 0; index < members.length; index++) {
          signatures[members[index]!]!.push(shape * MOST_CLASSES + classes[index]!);
        }
      }
    }
    return true;
  }

  /** Whether this labelling has met the shape before. */
  private meets(shape: number): boolean {
    if (shape >= this.met.length) {
      const longer = new Int32Array(2 * shape);
      longer.set(this.met);
      this.met = longer;
    }
    if (this.met[shape] === this.now) return true;
    this.met[shape] = this.now;
    return false;
  }

  private compare(one: number, other: number): number {
    const before = this.signatures[one]!;
    const after = this.signatures[other]!;
    const length = Math.min(before.length, after.length);
    for (let index = 0; index < length; index++) {
      const difference = before[index]! - after[index]!;
      if (difference !== 0) return difference;
    }
    return before.length - after.length;
  }
}

/** Signatures are short, and mostly sorted. */
function inOrder(numbers: number[]): void {
  for (let at = 1; at < numbers.length; at++) {
    const number = numbers[at]!;
    let to = at;
    for (; to > 0 && numbers[to - 1]! > number; to--) numbers[to] = numbers[to - 1]!;
    numbers[to] = number;
  }
}
