/**
 * Records with many entries, of which each step changes a few. A change makes a new version in a
 * time that does not depend on the number of entries. Older versions stay readable: the newest one
 * read or changed has the entries, and the others know how they differ from the next one (H. Baker,
 * "Shallow binding in Lisp 1.5", 1978).
 */

type Entry = readonly [key: string, value: unknown];

/** Instead of a value: the version has no entry of this key. */
const ABSENT = Symbol('absent');

/** One version. Its values never change. */
export class Version {
  /** Null: `#next` has them. */
  #entries: Map<string, unknown> | null;
  #next: Version | null = null;
  /** What this version has in the place of the entries of `#next`. */
  #differences: readonly Entry[] = [];

  constructor(entries: Iterable<Entry>) {
    this.#entries = new Map(entries);
  }

  get entries(): ReadonlyMap<string, unknown> {
    return this.#own();
  }

  /** The version with these changes. @param changes by key; undefined removes the entry. */
  changed(changes: Iterable<Entry>): Version {
    const next = new Version([]);
    const entries = this.#own();
    this.#differences = exchange(
      entries,
      [...changes].map(([key, value]) => [key, value === undefined ? ABSENT : value]),
    );
    this.#entries = null;
    this.#next = next;
    next.#entries = entries;
    return next;
  }

  #own(): Map<string, unknown> {
    if (this.#entries !== null) return this.#entries;
    const chain: Version[] = [];
    for (let at: Version = this; at.#next !== null; at = at.#next) chain.push(at);
    for (const version of chain.reverse()) {
      const holder = version.#next;
      const entries = holder === null ? null : holder.#entries;
      if (holder === null || entries === null) throw new Error('a version without entries');
      holder.#differences = exchange(entries, version.#differences);
      holder.#entries = null;
      holder.#next = version;
      version.#entries = entries;
      version.#next = null;
      version.#differences = [];
    }
    return this.#entries ?? new Map();
  }
}

/** Makes the changes. @returns the changes that take them back. */
function exchange(entries: Map<string, unknown>, changes: readonly Entry[]): readonly Entry[] {
  return changes.map(([key, value]) => {
    const before = entries.has(key) ? entries.get(key) : ABSENT;
    if (value === ABSENT) entries.delete(key);
    else entries.set(key, value);
    return [key, before];
  });
}

/** A version as a plain record that cannot be written. */
export function recordOf(version: Version): Readonly<Record<string, unknown>> {
  const has = (key: string | symbol): key is string =>
    typeof key === 'string' && version.entries.has(key);
  const refuse = (): never => {
    throw new Error('a state of the server cannot be written');
  };
  return new Proxy<Record<string, unknown>>(Object.create(null) as Record<string, unknown>, {
    get: (_, key) => (typeof key === 'string' ? version.entries.get(key) : undefined),
    has: (_, key) => has(key),
    ownKeys: () => [...version.entries.keys()],
    getOwnPropertyDescriptor: (_, key) =>
      has(key)
        ? { value: version.entries.get(key), configurable: true, enumerable: true, writable: true }
        : undefined,
    set: refuse,
    deleteProperty: refuse,
    defineProperty: refuse,
  });
}
