import { isDraft } from 'immer';

/** One reading of a state by a reducer. */
export interface StateReading {
  /** The keys from the root of the state; elements of arrays by position. */
  readonly path: readonly string[];
  /**
   * - `presence`: only whether the value is there, and whether it is a record or an array.
   * - `value`: the value itself, which is neither record nor array.
   * - `keys`: the keys, in their order.
   * - `whole`: everything below the path.
   * - `written`: everything below the path, because the reducer wrote to it: it was already equal,
   *   which is why nothing changed.
   */
  readonly aspect: 'presence' | 'value' | 'keys' | 'whole' | 'written';
  /** The value; `undefined` if there is none. */
  readonly value: unknown;
}

/** The symbol by which immer recognises drafts. */
const DRAFT_STATE = Symbol.for('immer-state');

/**
 * Records what is read through a draft of a state, down to single values. Reading what the run
 * itself has written does not count: it follows from earlier readings.
 */
export class ReadRecorder {
  private readonly state: unknown;
  private readonly noted = new Map<string, StateReading>();
  private readonly proxies = new WeakMap<object, object>();
  private readonly drafts = new WeakMap<object, { draft: object; path: readonly string[] }>();
  private readonly written = new WeakMap<object, Set<string>>();
  private readonly writtenPaths: (readonly string[])[] = [];

  constructor(state: unknown) {
    this.state = state;
  }

  /** In the order in which each was made for the last time. */
  get readings(): readonly StateReading[] {
    return [...this.noted.values()];
  }

  root(draft: object): unknown {
    return this.proxy(draft, []);
  }

  /**
   * Call this after the run. Where it has written without a change, the old values are the reason.
   */
  end(): void {
    for (const path of this.writtenPaths) this.note(path, 'written');
  }

  private note(path: readonly string[], aspect: StateReading['aspect']): void {
    const name = nameOf(path, aspect);
    const known = this.noted.get(name);
    this.noted.delete(name);
    this.noted.set(name, known ?? { path, aspect, value: valueAt(this.state, path) });
  }

  private read(draft: object, path: readonly string[], key: string, value: unknown): unknown {
    const isOwn = Object.hasOwn(draft, key);
    // Inherited properties are no part of the state; that the state lacks such a key is.
    const isState = isOwn || !(key in draft) || !Array.isArray(draft);
    const isWritten = this.written.get(draft)?.has(key) === true;
    const below = [...path, key];
    if (isState && !isWritten) {
      this.note(below, isOwn && isObject(value) ? 'presence' : 'value');
    }
    // Immer drafts every value of the state, so the run itself has put this one there.
    return isOwn && isObject(value) && isDraft(value) ? this.proxy(value, below) : value;
  }

  private readPresence(draft: object, path: readonly string[], key: string): void {
    const known =
      this.noted.has(nameOf(path, 'keys')) || this.written.get(draft)?.has(key) === true;
    if (!known) this.note([...path, key], 'presence');
  }

  private write(draft: object, path: readonly string[], key: string): void {
    const keys = this.written.get(draft) ?? new Set();
    this.written.set(draft, keys.add(key));
    this.writtenPaths.push(Array.isArray(draft) ? path : [...path, key]);
  }

  /** The draft behind one of the proxies. Storing it somewhere as a whole counts as reading it. */
  private unwrapped(value: unknown): unknown {
    const known = isObject(value) ? this.drafts.get(value) : undefined;
    if (known === undefined) return value;
    this.note(known.path, 'whole');
    return known.draft;
  }

  private proxy(draft: object, path: readonly string[]): object {
    const known = this.proxies.get(draft);
    if (known !== undefined) return known;
    const proxy = new Proxy(draft, {
      get: (_, key) => {
        const value: unknown = Reflect.get(draft, key);
        if (typeof key === 'string') return this.read(draft, path, key, value);
        if (key === DRAFT_STATE) this.note(path, 'whole');
        return value;
      },
      has: (_, key) => {
        if (typeof key === 'string') this.readPresence(draft, path, key);
        return Reflect.has(draft, key);
      },
      getOwnPropertyDescriptor: (_, key) => {
        if (typeof key === 'string') this.readPresence(draft, path, key);
        return Reflect.getOwnPropertyDescriptor(draft, key);
      },
      ownKeys: () => {
        this.note(path, 'keys');
        return Reflect.ownKeys(draft);
      },
      set: (_, key, value) => {
        if (typeof key === 'string') this.write(draft, path, key);
        return Reflect.set(draft, key, this.unwrapped(value));
      },
      deleteProperty: (_, key) => {
        if (typeof key === 'string') this.write(draft, path, key);
        return Reflect.deleteProperty(draft, key);
      },
    });
    this.proxies.set(draft, proxy);
    this.drafts.set(proxy, { draft, path });
    return proxy;
  }
}

function nameOf(path: readonly string[], aspect: StateReading['aspect']): string {
  return JSON.stringify([aspect, path]);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function valueAt(state: unknown, path: readonly string[]): unknown {
  let value = state;
  for (const key of path) {
    if (!isObject(value) || !Object.hasOwn(value, key)) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[key];
  }
  return value;
}
