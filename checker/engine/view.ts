import type { Section, Slot, SlotTable } from '../values/slots.ts';
import type { Source } from './recording.ts';

/**
 * A read-only state for predicates that reads through a source. It looks like the frozen plain
 * state: keys in sorted order, absent entries `undefined`, and writing throws a `TypeError`.
 */
export function viewState(table: SlotTable, source: Source): unknown {
  const sectionViews = new Map<Section, object>();
  const get = (key: string): unknown => {
    const section = table.section(key);
    if (section === undefined) return undefined;
    if (section.kind === 'value') return source.whole(source.slot(section, ''));
    let view = sectionViews.get(section);
    if (view === undefined) {
      view = viewSection(section, source);
      sectionViews.set(section, view);
    }
    return view;
  };
  const has = (key: string): boolean => {
    const section = table.section(key);
    if (section === undefined) return false;
    return section.kind !== 'value' || source.present(source.slot(section, ''));
  };
  const keys = (): string[] => table.sections.map(({ key }) => key).filter(has);
  return readOnlyRecord({ get, has, keys });
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
  key: string,
): PropertyDescriptor | undefined {
  if (!reading.has(key)) return undefined;
  return { get: () => reading.get(key), enumerable: true, configurable: true };
}

/** A record that reads on demand and refuses to be changed. */
export function readOnlyRecord(reading: Reading): object {
  const target = {};
  return new Proxy(target, {
    get: (_, key) => readProperty(reading, target, key),
    has: (_, key) => (typeof key === 'string' && reading.has(key)) || key in Object.prototype,
    ownKeys: () => reading.keys(),
    getOwnPropertyDescriptor: (_, key) =>
      typeof key === 'symbol' ? undefined : propertyOf(reading, key),
    ...refusingWrites,
  });
}

const refusingWrites: ProxyHandler<object> = {
  set: () => false,
  defineProperty: () => false,
  deleteProperty: () => false,
  setPrototypeOf: () => false,
  preventExtensions: () => false,
};

function viewSection(section: Section, source: Source): object {
  const queueViews = new Map<Slot, object>();
  const get = (key: string): unknown => {
    // No entry can have this name, so there is no slot for it.
    if (key === '__proto__') return undefined;
    const slot = source.slot(section, key);
    if (section.kind !== 'queues') return source.whole(slot);
    if (!source.present(slot)) return undefined;
    let view = queueViews.get(slot);
    if (view === undefined) {
      view = viewQueue(slot, source);
      queueViews.set(slot, view);
    }
    return view;
  };
  const has = (key: string): boolean =>
    key !== '__proto__' && source.present(source.slot(section, key));
  const keys = (): string[] =>
    inObjectOrder(
      source
        .enumerate(section)
        .filter((slot) => source.present(slot))
        .map(({ key }) => key),
    );
  return readOnlyRecord({ get, has, keys });
}

/** The order in which a plain object has these keys: integer-like keys come first. */
export function inObjectOrder(keys: readonly string[]): string[] {
  return Object.keys(Object.fromEntries(keys.map((key) => [key, true])));
}

/** The array position that a property key means, or -1. */
export function positionOf(key: string | symbol): number {
  if (typeof key === 'symbol' || !/^(?:0|[1-9]\d{0,8})$/.test(key)) return -1;
  return Number(key);
}

function viewQueue(slot: Slot, source: Source): object {
  return readOnlyQueue({
    length: () => source.length(slot),
    element: (position) => source.element(slot, position),
  });
}

/** An array that reads on demand and refuses to be changed. */
export function readOnlyQueue({
  length,
  element,
}: {
  length(): number;
  element(position: number): unknown;
}): object {
  const target: unknown[] = [];
  return new Proxy(target, {
    get: (_, key) => {
      if (key === 'length') return length();
      const position = positionOf(key);
      return position < 0 ? Reflect.get(target, key) : element(position);
    },
    has: (_, key) => {
      const position = positionOf(key);
      return position < 0 ? Reflect.has(target, key) : position < length();
    },
    ownKeys: () => [
      ...Array.from({ length: length() }, (_, position) => String(position)),
      'length',
    ],
    getOwnPropertyDescriptor: (_, key) => {
      if (key === 'length') {
        return { value: length(), writable: true, enumerable: false, configurable: false };
      }
      const position = positionOf(key);
      if (position < 0 || position >= length()) return undefined;
      const value = element(position);
      return { value, writable: true, enumerable: true, configurable: true };
    },
    ...refusingWrites,
  });
}
