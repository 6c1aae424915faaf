import { executed } from '../../engine/plain.ts';
import { DefectError } from '../../errors.ts';
import type { Instance } from '../../instances.ts';
import type { Model, Parameters } from '../../model.ts';
import { canonicalText } from '../../values/canonical.ts';
import type { AuditedTransition, Orbits } from '../reduction.ts';

/** A symmetry as it is applied, to be audited. */
export interface AuditedSymmetry<State> {
  readonly orbits: Orbits<State>;
  readonly model: Model<State>;
  readonly instances: readonly Instance<State>[];
}

/**
 * Executes the renamed instance in the renamed state: it must lead to the renamed successor. Where
 * several renamings lead to the same renamed state, one of them is enough. Throws `DefectError`.
 */
export function auditSymmetry<State>(
  symmetry: AuditedSymmetry<State>,
  { before, instance, after, audited, images }: AuditedTransition<State>,
): void {
  const { orbits, instances } = symmetry;
  const renaming = orbits.any(audited);
  const renamed = images.image(renaming, before);
  const leadsThere = (other: number): boolean => {
    const reached = executed(symmetry, renamed, orbits.instance(other, instance)) ?? renamed;
    return images.takes(other, after, reached);
  };
  if (!leadsThere(renaming) && !some(orbits.between(before, renamed), leadsThere)) {
    const { name, parameters } = instances[orbits.instance(renaming, instance)]!.identity;
    throw asymmetry(name, parameters, canonicalText(renamed));
  }
}

function some<Item>(items: Iterable<Item>, test: (item: Item) => boolean): boolean {
  for (const item of items) if (test(item)) return true;
  return false;
}

function asymmetry(culprit: string, parameters: Parameters, state: string): DefectError {
  return new DefectError({
    kind: 'asymmetric',
    culprit,
    parameters,
    message: `the symmetry that the model declares does not hold: it depends on names in state ${state}`,
  });
}
