import type { Mutant } from './mutants.ts';
import type { Baseline, Outcome } from './suite.ts';

/** What the processes that run mutants are asked, and what they answer. */

export type Question =
  | { readonly ask: 'scenarios' }
  | { readonly ask: 'baseline'; readonly scenario: string }
  | {
      readonly ask: 'mutant';
      readonly mutant: Mutant;
      readonly scenario: string;
      /** Of the scenario without the change. */
      readonly states: number;
    };

export type Answer =
  | { readonly answer: 'scenarios'; readonly names: readonly string[] }
  | { readonly answer: 'baseline'; readonly baseline: Baseline }
  | { readonly answer: 'mutant'; readonly outcome: Outcome };
