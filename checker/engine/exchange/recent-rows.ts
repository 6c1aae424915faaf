import type { StateStore } from '../state-store.ts';

const UNKNOWN = -1;
/** A power of two. */
const RECENT = 1 << 13;

/** Some of the rows that were handed out last, and where they were put. */
export class RecentRows {
  private readonly store: StateStore;
  private readonly places = new Int32Array(RECENT).fill(UNKNOWN);
  private rows = new Int32Array(0);
  private of: Int32Array | null = null;

  constructor(store: StateStore) {
    this.store = store;
  }

  /** Where the row at this index of `next` was put; -1: it is not known. */
  placeOf(index: number): number {
    const { store, places } = this;
    const { next, width } = store;
    // Rows of another layout have another array, too.
    if (this.of !== next) this.forget();
    const { rows } = this;
    const at = store.hashOf(index) & (RECENT - 1);
    const start = index * width;
    const kept = at * width;
    for (let word = 0; word < width; word++) {
      if (rows[kept + word] !== next[start + word]) return UNKNOWN;
    }
    return places[at]!;
  }

  set(index: number, place: number): void {
    const { store, places, rows } = this;
    const { next, width } = store;
    const at = store.hashOf(index) & (RECENT - 1);
    const start = index * width;
    for (let word = 0; word < width; word++) rows[at * width + word] = next[start + word]!;
    places[at] = place;
  }

  forget(): void {
    const { next, width } = this.store;
    this.of = next;
    this.rows = new Int32Array(RECENT * width);
    this.places.fill(UNKNOWN);
  }
}
