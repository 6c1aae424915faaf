import { byUidIn } from '../../../input/cluster/lookups.ts';
import type { Piece } from '../../../input/cluster/pieces.ts';
import { isBeingDeleted, type Setup, type Uid } from '../../../model/index.ts';
import type { Fate } from '../../../report/document/result-document.ts';

/** A search of a piece in which some of the DELETEs that may be sent are not. */
export interface Variant {
  /** See `Shown.unsent`. */
  readonly unsent: readonly number[];
  /** In the order of the objects, which is the same in all variants. */
  readonly fates: readonly Fate[];
}

/** A piece is searched once for each set of them. With more it takes too long. */
const MOST = 4;

/** All sets of these places, the empty one first. Null: too many. */
export function subsetsOf(places: readonly number[]): readonly (readonly number[])[] | null {
  if (places.length > MOST) return null;
  let sets: readonly (readonly number[])[] = [[]];
  for (const place of places) sets = [...sets, ...sets.map((set) => [...set, place])];
  return sets;
}

/** What is true of each object in all of these searches. */
export function agreed(variants: readonly Variant[]): readonly Fate[] {
  const [first = [], ...others] = variants.map(({ fates }) => fates);
  return first.map((fate, place) =>
    others.reduce((one, other) => together(one, other[place] ?? one), fate),
  );
}

function together(one: Fate, other: Fate): Fate {
  // The run on which it stays is of use, and what has fewer reasons to stay comes later.
  const shown = one.fate === 'goes' ? other : one;
  const both = (field: 'leaves' | 'keeps'): boolean[] =>
    (one.always?.[field] ?? []).map(
      (isTrue, place) => isTrue && other.always?.[field][place] === true,
    );
  const { always: _, ...rest } = shown;
  return {
    ...rest,
    fate: one.fate === other.fate ? one.fate : 'either',
    begins: one.begins || other.begins,
    replaced: one.replaced && other.replaced,
    mayGo: one.fate === 'goes' ? one.mayGo : other.mayGo,
    ...(one.always === undefined || other.always === undefined
      ? {}
      : {
          always: {
            begins: one.always.begins && other.always.begins,
            ...{ leaves: both('leaves'), keeps: both('keeps') },
            waits: one.always.waits && other.always.waits,
          },
        }),
  };
}

/** The pods of a piece that go on every run on which an operator deletes their namespace. */
export function endingIn(
  { objects }: Setup,
  { subjects, uids, maybe }: Piece,
  variants: readonly Variant[],
): readonly Uid[] {
  const byUid = byUidIn(objects);
  return subjects.flatMap(({ uid, kind, namespace }) => {
    const around = maybe.find((place) => {
      const object = byUid.get(uids[place] ?? '');
      return object?.kind === 'Namespace' && object.name === namespace && !isBeingDeleted(object);
    });
    if (kind !== 'Pod' || around === undefined) return [];
    const sent = agreed(variants.filter(({ unsent }) => !unsent.includes(around)));
    return sent[uids.indexOf(uid)]?.fate === 'goes' ? [uid] : [];
  });
}
