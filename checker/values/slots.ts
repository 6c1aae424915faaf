import { BadValueError, UnlearntError } from '../errors.ts';
import type { SlotKind } from '../model.ts';
import { sortKeys } from './canonical.ts';
import { ABSENT, Interner } from './intern.ts';

/** Names that JSON, promises and tools for tests ask of any object. */
const PROBES = new Set(['toJSON', 'then', 'length', 'nodeType', 'asymmetricMatch', '$$typeof']);

/** A top-level key of the state. */
export interface Section {
  readonly number: number;
  readonly key: string;
  readonly kind: SlotKind;
  /** Slot by entry key; a `value` section has one slot, under the empty key. */
  readonly slots: Map<string, Slot>;
  /** Slots that have been present in some state, sorted by key: an enumeration reads these. */
  present: Slot[];
}

/** One cell of the state. Its values are numbered from 0 in order of appearance. */
export interface Slot {
  readonly number: number;
  readonly section: Section;
  readonly key: string;
  /** Interned number by local number. */
  readonly values: number[];
  readonly locals: Map<number, number>;
  /** Receive the local number of each new value. */
  readonly listeners: ((local: number) => void)[];
}

/** Thrown for many states, so it is made once. */
const UNLEARNT = new UnlearntError('this was not learnt so far');

/** All slots known so far. A slot is added when an initial state, reducer or predicate names it. */
export class SlotTable {
  readonly interner = new Interner();
  /** In sorted order of their keys. */
  readonly sections: readonly Section[];
  readonly slots: Slot[] = [];
  /** Increases with each new slot or value. */
  version = 0;
  /**
   * Called when a slot is present for the first time. Enumerations learnt before are then invalid.
   */
  onFirstPresence: (section: Section) => void = () => {};
  /** Nothing may be learnt: this is a replica, and only what it follows may learn. */
  isFrozen = false;
  private grown: Slot[] = [];
  private readonly sectionByKey = new Map<string, Section>();

  constructor(kinds: Readonly<Record<string, SlotKind>>) {
    const keys = Object.keys(kinds);
    sortKeys(keys);
    this.sections = keys.map((key, number) => ({
      number,
      key,
      kind: kinds[key]!,
      slots: new Map(),
      present: [],
    }));
    for (const section of this.sections) this.sectionByKey.set(section.key, section);
  }

  /** Call this before anything is learnt. Throws `UnlearntError` if the table is frozen. */
  demandLearning(): void {
    if (this.isFrozen) throw UNLEARNT;
  }

  section(key: string): Section | undefined {
    return this.sectionByKey.get(key);
  }

  /**
   * A section that is read. Throws if the state can never have it: `undefined` would be taken for a
   * value. Undefined for what libraries ask of any object.
   */
  readSection(key: string): Section | undefined {
    const known = this.sectionByKey.get(key);
    if (known !== undefined || key in Object.prototype || PROBES.has(key)) return known;
    throw new Error(`the state has no ${key}; it has ${[...this.sectionByKey.keys()].join(', ')}`);
  }

  /** The slot of an entry. A new slot was absent in all states so far. */
  slot(section: Section, key: string): Slot {
    const known = section.slots.get(key);
    if (known !== undefined) return known;
    this.demandLearning();
    if (key === '__proto__')
      throw new BadValueError('an entry with the key __proto__', section.key);
    const slot: Slot = {
      number: this.slots.length,
      section,
      key,
      values: [],
      locals: new Map(),
      listeners: [],
    };
    section.slots.set(key, slot);
    this.slots.push(slot);
    this.version++;
    return slot;
  }

  /** As `slot`; a slot without values gets "absent" as its first one. */
  slotOrAbsent(section: Section, key: string): Slot {
    const slot = this.slot(section, key);
    if (slot.values.length === 0) this.absentLocal(slot);
    return slot;
  }

  /** The local number of an interned value in a slot. */
  local(slot: Slot, value: number): number {
    const known = slot.locals.get(value);
    if (known !== undefined) return known;
    this.demandLearning();
    const local = slot.values.length;
    slot.values.push(value);
    this.version++;
    slot.locals.set(value, local);
    this.grown.push(slot);
    for (const listener of slot.listeners) listener(local);
    // Of the values of a slot, which differ, only "absent" is not a presence.
    const wasAbsent = local === 0 || (local === 1 && slot.values[0] === ABSENT);
    if (value !== ABSENT && wasAbsent) {
      insertByKey(slot.section.present, slot);
      this.onFirstPresence(slot.section);
    }
    return local;
  }

  /** The local number of a value. Throws `BadValueError` if it does not fit the slot's kind. */
  intern(slot: Slot, value: unknown): number {
    return this.local(
      slot,
      located(slot, () => {
        checkKind(slot.section.kind, value);
        return this.interner.number(value);
      }),
    );
  }

  /** Slots that got new values since the last call. */
  takeGrown(): readonly Slot[] {
    const { grown } = this;
    this.grown = [];
    return grown;
  }

  absentLocal(slot: Slot): number {
    return this.local(slot, ABSENT);
  }

  /** The interned number of a value inside the slot's value. Throws `BadValueError`. */
  partNumber(slot: Slot, part: unknown): number {
    return located(slot, () => this.interner.number(part));
  }

  /** The frozen value with this local number; `undefined` for "absent". */
  value(slot: Slot, local: number): unknown {
    return this.interner.values[slot.values[local]!];
  }

  isAbsent(slot: Slot, local: number): boolean {
    return slot.values[local] === ABSENT;
  }

  /** The state with these local numbers. Slots without one are absent. */
  assemble(locals: (slot: number) => number): unknown {
    const state: Record<string, unknown> = {};
    for (const section of this.sections) {
      if (section.kind === 'value') {
        const slot = section.present[0];
        if (slot === undefined) continue;
        const local = locals(slot.number);
        if (!this.isAbsent(slot, local)) state[section.key] = this.value(slot, local);
        continue;
      }
      const record: Record<string, unknown> = {};
      for (const slot of section.present) {
        const local = locals(slot.number);
        if (!this.isAbsent(slot, local)) record[slot.key] = this.value(slot, local);
      }
      state[section.key] = Object.freeze(record);
    }
    return Object.freeze(state);
  }
}

/** Slots are often present in the order of their keys: it then moves nothing. */
function insertByKey(sorted: Slot[], slot: Slot): void {
  let from = 0;
  let to = sorted.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    if (sorted[middle]!.key < slot.key) from = middle + 1;
    else to = middle;
  }
  sorted.splice(from, 0, slot);
}

/** Throws `BadValueError` unless a slot of this kind may have the value. */
export function checkKind(kind: SlotKind, value: unknown): void {
  switch (kind) {
    case 'value':
    case 'entries':
      return;
    case 'flags':
      if (value !== true) {
        throw new BadValueError(`${JSON.stringify(value)}; a flag is true or absent`, null);
      }
      return;
    case 'queues':
      if (!Array.isArray(value)) throw new BadValueError('not an array; a queue is one', null);
      return;
    default: {
      const never: never = kind;
      throw new Error(`unknown slot kind ${String(never)}`);
    }
  }
}

/** Adds the slot to the message of a `BadValueError`. */
function located<Result>(slot: Slot, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (error instanceof BadValueError) throw new BadValueError(error.message, slotPath(slot));
    throw error;
  }
}

export function slotPath(slot: Slot): string {
  return slot.key === '' && slot.section.kind === 'value'
    ? slot.section.key
    : `${slot.section.key}.${slot.key}`;
}
