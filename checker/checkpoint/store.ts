/**
 * Where a search puts what it needs to go on later. The checker knows no files: a store may be a
 * file, a database, or a list in memory.
 */
export interface CheckpointStore {
  /**
   * The blocks that were stored so far, in order. Asked once, before the search; none: the search
   * begins.
   */
  blocks(): Iterable<Uint8Array>;
  /**
   * Stores a further block: these parts, one after the other. They may change after it returns.
   * Whatever happens, the block must be there as a whole or not at all.
   */
  append(parts: readonly Uint8Array[]): void;
}

/** How a search saves itself, so that another process can continue it. */
export interface CheckpointOptions {
  readonly store: CheckpointStore;
  /** Save about so often, in seconds (default 60). */
  readonly everySeconds?: number;
  /** Save after so many expanded states, whatever the time (default: only by the time). */
  readonly everyStates?: number;
}
