import { executed } from '../../engine/plain.ts';
import { DefectError, defectOf } from '../../errors.ts';
import type { Instance, StatePredicate } from '../../instances.ts';
import type { Model, Parameters } from '../../model.ts';
import { canonicalText } from '../../values/canonical.ts';
import type { AuditedTransition, Orbits } from '../reduction.ts';

/** A symmetry as it is applied, to be audited. */
export interface AuditedSymmetry<State> {
  readonly orbits: Orbits<State>;
  readonly model: Model<State>;
  readonly instances: readonly Instance<State>[];
  readonly predicates: readonly StatePredicate<State>[];
  /** The predicate that asks of the renamed state what this one asks. */
  image(predicate: number, renaming: number): number;
}

/**
 * Executes the renamed instance in the renamed state: it must lead to the renamed successor. Where
 * several renamings lead to the same renamed state, one of them is enough. Throws `DefectError`.
 */
export function auditSymmetry<State>(
  symmetry: AuditedSymmetry<State>,
  { before, instance, after, audited }: AuditedTransition<State>,
): void {
  const { orbits, instances } = symmetry;
  const renaming = orbits.any(audited);
  const renamed = orbits.state(renaming, before);
  const leadsThere = (other: number): boolean => {
    const reached = executed(symmetry, renamed, orbits.instance(other, instance)) ?? renamed;
    return canonicalText(reached) === orbits.text(other, after);
  };
  if (!leadsThere(renaming) && !some(orbits.between(before, renamed), leadsThere)) {
    const { name, parameters } = instances[orbits.instance(renaming, instance)]!.identity;
    throw asymmetry(name, parameters, canonicalText(renamed));
  }
  // One predicate at a time: all of them would take longer than the search.
  auditPredicate(symmetry, audited % symmetry.predicates.length, renaming, before, renamed);
}

function some<Item>(items: Iterable<Item>, test: (item: Item) => boolean): boolean {
  for (const item of items) if (test(item)) return true;
  return false;
}

function auditPredicate<State>(
  { predicates, image }: AuditedSymmetry<State>,
  number: number,
  renaming: number,
  before: State,
  renamed: State,
): void {
  const one = predicates[number];
  if (one === undefined) return;
  const other = predicates[image(number, renaming)]!;
  try {
    if (Boolean(one.evaluate(before)) === Boolean(other.evaluate(renamed))) return;
  } catch (error) {
    throw defectOf(error, one.name, one.parameters);
  }
  throw asymmetry(other.name, other.parameters, canonicalText(renamed));
}

function asymmetry(culprit: string, parameters: Parameters, state: string): DefectError {
  return new DefectError({
    kind: 'asymmetric',
    culprit,
    parameters,
    message: `the symmetry that the model declares does not hold: it depends on names in state ${state}`,
  });
}
