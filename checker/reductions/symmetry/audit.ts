import { executed } from '../../engine/plain.ts';
import { DefectError } from '../../errors.ts';
import type { Instance } from '../../instances.ts';
import type { Judgement } from '../../judgements.ts';
import type { Model, Parameters } from '../../model.ts';
import { canonicalText } from '../../values/canonical.ts';
import type { AuditedTransition, Orbits } from '../reduction.ts';

/** A transition and a renaming that must take it to another one. */
type RenamedTransition<State> = Omit<AuditedTransition<State>, 'audited'> & {
  readonly renaming: number;
};

/** A symmetry as it is applied, to be audited. */
export interface AuditedSymmetry<State> {
  readonly orbits: Orbits<State>;
  readonly model: Model<State>;
  readonly instances: readonly Instance<State>[];
  /** Judgements for which it matters which member takes a step: of witnesses and leads-tos. */
  readonly judgements: readonly Judgement[];
}

/**
 * Executes the renamed instance in the renamed state: it must lead to the renamed successor. Where
 * several renamings lead to the same renamed state, one of them is enough, if it takes all
 * judgements to the same ones. Throws `DefectError`.
 */
export function auditSymmetry<State>(
  symmetry: AuditedSymmetry<State>,
  { before, instance, after, renaming, images }: RenamedTransition<State>,
): void {
  const { orbits, instances } = symmetry;
  const renamed = images.image(renaming, before);
  const leadsThere = (other: number): boolean => {
    const reached = executed(symmetry, renamed, orbits.instance(other, instance)) ?? renamed;
    return images.takes(other, after, reached);
  };
  if (leadsThere(renaming)) return;
  const { name, parameters } = instances[orbits.instance(renaming, instance)]!.identity;
  const isAlike = (other: number): boolean =>
    symmetry.judgements.every(
      (judgement) => orbits.judgement(other, judgement) === orbits.judgement(renaming, judgement),
    );
  let isSomewhere = false;
  for (const other of othersThan(renaming, orbits, before, renamed)) {
    if (!leadsThere(other)) continue;
    if (isAlike(other)) return;
    isSomewhere = true;
  }
  if (!isSomewhere) throw asymmetry(name, parameters, canonicalText(renamed));
  throw chosenMember(name, parameters, canonicalText(renamed));
}

/** Renamings that take the state to the renamed one, too. If not all are listed, these are some. */
function* othersThan<State>(
  renaming: number,
  orbits: Orbits<State>,
  before: State,
  renamed: State,
): Iterable<number> {
  for (const automorphism of orbits.between(renamed, renamed)) {
    yield orbits.product(renaming, automorphism);
  }
  yield* orbits.between(before, renamed);
}

function asymmetry(culprit: string, parameters: Parameters, state: string): DefectError {
  return new DefectError({
    kind: 'asymmetric',
    culprit,
    parameters,
    message: `the symmetry that the model declares does not hold: it depends on names in state ${state}`,
  });
}

/** Some other member may take the step, but a property asks for each member by itself. */
function chosenMember(culprit: string, parameters: Parameters, state: string): DefectError {
  return new DefectError({
    kind: 'asymmetric',
    culprit,
    parameters,
    message:
      'the symmetry that the model declares does not hold: the step is possible for another of ' +
      `several alike members only, and a property asks for each of them, in state ${state}`,
  });
}
