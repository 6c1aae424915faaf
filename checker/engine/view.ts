import type { Section, Slot, SlotTable } from '../values/slots.ts';
import type { Source } from './recording.ts';

/**
 * A read-only state for predicates that reads through a source. It looks like the frozen plain
 * state: keys in sorted order, absent entries `undefined`, and writing throws a `TypeError`.
 */
export function viewState(table: SlotTable, source: Source): unknown {
  return readOnlyRecord(new ViewedState(table, source));
}

class ViewedState implements Reading {
  private readonly table: SlotTable;
  private readonly source: Source;
  /** By number of the section. */
  private readonly sections: object[] = [];

  constructor(table: SlotTable, source: Source) {
    this.table = table;
    this.source = source;
  }

  get(key: string): unknown {
    const { table, source, sections } = this;
    const section = table.readSection(key);
    if (section === undefined) return undefined;
    if (section.kind === 'value') return source.whole(source.slot(section, ''));
    sections[section.number] ??= readOnlyRecord(new ViewedSection(section, source));
    return sections[section.number];
  }

  has(key: string): boolean {
    const section = this.table.section(key);
    if (section === undefined) return false;
    return section.kind !== 'value' || this.source.present(this.source.slot(section, ''));
  }

  keys(): string[] {
    return this.table.sections.map(({ key }) => key).filter((key) => this.has(key));
  }
}

/** What is behind a read-only record. */
export interface Reading {
  get(key: string): unknown;
  /** Own keys only. */
  has(key: string): boolean;
  keys(): string[];
}

/** Own entries hide inherited properties, as in a plain record. */
export function readProperty(
  reading: Pick<Reading, 'get'>,
  target: object,
  key: string | symbol,
): unknown {
  const own = typeof key === 'string' ? reading.get(key) : undefined;
  return own === undefined ? Reflect.get(target, key) : own;
}

/**
 * A property descriptor that reads its value on demand: `Object.keys` asks for the descriptors of
 * all properties.
 */
export function propertyOf(
  reading: Pick<Reading, 'get' | 'has'>,
  key: string | symbol,
): PropertyDescriptor | undefined {
  if (typeof key === 'symbol' || !reading.has(key)) return undefined;
  return { get: () => reading.get(key), enumerable: true, configurable: true };
}

/** Whether a plain record with these own keys has the property. */
export function hasProperty(reading: Pick<Reading, 'has'>, key: string | symbol): boolean {
  return (typeof key === 'string' && reading.has(key)) || key in Object.prototype;
}

/** A record that reads on demand and refuses to be changed. */
export function readOnlyRecord(reading: Reading): object {
  return new Proxy({}, new ReadOnlyRecord(reading));
}

/** Refuses to change a record or an array. */
class Refusing implements ProxyHandler<object> {
  set(_: object, key: string | symbol): never {
    return refuse(`it writes ${String(key)}`);
  }

  defineProperty(_: object, key: string | symbol): never {
    return refuse(`it writes ${String(key)}`);
  }

  deleteProperty(_: object, key: string | symbol): never {
    return refuse(`it deletes ${String(key)}`);
  }

  setPrototypeOf(): never {
    return refuse('it sets a prototype');
  }

  preventExtensions(): never {
    return refuse('it freezes');
  }
}

function refuse(what: string): never {
  throw new TypeError(`the state is read-only here, and ${what}`);
}

class ReadOnlyRecord extends Refusing {
  private readonly reading: Reading;

  constructor(reading: Reading) {
    super();
    this.reading = reading;
  }

  get(target: object, key: string | symbol): unknown {
    return readProperty(this.reading, target, key);
  }

  has(_: object, key: string | symbol): boolean {
    return hasProperty(this.reading, key);
  }

  ownKeys(): string[] {
    return this.reading.keys();
  }

  getOwnPropertyDescriptor(_: object, key: string | symbol): PropertyDescriptor | undefined {
    return propertyOf(this.reading, key);
  }
}

class ViewedSection implements Reading {
  private readonly section: Section;
  private readonly source: Source;
  private queues: Map<Slot, object> | null = null;

  constructor(section: Section, source: Source) {
    this.section = section;
    this.source = source;
  }

  get(key: string): unknown {
    // No entry can have this name, so there is no slot for it.
    if (key === '__proto__') return undefined;
    const { section, source } = this;
    const slot = source.slot(section, key);
    if (section.kind !== 'queues') return source.whole(slot);
    if (!source.present(slot)) return undefined;
    this.queues ??= new Map();
    let view = this.queues.get(slot);
    if (view === undefined) {
      view = readOnlyQueue(new ViewedQueue(slot, source));
      this.queues.set(slot, view);
    }
    return view;
  }

  has(key: string): boolean {
    return key !== '__proto__' && this.source.present(this.source.slot(this.section, key));
  }

  keys(): string[] {
    const { section, source } = this;
    const present = source.enumerate(section).filter((slot) => source.present(slot));
    return inObjectOrder(present.map(({ key }) => key));
  }
}

/** The order in which a plain object has these keys: integer-like keys come first. */
export function inObjectOrder(keys: string[]): string[] {
  if (!keys.some(beginsWithDigit)) return keys;
  return Object.keys(Object.fromEntries(keys.map((key) => [key, true])));
}

function beginsWithDigit(key: string): boolean {
  return key >= '0' && key < ':';
}

/** The array position that a property key means, or -1. */
export function positionOf(key: string | symbol): number {
  if (typeof key === 'symbol' || !/^(?:0|[1-9]\d{0,8})$/.test(key)) return -1;
  return Number(key);
}

/** What is behind a read-only array. */
export interface QueueReader {
  length(): number;
  element(position: number): unknown;
}

class ViewedQueue implements QueueReader {
  private readonly slot: Slot;
  private readonly source: Source;

  constructor(slot: Slot, source: Source) {
    this.slot = slot;
    this.source = source;
  }

  length(): number {
    return this.source.length(this.slot);
  }

  element(position: number): unknown {
    return this.source.element(this.slot, position);
  }
}

/** An array that reads on demand and refuses to be changed. */
export function readOnlyQueue(reader: QueueReader): object {
  return new Proxy([], new ReadOnlyQueue(reader));
}

class ReadOnlyQueue extends Refusing {
  private readonly reader: QueueReader;

  constructor(reader: QueueReader) {
    super();
    this.reader = reader;
  }

  get(target: object, key: string | symbol): unknown {
    if (key === 'length') return this.reader.length();
    const position = positionOf(key);
    return position < 0 ? Reflect.get(target, key) : this.reader.element(position);
  }

  has(target: object, key: string | symbol): boolean {
    const position = positionOf(key);
    return position < 0 ? Reflect.has(target, key) : position < this.reader.length();
  }

  ownKeys(): string[] {
    const positions = Array.from({ length: this.reader.length() }, (_, at) => String(at));
    return [...positions, 'length'];
  }

  getOwnPropertyDescriptor(_: object, key: string | symbol): PropertyDescriptor | undefined {
    const { reader } = this;
    if (key === 'length') {
      return { value: reader.length(), writable: true, enumerable: false, configurable: false };
    }
    const position = positionOf(key);
    if (position < 0 || position >= reader.length()) return undefined;
    const value = reader.element(position);
    return { value, writable: true, enumerable: true, configurable: true };
  }
}
