import { ABSENT_ELEMENT, type Aspect } from '../../values/columns.ts';
import type { QueueChange } from '../../values/queue-operations.ts';
import type { Slot } from '../../values/slots.ts';
import type { Learnt, View } from '../reduction.ts';
import { ANY_VALUE, type Footprints, type Readers } from './footprints.ts';
import { add, emptySet, has, type InstanceSet, remove, unite } from './instance-set.ts';

/**
 * Which instances depend on a step, as far as footprints are known. It is the union of these:
 * instances that may change what the step has read, that may read what it changes, and that may
 * change the same slot in another way.
 *
 * Queues depend in fewer ways: a push and a shift commute if the queue had an element for the
 * shift, and an element that was there stays there when others are pushed.
 */
export class Dependence {
  private readonly learnt: Learnt;
  private readonly footprints: Footprints;
  private readonly instanceCount: number;

  constructor(learnt: Learnt, footprints: Footprints, instanceCount: number) {
    this.learnt = learnt;
    this.footprints = footprints;
    this.instanceCount = instanceCount;
  }

  /**
   * The instances of which one must act before the instance can do anything else than in this view.
   * For a disabled instance this is a necessary enabling set.
   */
  changersOf(instance: number, view: View): InstanceSet {
    const { footprints } = this;
    const found = emptySet(this.instanceCount);
    view.columns.forEach((column, index) => {
      this.addChangers(found, column, view.answers[index]!);
    });
    // Whether it changes anything depends on what is there.
    if (!footprints.isCertain(view)) {
      for (const slot of footprints.changed(view)) unite(found, footprints.use(slot).changers);
    }
    remove(found, instance);
    return found;
  }

  /**
   * The instances that depend on the step that the instance takes in this view.
   *
   * @param before the local number of a slot in the state.
   */
  dependentOn(instance: number, view: View, before: (slot: number) => number): InstanceSet {
    const { footprints } = this;
    const found = this.changersOf(instance, view);
    for (const slot of footprints.ruleSlots(instance)) unite(found, footprints.use(slot).changers);
    for (const [slot, local] of view.writes) {
      this.addWriteConflicts(found, this.learnt.slots.slots[slot]!, before(slot), local);
    }
    for (const operation of view.operations) this.addOperationConflicts(found, operation);
    remove(found, instance);
    return found;
  }

  /** Adds those that may give the column another answer. */
  private addChangers(found: InstanceSet, column: number, answer: number): void {
    const { slot, aspect, table } = this.learnt.columns.columns[column - 1]!;
    const { writers, operators } = this.footprints.use(slot);
    for (const [local, by] of writers) {
      const isSame = local !== ANY_VALUE && (table === null ? local : table[local]) === answer;
      if (!isSame) unite(found, by);
    }
    for (const [operation, by] of operators) {
      const change = this.learnt.operations.change(operation);
      if (mayChange(change, aspect, aspect.kind === 'element' && answer !== ABSENT_ELEMENT))
        unite(found, by);
    }
  }

  private addWriteConflicts(found: InstanceSet, slot: Slot, before: number, after: number): void {
    const { footprints } = this;
    const { readers, writers, operators } = footprints.use(slot);
    for (const some of readers.values()) {
      if (!this.differs(slot, some.aspect, before, after)) continue;
      const answer = this.answer(some.column, before);
      if (answer === null) unite(found, some.by);
      else this.addThoseActing(found, some, answer);
    }
    if (this.differs(slot, { kind: 'presence' }, before, after)) {
      unite(found, footprints.enumeratorsOf(slot.section));
    }
    // Two writes of one value commute; who read the former value is among the readers.
    for (const [other, by] of writers) if (other !== after) unite(found, by);
    for (const by of operators.values()) unite(found, by);
  }

  private addOperationConflicts(found: InstanceSet, operation: number): void {
    const { footprints, learnt } = this;
    const slot = learnt.operations.slot(operation);
    const change = learnt.operations.change(operation);
    const { readers, writers, operators } = footprints.use(slot);
    for (const some of readers.values()) {
      const { aspect, column, by } = some;
      // A push only makes a difference to those that would find no element otherwise.
      const isSeeking = aspect.kind === 'element' && column !== null;
      if (isSeeking && isPush(change)) this.addThoseActing(found, some, ABSENT_ELEMENT);
      else if (mayChange(change, aspect, false)) unite(found, by);
    }
    for (const by of writers.values()) unite(found, by);
    for (const [other, by] of operators) {
      if (!commute(change, learnt.operations.change(other))) unite(found, by);
    }
  }

  /**
   * Adds those readers of a column that may act where it has this answer. To the others, a step
   * that changes the answer makes no difference before it is taken: until then they do nothing.
   */
  private addThoseActing(found: InstanceSet, { column, by }: Readers, answer: number): void {
    for (let instance = 0; instance < this.instanceCount; instance++) {
      if (has(by, instance) && this.footprints.mayActWith(instance, column!, answer)) {
        add(found, instance);
      }
    }
  }

  private answer(column: number | null, local: number): number | null {
    if (column === null) return null;
    const { table } = this.learnt.columns.columns[column - 1]!;
    return table === null ? local : table[local]!;
  }

  /** Whether what is read of the slot differs for these values. */
  private differs(slot: Slot, aspect: Aspect, before: number, after: number): boolean {
    const { slots } = this.learnt;
    const [former, latter] = [slots.value(slot, before), slots.value(slot, after)];
    switch (aspect.kind) {
      case 'whole':
        return before !== after;
      case 'presence':
        return (former === undefined) !== (latter === undefined);
      case 'length':
        return lengthOf(former) !== lengthOf(latter);
      case 'element':
        return this.element(former, aspect.position) !== this.element(latter, aspect.position);
      default: {
        const never: never = aspect;
        throw new Error(`unknown aspect ${String(never)}`);
      }
    }
  }

  private element(value: unknown, position: number): number {
    return Array.isArray(value) && position < value.length
      ? this.learnt.slots.interner.number(value[position])
      : 0;
  }
}

/**
 * Whether a queue operation may change what is read.
 *
 * @param isThere for an element: it is known that there is one, so that a push adds others.
 */
function mayChange(change: QueueChange, aspect: Aspect, isThere: boolean): boolean {
  switch (aspect.kind) {
    case 'presence':
      return false;
    case 'length':
      return change.drop !== change.push.length;
    case 'whole':
      return true;
    case 'element':
      if (change.drop > 0) return true;
      if (change.push.length > 0 && !isThere) return true;
      return change.replace.some(([position]) => position === aspect.position);
    default: {
      const never: never = aspect;
      throw new Error(`unknown aspect ${String(never)}`);
    }
  }
}

function isPush({ drop, replace, push }: QueueChange): boolean {
  return drop === 0 && replace.length === 0 && push.length > 0;
}

/** One only adds at the end, and the other only changes elements that were there before. */
function commute(one: QueueChange, other: QueueChange): boolean {
  return (isPush(one) && other.push.length === 0) || (isPush(other) && one.push.length === 0);
}

function lengthOf(value: unknown): number {
  return Array.isArray(value) ? value.length : -1;
}
