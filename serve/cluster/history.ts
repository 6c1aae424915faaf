import type { ObjectKey } from '../../model/index.ts';
import type { View } from './views.ts';

/** A change of one stored object, as watches show it. */
export interface Change {
  readonly revision: number;
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly key: ObjectKey;
  /** Name in the table of kinds. */
  readonly kind: string;
  readonly namespace: string;
  /**
   * After the change; of a removed object, what was stored last, with the revision of the removal.
   */
  readonly view: View;
  /** Before the change. Null: there was none. */
  readonly before: View | null;
}

/** How many changes a watch can begin before. Older ones are gone (410). */
const KEPT = 10_000;

/** The latest changes, for watches that begin at an earlier revision. */
export class History {
  readonly #changes: Change[] = [];
  readonly #listeners = new Set<(change: Change) => void>();
  #forgotten: number;

  /** @param revision at which the history begins. */
  constructor(revision: number) {
    this.#forgotten = revision;
  }

  add(change: Change): void {
    this.#changes.push(change);
    if (this.#changes.length > KEPT) {
      const gone = this.#changes.splice(0, KEPT / 10);
      this.#forgotten = gone.at(-1)?.revision ?? this.#forgotten;
    }
    for (const listener of this.#listeners) listener(change);
  }

  /** The changes after this revision. Null: some of them are forgotten. */
  since(revision: number): readonly Change[] | null {
    if (revision < this.#forgotten) return null;
    return this.#changes.filter((change) => change.revision > revision);
  }

  /** @returns a function that ends the listening. */
  listen(listener: (change: Change) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
}
