import { type ApiObject, type Kind, kindOf, type ObjectKey, splitKey } from '../../model/index.ts';
import type { Body } from './body.ts';
import { History } from './history.ts';
import { type Kept, type View, viewOf } from './views.ts';

/** An object as the server stores it: the part of the model, the rest, and how clients see both. */
export interface Stored {
  readonly object: ApiObject;
  readonly kept: Kept;
  readonly view: View;
}

type IsChosen = (object: ApiObject) => boolean;

/** 0 and 1 have a meaning of their own to some clients. */
const FIRST_REVISION = 100;

/** Everything that is stored, with its revisions and their history. */
export class StoredObjects {
  readonly history = new History(FIRST_REVISION);
  readonly #clock: () => number;
  readonly #stored = new Map<ObjectKey, Stored>();
  readonly #keys = new Map<string, Set<ObjectKey>>();
  /** By function, and by kind: the keys of the objects for which it is true. */
  readonly #chosen = new Map<IsChosen, Map<string, Set<ObjectKey>>>();
  #revision = FIRST_REVISION;

  /** @param clock milliseconds since 1970. */
  constructor(clock: () => number) {
    this.#clock = clock;
  }

  get revision(): number {
    return this.#revision;
  }

  get(key: ObjectKey): Stored | null {
    return this.#stored.get(key) ?? null;
  }

  /** The keys of a kind, in the order of their creation. */
  keys(kind: string): Iterable<ObjectKey> {
    return this.#keys.get(kind) ?? [];
  }

  /** The keys of the objects for which this is true. They are kept for the next time. */
  chosen(kind: string, isChosen: IsChosen): Iterable<ObjectKey> {
    const kinds = this.#chosen.get(isChosen) ?? new Map<string, Set<ObjectKey>>();
    this.#chosen.set(isChosen, kinds);
    const known = kinds.get(kind);
    if (known !== undefined) return known;
    const found = [...this.keys(kind)].filter((key) => {
      const stored = this.get(key);
      return stored !== null && isChosen(stored.object);
    });
    const keys = new Set(found);
    kinds.set(kind, keys);
    return keys;
  }

  #choose(key: ObjectKey, object: ApiObject | null): void {
    for (const [isChosen, kinds] of this.#chosen) {
      const keys = kinds.get(kindOf(key));
      if (object !== null && isChosen(object)) keys?.add(key);
      else keys?.delete(key);
    }
  }

  /** The object under this key has changed: a new revision, and an event for the watches. */
  commit(
    kind: Kind,
    key: ObjectKey,
    before: ApiObject | null,
    after: ApiObject | null,
    body: Body,
  ): void {
    this.#revision += 1;
    this.#choose(key, after);
    const old = this.get(key);
    const place = { revision: this.#revision, key, kind: kindOf(key), namespace: splitKey(key)[1] };
    if (after === null) {
      this.#stored.delete(key);
      this.#keys.get(kindOf(key))?.delete(key);
      if (old === null || before === null) return;
      const view = viewOf(kind, before, { ...old.kept, revision: this.#revision });
      this.history.add({ ...place, type: 'DELETED', view, before: old.view });
      return;
    }
    const isSame = old !== null && old.object.uid === after.uid;
    const since = isSame ? old.kept.deletingSince : null;
    const kept: Kept = {
      revision: this.#revision,
      createdAt: isSame ? old.kept.createdAt : this.#clock(),
      deletingSince: after.deletionTimestamp === null ? null : (since ?? this.#clock()),
      body,
    };
    const view = viewOf(kind, after, kept);
    this.#stored.set(key, { object: after, kept, view });
    this.#index(key);
    const type = isSame ? 'MODIFIED' : 'ADDED';
    this.history.add({ ...place, type, view, before: isSame ? old.view : null });
  }

  #index(key: ObjectKey): void {
    const kind = kindOf(key);
    const known = this.#keys.get(kind);
    if (known === undefined) this.#keys.set(kind, new Set([key]));
    else known.add(key);
  }
}
