import { CheckerError } from './errors.ts';
import type { Guard } from './guard.ts';
import type { Instance } from './instances.ts';
import { type CompiledProperties, compileProperties, NO_PREDICATE } from './judgements.ts';
import type { CheckOptions } from './options.ts';
import type { Property } from './property.ts';
import { uses } from './reductions/chosen.ts';

/** What is judged, and the constraint on the states that are expanded. */
export interface Constrained<State> {
  /** The properties alone. */
  readonly compiled: CompiledProperties<State>;
  /** The constraint among them, for reductions: they must take care not to change its answer. */
  readonly withConstraint: CompiledProperties<State>;
  /** The number of the constraint among the state predicates, or `NO_PREDICATE`. */
  readonly within: number;
}

/** The culprit in defects of the predicate. */
const NAME = 'within';

/**
 * Compiles the properties and the constraint. Symmetry audits the constraint as it audits
 * predicates of properties. Confluence cannot: a step that is put off may leave the constraint.
 */
export function compileConstrained<State>(
  { properties, within, reductions = [] }: CheckOptions<State>,
  instances: readonly Instance<State>[],
  guard: Guard,
): Constrained<State> {
  if (within === undefined) {
    const compiled = compileProperties(properties, instances, guard);
    return { compiled, withConstraint: compiled, within: NO_PREDICATE };
  }
  if (uses({ reductions }, 'confluence', 'confluence-only')) {
    throw new CheckerError('badOption', 'within and confluence exclude each other; drop one');
  }
  const constraint: Property<State> = {
    kind: 'invariant',
    name: NAME,
    holds: within,
  };
  const withConstraint = compileProperties([...properties, constraint], instances, guard);
  const judged = withConstraint.properties.slice(0, -1);
  return {
    compiled: { ...withConstraint, properties: judged },
    withConstraint,
    within: withConstraint.properties.at(-1)!.judgements[0]!.check,
  };
}

/** Why a safety property holds only up to the constraint. */
export function holdsWithin(outside: number): string {
  return `It holds up to the constraint: ${statesOutside(outside)}, and what follows them was not searched.`;
}

/** Why a property stays open. */
export function openWithin(outside: number): string {
  return (
    `Nothing was found up to the constraint, but ${statesOutside(outside)}, and what follows them was ` +
    'not searched. Bound the model itself to decide it.'
  );
}

function statesOutside(outside: number): string {
  return outside === 1
    ? '1 state that was reached lies outside'
    : `${outside} states that were reached lie outside`;
}
