/** How a group acts on one part of a state, such as an entry. Numbers of members, not names. */
export interface Action {
  /** The members of each group; groups are exchanged within themselves only. */
  readonly groups: readonly (readonly number[])[];
  /** The text of the part after this permutation, given as the image of each member. */
  text(images: readonly number[]): string;
  /** The same after a cycle of these members, which are neighbours in their group, or only two. */
  cycled(members: readonly number[]): string;
}

/**
 * Which members a part of a state distinguishes: it stays the same if members of one class are
 * exchanged. Two parts with the same shape are images of one another.
 */
export interface Structure {
  readonly shape: string;
  /** Members by class. In each group, a class that is larger than all others is left out. */
  readonly classes: readonly (readonly number[])[];
  /**
   * Orders of the classes that give the same shape. The first one is that of `classes`, and there
   * are more of them if some classes play the same part.
   */
  readonly orders: readonly (readonly number[])[];
}

/** More orders of classes would take too long. Parts with more have no common shape. */
const MOST_ORDERS = 5040;

/** Null: the part is the same under all permutations. */
export function structureOf(action: Action): Structure | null {
  const byGroup = action.groups.map((members) => classesOf(action, members));
  if (byGroup.every((classes) => classes.length === 1)) return null;
  const arranged = byGroup.map(arrangements);
  const count = arranged.reduce((product, orders) => product * orders.length, 1);
  const all: readonly (readonly (readonly number[])[])[] =
    count > MOST_ORDERS
      ? [byGroup.flat()]
      : arranged.reduce<readonly (readonly (readonly number[])[])[]>(
          (sofar, orders) => sofar.flatMap((one) => orders.map((order) => [...one, ...order])),
          [[]],
        );
  const places = action.groups.flat();
  let shape: string | null = null;
  let least: (readonly (readonly number[])[])[] = [];
  for (const classes of all) {
    const text = action.text(imagesTo(places, classes.flat()));
    if (shape !== null && text > shape) continue;
    if (text !== shape) least = [];
    shape = text;
    least.push(classes);
  }
  const [first] = least;
  const dull = new Set(byGroup.flatMap(largest));
  const kept = first!.filter((members) => !dull.has(members));
  const orders = least.map((classes) =>
    classes.filter((members) => !dull.has(members)).map((members) => kept.indexOf(members)),
  );
  return { shape: shape!, classes: kept, orders: distinct(orders) };
}

/**
 * Members that can be exchanged without a change. The exchanges form a group, so this is exact: an
 * exchange and a cycle generate all permutations of a block, and blocks are joined by an exchange.
 */
function classesOf(action: Action, members: readonly number[]): readonly (readonly number[])[] {
  const same = action.cycled([]);
  const isSameUnder = (cycle: readonly number[]): boolean => action.cycled(cycle) === same;
  const classes: number[][] = [];
  const visit = (block: readonly number[]): void => {
    if (block.length > 1 && !(isSameUnder(block.slice(0, 2)) && isSameUnder(block))) {
      const middle = block.length >> 1;
      visit(block.slice(0, middle));
      visit(block.slice(middle));
      return;
    }
    const [first] = block;
    if (first === undefined) return;
    const known = classes.find(([other]) => isSameUnder([other!, first]));
    if (known === undefined) classes.push([...block]);
    else known.push(...block);
    classes.sort((one, other) => other.length - one.length);
  };
  visit(members);
  return classes;
}

/** The orders of classes with descending sizes. */
function arrangements(
  classes: readonly (readonly number[])[],
): readonly (readonly (readonly number[])[])[] {
  const sizes = [...new Set(classes.map(({ length }) => length))];
  let orders: readonly (readonly (readonly number[])[])[] = [[]];
  for (const size of sizes) {
    const alike = classes.filter(({ length }) => length === size);
    // Too many to be of use; the caller counts them.
    if (orders.length * factorial(alike.length) > MOST_ORDERS) {
      return Array.from({ length: MOST_ORDERS + 1 }, () => classes);
    }
    orders = orders.flatMap((order) => permutations(alike).map((part) => [...order, ...part]));
  }
  return orders;
}

function largest(classes: readonly (readonly number[])[]): readonly (readonly number[])[] {
  const [first, second] = classes;
  const isAlone = second === undefined || first!.length > second.length;
  return isAlone ? [first!] : [];
}

/** The permutation that takes `from[k]` to the k-th place. */
function imagesTo(places: readonly number[], from: readonly number[]): readonly number[] {
  const images: number[] = [];
  from.forEach((member, index) => {
    images[member] = places[index]!;
  });
  return images;
}

function distinct(orders: readonly (readonly number[])[]): readonly (readonly number[])[] {
  return [...new Map(orders.map((order) => [order.join(), order])).values()];
}

/** In lexicographic order, so that the identity is the first. */
export function permutations<Value>(values: readonly Value[]): readonly (readonly Value[])[] {
  if (values.length === 0) return [[]];
  return values.flatMap((value, index) =>
    permutations(values.filter((_, other) => other !== index)).map((rest) => [value, ...rest]),
  );
}

export function factorial(size: number): number {
  return size <= 1 ? 1 : size * factorial(size - 1);
}
