import { compileConstrained } from './constraint.ts';
import type { Question } from './engine/engine.ts';
import type { Guard } from './guard.ts';
import { instancesOf } from './instances.ts';
import type { CompiledProperties } from './judgements.ts';
import type { CheckOptions } from './options.ts';
import { type DecidedReductions, decideReductions } from './reductions/table.ts';

/** What a search is about, as its engine and its judge need it. */
export interface PreparedQuestion<State> {
  readonly question: Question<State>;
  readonly compiled: CompiledProperties<State>;
  /** The state predicate of the constraint, or `NO_PREDICATE`. */
  readonly within: number;
  readonly reductions: DecidedReductions<State>;
}

/**
 * Throws `CheckerError` if what the model declares does not fit the options, and `LimitHitError`.
 */
export function prepareQuestion<State>(
  options: CheckOptions<State>,
  guard: Guard,
): PreparedQuestion<State> {
  const { model, storage } = options;
  const instances = instancesOf(model, guard);
  const { compiled, withConstraint, within } = compileConstrained(options, instances, guard);
  guard.look();
  const reductions = decideReductions(options, instances, withConstraint, guard);
  guard.look();
  const sharesStates = options.threads !== undefined;
  const question = {
    ...{ model, instances, ...reductions.predicates, reductions, guard, sharesStates },
    ...(storage === undefined ? {} : { storage }),
  };
  return { question, compiled, within, reductions };
}
