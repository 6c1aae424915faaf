import { LimitHitError } from '../errors.ts';
import { type Guard, UNGUARDED } from '../guard.ts';
import type { NameMap, RenamedSteps } from '../reductions/reduction.ts';
import { canonicalText, fromCanonicalText } from '../values/canonical.ts';
import type { ColumnTable } from '../values/columns.ts';
import type { Section, Slot, SlotTable } from '../values/slots.ts';
import { DraftRun, placeOf } from './draft-run.ts';
import type { Question } from './engine.ts';
import { type Locals, Recording } from './recording.ts';

type Values = readonly unknown[];

/**
 * Runs reducers again in renamed states, whenever a reducer runs. What the renamed instance does
 * must be what the instance did, renamed, also where it did nothing: the search expands one state
 * of each orbit only, so a step that is possible in none but the other ones would be lost.
 *
 * The renamed runs read the state through the renaming, and what they read belongs to the view. So
 * they agree in every state with that view, and with all renamings no wrong declaration goes
 * unnoticed.
 */
export class RenamedRuns<State> {
  private readonly question: Question<State>;
  private readonly guard: Guard;
  private readonly table: SlotTable;
  private readonly columns: ColumnTable;
  private readonly renamings: readonly RenamedValues[];
  /** The state whose renamed values are at hand. */
  private base: Values | null = null;
  private bases: Values[] = [];

  private constructor(
    question: Question<State>,
    table: SlotTable,
    columns: ColumnTable,
    steps: readonly RenamedSteps<State>[],
  ) {
    this.question = question;
    this.guard = question.guard ?? UNGUARDED;
    this.table = table;
    this.columns = columns;
    this.renamings = steps.map(({ names }) => new RenamedValues(table, names));
  }

  /** Null: nothing is to be run again. */
  static of<State>(
    question: Question<State>,
    table: SlotTable,
    columns: ColumnTable,
  ): RenamedRuns<State> | null {
    const steps = question.reductions.orbits?.renamedSteps ?? [];
    return steps.length === 0 ? null : new RenamedRuns(question, table, columns, steps);
  }

  /**
   * @param recording what the instance has read.
   * @param base the values of the state.
   * @returns that, and then what the renamed runs have read. Throws `DefectError` if they differ.
   */
  readings(number: number, recording: Recording, locals: Locals, base: Values): Recording {
    const reads = new Recording(this.table, this.columns, locals, this.guard);
    reads.include(recording);
    if (this.base !== base) {
      this.base = base;
      this.bases = [];
    }
    const mine = new Recording(this.table, this.columns, locals, this.guard);
    const own = changesOf(base, this.valuesAfter(number, mine, base));
    this.question.reductions.orbits!.renamedSteps.forEach((step, index) => {
      const names = this.renamings[index]!;
      this.bases[index] ??= names.base(base);
      const image = this.bases[index]!;
      const renamed = new RenamedRecording(this.table, this.columns, this.guard, reads, names);
      const values = this.attempted(() => this.valuesAfter(step.instance(number), renamed, image));
      if (values !== null && names.takes(own, changesOf(image, values))) return;
      step.audit(this.table.assemble(locals) as State, number);
      // Another renaming leads there from this very state, and perhaps from no other one.
      this.readAll(reads);
    });
    reads.close();
    return reads;
  }

  private readAll(reads: Recording): void {
    for (const section of this.table.sections) {
      const slots = section.kind === 'value' ? [reads.slot(section, '')] : reads.enumerate(section);
      for (const slot of slots) reads.whole(slot);
    }
  }

  private valuesAfter(
    number: number,
    recording: Recording,
    base: Values,
  ): ReadonlyMap<Slot, unknown> {
    const instance = this.question.instances[number]!;
    return new DraftRun(this.table, recording, base).values((draft) =>
      instance.reduce(draft as never),
    );
  }

  /** Null: the reducer has thrown an error. The audit then runs it once more, and says so. */
  private attempted<Result>(work: () => Result): Result | null {
    try {
      return work();
    } catch (error) {
      this.guard.confirm();
      if (error instanceof LimitHitError) throw error;
      return null;
    }
  }
}

/** The slots that are not what they were, with their values. */
function changesOf(
  base: Values,
  after: ReadonlyMap<Slot, unknown>,
): readonly (readonly [slot: Slot, value: unknown])[] {
  return [...after].filter(([slot, value]) => {
    const was = base[placeOf(slot)];
    return was !== value && textOf(was) !== textOf(value);
  });
}

/** Undefined for what is absent. */
function textOf(value: unknown): string | undefined {
  return value === undefined ? undefined : canonicalText(value);
}

/** Slots and their values under one renaming. */
class RenamedValues {
  private readonly table: SlotTable;
  private readonly names: NameMap;
  private readonly images = new Map<Slot, Slot>();
  private readonly originals = new Map<Slot, Slot>();
  /** By section: renamed values by the frozen value that they are made of. */
  private readonly values = new Map<Section, WeakMap<object, unknown>>();

  constructor(table: SlotTable, names: NameMap) {
    this.table = table;
    this.names = names;
  }

  image(slot: Slot): Slot {
    return this.other(slot, this.images, (section, key) => this.names.renameKey(section, key));
  }

  /** The slot that `image` takes to this one. */
  original(slot: Slot): Slot {
    return this.other(slot, this.originals, (section, key) => this.names.originalKey(section, key));
  }

  value({ section }: Slot, value: unknown): unknown {
    if (typeof value !== 'object' || value === null) return this.renamed(section, value);
    const values = this.values.get(section) ?? new WeakMap<object, unknown>();
    this.values.set(section, values);
    const known = values.get(value) ?? this.renamed(section, value);
    values.set(value, known);
    return known;
  }

  element({ section }: Slot, element: unknown): unknown {
    return (this.renamed(section, [element]) as readonly unknown[])[0];
  }

  /** The values of the renamed state. */
  base(values: Values): Values {
    // Images may add slots, which are absent in the state.
    const known = this.table.slots.slice(0, values.length - 1);
    const renamed: unknown[] = [null];
    for (const slot of known) {
      const value = values[placeOf(slot)];
      if (value !== undefined) renamed[placeOf(this.image(slot))] = this.value(slot, value);
    }
    return Array.from(renamed);
  }

  /** Whether the one changes, renamed, are the others. */
  takes(
    one: readonly (readonly [Slot, unknown])[],
    others: readonly (readonly [Slot, unknown])[],
  ): boolean {
    if (one.length !== others.length) return false;
    const sought = new Map(others);
    return one.every(([slot, value]) => {
      const image = this.image(slot);
      if (!sought.has(image)) return false;
      const renamed = value === undefined ? undefined : this.value(slot, value);
      return textOf(renamed) === textOf(sought.get(image));
    });
  }

  private renamed({ key }: Section, value: unknown): unknown {
    const renamed = this.names.renameValue(key, value);
    if (typeof renamed !== 'object' || renamed === null) return renamed;
    return fromCanonicalText(canonicalText(renamed));
  }

  private other(
    slot: Slot,
    known: Map<Slot, Slot>,
    rename: (section: string, key: string) => string,
  ): Slot {
    const { section, key } = slot;
    if (section.kind === 'value') return slot;
    const other = known.get(slot) ?? this.table.slotOrAbsent(section, rename(section.key, key));
    known.set(slot, other);
    return other;
  }
}

/** Reads the renamed state of another recording, and no more of that one than is read of it. */
class RenamedRecording extends Recording {
  private readonly reads: Recording;
  private readonly names: RenamedValues;

  constructor(
    table: SlotTable,
    columns: ColumnTable,
    guard: Guard,
    reads: Recording,
    names: RenamedValues,
  ) {
    super(table, columns, nothingInterned, guard);
    this.reads = reads;
    this.names = names;
  }

  override whole(slot: Slot): unknown {
    this.assertOpen();
    const original = this.names.original(slot);
    const value = this.reads.whole(original);
    return value === undefined ? undefined : this.names.value(original, value);
  }

  override present(slot: Slot): boolean {
    this.assertOpen();
    return this.reads.present(this.names.original(slot));
  }

  override length(slot: Slot): number {
    this.assertOpen();
    return this.reads.length(this.names.original(slot));
  }

  override element(slot: Slot, position: number): unknown {
    this.assertOpen();
    const original = this.names.original(slot);
    const element = this.reads.element(original, position);
    return element === undefined ? undefined : this.names.element(original, element);
  }

  override enumerate(section: Section): readonly Slot[] {
    const images = this.reads.enumerate(section).map((slot) => this.names.image(slot));
    return images.sort((one, other) => (one.key < other.key ? -1 : 1));
  }
}

function nothingInterned(): never {
  throw new Error('a renamed state has no row');
}
