import { Immer } from 'immer';
import { BadValueError, LeakedDraftError } from '../errors.ts';
import type { QueueChange } from '../values/queue-operations.ts';
import { type Section, type Slot, type SlotTable, slotPath } from '../values/slots.ts';
import { accessProxy, type DraftAccess } from './access-proxy.ts';
import { QueueDraft } from './queue-draft.ts';
import type { Recording } from './recording.ts';
import { inObjectOrder } from './view.ts';

/**
 * It freezes, though values are frozen once more when they are interned: without `autoFreeze`,
 * immer 11.2 leaves revoked drafts in lists if a draft is put into several of them.
 */
const immer = new Immer({ autoFreeze: true });

/** Index of the elements that are pushed to queues. */
const PUSHED = 0;

/** What a run changed, as interned local numbers. A slot is in at most one of the lists. */
export interface Outcome {
  readonly writes: readonly (readonly [slot: number, local: number])[];
  readonly queueChanges: readonly (readonly [slot: Slot, change: QueueChange])[];
}

type SectionLog = { readonly present: boolean; readonly key: string }[];

/**
 * One run of a reducer. The reducer gets proxies of the root and of the sections. Below them there
 * is a single immer draft, of a list of the slots' values, so that drafts can move between slots.
 */
export class DraftRun {
  private readonly table: SlotTable;
  private readonly recording: Recording;
  /**
   * Values by `placeOf` slot, `undefined` if absent. It is a list because immer copies lists
   * fastest. The first element holds what is pushed to queues.
   */
  private readonly base: readonly unknown[];
  private flat: unknown[] = [];
  private readonly read = new Set<Slot>();
  /** For each slot written: whether it is present now. */
  private readonly written = new Map<Slot, boolean>();
  private readonly queues = new Map<Slot, QueueDraft>();
  private readonly queueOfProxy = new Map<object, QueueDraft>();
  private readonly sectionProxies = new Map<Section, object>();
  private readonly ownProxies = new Set<object>();
  private readonly logs = new Map<Section, SectionLog>();
  /** Sections that were assigned as a whole, with their current object. */
  private readonly replaced = new Map<Section, object>();

  /** @param base of the state that the recording reads. */
  constructor(table: SlotTable, recording: Recording, base = baseOf(table, recording)) {
    this.table = table;
    this.recording = recording;
    this.base = base;
  }

  /** Runs the reducer. Throws what it throws, `BadValueError` and `LeakedDraftError`. */
  run(reduce: (draft: unknown) => void): Outcome {
    const after = this.after(reduce);
    try {
      return this.outcome(after);
    } catch (error) {
      throw error instanceof LeakedDraftError ? holdsPart() : error;
    }
  }

  /**
   * Runs the reducer as well. Returns the values of the slots that it has used, `undefined` if
   * absent: nothing is interned.
   */
  values(reduce: (draft: unknown) => void): ReadonlyMap<Slot, unknown> {
    const after = this.after(reduce);
    const values = new Map<Slot, unknown>();
    for (const slot of [...this.read, ...this.written.keys()]) {
      values.set(slot, this.written.get(slot) === false ? undefined : after[placeOf(slot)]);
    }
    const pushed = after[PUSHED] as readonly (readonly unknown[])[];
    for (const [index, [slot, { pending }]] of [...this.queues].entries()) {
      const queue = after[placeOf(slot)] as readonly unknown[];
      values.set(
        slot,
        pending === null ? queue : [...queue.slice(pending.drop), ...pushed[index]!],
      );
    }
    return values;
  }

  private after(reduce: (draft: unknown) => void): readonly unknown[] {
    const after = this.produce((flat) => {
      this.flat = flat;
      reduce(this.rootProxy());
      this.settleReplaced();
      // Immer then finalises the drafts among them.
      if (this.queues.size > 0) {
        this.flat[PUSHED] = [...this.queues.values()].map(({ pushedElements }) => pushedElements);
      }
    });
    this.recording.close();
    return after;
  }

  private produce(recipe: (flat: unknown[]) => void): readonly unknown[] {
    try {
      return immer.produce(this.base, (flat) => recipe(flat as unknown[]));
    } catch (error) {
      // Immer cannot freeze a value that holds a proxy of the engine.
      const isProxy =
        error instanceof TypeError && /'preventExtensions' on proxy/.test(error.message);
      throw isProxy ? holdsPart() : error;
    }
  }

  private outcome(after: readonly unknown[]): Outcome {
    const writes: (readonly [number, number])[] = [];
    const queueChanges: (readonly [Slot, QueueChange])[] = [];
    const slots = new Set([...this.read, ...this.written.keys()]);
    const pushed = after[PUSHED] as readonly (readonly unknown[])[];
    for (const [index, [slot, queue]] of [...this.queues].entries()) {
      const change = this.queueChange(slot, queue, after, pushed[index]!);
      if (change === 'whole') slots.add(slot);
      else if (change !== null) queueChanges.push([slot, change]);
    }
    for (const slot of slots) {
      const wasRead = this.recording.hasRead(slot);
      const place = placeOf(slot);
      const isPresent = this.written.get(slot) ?? this.base[place] !== undefined;
      const wasPresent = this.base[place] !== undefined;
      if (wasRead && isPresent === wasPresent && after[place] === this.base[place]) continue;
      const local = isPresent
        ? this.table.intern(slot, after[place])
        : this.table.absentLocal(slot);
      if (!wasRead || local !== this.recording.local(slot)) writes.push([slot.number, local]);
    }
    writes.sort(([one], [other]) => one - other);
    queueChanges.sort(([one], [other]) => one.number - other.number);
    return { writes, queueChanges };
  }

  private queueChange(
    slot: Slot,
    queue: QueueDraft,
    after: readonly unknown[],
    pushed: readonly unknown[],
  ): QueueChange | 'whole' | null {
    const { pending } = queue;
    if (pending === null) return 'whole';
    const was = this.base[placeOf(slot)] as readonly unknown[];
    const is = after[placeOf(slot)] as readonly unknown[];
    const numbers = (value: unknown) => this.table.partNumber(slot, value);
    const replace = [...pending.touched]
      .filter((position) => position >= pending.drop && is[position] !== was[position])
      .sort((one, other) => one - other)
      .map((position) => [position, numbers(is[position])] as const)
      .filter(([position, value]) => value !== numbers(was[position]));
    const push = pushed.map(numbers);
    if (pending.drop === 0 && replace.length === 0 && push.length === 0) return null;
    return { drop: pending.drop, replace, push };
  }

  private readSlot(slot: Slot): unknown {
    if (this.written.has(slot)) return this.flat[placeOf(slot)];
    if (slot.section.kind === 'queues') return this.readQueue(slot);
    this.recording.whole(slot);
    this.read.add(slot);
    return this.flat[placeOf(slot)];
  }

  private readQueue(slot: Slot): unknown {
    const known = this.queues.get(slot);
    if (known !== undefined) return known.proxy;
    if (!this.recording.present(slot)) return undefined;
    const immerDraft = () => this.flat[placeOf(slot)] as unknown[];
    const queue = new QueueDraft(slot, this.recording, immerDraft, this.unwrap);
    this.queues.set(slot, queue);
    this.queueOfProxy.set(queue.proxy, queue);
    return queue.proxy;
  }

  private isPresent(slot: Slot): boolean {
    return this.written.get(slot) ?? this.recording.present(slot);
  }

  /** `undefined` with `present` false removes the entry. */
  private writeSlot(slot: Slot, present: boolean, value?: unknown): void {
    // Immer ignores it when -0 is written over 0, and would so hide a bad value.
    if (Object.is(value, -0)) throw new BadValueError('-0', slotPath(slot));
    const kept = this.unwrap(value);
    const queue = this.queues.get(slot);
    if (queue !== undefined) {
      // A reference to the old queue must go on as a plain array that is no longer in the state.
      queue.becomeWhole();
      this.queues.delete(slot);
    }
    this.written.set(slot, present);
    this.log(slot.section).push({ present, key: slot.key });
    this.flat[placeOf(slot)] = present ? kept : undefined;
  }

  /**
   * As under `produce`, the section now is that very object, and its old proxy goes on with the old
   * contents. The end of the run moves the entries into slots.
   */
  private writeSection(section: Section, value: unknown): void {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw new BadValueError('not a record', section.key);
    }
    if (value === this.sectionProxies.get(section)) this.replaced.delete(section);
    else this.replaced.set(section, value);
  }

  private settleReplaced(): void {
    const contents = [...this.replaced].map(
      ([section, value]) => [section, entriesOf(section, value)] as const,
    );
    for (const [section, entries] of contents) {
      // Entries that appear in later states would have to be removed too, so this reads all
      // keys.
      const former = new Set(this.recording.enumerate(section));
      for (const slot of this.written.keys()) if (slot.section === section) former.add(slot);
      for (const slot of former) this.writeSlot(slot, false);
      for (const [key, part] of entries) {
        this.writeSlot(this.recording.slot(section, key), true, part);
      }
    }
  }

  private readonly unwrap = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    const queue = this.queueOfProxy.get(value);
    if (queue !== undefined) return queue.becomeWhole();
    if (this.ownProxies.has(value)) {
      throw new BadValueError('a whole part of the state itself; copy it first', null);
    }
    return value;
  };

  private log(section: Section): SectionLog {
    let log = this.logs.get(section);
    if (log === undefined) {
      log = [];
      this.logs.set(section, log);
    }
    return log;
  }

  /**
   * The keys in the order of plain immer: the sorted ones that were there, then those that this run
   * added.
   */
  private sectionKeys(section: Section): string[] {
    const present = this.recording
      .enumerate(section)
      .filter((slot) => this.recording.present(slot))
      .map(({ key }) => key);
    const keys: Record<string, true> = Object.fromEntries(present.map((key) => [key, true]));
    for (const entry of this.log(section)) {
      if (entry.present) keys[entry.key] = true;
      else delete keys[entry.key];
    }
    return Object.keys(keys);
  }

  private rootProxy(): object {
    const { table, recording } = this;
    const has = (key: string): boolean => {
      const section = table.section(key);
      if (section === undefined) return false;
      return section.kind !== 'value' || this.isPresent(recording.slot(section, ''));
    };
    const get = (key: string): unknown => {
      const section = table.readSection(key);
      if (section === undefined) return undefined;
      return section.kind === 'value'
        ? this.readSlot(recording.slot(section, ''))
        : (this.replaced.get(section) ?? this.sectionProxy(section));
    };
    const write = (key: string, present: boolean, value: unknown): void => {
      const section = table.section(key);
      if (section === undefined) {
        if (!present) return;
        throw new BadValueError('not declared in slots', key);
      }
      if (section.kind === 'value') this.writeSlot(recording.slot(section, ''), present, value);
      else if (present) this.writeSection(section, value);
      else throw new BadValueError('removed; empty it instead', key);
    };
    const keys = () => inObjectOrder(table.sections.map(({ key }) => key).filter(has));
    return this.proxy({ get, has, write, keys });
  }

  private sectionProxy(section: Section): object {
    const known = this.sectionProxies.get(section);
    if (known !== undefined) return known;
    const slot = (key: string) => this.recording.slot(section, key);
    const proxy = this.proxy({
      // No entry can have this name, so there is no slot for it.
      get: (key) => (key === '__proto__' ? undefined : this.readSlot(slot(key))),
      has: (key) => key !== '__proto__' && this.isPresent(slot(key)),
      write: (key, present, value) => this.writeSlot(slot(key), present, value),
      keys: () => this.sectionKeys(section),
    });
    this.sectionProxies.set(section, proxy);
    return proxy;
  }

  private proxy(access: DraftAccess): object {
    const proxy = accessProxy(this.recording, access);
    this.ownProxies.add(proxy);
    return proxy;
  }
}

function holdsPart(): BadValueError {
  return new BadValueError(
    'a value that holds a queue or a section of the draft itself; copy it first',
    null,
  );
}

/**
 * The values of a state for runs in it. Slots that are added later are absent in it, so it stays
 * complete.
 */
export function baseOf(table: SlotTable, recording: Recording): readonly unknown[] {
  return [null, ...table.slots.map((slot) => recording.peek(slot))];
}

function entriesOf(section: Section, value: object): readonly (readonly [string, unknown])[] {
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) {
    throw new BadValueError(`a ${value.constructor.name}`, section.key);
  }
  return Object.entries(value);
}

/** Where the value of a slot is among those of a state. */
export function placeOf(slot: Slot): number {
  return slot.number + 1;
}
