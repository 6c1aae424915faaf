import type { LimitKind } from '../result.ts';

/** What steps of a partition answer, as JSON. They are the same whenever a step is repeated. */

/** Of taking in a layer. */
export interface FoldTally {
  /** New states. */
  readonly states: number;
  /** The limit that ended it; null: it is done. */
  readonly limit: LimitKind | null;
}

/**
 * The first place in a layer of a partition where a property was found violated, or a witness
 * reached.
 */
export interface FoundAt {
  /** By its place in its property. */
  readonly judgement: number;
  /** The number of the state in the whole search. */
  readonly number: number;
  /** For step rules: the action instance of the transition. */
  readonly instance: number | null;
}

/** Of expanding a layer. Counts are those of this layer. */
export interface ExpandTally {
  readonly judged: number;
  /** States without successors. */
  readonly terminal: number;
  /** States outside of the constraint. */
  readonly outside: number;
  /** By action instance. */
  readonly transitions: readonly number[];
  /** By property: how often its trigger was true. */
  readonly triggered: readonly number[];
  /** By property. */
  readonly findings: readonly (FoundAt | null)[];
  /** By property: the judgements of witnesses that were reached, by their places. */
  readonly reached: readonly (readonly number[])[];
  /** By action instance. Depends on what the process has learnt before. */
  readonly reducerRuns: readonly number[];
  /** Of all states of the partition. */
  readonly bytes: number;
  /** States that were sent. */
  readonly rows: number;
  /** Blocks that were sent, by partition. */
  readonly sent: readonly number[];
  readonly limit: LimitKind | null;
}
