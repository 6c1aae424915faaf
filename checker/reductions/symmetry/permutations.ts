import type { InterchangeableGroup, Renaming } from '../../model.ts';
import { factorial, permutations } from './structure.ts';

/** With more renamings than this, it is faster to label members than to try all renamings. */
const MOST_LISTED = 12;
/** More renamings take too long to be tried one by one. */
const MOST_TRIED = 720;
/** Predicates are asked again under all renamings if there are no more than this. */
const MOST_AUDITED = 24;
/** Otherwise under so many rotations of each group, and as many others. */
const MOST_ROTATIONS = 8;
/** Larger groups lose members. */
const MOST_MEMBERS = 200;

/**
 * The renamings of some groups within themselves, by number; number 0 renames nothing. If there are
 * few, all of them are listed. Otherwise those of the first members are, and others get their
 * numbers when they are met.
 */
export class PermutationGroup {
  /** The members that are renamed, by group. */
  readonly members: readonly (readonly string[])[];
  /** Their numbers, by group; members are numbered across the groups. */
  readonly groups: readonly (readonly number[])[];
  /** How many renamings there are, or the largest safe integer if there are more. */
  readonly size: number;
  /** Renamings below this number are listed. */
  readonly listed: number;
  /** Images of all members, by renaming. */
  private readonly images: (readonly number[])[] = [];
  private readonly made: Renaming[] = [];
  private readonly numbers = new Map<string, number>();
  private readonly names: readonly string[];
  /** By group: whether it is renamed by rotations only. */
  private readonly rings: readonly boolean[];

  /**
   * `isListed`: large groups lose members until all renamings can be listed. With a ring, all are
   * listed, as the search for representatives without a list assumes that any two members can be
   * exchanged.
   */
  constructor(groups: readonly InterchangeableGroup[], isListed: boolean) {
    this.rings = groups.map(isRing);
    const areListed = isListed || this.rings.includes(true);
    const most = areListed ? MOST_TRIED : MOST_LISTED;
    const members = groups.map((group) =>
      isRing(group) ? group.members : group.members.slice(0, MOST_MEMBERS),
    );
    this.members = areListed ? withinReason(members, this.rings, most) : members;
    this.names = this.members.flat();
    this.groups = numbered(this.members);
    this.size = Math.min(sizeOf(this.members, this.rings), Number.MAX_SAFE_INTEGER);
    const some = withinReason(this.members, this.rings, most);
    const listed = products(
      this.groups.map((group, index) => {
        const moved = some[index]!.length;
        const rest = group.slice(moved);
        return this.ordersOf(group.slice(0, moved), index).map((part) => [...part, ...rest]);
      }),
    );
    this.listed = listed.length;
    for (const images of listed) this.number(images);
  }

  /** Renamings that generate all of them. */
  get generators(): readonly Renaming[] {
    return this.members.flatMap((members, index) =>
      this.rings[index] ? rotation(members) : generators(members),
    );
  }

  get areAllListed(): boolean {
    return this.listed === this.size;
  }

  /** The number of the renaming with these images of all members. */
  number(images: readonly number[]): number {
    const key = images.join();
    const known = this.numbers.get(key);
    if (known !== undefined) return known;
    this.images.push(images);
    this.numbers.set(key, this.images.length - 1);
    return this.images.length - 1;
  }

  numberOf(renaming: Renaming): number {
    const { names } = this;
    return this.number(names.map((name) => names.indexOf(renaming.get(name) ?? name)));
  }

  /**
   * The number of the renaming that does what the first one does, and then what the second one
   * does.
   */
  product(first: number, second: number): number {
    const then = this.images[second]!;
    return this.number(this.images[first]!.map((image) => then[image]!));
  }

  renaming(number: number): Renaming {
    this.made[number] ??= this.renamingTo(this.images[number]!);
    return this.made[number]!;
  }

  /** Whether `audited` gives all of them. */
  get areAllAudited(): boolean {
    return this.size <= MOST_AUDITED;
  }

  /**
   * Those under which predicates are asked again: all but the first, or if these are too many, the
   * exchange of two neighbours, rotations, which take each member to many others, and shuffles.
   */
  audited(): readonly Renaming[] {
    if (this.areAllAudited) {
      return products(this.groups.map((group, index) => this.ordersOf(group, index)))
        .slice(1)
        .map((images) => this.renamingTo(images));
    }
    if (this.rings.includes(true)) {
      const apart = (this.size - 1) / MOST_AUDITED;
      return Array.from({ length: MOST_AUDITED }, (_, index) =>
        this.renaming(1 + Math.floor(index * apart)),
      );
    }
    const rotations = this.members.flatMap((members) => {
      const count = Math.min(members.length - 1, MOST_ROTATIONS);
      return Array.from({ length: count }, (_, index) => {
        const by = Math.ceil(((index + 1) * (members.length - 1)) / count);
        return new Map(
          members.map((member, place) => [member, members[(place + by) % members.length]!]),
        );
      });
    });
    const shuffles = Array.from({ length: MOST_ROTATIONS }, (_, seed) =>
      this.renamingTo(shuffled(this.groups, seed)),
    );
    return [
      ...this.members.flatMap((members) => generators(members).slice(0, 1)),
      ...rotations,
      ...shuffles,
    ];
  }

  /** The images of members of a group, by renaming. */
  private ordersOf(members: readonly number[], group: number): readonly (readonly number[])[] {
    return this.rings[group] ? rotations(members) : permutations(members);
  }

  /** As `renaming`, of a renaming that needs no number. */
  renamingTo(images: readonly number[]): Renaming {
    const { names } = this;
    return new Map(
      images.flatMap((to, from) => (to === from ? [] : [[names[from]!, names[to]!] as const])),
    );
  }
}

export function isRing({ renamings = 'all' }: InterchangeableGroup): boolean {
  return renamings === 'rotations';
}

/** Renamings that generate all renamings of a group. */
export function generatorsOf(group: InterchangeableGroup): readonly Renaming[] {
  return isRing(group) ? rotation(group.members) : generators(group.members);
}

/** The rotation by one place; none if it changes nothing. */
function rotation(members: readonly string[]): readonly Renaming[] {
  if (members.length < 2) return [];
  return [
    new Map(members.map((member, index) => [member, members[(index + 1) % members.length]!])),
  ];
}

/** All rotations, that by nothing first. */
function rotations<Value>(values: readonly Value[]): readonly (readonly Value[])[] {
  if (values.length === 0) return [[]];
  return values.map((_, by) => [...values.slice(by), ...values.slice(0, by)]);
}

/** Two renamings that generate all renamings of the members: an exchange, and a cycle of all. */
function generators(members: readonly string[]): readonly Renaming[] {
  const [first, second] = members;
  if (first === undefined || second === undefined) return [];
  const exchange = new Map([
    [first, second],
    [second, first],
  ]);
  return members.length === 2 ? [exchange] : [exchange, ...rotation(members)];
}

/** One image of each group, in all combinations, joined. The first one joins the first images. */
function products(
  images: readonly (readonly (readonly number[])[])[],
): readonly (readonly number[])[] {
  let joined: readonly (readonly number[])[] = [[]];
  for (const own of images) {
    joined = joined.flatMap((image) => own.map((part) => [...image, ...part]));
  }
  return joined;
}

function numbered(groups: readonly (readonly string[])[]): readonly (readonly number[])[] {
  let next = 0;
  return groups.map((members) => members.map(() => next++));
}

/**
 * The first members, so few that there are at most so many renamings. A part of a ring has no
 * rotations, so a ring that is too large keeps one member.
 */
function withinReason(
  groups: readonly (readonly string[])[],
  rings: readonly boolean[],
  most: number,
): readonly (readonly string[])[] {
  const sizes = groups.map(({ length }) => length);
  const counts = () => sizes.map((size, index) => renamingsOf(size, rings[index]!));
  while (counts().reduce((product, count) => product * count, 1) > most) {
    const largest = counts().indexOf(Math.max(...counts()));
    sizes[largest] = rings[largest] ? 1 : sizes[largest]! - 1;
  }
  return groups.map((members, index) => members.slice(0, sizes[index]));
}

function sizeOf(groups: readonly (readonly string[])[], rings: readonly boolean[]): number {
  return groups.reduce(
    (product, { length }, index) => product * renamingsOf(length, rings[index]!),
    1,
  );
}

function renamingsOf(members: number, areRing: boolean): number {
  return areRing ? Math.max(members, 1) : factorial(members);
}

/** A permutation of the members of each group, another one for each seed. */
export function shuffled(groups: readonly (readonly number[])[], seed: number): readonly number[] {
  let next = seed + 1;
  const images: number[] = [];
  for (const members of groups) {
    const order = [...members];
    for (let last = order.length - 1; last > 0; last--) {
      // A linear congruential generator (Numerical Recipes).
      next = (Math.imul(next, 1_664_525) + 1_013_904_223) >>> 0;
      const chosen = Math.floor((next / 2 ** 32) * (last + 1));
      const kept = order[last]!;
      order[last] = order[chosen]!;
      order[chosen] = kept;
    }
    members.forEach((member, index) => {
      images[member] = order[index]!;
    });
  }
  return images;
}
