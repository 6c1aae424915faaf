import type { Aspect } from '../../values/columns.ts';
import type { Section, Slot } from '../../values/slots.ts';
import type { Learnt, View } from '../reduction.ts';
import { add, emptySet, has, type InstanceSet } from './instance-set.ts';

/** An instance that writes more values than this to a slot counts as one that may write any. */
const MOST_VALUES = 8;
export const ANY_VALUE = -1;

export interface Readers {
  readonly aspect: Aspect;
  /** The column that reducers have read; null: step rules, or what depends on the former value. */
  readonly column: number | null;
  readonly by: InstanceSet;
}

/** What is known of one slot: who has read what of it, and who has changed it to what. */
export interface SlotUse {
  /** By the text of the aspect, and whether reducers have read it. */
  readonly readers: Map<string, Readers>;
  /** By the local number written, or `ANY_VALUE`. */
  readonly writers: Map<number, InstanceSet>;
  /** By queue operation. */
  readonly operators: Map<number, InstanceSet>;
  /** All instances that have changed it. */
  readonly changers: InstanceSet;
}

/**
 * What action instances have been seen to read and write in all states so far. Facts are added and
 * never removed. What was computed from fewer facts must be computed again when `version` has
 * grown.
 */
export class Footprints {
  version = 0;
  private readonly learnt: Learnt;
  private readonly instanceCount: number;
  /** By slot. */
  private readonly uses: SlotUse[] = [];
  /** By section: instances that have enumerated its keys. */
  private readonly enumerators = new Map<Section, InstanceSet>();
  /** By instance: what step rules have read when they judged its steps. */
  private readonly judged: Set<Slot>[];
  private readonly judgedSections: Set<Section>[];
  /** By instance and slot: how many values it has written. */
  private readonly valuesWritten = new Map<string, number>();
  /** Numbers of places: what an instance has read so far in a run, with the answers. */
  private readonly places = new Map<string, number>();
  /** By instance and column: the places at which the instance reads the column. */
  private readonly readAt = new Map<string, Set<number>>();
  /** By place: the answers after which the instance is known to do nothing, and to read no more. */
  private readonly idleAfter = new Map<number, Set<number>>();
  /** By instance and column: whether `mayActWith` has said that it may not. */
  private readonly relied = new Set<string>();

  constructor(learnt: Learnt, instanceCount: number) {
    this.learnt = learnt;
    this.instanceCount = instanceCount;
    this.judged = Array.from({ length: instanceCount }, () => new Set());
    this.judgedSections = Array.from({ length: instanceCount }, () => new Set());
  }

  /** The instance was run and has seen this. */
  learn(instance: number, view: View, sections: ReadonlySet<Section>): void {
    for (const column of view.columns) {
      const { slot, aspect } = this.learnt.columns.columns[column - 1]!;
      this.addReader(instance, slot, aspect, column);
    }
    for (const section of sections) this.addEnumerator(instance, section);
    for (const [slot, local] of view.writes) {
      this.addWriter(instance, this.learnt.slots.slots[slot]!, local);
    }
    for (const operation of view.operations) this.addOperator(instance, operation);
    if (!this.isCertain(view)) {
      // Whether it changes anything depends on what was there.
      for (const slot of this.changed(view))
        this.addReader(instance, slot, { kind: 'whole' }, null);
    }
    this.notePlaces(instance, view, sections.size > 0);
  }

  /** A step rule was judged on a step of the instance and has read this. */
  learnRule(instance: number, slots: readonly Slot[], sections: ReadonlySet<Section>): void {
    for (const slot of slots) {
      if (this.judged[instance]!.has(slot)) continue;
      this.judged[instance]!.add(slot);
      this.version++;
      this.addReader(instance, slot, { kind: 'whole' }, null);
    }
    for (const section of sections) {
      if (this.judgedSections[instance]!.has(section)) continue;
      this.judgedSections[instance]!.add(section);
      this.version++;
      this.addEnumerator(instance, section);
    }
  }

  use(slot: Slot): SlotUse {
    this.uses[slot.number] ??= {
      ...{ readers: new Map(), writers: new Map(), operators: new Map() },
      changers: emptySet(this.instanceCount),
    };
    return this.uses[slot.number]!;
  }

  enumeratorsOf(section: Section): InstanceSet | undefined {
    return this.enumerators.get(section);
  }

  /** What step rules read on the instance's steps. */
  ruleSlots(instance: number): ReadonlySet<Slot> {
    const slots = new Set(this.judged[instance]!);
    for (const section of this.judgedSections[instance]!) {
      for (const slot of section.slots.values()) slots.add(slot);
    }
    return slots;
  }

  /**
   * Whether a run with this view changes the state for sure. It does if it writes to a slot that it
   * has read as a whole, as equal values are no writes; if it adds or removes what it has read to
   * be absent or present; if a queue grows or shrinks; and if only elements change.
   */
  isCertain({ columns, answers, writes, operations }: View): boolean {
    const { columns: table, operations: queueOperations, slots } = this.learnt;
    const written = new Map(writes);
    const isChanged = columns.some((column, index) => {
      const { slot, aspect } = table.columns[column - 1]!;
      const local = written.get(slot.number);
      if (local === undefined) return false;
      if (aspect.kind === 'presence') {
        return (answers[index] === 1) === slots.isAbsent(slot, local);
      }
      return aspect.kind === 'whole';
    });
    return (
      isChanged ||
      operations.some((operation) => {
        const { drop, replace, push } = queueOperations.change(operation);
        return drop !== push.length || (drop === 0 && replace.length > 0);
      })
    );
  }

  changed({ writes, operations }: View): readonly Slot[] {
    return [
      ...writes.map(([slot]) => this.learnt.slots.slots[slot]!),
      ...operations.map((operation) => this.learnt.operations.slot(operation)),
    ];
  }

  /**
   * Whether the instance may act where the column has this answer. It may not if, at each place at
   * which it reads the column, it is known to do nothing after this answer.
   */
  mayActWith(instance: number, column: number, answer: number): boolean {
    const key = `${instance} ${column}`;
    const places = this.readAt.get(key);
    if (places === undefined) return true;
    for (const place of places) if (this.idleAfter.get(place)?.has(answer) !== true) return true;
    this.relied.add(key);
    return false;
  }

  /** @param enumerates it may read more when a section has a new key. */
  private notePlaces(instance: number, view: View, enumerates: boolean): void {
    const { columns, answers, writes, operations } = view;
    const isIdle = writes.length + operations.length === 0 && !enumerates;
    let place = this.place(`instance ${instance}`);
    columns.forEach((column, index) => {
      const key = `${instance} ${column}`;
      const known = this.readAt.get(key) ?? new Set<number>();
      this.readAt.set(key, known);
      if (!known.has(place)) {
        known.add(place);
        // At the new place, it may act.
        if (this.relied.delete(key)) this.version++;
      }
      const answer = answers[index]!;
      if (isIdle && index === columns.length - 1) {
        const idle = this.idleAfter.get(place) ?? new Set<number>();
        this.idleAfter.set(place, idle.add(answer));
      }
      place = this.place(`${place} ${answer}`);
    });
  }

  private place(key: string): number {
    const known = this.places.get(key) ?? this.places.size;
    this.places.set(key, known);
    return known;
  }

  private addReader(instance: number, slot: Slot, aspect: Aspect, column: number | null): void {
    const { readers } = this.use(slot);
    const key = `${textOf(aspect)} ${column === null ? 'otherwise' : ''}`;
    const known = readers.get(key) ?? { aspect, column, by: emptySet(this.instanceCount) };
    readers.set(key, known);
    this.include(known.by, instance);
  }

  private addEnumerator(instance: number, section: Section): void {
    const known = this.enumerators.get(section) ?? emptySet(this.instanceCount);
    this.enumerators.set(section, known);
    this.include(known, instance);
  }

  private addWriter(instance: number, slot: Slot, local: number): void {
    const { writers, changers } = this.use(slot);
    const anyValue = writers.get(ANY_VALUE);
    this.include(changers, instance);
    if (anyValue !== undefined && has(anyValue, instance)) return;
    const key = `${instance} ${slot.number}`;
    const known = writers.get(local);
    if (known !== undefined && has(known, instance)) return;
    const count = 1 + (this.valuesWritten.get(key) ?? 0);
    this.valuesWritten.set(key, count);
    const value = count > MOST_VALUES ? ANY_VALUE : local;
    const set = writers.get(value) ?? emptySet(this.instanceCount);
    writers.set(value, set);
    this.include(set, instance);
  }

  private addOperator(instance: number, operation: number): void {
    const { operators, changers } = this.use(this.learnt.operations.slot(operation));
    const set = operators.get(operation) ?? emptySet(this.instanceCount);
    operators.set(operation, set);
    this.include(set, instance);
    this.include(changers, instance);
  }

  private include(set: InstanceSet, instance: number): void {
    if (has(set, instance)) return;
    add(set, instance);
    this.version++;
  }
}

function textOf(aspect: Aspect): string {
  return aspect.kind === 'element' ? `element ${aspect.position}` : aspect.kind;
}
