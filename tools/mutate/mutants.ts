import { RULES, type RuleName } from '../../model/index.ts';
import type { DecisionChange } from './decisions.ts';
import { decisionModules } from './modules.ts';

/** A small change to the model: another value of a rule, or another result of one decision. */
export type Mutant =
  | { readonly kind: 'rule'; readonly rule: RuleName; readonly value: string }
  | {
      readonly kind: 'decision';
      readonly number: number;
      /** Path of the compiled module below `model/`, without its ending. */
      readonly module: string;
      readonly line: number;
      readonly function: string;
      readonly change: DecisionChange;
      readonly code: string;
    };

export function allMutants(): readonly Mutant[] {
  const rules = (Object.keys(RULES) as RuleName[]).flatMap((rule) =>
    RULES[rule].values.map((value): Mutant => ({ kind: 'rule', rule, value })),
  );
  const decisions = decisionModules().flatMap(({ name, first, decisions: found }) =>
    found.map(
      (decision, index): Mutant => ({
        kind: 'decision',
        number: first + index,
        module: name,
        ...decision,
      }),
    ),
  );
  return [...rules, ...decisions];
}

/** One line that identifies the mutant: the same in every run on the same code. */
export function mutantWords(mutant: Mutant): string {
  return mutant.kind === 'rule'
    ? `rule ${mutant.rule}=${mutant.value}`
    : `${mutant.module}, ${mutant.function}: ${mutant.code}, ${mutant.change}`;
}

/**
 * A sample of `count` mutants in their own order. The seed starts a linear congruential generator,
 * which shuffles all mutants (Fisher and Yates); the sample is the start of the shuffle.
 */
export function sampled(
  mutants: readonly Mutant[],
  count: number,
  seed: number,
): readonly Mutant[] {
  const order = mutants.map((_, index) => index);
  let random = seed >>> 0;
  for (let last = order.length - 1; last > 0; last--) {
    random = (Math.imul(random, 1_664_525) + 1_013_904_223) >>> 0;
    const other = Math.floor((random / 2 ** 32) * (last + 1));
    [order[last], order[other]] = [order[other] as number, order[last] as number];
  }
  const chosen = new Set(order.slice(0, count));
  return mutants.filter((_, index) => chosen.has(index));
}

/**
 * Mutants that survive for one reason. `equivalent`: what a user is promised stays the same.
 * `missing`: a property or a scenario is still to be written.
 */
export interface KnownSurvivors {
  readonly kind: 'equivalent' | 'missing';
  readonly why: string;
  /** The lines of `mutantWords`. */
  readonly mutants?: readonly string[];
  /** Whole functions, as `MODULE, FUNCTION`: all of their survivors survive for this reason. */
  readonly functions?: readonly string[];
}
