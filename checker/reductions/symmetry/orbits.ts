import { CheckerError, defectOf } from '../../errors.ts';
import type { Instance, StatePredicate } from '../../instances.ts';
import { type CompiledProperty, type Judgement, NO_PREDICATE } from '../../judgements.ts';
import type { LeadsToJudgement } from '../../liveness/leads-to.ts';
import type { Resumable } from '../../liveness/resumable.ts';
import type { InterchangeableGroup, Model, Parameters, Renaming, Symmetry } from '../../model.ts';
import { canonicalText, fromCanonicalText } from '../../values/canonical.ts';
import type { SlotTable } from '../../values/slots.ts';
import type {
  AuditedTransition,
  Orbits,
  QuotientTask,
  ReductionContext,
  RowCanonicalizer,
} from '../reduction.ts';
import { auditSymmetry } from './audit.ts';
import { PermutationGroup } from './permutations.ts';
import { judgeOnQuotient } from './quotient.ts';
import { Representatives, type SlotRenamings } from './representatives.ts';

/** The culprit in defects of the declaration. */
const CULPRIT = 'symmetry';

/**
 * The declared renamings that a check applies, by number. As no property distinguishes what they
 * rename, they take runs to runs and violations to violations; so one state represents its orbit.
 */
export class DeclaredOrbits<State> implements Orbits<State>, SlotRenamings {
  readonly group: PermutationGroup;
  private readonly declared: Symmetry;
  private readonly model: Model<State>;
  private readonly actionInstances: readonly Instance<State>[];
  private readonly predicates: readonly StatePredicate<State>[];
  /** By renaming: the number of each instance's image. */
  private readonly images: readonly Int32Array[];
  private readonly judgements = new Map<Judgement, readonly Judgement[]>();
  /** By state predicate: its images. */
  private readonly statePredicates: (readonly number[])[] = [];

  constructor(
    { model, instances, compiled }: ReductionContext<State>,
    declared: Symmetry,
    groups: readonly InterchangeableGroup[],
  ) {
    this.model = model;
    this.actionInstances = instances;
    this.predicates = compiled.statePredicates;
    this.declared = declared;
    this.group = new PermutationGroup(groups);
    const numbers = new Map(
      instances.map(({ identity, number }) => [
        instanceText(identity.name, identity.parameters),
        number,
      ]),
    );
    this.images = this.group.renamings.map((renaming) =>
      Int32Array.from(instances, ({ identity, fairness }) => {
        const parameters = declared.renameParameters(identity.parameters, renaming);
        const image = numbers.get(instanceText(identity.name, parameters));
        if (image === undefined || instances[image]!.fairness !== fairness) {
          throw new CheckerError(
            'badSymmetry',
            `the symmetry of model ${model.name} takes ${instanceText(identity.name, identity.parameters)} ` +
              `to ${instanceText(identity.name, parameters)}, which is no instance of that action`,
          );
        }
        return image;
      }),
    );
    for (const property of compiled.properties) this.addJudgements(property);
  }

  get size(): number {
    return this.group.size;
  }

  instance(renaming: number, instance: number): number {
    return this.images[renaming]![instance]!;
  }

  judgement(renaming: number, judgement: Judgement): Judgement {
    return this.judgements.get(judgement)![renaming]!;
  }

  key(renaming: number, section: string, key: string): string {
    return this.attributed(() =>
      this.declared.renameKey(section, key, this.group.renamings[renaming]!),
    );
  }

  value(renaming: number, section: string, value: unknown): unknown {
    return this.attributed(() =>
      this.declared.renameValue(section, value, this.group.renamings[renaming]!),
    );
  }

  text(renaming: number, state: State): string {
    if (renaming === 0) return canonicalText(state);
    return this.attributed(() =>
      renamedText(this.model, this.declared, this.group.renamings[renaming]!, state),
    );
  }

  state(renaming: number, state: State): State {
    return renaming === 0 ? state : (fromCanonicalText(this.text(renaming, state)) as State);
  }

  between(one: State, other: State): readonly number[] {
    const sought = canonicalText(other);
    return [...this.group.renamings.keys()].filter(
      (renaming) => this.text(renaming, one) === sought,
    );
  }

  canonicalizer(slots: SlotTable): RowCanonicalizer {
    return new Representatives(slots, this);
  }

  judgeLeadsTo({
    graph,
    codes,
    questions,
    renamings,
  }: QuotientTask): Resumable<readonly LeadsToJudgement[]> {
    const judgements = [...questions.keys()];
    const numbers = new Map(judgements.map((judgement, number) => [judgement, number]));
    const quotient = {
      renamings,
      orbits: Int32Array.from(this.images[0]!, (instance) =>
        Math.min(...this.images.map((images) => images[instance]!)),
      ),
      images: this.images.map((_, renaming) =>
        Int32Array.from(
          judgements,
          (judgement) => numbers.get(this.judgement(renaming, judgement))!,
        ),
      ),
    };
    return judgeOnQuotient(graph, codes, [...questions.values()], quotient);
  }

  audit(transition: AuditedTransition<State>): void {
    const { model, actionInstances: instances, predicates, statePredicates } = this;
    auditSymmetry(
      { orbits: this, model, instances, predicates, images: statePredicates },
      transition,
    );
  }

  private addJudgements({ property, judgements }: CompiledProperty<State>): void {
    const byText = new Map(
      judgements.map((judgement) => [canonicalText(judgement.parameters), judgement]),
    );
    for (const judgement of judgements) {
      const images = this.group.renamings.map((renaming) => {
        if (property.parameters === undefined) return judgement;
        const { parameters } = judgement;
        return byText.get(canonicalText(this.declared.renameParameters(parameters, renaming)))!;
      });
      this.judgements.set(judgement, images);
      if (property.kind === 'step') continue;
      this.statePredicates[judgement.check] = images.map(({ check }) => check);
      if (judgement.trigger === NO_PREDICATE) continue;
      this.statePredicates[judgement.trigger] = images.map(({ trigger }) => trigger);
    }
  }

  private attributed<Result>(work: () => Result): Result {
    try {
      return work();
    } catch (error) {
      throw defectOf(error, CULPRIT, {});
    }
  }
}

/** The canonical text of the renamed state. */
export function renamedText<State>(
  model: Model<State>,
  declared: Symmetry,
  renaming: Renaming,
  state: State,
): string {
  const renamed: Record<string, unknown> = {};
  for (const [section, value] of Object.entries(state as Readonly<Record<string, unknown>>)) {
    renamed[section] =
      model.slots[section as keyof State] === 'value'
        ? declared.renameValue(section, value, renaming)
        : Object.fromEntries(
            Object.entries(value as object).map(([key, entry]) => [
              declared.renameKey(section, key, renaming),
              declared.renameValue(section, entry, renaming),
            ]),
          );
  }
  return canonicalText(renamed);
}

function instanceText(name: string, parameters: Parameters): string {
  return `${name} ${canonicalText(parameters)}`;
}
