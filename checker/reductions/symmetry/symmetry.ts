import { CheckerError, defectOf } from '../../errors.ts';
import type { Instance } from '../../instances.ts';
import {
  type CompiledProperties,
  type CompiledProperty,
  type Judgement,
  NO_PREDICATE,
} from '../../judgements.ts';
import type { InterchangeableGroup, Model, Parameters, Renaming, Symmetry } from '../../model.ts';
import type { SymmetryReport } from '../../result.ts';
import { canonicalText, fromCanonicalText } from '../../values/canonical.ts';
import { generators, PermutationGroup } from './permutations.ts';

/** What defects of the declaration are attributed to. */
const CULPRIT = 'symmetry';

/**
 * The renamings that a search may take together, applied to states, instances and judgements by
 * their numbers. A renaming takes runs to runs and, as no property distinguishes what it renames,
 * violations to violations; so one state of each orbit stands for all of it.
 */
export class AppliedSymmetry<State> {
  readonly group: PermutationGroup;
  private readonly declared: Symmetry;
  private readonly model: Model<State>;
  /** By renaming: the number of each instance's image. */
  private readonly instances: readonly Int32Array[];
  private readonly judgements = new Map<Judgement, readonly Judgement[]>();
  /** By state predicate: its images. */
  private readonly statePredicates: (readonly number[])[] = [];

  constructor(
    model: Model<State>,
    declared: Symmetry,
    groups: readonly InterchangeableGroup[],
    instances: readonly Instance<State>[],
    { properties }: CompiledProperties<State>,
  ) {
    this.model = model;
    this.declared = declared;
    this.group = new PermutationGroup(groups);
    const numbers = new Map(
      instances.map(({ identity, number }) => [
        instanceText(identity.name, identity.parameters),
        number,
      ]),
    );
    this.instances = this.group.renamings.map((renaming) =>
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
    for (const property of properties) this.addJudgements(property);
  }

  /** The number of the renamed instance. */
  instance(renaming: number, instance: number): number {
    return this.instances[renaming]![instance]!;
  }

  /** What the renaming makes of a judgement; its property is the same. */
  judgement(renaming: number, judgement: Judgement): Judgement {
    return this.judgements.get(judgement)![renaming]!;
  }

  /** The predicate that asks of the renamed state what this one asks of the state. */
  statePredicate(renaming: number, predicate: number): number {
    return this.statePredicates[predicate]![renaming]!;
  }

  knowsPredicate(predicate: number): boolean {
    return this.statePredicates[predicate] !== undefined;
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

  /** The canonical text of the renamed state. */
  text(renaming: number, state: State): string {
    if (renaming === 0) return canonicalText(state);
    return this.attributed(() =>
      renamedText(this.model, this.declared, this.group.renamings[renaming]!, state),
    );
  }

  state(renaming: number, state: State): State {
    return renaming === 0 ? state : (fromCanonicalText(this.text(renaming, state)) as State);
  }

  /** The renamings that take the one state to the other: several if it looks alike under some. */
  between(one: State, other: State): readonly number[] {
    const sought = canonicalText(other);
    return [...this.group.renamings.keys()].filter(
      (renaming) => this.text(renaming, one) === sought,
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

/** What comes of a declared symmetry in one check. */
export interface SymmetryDecision<State> {
  /** Null: every state is looked at for itself. */
  readonly applied: AppliedSymmetry<State> | null;
  readonly report: SymmetryReport | null;
}

/**
 * Which groups can be used: not one with a member that some property tells from the others. Throws
 * `CheckerError` if the declaration does not fit the model.
 */
export function decideSymmetry<State>(
  model: Model<State>,
  instances: readonly Instance<State>[],
  compiled: CompiledProperties<State>,
  asked: boolean,
): SymmetryDecision<State> {
  const declared = model.symmetry;
  if (declared === undefined) return { applied: null, report: null };
  validateGroups(model.name, declared.groups);
  const reasons = declared.groups.map((group) =>
    asked ? reasonAgainst(model, declared, group, compiled) : 'switched off',
  );
  const usable = declared.groups.filter((_, index) => reasons[index] === null);
  const applied =
    usable.length === 0 ? null : new AppliedSymmetry(model, declared, usable, instances, compiled);
  const groups = declared.groups.map(({ name, members }, index) => {
    const used = applied?.group.members[usable.indexOf(declared.groups[index]!)];
    const cut = used !== undefined && used.length < members.length;
    const reason = cut ? `too many renamings: only ${used.length} of ${members.length}` : null;
    return {
      name,
      members: used ?? members,
      applied: used !== undefined,
      reason: reasons[index] ?? reason,
    };
  });
  return { applied, report: { renamings: applied?.group.size ?? 1, groups, judgedWithout: [] } };
}

function validateGroups(model: string, groups: readonly InterchangeableGroup[]): void {
  const members = groups.flatMap((group) => group.members);
  const twice = members.find((member, index) => members.indexOf(member) !== index);
  if (twice !== undefined) {
    throw new CheckerError('badSymmetry', `the symmetry of model ${model} has ${twice} twice`);
  }
}

function reasonAgainst<State>(
  model: Model<State>,
  declared: Symmetry,
  group: InterchangeableGroup,
  { properties }: CompiledProperties<State>,
): string | null {
  if (group.members.length < 2) return 'fewer than two members';
  for (const { property, judgements } of properties) {
    const mentioned = property.mentions?.find((name) => group.members.includes(name));
    if (mentioned !== undefined) return `"${property.name}" is about ${mentioned}`;
    if (property.parameters === undefined) continue;
    if (!isClosed(declared, judgements, generators(group))) {
      return `"${property.name}" is judged for some of its members only`;
    }
    // Somebody who violates a property violates it, whoever it is; but each has to be a witness.
    if (property.kind === 'witness' && !startsAlike(model, declared, group)) {
      return `"${property.name}" is asked of each member, and they do not start alike`;
    }
  }
  return null;
}

/** Whether the renamed initial states are initial states. */
function startsAlike<State>(
  model: Model<State>,
  declared: Symmetry,
  group: InterchangeableGroup,
): boolean {
  const known = new Set(model.initial.map((state) => canonicalText(state)));
  return generators(group).every((renaming) =>
    model.initial.every((state) => known.has(renamedText(model, declared, renaming, state))),
  );
}

/** The canonical text of the renamed state. */
function renamedText<State>(
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

function isClosed(
  declared: Symmetry,
  judgements: readonly Judgement[],
  renamings: readonly Renaming[],
): boolean {
  const known = new Set(judgements.map(({ parameters }) => canonicalText(parameters)));
  return judgements.every(({ parameters }) =>
    renamings.every((renaming) =>
      known.has(canonicalText(declared.renameParameters(parameters, renaming))),
    ),
  );
}

function instanceText(name: string, parameters: Parameters): string {
  return `${name} ${canonicalText(parameters)}`;
}
