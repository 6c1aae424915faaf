import type { Fairness } from '../model.ts';

export const WEAK = 1;
export const STRONG = 2;

/** A promise to some action instances together: it is kept if one of them is taken. */
export interface GroupObligation {
  readonly kind: 'weak' | 'strong';
  /** Numbers of action instances. */
  readonly members: readonly number[];
}

/**
 * What fairness promises. An obligation is enabled in a state if one of its members is, and it is
 * taken on a transition if one of its members is: fairness of the disjunction of the members.
 */
export interface Obligations {
  /** By obligation: `WEAK` or `STRONG`. */
  readonly kinds: Uint8Array;
  /** By obligation: its members. No two obligations of one kind have the same. */
  readonly members: readonly (readonly number[])[];
  /** By action instance: the obligations that it is a member of. */
  readonly of: readonly (readonly number[])[];
}

/** One obligation for each fair instance, in order, then one for each group. */
export function obligationsOf(
  fairness: readonly Fairness[],
  groups: readonly GroupObligation[] = [],
): Obligations {
  const kinds: number[] = [];
  const members: (readonly number[])[] = [];
  const of: number[][] = fairness.map(() => []);
  const known = new Set<string>();
  const add = (kind: 'weak' | 'strong', some: readonly number[]): void => {
    const sorted = [...new Set(some)].sort((one, other) => one - other);
    const text = `${kind} ${sorted.join(' ')}`;
    if (sorted.length === 0 || known.has(text)) return;
    known.add(text);
    for (const member of sorted) of[member]!.push(kinds.length);
    kinds.push(kind === 'weak' ? WEAK : STRONG);
    members.push(sorted);
  };
  fairness.forEach((kind, instance) => {
    if (kind !== 'none') add(kind, [instance]);
  });
  for (const { kind, members: some } of groups) add(kind, some);
  return { kinds: Uint8Array.from(kinds), members, of };
}
