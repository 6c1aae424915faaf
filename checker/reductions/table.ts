import { type Guard, UNGUARDED } from '../guard.ts';
import type { Instance, StatePredicate } from '../instances.ts';
import type { CompiledProperties, JudgedPredicates } from '../judgements.ts';
import type { CheckOptions } from '../options.ts';
import { confluence } from './confluence/confluence.ts';
import { partialOrder } from './partial-order/partial-order.ts';
import type { Decision, Reduction, ReductionKind, Reductions } from './reduction.ts';
import { symmetry } from './symmetry/symmetry.ts';

/**
 * All reductions. Where several of them leave properties undecided, the second search first does
 * without the last one.
 */
export const REDUCTIONS: readonly ReductionKind[] = [symmetry, confluence, partialOrder];

/** What was decided about all reductions for one check. */
export interface DecidedReductions<State> extends Reductions<State> {
  readonly decisions: ReadonlyMap<ReductionKind, Decision<State>>;
  /** State predicates are those of the properties, then those of the reductions. */
  readonly predicates: JudgedPredicates<State>;
}

/**
 * Throws `CheckerError` if what the model declares does not fit the model or the options, and
 * `LimitHitError`.
 */
export function decideReductions<State>(
  options: CheckOptions<State>,
  instances: readonly Instance<State>[],
  compiled: CompiledProperties<State>,
  guard: Guard = UNGUARDED,
): DecidedReductions<State> {
  const statePredicates = [...compiled.statePredicates];
  const context = {
    ...{ options, model: options.model, instances, compiled, guard },
    addStatePredicate: (predicate: StatePredicate<State>) => statePredicates.push(predicate) - 1,
  };
  const decisions = new Map<ReductionKind, Decision<State>>();
  const applied: Reduction<State>[] = [];
  for (const kind of REDUCTIONS) {
    const decision = kind.decide<State>({ ...context, applied });
    decisions.set(kind, decision);
    if (decision.reduction !== null) applied.push(decision.reduction);
  }
  const [orbits = null, another] = applied.flatMap((reduction) => reduction.orbits ?? []);
  if (another !== undefined) throw new Error('two reductions canonicalise states');
  const own = statePredicates.slice(compiled.statePredicates.length);
  const { statePredicates: judged, stepPredicates } = orbits?.audited ?? compiled;
  const predicates = { statePredicates: [...judged, ...own], stepPredicates };
  return { decisions, predicates, applied, orbits };
}

/** What reductions may help if a limit was hit, each as the end of "..., or ...". */
export function reductionAdvice<State>(options: CheckOptions<State>): readonly string[] {
  return REDUCTIONS.flatMap((kind) => kind.advice(options) ?? []);
}
