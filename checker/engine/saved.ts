import type { SelectorNotes } from '../reductions/reduction.ts';

/** What an engine has added since the part before. Rows are packed in the layout of the part. */
export interface EnginePart {
  readonly head: EngineHead;
  /** `width` words each. */
  readonly rows: Int32Array;
  /** By row: the number of the predecessor. */
  readonly parents: Int32Array;
  /** Events of a `LearningLog`. */
  readonly learnt: Int32Array;
}

/** The small rest of a part, as JSON. */
export interface EngineHead {
  /** Of all parts up to this one. */
  readonly states: number;
  /** Bits by slot, and the slots of each word. */
  readonly layout: {
    readonly bits: readonly number[];
    readonly slots: readonly (readonly number[])[];
  };
  readonly tableBits: number;
  /** By instance. */
  readonly transitions: readonly number[];
  /** By selector. */
  readonly selectors: readonly SelectorNotes[];
  /** How much was known; the same must be known after everything was learnt again. */
  readonly known: readonly number[];
}

/** The parts do not fit the model, or each other. */
export class MisfitError extends Error {
  override readonly name = 'MisfitError';
}

/** Saves an engine in parts, and restores it. */
export interface EngineSaver {
  /** From now on, what is learnt is logged. Call it once, before the search. */
  begin(): void;
  /** Notes where the engine is: `part` ends here, whatever happens afterwards. Cheap. */
  mark(): void;
  /** What was added up to the mark, since the last part. */
  part(): EnginePart;
  /**
   * Takes in all parts of a search of the same question. The engine must be new. Throws
   * `MisfitError`, `LimitHitError` and what the model throws.
   */
  restore(parts: Iterable<EnginePart>): void;
}
