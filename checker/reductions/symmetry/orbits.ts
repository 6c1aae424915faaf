import { executed } from '../../engine/plain.ts';
import { CheckerError, defectOf } from '../../errors.ts';
import { obligationsIn } from '../../fair-groups.ts';
import type { Instance } from '../../instances.ts';
import type { CompiledProperty, JudgedPredicates, Judgement } from '../../judgements.ts';
import type { ObligationOrbits } from '../../liveness/fairness.ts';
import type { LeadsToJudgement } from '../../liveness/leads-to.ts';
import type { Obligations } from '../../liveness/obligations.ts';
import type { Resumable } from '../../liveness/resumable.ts';
import type { InterchangeableGroup, Model, Parameters, Renaming, Symmetry } from '../../model.ts';
import { RenamedStates } from '../../traces/renamed-states.ts';
import { canonicalText, fromCanonicalText } from '../../values/canonical.ts';
import type { SlotTable } from '../../values/slots.ts';
import type {
  AuditedTransition,
  NameMap,
  Orbits,
  QuotientTask,
  ReductionContext,
  RenamedSteps,
  RowCanonicalizer,
  SymmetryShown,
} from '../reduction.ts';
import { auditSymmetry } from './audit.ts';
import { type AuditedRenaming, auditedPredicates } from './audited-predicates.ts';
import { LabelledRows, lazily, type PartRenamings } from './labelled-rows.ts';
import { LabelledStates } from './labelled-states.ts';
import { PermutationGroup, shuffled } from './permutations.ts';
import { judgeOnQuotient } from './quotient.ts';
import { RenamedViews } from './renamed-view.ts';
import { Representatives, type SlotRenamings } from './representatives.ts';

/** Audits of steps of large groups try so many renamings. */
const MOST_SHUFFLES = 1000;

/** The culprit in defects of the declaration. */
const CULPRIT = 'symmetry';

/**
 * The declared renamings that a check applies, by number. As no property distinguishes what they
 * rename, they take runs to runs and violations to violations; so one state represents its orbit.
 */
export class DeclaredOrbits<State> implements Orbits<State>, SlotRenamings, PartRenamings {
  readonly group: PermutationGroup;
  private readonly declared: Symmetry;
  private readonly model: Model<State>;
  private readonly actionInstances: readonly Instance<State>[];
  readonly audited: JudgedPredicates<State>;
  readonly renamedSteps: readonly RenamedSteps<State>[];
  readonly shown: SymmetryShown;
  areNumbered = false;
  private readonly instanceNumbers: ReadonlyMap<string, number>;
  private readonly generators: readonly Renaming[];
  /** By renaming: the number of each instance's image. */
  private readonly images: Int32Array[] = [];
  /** By property: its judgements by the text of their parameters. */
  private readonly judgements = new Map<number, ReadonlyMap<string, Judgement>>();
  /** Judgements for which it matters which member takes a step. */
  private readonly perMember: readonly Judgement[];
  private readonly compared: LabelledStates<State> | null;

  constructor(
    { model, options, instances, compiled, guard }: ReductionContext<State>,
    declared: Symmetry,
    groups: readonly InterchangeableGroup[],
  ) {
    this.model = model;
    this.actionInstances = instances;
    this.declared = declared;
    // The naive engine tries all renamings of each state.
    this.group = new PermutationGroup(groups, options.engine === 'naive');
    this.generators = this.group.generators;
    this.instanceNumbers = new Map(
      instances.map(({ identity, number }) => [
        instanceText(identity.name, identity.parameters),
        number,
      ]),
    );
    this.obligationOrbits(obligationsIn(model, instances));
    for (const property of compiled.properties) {
      guard.look();
      this.addJudgements(property);
    }
    this.perMember = compiled.properties.flatMap(({ property: { kind }, judgements }) =>
      kind === 'witness' || kind === 'eventually' ? judgements : [],
    );
    const audited = this.group.audited();
    this.audited = auditedPredicates(
      compiled,
      audited.map((one) => this.auditedRenaming(one)),
    );
    // A family is audited elsewhere.
    const isKnown = options.auditEvery === 0 || model.family !== undefined;
    this.renamedSteps = isKnown ? [] : audited.map((one) => this.renamedStep(one));
    this.shown = isKnown
      ? 'elsewhere'
      : this.group.areAllAudited && options.engine !== 'naive'
        ? 'by every step'
        : 'by a sample';
    this.compared = this.group.areAllListed ? null : new LabelledStates(model.slots, this);
  }

  get size(): number {
    return this.group.size;
  }

  get listed(): number {
    return this.group.listed;
  }

  product(first: number, second: number): number {
    return this.group.product(first, second);
  }

  instance(renaming: number, instance: number): number {
    this.images[renaming] ??= this.imagesUnder(this.group.renaming(renaming));
    return this.images[renaming]![instance]!;
  }

  judgement(renaming: number, judgement: Judgement): Judgement {
    return this.judgementUnder(this.group.renaming(renaming), judgement);
  }

  imagesOf(judgement: Judgement): ReadonlySet<Judgement> {
    const found = new Set([judgement]);
    // A set passes on what is added meanwhile.
    for (const one of found) {
      for (const renaming of this.generators) found.add(this.judgementUnder(renaming, one));
    }
    return found;
  }

  any(seed: number): number {
    const { listed } = this.group;
    if (this.group.areAllListed) return 1 + (seed % (listed - 1));
    return this.group.number(shuffled(this.group.groups, seed % MOST_SHUFFLES));
  }

  key(renaming: number, section: string, key: string): string {
    return this.renamedKey(this.group.renaming(renaming), section, key);
  }

  value(renaming: number, section: string, value: unknown): unknown {
    return this.renamedValue(this.group.renaming(renaming), section, value);
  }

  renamedKey(renaming: Renaming, section: string, key: string): string {
    return this.attributed(() => this.declared.renameKey(section, key, renaming));
  }

  renamedValue(renaming: Renaming, section: string, value: unknown): unknown {
    return this.attributed(() => this.declared.renameValue(section, value, renaming));
  }

  text(renaming: number, state: State): string {
    if (renaming === 0) return canonicalText(state);
    return this.attributed(() =>
      renamedText(this.model, this.declared, this.group.renaming(renaming), state),
    );
  }

  state(renaming: number, state: State): State {
    return renaming === 0 ? state : (fromCanonicalText(this.text(renaming, state)) as State);
  }

  between(one: State, other: State): Iterable<number> {
    return this.compared?.between(one, other) ?? this.listedBetween(one, other);
  }

  /** One after the other: most callers need only the first one. */
  private *listedBetween(one: State, other: State): Iterable<number> {
    const sought = canonicalText(other);
    for (let renaming = 0; renaming < this.size; renaming++) {
      if (this.text(renaming, one) === sought) yield renaming;
    }
  }

  canonicalizer(slots: SlotTable): RowCanonicalizer {
    if (!this.group.areAllListed) return new LabelledRows(slots, this);
    const generators = this.generators.map((one) => this.group.numberOf(one));
    return new Representatives(slots, this, generators);
  }

  numberRenamings(): void {
    this.areNumbered = true;
  }

  judgeLeadsTo({
    graph,
    obligations,
    questions,
    renamings,
    restingFirst,
  }: QuotientTask): Resumable<readonly LeadsToJudgement[]> {
    const judgements = [...questions.keys()];
    const numbers = new Map(judgements.map((judgement, number) => [judgement, number]));
    const numberOf = (judgement: Judgement): number => numbers.get(judgement)!;
    const known: Int32Array[] = [];
    const quotient = {
      renamings,
      orbits: this.obligationOrbits(obligations),
      questions: judgements.map((judgement) => [...this.imagesOf(judgement)].map(numberOf)),
      image: (renaming: number): Int32Array => {
        known[renaming] ??= Int32Array.from(judgements, (judgement) =>
          numberOf(this.judgement(renaming, judgement)),
        );
        return known[renaming]!;
      },
    };
    return judgeOnQuotient(graph, obligations, [...questions.values()], quotient, restingFirst);
  }

  audit(transition: AuditedTransition<State>): void {
    const { model, actionInstances: instances, perMember: judgements } = this;
    this.attributed(() =>
      auditSymmetry(
        { orbits: this, model, instances, judgements },
        { ...transition, renaming: this.any(transition.audited) },
      ),
    );
  }

  private auditedRenaming(renaming: Renaming): AuditedRenaming {
    const { declared } = this;
    return {
      views: new RenamedViews(this.namesUnder(renaming)),
      judgement: (judgement) => this.judgementUnder(renaming, judgement),
      // On demand, as confluence asks which predicates read the action.
      action: (action) => ({
        get name() {
          return action.name;
        },
        get parameters() {
          return declared.renameParameters(action.parameters, renaming);
        },
      }),
    };
  }

  private renamedStep(renaming: Renaming): RenamedSteps<State> {
    const images = lazily(() => this.imagesUnder(renaming));
    const instance = (number: number): number => images()[number]!;
    return {
      names: this.namesUnder(renaming),
      instance,
      audit: (state, number) =>
        this.attributed(() => {
          const there = this.group.numberOf(renaming);
          this.auditTaken(state, number, there);
          const back = this.group.numberOf(inverse(renaming));
          this.auditTaken(this.state(there, state), instance(number), back);
        }),
    };
  }

  private auditTaken(before: State, instance: number, renaming: number): void {
    const { model, actionInstances: instances, perMember: judgements } = this;
    const after = executed({ model, instances }, before, instance);
    if (after === null) return;
    const images = new RenamedStates(model, this);
    const transition = { before, instance, after, renaming, images };
    auditSymmetry({ orbits: this, model, instances, judgements }, transition);
  }

  private namesUnder(renaming: Renaming): NameMap {
    const back = inverse(renaming);
    return {
      slots: this.model.slots,
      renameKey: (section, key) => this.renamedKey(renaming, section, key),
      originalKey: (section, key) => this.renamedKey(back, section, key),
      renameValue: (section, value) => this.renamedValue(renaming, section, value),
    };
  }

  /** Throws `CheckerError` if a renaming takes an obligation to something that is not promised. */
  private obligationOrbits(obligations: Obligations): ObligationOrbits {
    const { kinds, members } = obligations;
    const textOf = (kind: number, some: readonly number[]): string =>
      `${kind} ${[...some].sort((one, other) => one - other).join(' ')}`;
    const numbers = new Map(members.map((some, number) => [textOf(kinds[number]!, some), number]));
    const steps = this.generators.map((renaming) => {
      const images = this.imagesUnder(renaming);
      return members.map((some, number) => {
        const image = numbers.get(
          textOf(
            kinds[number]!,
            some.map((one) => images[one]!),
          ),
        );
        if (image !== undefined) return image;
        throw new CheckerError(
          'badSymmetry',
          `the symmetry of model ${this.model.name} takes a group of its fairness to actions that are ` +
            'no such group; give the group all of them, or each of its images',
        );
      });
    });
    const first = new Int32Array(members.length).fill(-1);
    const sizes = new Int32Array(members.length);
    first.forEach((_, obligation) => {
      if (first[obligation] !== -1) return;
      const found = new Set([obligation]);
      for (const one of found) for (const step of steps) found.add(step[one]!);
      for (const one of found) first[one] = obligation;
      sizes[obligation] = found.size;
    });
    return { first, sizes };
  }

  private imagesUnder(renaming: Renaming): Int32Array {
    const { declared, actionInstances: instances, instanceNumbers, model } = this;
    return Int32Array.from(instances, ({ identity, fairness }) => {
      const parameters = declared.renameParameters(identity.parameters, renaming);
      const image = instanceNumbers.get(instanceText(identity.name, parameters));
      if (image === undefined || instances[image]!.fairness !== fairness) {
        throw new CheckerError(
          'badSymmetry',
          `the symmetry of model ${model.name} takes ${instanceText(identity.name, identity.parameters)} ` +
            `to ${instanceText(identity.name, parameters)}, which is no instance of that action`,
        );
      }
      return image;
    });
  }

  private judgementUnder(renaming: Renaming, judgement: Judgement): Judgement {
    const byText = this.judgements.get(judgement.property);
    if (byText === undefined) return judgement;
    const parameters = this.declared.renameParameters(judgement.parameters, renaming);
    return byText.get(canonicalText(parameters))!;
  }

  private addJudgements({ property, judgements }: CompiledProperty<State>): void {
    if (property.parameters !== undefined) {
      const byText = judgements.map(
        (judgement) => [canonicalText(judgement.parameters), judgement] as const,
      );
      for (const { property: number } of judgements) this.judgements.set(number, new Map(byText));
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

function inverse(renaming: Renaming): Renaming {
  return new Map([...renaming].map(([from, to]) => [to, from]));
}

function instanceText(name: string, parameters: Parameters): string {
  return `${name} ${canonicalText(parameters)}`;
}
