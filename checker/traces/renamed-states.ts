import { BadValueError } from '../errors.ts';
import type { Model } from '../model.ts';
import type { Orbits } from '../reductions/reduction.ts';
import { canonicalText, FrozenTexts } from '../values/canonical.ts';

type Renamer = Pick<Orbits<unknown>, 'key' | 'value' | 'listed'>;
type Entries = Readonly<Record<string, unknown>>;

/**
 * Compares states under renamings. Deep-frozen states share most of their values, so texts and
 * renamed texts of values are kept.
 */
export class RenamedStates<State> {
  private readonly model: Pick<Model<State>, 'slots'>;
  private readonly orbits: Renamer;
  private readonly texts = new FrozenTexts();
  /** By renaming and section. */
  private readonly renamed = new Map<string, FrozenTexts>();

  constructor(model: Pick<Model<State>, 'slots'>, orbits: Renamer) {
    this.model = model;
    this.orbits = orbits;
  }

  /**
   * Whether the renaming takes the one state to the other, which are deep-frozen. The one state may be
   * what `produce` made; false if it is no state of the model.
   */
  takes(renaming: number, one: State, other: State): boolean {
    const images = other as Entries;
    try {
      const sections = Object.entries(one as Entries);
      return (
        sections.length === Object.keys(images).length &&
        sections.every(([section, value]) =>
          this.takesSection(renaming, section, value, images[section]),
        )
      );
    } catch (error) {
      if (error instanceof BadValueError) return false;
      throw error;
    }
  }

  private takesSection(renaming: number, section: string, value: unknown, image: unknown): boolean {
    if (this.model.slots[section as keyof State] === 'value') {
      return this.isImage(renaming, section, value, image);
    }
    if (typeof value !== 'object' || typeof image !== 'object') return false;
    if (value === null || image === null) return false;
    const entries = Object.entries(value);
    return (
      entries.length === Object.keys(image).length &&
      entries.every(([key, entry]) => {
        const found = (image as Entries)[this.orbits.key(renaming, section, key)];
        return this.isImage(renaming, section, entry, found);
      })
    );
  }

  private isImage(renaming: number, section: string, value: unknown, image: unknown): boolean {
    if (image === undefined) return false;
    const text = this.textsUnder(renaming, section).by(value, () =>
      canonicalText(this.orbits.value(renaming, section, value)),
    );
    return text === this.texts.of(image);
  }

  private textsUnder(renaming: number, section: string): FrozenTexts {
    // Of a large group, each renaming occurs only a few times.
    if (renaming >= this.orbits.listed) return new FrozenTexts();
    const place = `${renaming} ${section}`;
    const known = this.renamed.get(place) ?? new FrozenTexts();
    this.renamed.set(place, known);
    return known;
  }
}
