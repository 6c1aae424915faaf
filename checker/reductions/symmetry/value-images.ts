/** The group of the renamings, by number. */
export interface RenamingGroup {
  readonly size: number;
  /** What the first one does, and then the second one. */
  product(first: number, second: number): number;
}

/** The images of another value, by renaming, and the renaming that takes that value to this one. */
interface Orbit {
  readonly images: readonly number[];
  readonly from: number;
}

/**
 * The images of values of one section, all as interned numbers. To rename a value and to intern it
 * takes long, so all values of an orbit get their images from those of the first one: what takes
 * the first value to this one, and then this one on, takes the first one there at once.
 *
 * That is so if the renamings of the model are those of a group. To be sure, each value is also
 * renamed by generators, and what they do makes up what any renaming does. So a table has only what
 * some renamings of the model do one after the other. If they do something else, each image of the
 * value is that of its renaming.
 */
export class ValueImages {
  private readonly group: RenamingGroup;
  private readonly generators: readonly number[];
  private readonly orbits = new Map<number, Orbit>();
  private readonly products: Int32Array[];

  /**
   * @param generators renamings that generate all of them.
   * @param products by renaming: what it and then each one does. Shared by all sections.
   */
  constructor(group: RenamingGroup, generators: readonly number[], products: Int32Array[]) {
    this.group = group;
    this.generators = generators;
    this.products = products;
  }

  /** By renaming. `rename` gives the interned number of one image. */
  of(value: number, rename: (renaming: number) => number): readonly number[] {
    const { generators } = this;
    const orbit = this.orbits.get(value);
    if (orbit !== undefined) {
      const { images, from } = orbit;
      const after = this.after(from);
      if (generators.every((renaming) => rename(renaming) === images[after[renaming]!])) {
        return Array.from(after, (renaming) => images[renaming]!);
      }
    }
    const images = [value];
    for (let renaming = 1; renaming < this.group.size; renaming++) images.push(rename(renaming));
    images.forEach((image, from) => {
      if (!this.orbits.has(image)) this.orbits.set(image, { images, from });
    });
    return images;
  }

  private after(first: number): Int32Array {
    const { size } = this.group;
    this.products[first] ??= Int32Array.from({ length: size }, (_, second) =>
      this.group.product(first, second),
    );
    return this.products[first]!;
  }
}
