import { inObjectOrder, readOnlyQueue, readOnlyRecord } from '../../engine/view.ts';
import { canonicalText, fromCanonicalText } from '../../values/canonical.ts';
import type { NameMap } from '../reduction.ts';

/**
 * Shows states under one renaming. A view reads no more of the state than is read of the view, so
 * an engine that records reads knows what an answer depends on.
 */
export class RenamedViews {
  private readonly names: NameMap;
  /** By section: renamed values by the frozen value that they are made of. */
  private readonly values = new Map<string, WeakMap<object, unknown>>();

  constructor(names: NameMap) {
    this.names = names;
  }

  of<State>(state: State): State {
    const { slots } = this.names;
    const sections = new Map<string, unknown>();
    const read = (key: string): unknown => {
      const value = (state as Readonly<Record<string, unknown>>)[key];
      if (!Object.hasOwn(slots, key) || value === undefined) return undefined;
      return slots[key] === 'value' ? this.value(key, value) : this.section(key, value as object);
    };
    const get = (key: string): unknown => {
      if (!sections.has(key)) sections.set(key, read(key));
      return sections.get(key);
    };
    const has = (key: string) => Object.hasOwn(state as object, key);
    return readOnlyRecord({ get, has, keys: () => Object.keys(state as object) }) as State;
  }

  private section(section: string, entries: object): object {
    const { names } = this;
    const original = (key: string) => names.originalKey(section, key);
    const read = (key: string): unknown => {
      if (key === '__proto__') return undefined;
      const from = original(key);
      // A method of records is no entry, unless there is an entry of that name.
      if (from in Object.prototype && !Object.hasOwn(entries, from)) return undefined;
      const value = (entries as Readonly<Record<string, unknown>>)[from];
      if (value === undefined) return undefined;
      return names.slots[section] === 'queues'
        ? this.queue(section, value as readonly unknown[])
        : this.value(section, value);
    };
    const has = (key: string) => key !== '__proto__' && Object.hasOwn(entries, original(key));
    const keys = () =>
      inObjectOrder(
        Object.keys(entries)
          .map((key) => names.renameKey(section, key))
          .sort(),
      );
    return readOnlyRecord({ get: read, has, keys });
  }

  /** Elements of a queue are renamed one by one. */
  private queue(section: string, queue: readonly unknown[]): object {
    return readOnlyQueue({
      length: () => queue.length,
      element: (position) => {
        const element = queue[position];
        if (element === undefined) return undefined;
        return (this.names.renameValue(section, [element]) as readonly unknown[])[0];
      },
    });
  }

  private value(section: string, value: unknown): unknown {
    if (typeof value !== 'object' || value === null) {
      return this.names.renameValue(section, value);
    }
    let known = this.values.get(section);
    if (known === undefined) {
      known = new WeakMap();
      this.values.set(section, known);
    }
    const renamed = known.get(value);
    if (renamed !== undefined) return renamed;
    const made = fromCanonicalText(canonicalText(this.names.renameValue(section, value)));
    known.set(value, made);
    return made;
  }
}
