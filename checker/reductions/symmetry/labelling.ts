/** A part of a state as a relation between the members that it distinguishes. */
export interface Relation {
  /** Images of one another have the same number. Numbers never change during a check. */
  readonly shape: number;
  readonly classes: readonly (readonly number[])[];
  /** The orders of the classes that make no difference. */
  readonly orders: readonly (readonly number[])[];
}

/** A labelling of the members that images of one state have in common. */
export interface Labelling {
  /** By member: the member whose place it gets. */
  readonly images: readonly number[];
  /**
   * Permutations under which the state stays the same: exchanges of members that are alike in every
   * respect, as pairs, and others that the search has met.
   */
  readonly alike: readonly (readonly number[])[];
  readonly others: readonly (readonly number[])[];
}

/** A search with more ends is cut short: images of one state may then get different labellings. */
const MOST_ENDS = 5040;

/**
 * Finds a canonical labelling by partition refinement: members get colours by what relates them to
 * others, until that distinguishes no more of them. Of members that still have one colour, those
 * that are alike in every respect are left as they are. If there are others, each kind of them is
 * tried as the first one, and the least result is taken.
 *
 * After B. D. McKay, "Practical graph isomorphism" (Congressus Numerantium 30, 1981).
 */
export function labelling(
  groups: readonly (readonly number[])[],
  relations: readonly Relation[],
): Labelling {
  return new Search(groups, relations).run();
}

class Search {
  private readonly groups: readonly (readonly number[])[];
  private readonly relations: readonly Relation[];
  private readonly size: number;
  /** By member: the relations that distinguish it, and the part that it plays there. */
  private readonly incident: (readonly [relation: number, role: number])[][];
  private readonly roles: readonly (readonly number[])[];
  private readonly codes: ReadonlySet<string>;
  private ends = 0;
  private best: { readonly certificate: string | null; readonly images: readonly number[] } | null =
    null;
  private alike: readonly (readonly number[])[] = [];
  private readonly others: (readonly number[])[] = [];

  constructor(groups: readonly (readonly number[])[], relations: readonly Relation[]) {
    this.groups = groups;
    this.relations = relations;
    this.size = groups.reduce((sum, { length }) => sum + length, 0);
    this.roles = relations.map(({ classes, orders }) =>
      classes.map((_, index) => Math.min(...orders.map((order) => order.indexOf(index)))),
    );
    this.incident = Array.from({ length: this.size }, () => []);
    relations.forEach(({ classes }, relation) => {
      classes.forEach((members, index) => {
        for (const member of members) {
          this.incident[member]!.push([relation, this.roles[relation]![index]!]);
        }
      });
    });
    this.codes = new Set(relations.map((relation) => codeOf(relation, (member) => member)));
  }

  run(): Labelling {
    const colours: number[] = [];
    this.groups.forEach((members, group) => {
      for (const member of members) colours[member] = group;
    });
    this.descend(colours, null);
    return { images: this.best!.images, alike: this.alike, others: this.others };
  }

  /** `isOnly` is null as long as there was no choice. */
  private descend(given: readonly number[], isOnly: false | null): void {
    if (this.ends >= MOST_ENDS) return;
    const colours = this.refined(given);
    const cells = cellsOf(colours);
    const kinds = cells.map((cell) => this.kindsOf(cell));
    const choice = kinds.find((classes) => classes.length > 1);
    if (choice === undefined) {
      this.end(cells, isOnly === null);
      return;
    }
    for (const [first] of choice) {
      // It comes before the others of its colour.
      this.descend(
        colours.map((colour, member) => (member === first ? 2 * colour : 2 * colour + 1)),
        false,
      );
    }
  }

  private end(cells: readonly (readonly number[])[], isOnly: boolean): void {
    this.ends++;
    const images = this.imagesOf(cells);
    const certificate = isOnly ? null : this.certificate(images);
    const { best } = this;
    if (best === null || certificate! < best.certificate!) {
      this.best = { certificate, images };
      this.alike = cells.filter(({ length }) => length > 1);
    } else if (certificate === best.certificate) {
      const back: number[] = [];
      best.images.forEach((image, member) => {
        back[image] = member;
      });
      this.others.push(images.map((image) => back[image]!));
    }
  }

  /** Members of each group get its places in the order of their colours. */
  private imagesOf(cells: readonly (readonly number[])[]): readonly number[] {
    const groupOf: number[] = [];
    this.groups.forEach((members, group) => {
      for (const member of members) groupOf[member] = group;
    });
    const taken = this.groups.map(() => 0);
    const images: number[] = [];
    for (const member of cells.flat()) {
      const group = groupOf[member]!;
      images[member] = this.groups[group]![taken[group]!++]!;
    }
    return images;
  }

  private certificate(images: readonly number[]): string {
    return this.relations
      .map((relation) => codeOf(relation, (member) => images[member]!))
      .sort()
      .join(' ');
  }

  private refined(given: readonly number[]): readonly number[] {
    let colours = given;
    let count = new Set(given).size;
    for (;;) {
      const surroundings = this.relations.map(({ shape, classes }, relation) =>
        [
          shape,
          ...classes
            .map((members, index) => {
              const found = members.map((member) => colours[member]!);
              return `${this.roles[relation]![index]}:${found.sort((one, other) => one - other).join()}`;
            })
            .sort(),
        ].join(' '),
      );
      const signatures = this.incident.map((incident) =>
        incident
          .map(([relation, role]) => `${surroundings[relation]}@${role}`)
          .sort()
          .join('|'),
      );
      const order = [...signatures.keys()].sort(
        (one, other) =>
          colours[one]! - colours[other]! || compare(signatures[one]!, signatures[other]!),
      );
      const next: number[] = [];
      let colour = -1;
      order.forEach((member, index) => {
        const former = order[index - 1];
        const isNew =
          former === undefined ||
          colours[former] !== colours[member] ||
          signatures[former] !== signatures[member];
        if (isNew) colour++;
        next[member] = colour;
      });
      colours = next;
      if (colour + 1 === count) return colours;
      count = colour + 1;
    }
  }

  /** The members of a cell by kind: members of one kind can be exchanged without a change. */
  private kindsOf(cell: readonly number[]): readonly (readonly number[])[] {
    const kinds: number[][] = [];
    for (const member of cell) {
      const known = kinds.find(([other]) => this.areAlike(other!, member));
      if (known === undefined) kinds.push([member]);
      else known.push(member);
    }
    return kinds;
  }

  private areAlike(one: number, other: number): boolean {
    const exchange = (member: number) => (member === one ? other : member === other ? one : member);
    return [...this.incident[one]!, ...this.incident[other]!].every(([relation]) =>
      this.codes.has(codeOf(this.relations[relation]!, exchange)),
    );
  }
}

/** The text of a renamed relation; relations are equal if their texts are. */
function codeOf({ shape, classes, orders }: Relation, image: (member: number) => number): string {
  const renamed = classes.map((members) =>
    members
      .map(image)
      .sort((one, other) => one - other)
      .join(),
  );
  let least: string | null = null;
  for (const order of orders) {
    const text = order.map((index) => renamed[index]!).join(';');
    if (least === null || text < least) least = text;
  }
  return `${shape}:${least}`;
}

function cellsOf(colours: readonly number[]): readonly (readonly number[])[] {
  const cells: number[][] = [];
  colours.forEach((colour, member) => {
    const cell = cells[colour];
    if (cell === undefined) cells[colour] = [member];
    else cell.push(member);
  });
  return cells;
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
