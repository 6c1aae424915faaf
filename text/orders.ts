import { groupedBy, groupedByEach } from './layout.ts';

/**
 * The items that `next` leads to from the roots, each once, after those that it leads to, but for
 * what leads back. A chain can have more items than the stack has frames.
 */
export function inPostOrder<Item>(
  roots: Iterable<Item>,
  next: (item: Item) => Iterable<Item>,
): readonly Item[] {
  const ordered: Item[] = [];
  for (const { item, isLast } of walked(roots, next)) if (isLast) ordered.push(item);
  return ordered;
}

/** The items that `next` leads to from the roots, each once, before those that it leads to. */
export function inPreOrder<Item>(
  roots: Iterable<Item>,
  next: (item: Item) => Iterable<Item>,
): readonly { readonly item: Item; readonly from: Item | null }[] {
  const ordered: { readonly item: Item; readonly from: Item | null }[] = [];
  for (const { item, from, isLast } of walked(roots, next))
    if (!isLast) ordered.push({ item, from });
  return ordered;
}

/**
 * For each of the items that `next` leads from back to themselves, by however many steps: all items
 * that it leads to and back from, itself included, in their order (S. R. Kosaraju, M. Sharir,
 * 1981).
 *
 * @param next only leads to items of these.
 */
export function cyclesAmong<Item>(
  items: readonly Item[],
  next: (item: Item) => Iterable<Item>,
): ReadonlyMap<Item, readonly Item[]> {
  const back = groupedByEach(items, next);
  const firstOf = new Map<Item, Item>();
  for (const first of [...inPostOrder(items, next)].reverse()) {
    if (firstOf.has(first)) continue;
    firstOf.set(first, first);
    const component = [first];
    for (const item of component) {
      for (const other of back.get(item) ?? []) {
        if (firstOf.has(other)) continue;
        firstOf.set(other, first);
        component.push(other);
      }
    }
  }
  const components = groupedBy(items, (item) => firstOf.get(item));
  const isCycle = ([first, second]: readonly Item[]): boolean =>
    first !== undefined && (second !== undefined || back.get(first)?.includes(first) === true);
  const cycles = [...components.values()].filter(isCycle);
  return new Map(cycles.flatMap((cycle) => cycle.map((item) => [item, cycle] as const)));
}

interface Visit<Item> {
  readonly item: Item;
  readonly from: Item | null;
  /** Whether all that the item leads to has been visited. */
  readonly isLast: boolean;
}

function* walked<Item>(
  roots: Iterable<Item>,
  next: (item: Item) => Iterable<Item>,
): Generator<Visit<Item>> {
  const seen = new Set<Item>();
  const open: { from: Item | null; left: Iterator<Item> }[] = [
    { from: null, left: roots[Symbol.iterator]() },
  ];
  for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
    const { done, value: item } = top.left.next();
    if (done === true) {
      open.pop();
      const above = open.at(-1);
      if (top.from !== null && above !== undefined) {
        yield { item: top.from, from: above.from, isLast: true };
      }
      continue;
    }
    if (seen.has(item)) continue;
    seen.add(item);
    yield { item, from: top.from, isLast: false };
    open.push({ from: item, left: next(item)[Symbol.iterator]() });
  }
}

/**
 * The last item that `up` leads to from this one. Shortens all of the way there: without that, to
 * unite thousands of items one by one takes as long as their square (R. E. Tarjan, 1975).
 *
 * @param up what each item was united with. One that is its own, or has none, is the last.
 */
export function rootIn<Item>(up: Map<Item, Item>, item: Item): Item {
  const way: Item[] = [];
  let root = item;
  for (let next = up.get(root); next !== undefined && next !== root; next = up.get(root)) {
    way.push(root);
    root = next;
  }
  for (const passed of way) up.set(passed, root);
  return root;
}
