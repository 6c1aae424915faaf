import type { ApiObject, Setup, Uid } from '../../../model/index.ts';
import { groupedBy } from '../../../text/layout.ts';
import { dependentsIn } from '../lookups.ts';
import { colorsOf, specialUids } from './colors.ts';

/**
 * Objects of a setup that are alike: they have the same owners, and differ only in names, uids and
 * in kinds that deletion treats in the same way.
 */
export interface AlikeSetup {
  readonly setup: Setup;
  /** For each object that was left out: the kept object that it is like. */
  readonly likeness: ReadonlyMap<Uid, Uid>;
  /** The groups of which members were left out. */
  readonly groups: readonly AlikeGroup[];
  /** By uid, the same for objects that are alike, however many of them are kept. */
  readonly classes: ReadonlyMap<Uid, string>;
}

export interface AlikeGroup {
  /** Uids of the kept members. */
  readonly kept: readonly Uid[];
  /** Number of all members, the kept ones included. */
  readonly size: number;
}

/** A setup of which nothing is left out. */
export function complete(setup: Setup): AlikeSetup {
  return { setup, likeness: new Map(), groups: [], classes: new Map() };
}

/**
 * Keeps at most `most` of the objects in each group of siblings that are alike, with everything
 * beneath them. What is found for the smaller setup is evidence about the whole, not a proof.
 * Null: nothing can be left out.
 */
export function thinned(setup: Setup, most: number): AlikeSetup | null {
  const colors = colorsOf(setup);
  const special = specialUids(setup);
  const families = groupedBy(
    setup.objects.filter(({ uid }) => !special.has(uid)),
    ({ uid, ownerReferences, namespace }) => {
      const owners = ownerReferences.map((owner) => owner.uid).sort();
      return JSON.stringify([colors.get(uid), owners, namespace]);
    },
  );
  const large = [...families.values()].filter((members) => members.length > most);
  const dropped = new Set(large.flatMap((members) => members.slice(most).map(({ uid }) => uid)));
  if (dropped.size === 0) return null;
  const left = withDependents(dropped, setup);
  const kept = setup.objects.filter(({ uid }) => !left.has(uid));
  const keptUids = new Set(kept.map(({ uid }) => uid));
  // A dependent of a left out and of a kept object would be missing beneath the kept one.
  const torn = setup.objects.some(
    ({ uid, ownerReferences }) =>
      left.has(uid) &&
      !dropped.has(uid) &&
      ownerReferences.some((owner) => keptUids.has(owner.uid)),
  );
  if (torn) return null;
  return {
    setup: { ...setup, objects: kept },
    likeness: likenessTo(kept, setup, colors),
    classes: colors,
    groups: large
      .filter((members) => keptUids.has(members[0]?.uid ?? ''))
      .map((members) => ({
        kept: members.slice(0, most).map(({ uid }) => uid),
        size: members.length,
      })),
  };
}

/** For each object of the setup that is not among the kept ones: a kept one that is like it. */
export function likenessTo(
  kept: readonly ApiObject[],
  setup: Setup,
  colors: ReadonlyMap<Uid, string> = colorsOf(setup),
): ReadonlyMap<Uid, Uid> {
  const keptUids = new Set(kept.map(({ uid }) => uid));
  const byColor = new Map([...kept].reverse().map(({ uid }) => [colors.get(uid), uid] as const));
  return new Map(
    setup.objects.flatMap(({ uid }): [Uid, Uid][] => {
      const like = byColor.get(colors.get(uid));
      return keptUids.has(uid) || like === undefined ? [] : [[uid, like]];
    }),
  );
}

/** The objects that are left out, with all that have an owner among them. */
function withDependents(dropped: ReadonlySet<Uid>, { objects }: Setup): ReadonlySet<Uid> {
  const dependents = dependentsIn(objects);
  const found = new Set(dropped);
  for (const uid of found)
    for (const dependent of dependents.get(uid) ?? []) found.add(dependent.uid);
  return found;
}
