import type { InterchangeableGroup, Renaming } from '../../model.ts';

/** More renamings would cost more than they save. Larger groups lose members. */
const MOST_RENAMINGS = 720;

/**
 * All renamings of some groups within themselves, by number; number 0 renames nothing. Fewer
 * members of a group give a subgroup, which is as sound and merges fewer states.
 */
export class PermutationGroup {
  /** The members that are renamed, by group. */
  readonly members: readonly (readonly string[])[];
  readonly renamings: readonly Renaming[];
  /** Images of all members, by renaming; members are numbered across the groups. */
  private readonly images: readonly (readonly number[])[];
  private readonly numbers: ReadonlyMap<string, number>;

  constructor(groups: readonly InterchangeableGroup[]) {
    this.members = withinReason(groups.map(({ members }) => members));
    let images: readonly (readonly number[])[] = [[]];
    let first = 0;
    for (const members of this.members) {
      const own = permutations(members.map((_, index) => first + index));
      images = images.flatMap((image) => own.map((part) => [...image, ...part]));
      first += members.length;
    }
    this.images = images;
    this.numbers = new Map(images.map((image, number) => [image.join(), number]));
    const names = this.members.flat();
    this.renamings = images.map(
      (image) =>
        new Map(
          image.flatMap((to, from) => (to === from ? [] : [[names[from]!, names[to]!] as const])),
        ),
    );
  }

  get size(): number {
    return this.images.length;
  }

  /** The renaming that does `first`, then `second`. */
  compose(first: number, second: number): number {
    const after = this.images[second]!;
    return this.numbers.get(this.images[first]!.map((image) => after[image]!).join())!;
  }

  inverse(renaming: number): number {
    const inverse: number[] = [];
    this.images[renaming]!.forEach((image, member) => {
      inverse[image] = member;
    });
    return this.numbers.get(inverse.join())!;
  }
}

/** Exchanges of neighbours. They generate all renamings of the group. */
export function generators({ members }: InterchangeableGroup): readonly Renaming[] {
  return members.slice(1).map((member, index) => {
    const before = members[index]!;
    return new Map([
      [before, member],
      [member, before],
    ]);
  });
}

/** In lexicographic order, so that the identity is the first. */
function permutations(values: readonly number[]): readonly (readonly number[])[] {
  if (values.length === 0) return [[]];
  return values.flatMap((value) =>
    permutations(values.filter((other) => other !== value)).map((rest) => [value, ...rest]),
  );
}

function withinReason(groups: readonly (readonly string[])[]): readonly (readonly string[])[] {
  const sizes = groups.map(({ length }) => length);
  const total = () => sizes.reduce((product, size) => product * factorial(size), 1);
  while (total() > MOST_RENAMINGS) {
    const largest = sizes.indexOf(Math.max(...sizes));
    sizes[largest]!--;
  }
  return groups.map((members, index) => members.slice(0, sizes[index]));
}

function factorial(size: number): number {
  return size <= 1 ? 1 : size * factorial(size - 1);
}
