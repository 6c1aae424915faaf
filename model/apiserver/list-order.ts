/**
 * The order of a list after a strategic merge patch: mirrors `normalizeElementOrder` and
 * `mergeSortedSlice` of `strategicpatch` (1.20). What the patch does not name keeps its place
 * before those that followed it on the server; what is new comes before it.
 *
 * @param order the identities in the order that the patch states (`$setElementOrder`), or in that
 *   of its elements.
 */
export function inPatchOrder<Element>(
  merged: readonly Element[],
  order: readonly string[],
  server: readonly Element[],
  identity: (element: Element) => string,
): readonly Element[] {
  const placeIn = (places: readonly string[], element: Element) =>
    places.indexOf(identity(element));
  const onServer = server.map(identity);
  const named = merged
    .filter((element) => placeIn(order, element) >= 0)
    .sort((a, b) => placeIn(order, a) - placeIn(order, b));
  const others = merged.filter((element) => placeIn(order, element) < 0);
  const result: Element[] = [];
  while (named.length > 0 || others.length > 0) {
    const [left] = others;
    const [right] = named;
    const [before, after] = [left, right].map((element) =>
      element === undefined ? -1 : placeIn(onServer, element),
    ) as [number, number];
    const takesOther =
      right === undefined || (left !== undefined && before >= 0 && after >= 0 && before < after);
    const next = takesOther ? others.shift() : named.shift();
    if (next !== undefined) result.push(next);
  }
  return result;
}
