import type { RowCanonicalizer } from '../../reductions/reduction.ts';
import { canonicalText } from '../../values/canonical.ts';
import type { Aspect, ColumnTable } from '../../values/columns.ts';
import { everySlotAWord } from '../../values/layout.ts';
import type { QueueChange } from '../../values/queue-operations.ts';
import type { Effect } from '../effects.ts';
import type { Learner } from '../learner.ts';
import { LessonNotes, type Lessons } from './lessons.ts';

type NumberedColumn = readonly [slot: number, aspect: Aspect];

/** What an engine has learnt since the update before, as data that can be sent to a thread. */
export interface Knowledge {
  /** New slots: the number of the section, and the key. */
  readonly slots: readonly (readonly [section: number, key: string])[];
  /** Canonical texts of new interned values. */
  readonly values: readonly string[];
  /** Pairs: a slot, and the interned number of its next value. */
  readonly locals: readonly number[];
  /** New columns of the state, and of the state after a step. */
  readonly columns: readonly (readonly NumberedColumn[])[];
  readonly operations: readonly (QueueChange & { readonly slot: number })[];
  readonly effects: readonly Effect[];
  readonly lessons: Lessons;
}

/**
 * The part of `EngineSharing` that sends what was learnt. All tables but tries are lists that only
 * grow, so what is new is at their ends.
 */
export class KnowledgeSender<State> {
  private readonly learner: Learner<State>;
  private readonly notes: LessonNotes;
  private slots = 0;
  private values = 1;
  /** By slot. */
  private readonly locals: number[] = [];
  private readonly columns = [0, 0];
  private operations = 0;
  private effects = 1;
  private version = -1;

  constructor(learner: Learner<State>) {
    this.learner = learner;
    this.notes = learner.notes ?? new LessonNotes();
    learner.noteLessons(this.notes);
  }

  get hasMore(): boolean {
    return !this.notes.isEmpty || this.learner.slots.version !== this.version;
  }

  take(): Knowledge {
    const { slots, columns, columnsAfter, operations, effects } = this.learner;
    const { values } = slots.interner;
    const knowledge = {
      slots: slots.slots
        .slice(this.slots)
        .map(({ section, key }) => [section.number, key] as const),
      values: values.slice(this.values).map(canonicalText),
      locals: this.newLocals(),
      columns: [columns, columnsAfter].map((table, index) =>
        table.columns
          .slice(this.columns[index]!)
          .map(({ slot, aspect }) => [slot.number, aspect] as const),
      ),
      operations: operations.list
        .slice(this.operations)
        .map(({ slot, drop, replace, push }) => ({ slot: slot.number, drop, replace, push })),
      effects: effects.list.slice(this.effects),
      lessons: this.notes.take(),
    };
    this.slots = slots.slots.length;
    this.values = values.length;
    this.columns[0] = columns.columns.length;
    this.columns[1] = columnsAfter.columns.length;
    this.operations = operations.list.length;
    this.effects = effects.list.length;
    this.version = slots.version;
    return knowledge;
  }

  private newLocals(): number[] {
    const pairs: number[] = [];
    for (const { number, values } of this.learner.slots.slots) {
      for (let local = this.locals[number] ?? 0; local < values.length; local++) {
        pairs.push(number, values[local]!);
      }
      this.locals[number] = values.length;
    }
    return pairs;
  }
}

/**
 * Takes over what another engine of the same question has learnt: all numbers mean the same in both
 * afterwards. What was there before may be in the knowledge again.
 */
export function takeOver<State>(
  { slots, values, locals, columns, operations, effects, lessons }: Knowledge,
  learner: Learner<State>,
  canonicalizer: RowCanonicalizer | null,
): void {
  const table = learner.slots;
  for (const [section, key] of slots) table.slot(table.sections[section]!, key);
  for (const text of values) table.interner.numberOfCanonical(text);
  for (let at = 0; at < locals.length; at += 2) {
    table.local(table.slots[locals[at]!]!, locals[at + 1]!);
  }
  const columnTables: readonly ColumnTable[] = [learner.columns, learner.columnsAfter];
  columns.forEach((list, index) => {
    for (const [slot, aspect] of list) columnTables[index]!.column(table.slots[slot]!, aspect);
  });
  for (const { slot, ...change } of operations) {
    learner.operations.number(table.slots[slot]!, change);
  }
  for (const { action, writes, operations } of effects) {
    learner.effects.number(action, writes, operations);
  }
  for (let at = 0; at < lessons.operations.length; at += 2) {
    learner.operations.apply(lessons.operations[at]!, lessons.operations[at + 1]!);
  }
  for (const path of lessons.paths) learner.takePath(path);
  if (canonicalizer === null) return;
  canonicalizer.takeIn();
  for (const locals of lessons.rows) {
    // Slots that were added later are absent, which is their first value.
    const row = Int32Array.from(table.slots, (_, slot) => locals[slot] ?? 0);
    canonicalizer.canonicalize(row, 0, everySlotAWord(row.length));
  }
}
