import { type Cluster, type ClusterDraft, equalJson } from '../../model/index.ts';
import { recordOf, Version } from './records.ts';

/**
 * A state of the served cluster. It has as many entries as there are objects, and a step changes a
 * few of them: a draft of all entries, as immer makes one, would take longer than the step. What a
 * reducer reads is a copy of one entry; what it has changed is found by comparing copies.
 */
export interface ServedState {
  /** As reducers, properties and words read it. */
  readonly cluster: Cluster;
  readonly parts: ReadonlyMap<string, Version>;
}

/** The keys of the entries that a step has changed, by the part of the cluster. */
export type Changes = ReadonlyMap<string, ReadonlySet<string>>;

type Values = Readonly<Record<string, unknown>>;

export function servedState(cluster: Cluster): ServedState {
  const parts = Object.entries(cluster).map(
    ([part, values]) => [part, new Version(Object.entries(values as Values))] as const,
  );
  return stateWith(new Map(parts));
}

/**
 * The state as plain records, for what makes drafts of it. It takes as long as the state is large.
 */
export function plainCluster(cluster: Cluster): Cluster {
  const records = Object.entries(cluster).map(([part, values]) => [
    part,
    { ...(values as Values) },
  ]);
  return Object.fromEntries(records) as Cluster;
}

function stateWith(parts: ReadonlyMap<string, Version>): ServedState {
  const records = [...parts].map(([part, version]) => [part, recordOf(version)] as const);
  return { parts, cluster: Object.fromEntries(records) as unknown as Cluster };
}

/** @returns the state after the reducer, and what it has changed. Null: nothing. */
export function changedBy(
  state: ServedState,
  reduce: (draft: ClusterDraft) => void,
): { readonly state: ServedState; readonly changes: Changes } | null {
  const drafts = new Map<string, PartDraft>();
  reduce(draftOf(state, drafts));
  const changed = [...drafts].flatMap(([part, draft]) => {
    const changes = draft.changes();
    return changes.length === 0 ? [] : [[part, draft, changes] as const];
  });
  if (changed.length === 0) return null;
  const parts = new Map(state.parts);
  for (const [part, draft, changes] of changed) parts.set(part, draft.base.changed(changes));
  return {
    state: stateWith(parts),
    changes: new Map(
      changed.map(([part, , changes]) => [part, new Set(changes.map(([key]) => key))]),
    ),
  };
}

function draftOf({ parts }: ServedState, drafts: Map<string, PartDraft>): ClusterDraft {
  const of = (part: string): PartDraft | null => {
    const known = drafts.get(part);
    if (known !== undefined) return known;
    const base = parts.get(part);
    if (base === undefined) return null;
    const made = new PartDraft(base);
    drafts.set(part, made);
    return made;
  };
  const draft = new Proxy<Record<string, unknown>>(
    {},
    {
      get: (_, part) => (typeof part === 'string' ? of(part)?.record : undefined),
      has: (_, part) => typeof part === 'string' && parts.has(part),
      ownKeys: () => [...parts.keys()],
      getOwnPropertyDescriptor: (_, part) =>
        typeof part === 'string' && parts.has(part)
          ? { value: of(part)?.record, configurable: true, enumerable: true, writable: true }
          : undefined,
      set: (_, part, values: Values) => {
        const draft = of(String(part));
        if (draft === null) throw new Error(`a state of the server has no ${String(part)}`);
        draft.replace(values);
        return true;
      },
      deleteProperty: () => {
        throw new Error('a state of the server keeps all of its parts');
      },
    },
  );
  return draft as unknown as ClusterDraft;
}

/** One part of the cluster while a reducer runs. */
class PartDraft {
  readonly base: Version;
  /** Copies of what was read, and what was written. Undefined: removed. */
  readonly #own = new Map<string, unknown>();
  readonly record: Record<string, unknown>;

  constructor(base: Version) {
    this.base = base;
    this.record = new Proxy<Record<string, unknown>>(
      {},
      {
        get: (_, key) => (typeof key === 'string' ? this.#get(key) : undefined),
        has: (_, key) => typeof key === 'string' && this.#has(key),
        ownKeys: () => this.#keys(),
        getOwnPropertyDescriptor: (_, key) =>
          typeof key === 'string' && this.#has(key)
            ? { value: this.#get(key), configurable: true, enumerable: true, writable: true }
            : undefined,
        set: (_, key, value: unknown) => {
          this.#own.set(String(key), value);
          return true;
        },
        deleteProperty: (_, key) => {
          this.#own.set(String(key), undefined);
          return true;
        },
      },
    );
  }

  replace(values: Values): void {
    const next = Object.entries(values);
    for (const key of this.#keys()) this.#own.set(key, undefined);
    for (const [key, value] of next) this.#own.set(key, value);
  }

  /** What differs from the version before. */
  changes(): readonly (readonly [key: string, value: unknown])[] {
    return [...this.#own].filter(([key, value]) => {
      const { entries } = this.base;
      if (value === undefined) return entries.has(key);
      return !entries.has(key) || !equalJson(entries.get(key), value);
    });
  }

  #get(key: string): unknown {
    if (this.#own.has(key)) return this.#own.get(key);
    const value = this.base.entries.get(key);
    // What is not an object need not be copied, nor compared.
    if (typeof value !== 'object' || value === null) return value;
    const copy = copied(value);
    this.#own.set(key, copy);
    return copy;
  }

  #has(key: string): boolean {
    return this.#own.has(key) ? this.#own.get(key) !== undefined : this.base.entries.has(key);
  }

  #keys(): string[] {
    const kept = [...this.base.entries.keys()].filter((key) => this.#has(key));
    const added = [...this.#own.keys()].filter(
      (key) => this.#has(key) && !this.base.entries.has(key),
    );
    return [...kept, ...added];
  }
}

function copied(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(copied);
  return Object.fromEntries(Object.entries(value).map(([field, part]) => [field, copied(part)]));
}
