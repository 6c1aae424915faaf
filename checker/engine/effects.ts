import { allocateWords, type Guard, UNGUARDED } from '../guard.ts';
import type { Layout } from '../values/layout.ts';
import type { QueueOperations } from '../values/queue-operations.ts';

/** What an action does in one local view: slot writes and queue operations, by slot number. */
export interface Effect {
  readonly action: number;
  /** Slot and local number, in order of slots. */
  readonly writes: readonly (readonly [slot: number, local: number])[];
  readonly operations: readonly number[];
}

/** The leaf for an action that does nothing in a local view. */
export const NO_EFFECT = 0;

/**
 * The leaves of the actions' tries, compiled for a layout: a successor row is
 * `(word & keep) | set` word by word, then the queue operations.
 */
export class Effects {
  /** By effect, `width` words each. */
  keep: Int32Array = new Int32Array(0);
  set: Int32Array = new Int32Array(0);
  /** By effect: where its queue operations begin in `operations` (count first); 0 for none. */
  operationStart: Int32Array = new Int32Array(0);
  operations: Int32Array = new Int32Array(0);
  readonly list: Effect[] = [{ action: -1, writes: [], operations: [] }];
  private readonly byKey = new Map<string, number>();
  private readonly queueOperations: QueueOperations;
  private compiled = 0;
  private width = 1;
  private operationEnd = 1;

  private readonly guard: Guard;

  constructor(queueOperations: QueueOperations, guard: Guard = UNGUARDED) {
    this.guard = guard;
    this.queueOperations = queueOperations;
  }

  /** The number of an effect. Different actions never share one, except `NO_EFFECT`. */
  number(action: number, writes: Effect['writes'], operations: Effect['operations']): number {
    if (writes.length === 0 && operations.length === 0) return NO_EFFECT;
    const key = JSON.stringify([action, writes, operations]);
    const known = this.byKey.get(key);
    if (known !== undefined) return known;
    this.list.push({ action, writes, operations });
    this.byKey.set(key, this.list.length - 1);
    return this.list.length - 1;
  }

  /** Compiles all effects for a new layout. */
  compileAll(layout: Layout): void {
    this.compiled = 0;
    this.width = layout.width;
    this.operationEnd = 1;
    this.compileNew(layout);
  }

  /** Compiles the effects added since the last call, whose values must fit the layout. */
  compileNew(layout: Layout): void {
    const { width } = this;
    if (this.compiled === 0 || this.list.length > this.operationStart.length) {
      const room = 2 ** Math.ceil(Math.log2(this.list.length + 1));
      this.keep = extended(this.keep, room * width, this.guard);
      this.set = extended(this.set, room * width, this.guard);
      this.operationStart = extended(this.operationStart, room, this.guard);
    }
    for (; this.compiled < this.list.length; this.compiled++) this.compile(this.compiled, layout);
  }

  private compile(number: number, layout: Layout): void {
    const effect = this.list[number]!;
    const base = number * this.width;
    this.keep.fill(-1, base, base + this.width);
    this.set.fill(0, base, base + this.width);
    for (const [slot, local] of effect.writes) {
      const word = base + layout.word[slot]!;
      const shift = layout.shift[slot]!;
      this.keep[word] = this.keep[word]! & ~(layout.mask[slot]! << shift);
      this.set[word] = this.set[word]! | (local << shift);
    }
    this.operationStart[number] = 0;
    if (effect.operations.length === 0) return;
    const end = this.operationEnd + 1 + 2 * effect.operations.length;
    if (end > this.operations.length)
      this.operations = extended(this.operations, 2 * end, this.guard);
    this.operationStart[number] = this.operationEnd;
    this.operations[this.operationEnd++] = effect.operations.length;
    for (const operation of effect.operations) {
      this.operations[this.operationEnd++] = this.queueOperations.slot(operation).number;
      this.operations[this.operationEnd++] = operation;
    }
  }
}

/** With zeros at its end; the same array if it is long enough. */
export function extended(array: Int32Array, length: number, guard: Guard): Int32Array {
  if (array.length >= length) return array;
  const longer = allocateWords(length, guard);
  longer.set(array);
  return longer;
}
