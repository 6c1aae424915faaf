import type { Renaming } from '../../model.ts';
import { canonicalText } from '../../values/canonical.ts';
import type { Layout } from '../../values/layout.ts';
import type { Section, Slot, SlotTable } from '../../values/slots.ts';
import type { RowCanonicalizer } from '../reduction.ts';
import { type Labelling, labelling, type Relation } from './labelling.ts';
import type { PermutationGroup } from './permutations.ts';
import { type Incidence, incidenceOf, Signatures } from './signatures.ts';
import { type Structure, structureOf } from './structure.ts';

/** Renamings as they act on the parts of a state. */
export interface PartRenamings {
  readonly group: PermutationGroup;
  /** Whether renamings of rows must have numbers. Without them, less memory is needed. */
  readonly areNumbered: boolean;
  renamedKey(renaming: Renaming, section: string, key: string): string;
  renamedValue(renaming: Renaming, section: string, value: unknown): unknown;
}

/** A slot and the local number of its value. */
type Entry = readonly [slot: Slot, local: number];

/** What an entry says about the members. Null: it is the same under all renamings. */
interface Part {
  readonly relations: readonly Relation[];
  readonly incidences: readonly Incidence[];
  /** By what a renaming does to the members of the relations: see `imageKey`. */
  readonly images: Map<number | string, Entry>;
}

function partFor(relations: readonly Relation[]): Part {
  return { relations, incidences: relations.map(incidenceOf), images: new Map() };
}

/** A state's entries that some renaming changes, and how its representative is reached. */
export interface Labelled {
  readonly entries: readonly Entry[];
  readonly labelling: Labelling;
  /** The entries of the representative. */
  readonly images: readonly Entry[];
}

const SOME_RENAMING = 1;
const VALUES_ADDED = -1;

/**
 * Computes the representative of each orbit for groups whose renamings cannot be listed: it finds
 * out which members each entry of the state distinguishes, and labels the members canonically. Any
 * labelling gives a state of the same orbit, so a labelling that is not canonical would cost
 * states, and no verdict.
 */
export class LabelledRows implements RowCanonicalizer {
  readonly learnsFromRows = true;
  learnt = 0;
  private readonly slots: SlotTable;
  private readonly renamings: PartRenamings;
  /** By slot and local number. */
  private readonly parts: (Part | null | undefined)[][] = [];
  private readonly shapes = new Map<string, number>();
  private readonly elements = new Map<string, Structure | null>();
  private readonly cycles = new Map<string, Renaming>();
  private readonly first: readonly number[];
  private readonly signatures: Signatures;
  private version = -1;

  constructor(slots: SlotTable, renamings: PartRenamings) {
    this.slots = slots;
    this.renamings = renamings;
    this.first = renamings.group.groups.flat();
    this.signatures = new Signatures(renamings.group.groups);
  }

  get isBehind(): boolean {
    return this.version !== this.slots.version;
  }

  takeIn(): boolean {
    if (!this.isBehind) return false;
    this.slots.demandLearning();
    this.version = this.slots.version;
    return true;
  }

  canonicalize(rows: Int32Array, row: number, layout: Layout): number {
    const { slots, version } = this.slots;
    const entries: Entry[] = [];
    for (let number = 0; number < slots.length; number++) {
      const slot = slots[number]!;
      const local = layout.read(rows, row, number);
      if (!this.slots.isAbsent(slot, local)) entries.push([slot, local]);
    }
    const labelled = this.label(entries);
    const absent = labelled.entries.map(([slot]) => this.slots.absentLocal(slot));
    // The layout may have no room for them.
    if (this.slots.version !== version) return VALUES_ADDED;
    const isSame = labelled.entries.every(([slot, local], index) => {
      const [other, image] = labelled.images[index]!;
      return slot === other && local === image;
    });
    if (isSame) return 0;
    labelled.entries.forEach(([slot], index) => {
      layout.writeAt(rows, row, slot.number, absent[index]!);
    });
    for (const [slot, local] of labelled.images) layout.writeAt(rows, row, slot.number, local);
    const { group, areNumbered } = this.renamings;
    return areNumbered ? group.number(labelled.labelling.images) : SOME_RENAMING;
  }

  representative(state: readonly number[]): readonly number[] {
    const present = state.flatMap((local, number): readonly Entry[] => {
      const slot = this.slots.slots[number]!;
      return this.slots.isAbsent(slot, local) ? [] : [[slot, local]];
    });
    const { entries, images } = this.label(present);
    const row = this.slots.slots.map(
      (slot, number) => state[number] ?? this.slots.absentLocal(slot),
    );
    for (const [slot] of entries) row[slot.number] = this.slots.absentLocal(slot);
    for (const [slot, local] of images) row[slot.number] = local;
    return row;
  }

  /** `present`: the entries of a state that are present. */
  label(present: readonly Entry[]): Labelled {
    const entries: Entry[] = [];
    const parts: Part[] = [];
    for (const entry of present) {
      const part = this.partOf(entry);
      if (part === null) continue;
      entries.push(entry);
      parts.push(part);
    }
    const found =
      this.signatures.labelling(parts.map(({ incidences }) => incidences)) ??
      labelling(
        this.renamings.group.groups,
        parts.flatMap(({ relations }) => relations),
      );
    const renaming = lazily(() => this.renamings.group.renamingTo(found.images));
    const images = entries.map((entry, index) =>
      this.imageOf(entry, parts[index]!, found.images, renaming),
    );
    return { entries, labelling: found, images };
  }

  private partOf(entry: Entry): Part | null {
    const [slot, local] = entry;
    this.parts[slot.number] ??= [];
    const known = this.parts[slot.number]![local];
    if (known !== undefined) return known;
    this.slots.demandLearning();
    this.learnt++;
    const relations = this.relationsOf(slot, this.slots.value(slot, local));
    const part = relations.length === 0 ? null : partFor(relations);
    this.parts[slot.number]![local] = part;
    if (part !== null) this.spread(entry, part);
    return part;
  }

  private relationsOf(slot: Slot, value: unknown): readonly Relation[] {
    const { section } = slot;
    if (section.kind !== 'queues') return this.relation(section, this.structure(slot, value), '');
    // The elements of a queue are renamed one by one, and most are in many queues.
    const elements = value as readonly unknown[];
    return [
      ...this.relation(section, this.structureOfElement(slot), ''),
      ...elements.flatMap((element, position) =>
        this.relation(section, this.structureOfElement(slot, element), `@${position}`),
      ),
    ];
  }

  /** Without an element: what the name of the queue itself says. */
  private structureOfElement(slot: Slot, element?: unknown): Structure | null {
    const part = element === undefined ? 0 : this.slots.partNumber(slot, element);
    const key = `${slot.number} ${part}`;
    const known = this.elements.get(key);
    if (known !== undefined) return known;
    const structure = this.structure(slot, element === undefined ? [] : [element]);
    this.elements.set(key, structure);
    return structure;
  }

  private relation(
    section: Section,
    structure: Structure | null,
    place: string,
  ): readonly Relation[] {
    if (structure === null) return [];
    const { shape, classes, orders } = structure;
    return [{ shape: this.numberOf(`${section.key} ${shape} ${place}`), classes, orders }];
  }

  private structure({ section, key }: Slot, value: unknown): Structure | null {
    const { group } = this.renamings;
    const text = (renaming: Renaming): string => {
      const renamed = this.renamings.renamedValue(renaming, section.key, value);
      const name =
        section.kind === 'value' ? key : this.renamings.renamedKey(renaming, section.key, key);
      return `${name} ${canonicalText(renamed)}`;
    };
    return structureOf({
      groups: group.groups,
      text: (images) => text(group.renamingTo(images)),
      cycled: (members) => text(this.cycle(members)),
    });
  }

  /** The same cycles are needed again and again, and models do work for each new renaming. */
  private cycle(members: readonly number[]): Renaming {
    const key = members.join();
    const known = this.cycles.get(key);
    if (known !== undefined) return known;
    const images = [...this.first];
    members.forEach((member, index) => {
      images[member] = members[(index + 1) % members.length]!;
    });
    const made = this.renamings.group.renamingTo(images);
    this.cycles.set(key, made);
    return made;
  }

  private numberOf(shape: string): number {
    const known = this.shapes.get(shape);
    if (known !== undefined) return known;
    this.shapes.set(shape, this.shapes.size);
    return this.shapes.size - 1;
  }

  /** What is about one member only, is known of all others with it. This saves much time. */
  private spread(entry: Entry, part: Part): void {
    const members = new Set(part.relations.flatMap(({ classes }) => classes.flat()));
    const [member] = members;
    if (members.size !== 1) return;
    const others = this.renamings.group.groups.find((group) => group.includes(member!))!;
    for (const other of others) {
      const images = [...this.first];
      images[member!] = other;
      images[other] = member!;
      this.imageOf(entry, part, images, () => this.cycle([member!, other]));
    }
  }

  private imageOf(
    entry: Entry,
    part: Part,
    images: readonly number[],
    renaming: () => Renaming,
  ): Entry {
    const [slot, local] = entry;
    const { incidences, relations, images: known } = part;
    if (incidences.every(({ members }) => members.every((member) => images[member] === member))) {
      return entry;
    }
    const key = imageKey(part, images);
    const found = known.get(key);
    if (found !== undefined) return found;
    this.slots.demandLearning();
    this.learnt++;
    const { section } = slot;
    const value = this.slots.value(slot, local);
    const renamed = this.renamings.renamedValue(renaming(), section.key, value);
    const target =
      section.kind === 'value'
        ? slot
        : this.slots.slotOrAbsent(
            section,
            this.renamings.renamedKey(renaming(), section.key, slot.key),
          );
    const image: Entry = [target, this.slots.intern(target, renamed)];
    known.set(key, image);
    this.parts[target.number] ??= [];
    this.parts[target.number]![image[1]] ??= partFor(relations.map((one) => moved(one, images)));
    return image;
  }
}

function moved({ shape, classes, orders }: Relation, images: readonly number[]): Relation {
  const renamed = classes.map((members) =>
    members.map((member) => images[member]!).sort((one, other) => one - other),
  );
  return { shape, classes: renamed, orders };
}

/**
 * Two renamings with the same key have the same image of the part. A number is much faster than a
 * text; members of one class are exchanged without a change, so a text sorts them.
 */
function imageKey({ relations, incidences }: Part, images: readonly number[]): number | string {
  let number = 0;
  for (const { members, classes } of incidences) {
    for (let index = 0; index < members.length; index++) {
      if (index > 0 && classes[index] === classes[index - 1]) return imageText(relations, images);
      number = number * images.length + images[members[index]!]!;
    }
  }
  return number <= Number.MAX_SAFE_INTEGER ? number : imageText(relations, images);
}

function imageText(relations: readonly Relation[], images: readonly number[]): string {
  return relations
    .map((relation) =>
      moved(relation, images)
        .classes.map((members) => members.join())
        .join(';'),
    )
    .join();
}

export function lazily<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
