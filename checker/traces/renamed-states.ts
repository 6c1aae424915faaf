import { BadValueError } from '../errors.ts';
import type { Model } from '../model.ts';
import type { Orbits, StateImages } from '../reductions/reduction.ts';
import { canonicalText, FrozenTexts, fromCanonicalText } from '../values/canonical.ts';

type Renamer = Pick<Orbits<unknown>, 'key' | 'value' | 'listed'>;
type Entries = Readonly<Record<string, unknown>>;

/**
 * Renames states, and compares them under renamings. Deep-frozen states share most of their values,
 * so the images of keys and values are kept, and the texts of both.
 */
export class RenamedStates<State> implements StateImages<State> {
  private readonly model: Pick<Model<State>, 'slots'>;
  private readonly orbits: Renamer;
  private readonly texts = new FrozenTexts();
  /** By renaming and section. */
  private readonly renamed = new Map<number, Map<string, RenamedSection>>();

  constructor(model: Pick<Model<State>, 'slots'>, orbits: Renamer) {
    this.model = model;
    this.orbits = orbits;
  }

  /**
   * Whether the renaming takes the one state to the other, which are deep-frozen. The one state may
   * be what `produce` made; false if it is no state of the model.
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

  /** The image of a deep-frozen state. Throws `BadValueError` if it is no state. */
  image(renaming: number, state: State): State {
    const sections = Object.entries(state as Entries).map(([section, value]) => {
      const known = this.sectionUnder(renaming, section);
      if (this.isValue(section)) return [section, this.valueImage(known, value)] as const;
      const entries = Object.entries(value as Entries)
        .map(([key, entry]) => [known.key(key), this.valueImage(known, entry)] as const)
        .sort(([one], [other]) => (one < other ? -1 : 1));
      return [section, Object.freeze(Object.fromEntries(entries))] as const;
    });
    return Object.freeze(Object.fromEntries(sections)) as State;
  }

  private valueImage(known: RenamedSection, value: unknown): unknown {
    const text = known.text(value);
    const image = known.image(value, text);
    // So that a comparison with it takes no time.
    this.texts.by(image, () => text);
    return image;
  }

  private isValue(section: string): boolean {
    return this.model.slots[section as keyof State] === 'value';
  }

  private takesSection(renaming: number, section: string, value: unknown, image: unknown): boolean {
    const known = this.sectionUnder(renaming, section);
    if (this.isValue(section)) return this.isImage(known, value, image);
    if (typeof value !== 'object' || typeof image !== 'object') return false;
    if (value === null || image === null) return false;
    const entries = Object.entries(value);
    return (
      entries.length === Object.keys(image).length &&
      entries.every(([key, entry]) =>
        this.isImage(known, entry, (image as Entries)[known.key(key)]),
      )
    );
  }

  private isImage(known: RenamedSection, value: unknown, image: unknown): boolean {
    return image !== undefined && known.text(value) === this.texts.of(image);
  }

  private sectionUnder(renaming: number, section: string): RenamedSection {
    // Of a large group, each renaming occurs only a few times.
    if (renaming >= this.orbits.listed) return new RenamedSection(this.orbits, renaming, section);
    const sections = this.renamed.get(renaming) ?? new Map<string, RenamedSection>();
    this.renamed.set(renaming, sections);
    const known = sections.get(section) ?? new RenamedSection(this.orbits, renaming, section);
    sections.set(section, known);
    return known;
  }
}

/** The keys and values of a section under one renaming. */
class RenamedSection {
  private readonly orbits: Renamer;
  private readonly renaming: number;
  private readonly section: string;
  private readonly keys = new Map<string, string>();
  private readonly texts = new FrozenTexts();
  private readonly images = new WeakMap<object, unknown>();

  constructor(orbits: Renamer, renaming: number, section: string) {
    this.orbits = orbits;
    this.renaming = renaming;
    this.section = section;
  }

  key(key: string): string {
    const known = this.keys.get(key);
    if (known !== undefined) return known;
    const image = this.orbits.key(this.renaming, this.section, key);
    this.keys.set(key, image);
    return image;
  }

  /** The text of the image of a value. */
  text(value: unknown): string {
    return this.texts.by(value, () =>
      canonicalText(this.orbits.value(this.renaming, this.section, value)),
    );
  }

  /** The image of a deep-frozen value, of which this is the text. */
  image(value: unknown, text: string): unknown {
    if (typeof value !== 'object' || value === null) return fromCanonicalText(text);
    const known = this.images.get(value);
    if (known !== undefined) return known;
    const image = fromCanonicalText(text);
    this.images.set(value, image);
    return image;
  }
}
