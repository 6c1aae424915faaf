import type { Mutant } from './mutants.ts';
import type { Baseline, Outcome } from './suite.ts';

/** Why a mutant is not a model any more: it took far more decisions than the model does. */
export const ENDLESS = 'its search does not end';

/** A baseline as JSON has it. */
export interface BaselineMessage extends Omit<Baseline, 'reached' | 'decisive'> {
  readonly reached: readonly number[];
  readonly decisive: readonly number[];
}

/** The questions to the processes that run mutants, and their answers. */

export type Question = Asked & {
  /** Limit of each search; null: none. */
  readonly megabytes: number | null;
};

export type Asked =
  | { readonly ask: 'scenarios' }
  | { readonly ask: 'baseline'; readonly scenario: string }
  | {
      readonly ask: 'mutant';
      readonly mutant: Mutant;
      readonly scenario: string;
      /** Number of states without the change. */
      readonly states: number;
    }
  | {
      readonly ask: 'seen';
      /** Null: the model as it is. */
      readonly mutant: Mutant | null;
      readonly scenario: string;
      readonly states: number;
    }
  | {
      readonly ask: 'row';
      /** As on the command line of `reapcheck check`. */
      readonly command: string;
      /** The name of a property or outcome, or a warning. */
      readonly question: string;
      /** Null: the model as it is. */
      readonly mutant: Mutant | null;
      /** Limit of the search. */
      readonly states: number;
    };

/** `isFull`: the limit of memory ended a search. So nothing is known. */
export type Answer =
  | { readonly answer: 'scenarios'; readonly names: readonly string[] }
  | { readonly answer: 'baseline'; readonly baseline: BaselineMessage }
  | { readonly answer: 'mutant'; readonly outcome: Outcome }
  /** See `seenGraph`. */
  | { readonly answer: 'seen'; readonly graph: string | null; readonly isFull: boolean }
  | {
      readonly answer: 'row';
      /** Null: the mutant is no model. */
      readonly verdict: string | null;
      readonly isFull: boolean;
      /** Numbers of the decisions that a search of the model as it is reaches. */
      readonly reached: ReadonlySet<number>;
    };
