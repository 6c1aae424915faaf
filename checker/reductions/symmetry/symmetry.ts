import { CheckerError } from '../../errors.ts';
import type { Guard } from '../../guard.ts';
import type { Judgement } from '../../judgements.ts';
import type { InterchangeableGroup, Model, Parameters, Renaming, Symmetry } from '../../model.ts';
import { canonicalText } from '../../values/canonical.ts';
import { uses, without } from '../chosen.ts';
import type { ReductionContext, ReductionKind } from '../reduction.ts';
import { DeclaredOrbits, renamedText } from './orbits.ts';
import { generatorsOf } from './permutations.ts';

/**
 * Stores one representative of states that differ only in the names of things that the model
 * declares to be interchangeable. A group is used unless some property distinguishes its members.
 */
export const symmetry: ReductionKind = {
  name: 'symmetry',
  decide(context) {
    const { model, options } = context;
    const declared = model.symmetry;
    const isAsked = options.reductions !== undefined && uses(options, 'symmetry');
    if (declared === undefined) {
      const report = isAsked ? { renamings: 1, groups: [], judgedWithout: [] } : null;
      return { reduction: null, report: () => ({ symmetry: report }) };
    }
    validateGroups(model.name, declared.groups);
    const reasons = declared.groups.map((group) =>
      !uses(options, 'symmetry') ? 'switched off' : reasonAgainst(context, declared, group),
    );
    const usable = declared.groups.filter((_, index) => reasons[index] === null);
    const orbits = usable.length === 0 ? null : new DeclaredOrbits(context, declared, usable);
    const groups = declared.groups.map(({ name, members }, index) => {
      const used = orbits?.group.members[usable.indexOf(declared.groups[index]!)];
      const cut = used !== undefined && used.length < members.length;
      const reason = cut ? `too many renamings: only ${used.length} of ${members.length}` : null;
      return {
        name,
        members: used ?? members,
        applied: used !== undefined,
        reason: reasons[index] ?? reason,
      };
    });
    return {
      reduction: orbits === null ? null : { kind: symmetry, orbits, ample: null, leavesOpen: null },
      report: ({ judgedWithout }) => ({
        symmetry: {
          renamings: orbits?.size ?? 1,
          groups,
          judgedWithout,
          ...(orbits === null ? {} : { shown: orbits.shown }),
        },
      }),
    };
  },
  without: (options) => without(options, 'symmetry'),
  advice: () => null,
  undecided: (result) => ({
    judgedWithout: result.symmetry?.judgedWithout ?? [],
    leftOpen: [],
  }),
};

function validateGroups(model: string, groups: readonly InterchangeableGroup[]): void {
  const members = groups.flatMap((group) => group.members);
  const twice = members.find((member, index) => members.indexOf(member) !== index);
  if (twice !== undefined) {
    throw new CheckerError('badSymmetry', `the symmetry of model ${model} has ${twice} twice`);
  }
}

function reasonAgainst<State>(
  { model, compiled, guard }: ReductionContext<State>,
  declared: Symmetry,
  group: InterchangeableGroup,
): string | null {
  if (group.members.length < 2) return 'fewer than two members';
  const images = new ParameterImages(declared, generatorsOf(group), guard);
  for (const { property, judgements } of compiled.properties) {
    const mentioned = property.mentions?.find((name) => group.members.includes(name));
    if (mentioned !== undefined) return `"${property.name}" is about ${mentioned}`;
    if (property.parameters === undefined) continue;
    if (!images.areAmong(judgements)) {
      return `"${property.name}" is judged for some of its members only`;
    }
    // A violation by one member is a violation, whichever member it is. A witness must be found
    // for each member.
    if (property.kind === 'witness' && !startsAlike(model, declared, group)) {
      return `"${property.name}" must be reached by each member, and their initial states differ`;
    }
  }
  return null;
}

/** Whether the renamings take initial states to initial states. */
function startsAlike<State>(
  model: Model<State>,
  declared: Symmetry,
  group: InterchangeableGroup,
): boolean {
  const known = new Set(model.initial.map((state) => canonicalText(state)));
  return generatorsOf(group).every((renaming) =>
    model.initial.every((state) => known.has(renamedText(model, declared, renaming, state))),
  );
}

/** The parameters of judgements under renamings. Many properties have the same ones. */
class ParameterImages {
  private readonly declared: Symmetry;
  private readonly renamings: readonly Renaming[];
  private readonly guard: Guard;
  /** By text of parameters: the texts of their images. */
  private readonly known = new Map<string, readonly string[]>();

  constructor(declared: Symmetry, renamings: readonly Renaming[], guard: Guard) {
    this.declared = declared;
    this.renamings = renamings;
    this.guard = guard;
  }

  /** Whether each image of the parameters of a judgement is that of one of them. */
  areAmong(judgements: readonly Judgement[]): boolean {
    const texts = new Map(judgements.map((one) => [canonicalText(one.parameters), one]));
    return [...texts].every(([text, { parameters }]) =>
      this.of(text, parameters).every((image) => texts.has(image)),
    );
  }

  private of(text: string, parameters: Parameters): readonly string[] {
    const known = this.known.get(text);
    if (known !== undefined) return known;
    this.guard.look();
    const images = this.renamings.map((renaming) =>
      canonicalText(this.declared.renameParameters(parameters, renaming)),
    );
    this.known.set(text, images);
    return images;
  }
}
