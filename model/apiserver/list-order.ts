/**
 * A list after a strategic merge patch that states an order (`$setElementOrder`): mirrors
 * `normalizeElementOrder` and `mergeSortedSlice` of `strategicpatch` (1.20). What the patch does not name
 * keeps its place before those that followed it on the server.
 *
 * @param order the identities in the order that the patch states; null: the patch states none.
 */
export function inOrder<Element>(
  merged: readonly Element[],
  order: readonly string[] | null,
  server: readonly Element[],
  identity: (element: Element) => string,
): readonly Element[] {
  if (order === null) return merged;
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
