import { CheckerError } from '../errors.ts';
import type { InterchangeableGroup, Parameters, Renaming, Symmetry } from '../model.ts';

/** The members of a group, or of a ring, in which only rotations make no difference. */
export type SymmetricDomain = readonly string[] | { readonly ring: readonly string[] };

/** How names appear in the state. */
export interface NamesInState {
  /** What joins names in a text: with `>`, the key `s1>s2` has two names. Default: nothing does. */
  readonly separator?: string;
  /**
   * Sections and parameters that never hold names of members, although a text in them is equal to
   * one: `{ phase: … }` with a phase `a` beside a member `a`.
   */
  readonly except?: readonly string[];
}

/** A symmetry that leaves some sections and parameters alone, which the model must have. */
export interface SymmetryExcept<Names extends NamesInState> extends Symmetry {
  readonly except: Names extends { readonly except: infer Except } ? Except : readonly [];
}

/**
 * The symmetry of a model in which members are named by text, such as
 * `symmetryOf({ servers: ['s1', 's2', 's3'] })`. It renames each key and each text in the state and
 * in the parameters that is equal to a member, however deep it is in lists and records.
 *
 * A text that is equal to a member must mean that member, and a list must not be sorted by names:
 * give members names that nothing else has, and use `flags` for sets. Throws `CheckerError` with
 * the code `badSymmetry` if a name is in two domains or contains the separator.
 */
export function symmetryOf<const Names extends NamesInState = NamesInState>(
  domains: Readonly<Record<string, SymmetricDomain>>,
  names?: Names,
): SymmetryExcept<Names> {
  const { separator, except = [] }: NamesInState = names ?? {};
  const groups = Object.entries(domains).map(([name, domain]) => groupOf(name, domain));
  validateNames(groups, separator);
  const without = new Set<string>(except);
  const text = (value: string, renaming: Renaming): string =>
    separator === undefined
      ? (renaming.get(value) ?? value)
      : value
          .split(separator)
          .map((part) => renaming.get(part) ?? part)
          .join(separator);
  const renamed = (value: unknown, renaming: Renaming): unknown => {
    if (typeof value === 'string') return text(value, renaming);
    if (Array.isArray(value)) return value.map((element) => renamed(element, renaming));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, field]) => [text(key, renaming), renamed(field, renaming)]),
    );
  };
  return {
    groups,
    except: except as SymmetryExcept<Names>['except'],
    renameKey: (section, key, renaming) => (without.has(section) ? key : text(key, renaming)),
    renameValue: (section, value, renaming) =>
      without.has(section) ? value : renamed(value, renaming),
    renameParameters: (parameters, renaming) =>
      Object.fromEntries(
        Object.entries(parameters).map(([name, value]) => [
          name,
          typeof value === 'string' && !without.has(name) ? text(value, renaming) : value,
        ]),
      ) satisfies Parameters,
  };
}

function groupOf(name: string, domain: SymmetricDomain): InterchangeableGroup {
  const members: unknown = 'ring' in Object(domain) ? (domain as { ring: unknown }).ring : domain;
  if (!Array.isArray(members) || !members.every((member) => typeof member === 'string')) {
    throw new CheckerError(
      'badSymmetry',
      `the members of ${name} must be a list of texts, as only texts are renamed`,
    );
  }
  return 'ring' in domain
    ? { name, members: domain.ring, renamings: 'rotations' }
    : { name, members: domain };
}

function validateNames(
  groups: readonly InterchangeableGroup[],
  separator: string | undefined,
): void {
  const members = groups.flatMap((group) => group.members);
  const twice = members.find((member, index) => members.indexOf(member) !== index);
  if (twice !== undefined) throw new CheckerError('badSymmetry', `${twice} is there twice`);
  if (separator === undefined) return;
  if (separator === '') throw new CheckerError('badSymmetry', 'the separator is empty');
  const split = members.find((member) => member.includes(separator));
  if (split === undefined) return;
  throw new CheckerError('badSymmetry', `${split} contains the separator ${separator}`);
}
