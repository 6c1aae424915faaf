/** By family of models, and name of an action or property: the new views so far. */
const viewsOfFamilies = new WeakMap<object, Map<string, number>>();

/** By name of an action or property: the new views so far. */
export function viewsOf(family: object | undefined): Map<string, number> {
  const known = family && viewsOfFamilies.get(family);
  if (known !== undefined) return known;
  const views = new Map<string, number>();
  if (family !== undefined) viewsOfFamilies.set(family, views);
  return views;
}

/** Up to each of these numbers of new views of an action or property, one in so many is run twice. */
const SECOND_RUNS: readonly (readonly [views: number, every: number])[] = [
  [64, 1],
  [512, 8],
  [Number.POSITIVE_INFINITY, 64],
];

/** @param view how many new views there were with this one. */
export function isRunTwice(view: number): boolean {
  const [, every] = SECOND_RUNS.find(([views]) => view <= views)!;
  return view % every === 0;
}
