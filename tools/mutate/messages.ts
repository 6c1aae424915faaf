import type { Mutant } from './mutants.ts';
import type { Baseline, Outcome } from './suite.ts';

/** The questions to the processes that run mutants, and their answers. */

export type Question =
  | { readonly ask: 'scenarios' }
  | { readonly ask: 'baseline'; readonly scenario: string }
  | {
      readonly ask: 'mutant';
      readonly mutant: Mutant;
      readonly scenario: string;
      /** Number of states without the change. */
      readonly states: number;
    };

export type Answer =
  | { readonly answer: 'scenarios'; readonly names: readonly string[] }
  | { readonly answer: 'baseline'; readonly baseline: Baseline }
  | { readonly answer: 'mutant'; readonly outcome: Outcome };
