import type { Fate } from '../../../report/document/result-document.ts';

/** A piece is searched once for each set of them. With more it takes too long. */
const MOST = 4;

/** All sets of these places, the empty one first. Null: too many. */
export function subsetsOf(places: readonly number[]): readonly (readonly number[])[] | null {
  if (places.length > MOST) return null;
  let sets: readonly (readonly number[])[] = [[]];
  for (const place of places) sets = [...sets, ...sets.map((set) => [...set, place])];
  return sets;
}

/** What is true of each object in all of these searches, which have the objects in one order. */
export function agreed(variants: readonly (readonly Fate[])[]): readonly Fate[] {
  const [first = [], ...others] = variants;
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
