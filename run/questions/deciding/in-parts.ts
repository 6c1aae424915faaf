import { likenessTo } from '../../../input/cluster/likeness/alike.ts';
import {
  type DividedPart,
  type Division,
  divided,
  meetInContainers,
} from '../../../input/cluster/parts.ts';
import { setupIn, type World } from '../../../input/cluster/worlds.ts';
import type { Plan } from '../../../input/plan.ts';
import type { Uid } from '../../../model/index.ts';
import type { Fate, FateWord } from '../../../report/document/result-document.ts';
import { groupedBy } from '../../../text/layout.ts';
import {
  type Budget,
  clusterOf,
  type Decision,
  isLate,
  leastAlike,
  partOf,
  undecided,
  withAlike,
} from './decision.ts';
import { grown, walked } from './grow.ts';
import { type Holder, holdersIn, mayBeHeld, withHeldBack } from './held-back.ts';

export function hasParts(plan: Plan, world: World): boolean {
  return partsOf(plan, world, 'trees').length > 1 || partsOf(plan, world, 'chains').length > 1;
}

/** Whether what is found for each tree of objects by itself is true of the whole. */
export function arePartsEnough(plan: Plan, world: World): boolean {
  const { setup } = setupIn(plan.setup, clusterOf(plan), world);
  // Trees that are alike come once, so there may be a single part.
  return meetInContainers(setup) && divided(setup, 'trees')[0]?.setup !== setup;
}

function partsOf(plan: Plan, world: World, division: Division): readonly DividedPart[] {
  return divided(setupIn(plan.setup, clusterOf(plan), world).setup, division);
}

/** One part, and the chains of owners within it. */
interface Part {
  readonly world: World;
  readonly size: number;
  readonly chains: readonly World[];
}

/** The parts of a world, small ones first: what they leave of their time is for the large ones. */
function inOrder(plan: Plan, world: World): readonly Part[] {
  const trees = partsOf(plan, world, 'trees');
  const treeOf = new Map(trees.flatMap(({ own }, number) => own.map((uid) => [uid, number])));
  const chains = partsOf(plan, world, 'chains')
    .map(({ own }, number) => ({
      own,
      // A chain is connected. What all trees share is in none of them.
      tree: treeOf.get(own.find((uid) => treeOf.has(uid)) ?? ''),
      world: { ...world, part: { division: 'chains', number } } satisfies World,
    }))
    .sort((one, other) => one.own.length - other.own.length);
  const within = groupedBy(chains, ({ tree }) => tree);
  return trees
    .map(({ own }, number): Part => {
      const part: World = { ...world, part: { division: 'trees', number } };
      const chainsOf = (tree: number | undefined) => within.get(tree) ?? [];
      return { world: part, size: own.length, chains: chainsOf(number).map(({ world }) => world) };
    })
    .sort((one, other) => one.size - other.size);
}

/** Of the time for a part: that for its search; the rest is for walks. */
const SEARCHING = 0.85;

/**
 * Decides each tree of objects by itself; if its search would not end, each chain of owners in it.
 *
 * The fates are those of the whole if the trees meet only in containers (`meetInContainers`), every
 * search of a tree has ended, and what a pod may hold back was searched beside it (`holdersIn`).
 */
export async function inParts(plan: Plan, world: World, budget: Budget): Promise<Decision> {
  const trees = inOrder(plan, world);
  if (isLate(budget)) return undecided(world);
  const first = await inTurn(trees, budget, (tree, own) => quicklyDecided(plan, tree, own));
  const { setup } = setupIn(plan.setup, clusterOf(plan), world);
  const holders = holdersIn(
    setup,
    first.map(({ found }) => found),
  );
  // What is left of the time is for trees of which only chains, or few alike objects, were
  // searched, and for what pods of other trees hold back.
  const open = first
    .map((one) => ({ ...one, better: besideHolders(one, holders, trees) }))
    .filter(({ tree, found, better }) => better !== tree.world || isToBeImproved(tree, found));
  const better = await inTurn(open, budget, (one, own) => grown(plan, one.better, own));
  const last = first.map(({ tree, found }): readonly Decision[] => {
    const improved = better[open.findIndex((one) => one.tree === tree)] ?? null;
    return improved === null ? found : [improved];
  });
  const decisions = last.flat();
  const missing = first.flatMap(({ tree, found }) => unsearchedIn(tree, found));
  // What was searched last can show other pods that may stay.
  const holding = holdersIn(setup, last);
  const left = decisions.map((decision) => withHeldBack(decision, holding));
  const known = withoutMissing(worstFates(left), missing, plan, world);
  const isCertain =
    left.every((decision, place) => decision === decisions[place]) &&
    arePartsEnough(plan, world) &&
    missing.length === 0 &&
    decisions.length === trees.length &&
    decisions.every(isSearched);
  const bounded = decisions.filter(({ by }) => by === 'bounded');
  const least = leastAlike(bounded);
  const kept = setup.objects.filter(({ uid }) => known.has(uid));
  return {
    world: bounded.length === 0 ? world : { ...world, alike: least },
    fates: withAlike(known, likenessTo(kept, setup)),
    by: !isCertain ? 'parts' : bounded.length > 0 ? 'bounded' : 'search',
    nothingNew: bounded.length > 0 && bounded.every(({ nothingNew }) => nothingNew),
    groups: bounded.flatMap(({ groups }) => groups),
    walks: 0,
    unsearched:
      first.reduce((sum, { tree }) => sum + partsWithin(tree).length, 0) -
      first.flatMap(({ found }) => found.filter(isSearched)).length,
    reports: decisions.flatMap(({ reports }) => reports),
    worlds: decisions.flatMap(({ worlds }) => worlds),
    apart: isCertain ? { division: 'trees', count: trees.length } : null,
  };
}

/** Does something for each of the parts, with an equal share of the time that is left for each. */
async function inTurn<Given, Result>(
  parts: readonly Given[],
  budget: Budget,
  act: (part: Given, budget: Budget) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (const [place, part] of parts.entries()) {
    const deadline = shareOf(budget.deadline, parts.length - place);
    results.push(await act(part, { ...budget, deadline }));
  }
  return results;
}

/** An equal share of the time for each of the parts that are left, from now on. */
function shareOf(deadline: number, parts: number): number {
  return Date.now() + Math.max(0, deadline - Date.now()) / parts;
}

/** A tree, and what was found out about it, or about each of its chains. */
interface Tried {
  readonly tree: Part;
  readonly found: readonly Decision[];
}

/** The cheapest search that says something about all objects of a tree. */
async function quicklyDecided(plan: Plan, tree: Part, budget: Budget): Promise<Tried> {
  const found = await inTurn(partsWithin(tree), budget, async (world, own) => {
    return isLate(own) ? [] : [await searchedOrWalked(plan, world, own)];
  });
  return { tree, found: found.flat() };
}

function partsWithin({ chains, world }: Part): readonly World[] {
  return chains.length < 2 ? [world] : chains;
}

function isSearched({ by }: Decision): boolean {
  return by === 'search' || by === 'bounded';
}

/** With one of each group of alike objects. */
async function searchedOrWalked(plan: Plan, world: World, budget: Budget): Promise<Decision> {
  const searched = await grown(plan, world, partOf(budget, SEARCHING), { most: 1 });
  return searched ?? walked(plan, world, budget);
}

function isToBeImproved({ chains }: Part, found: readonly Decision[]): boolean {
  return found.every(isSearched) && (chains.length > 1 || found.some(({ by }) => by === 'bounded'));
}

/** The tree, beside those whose pods may hold back what is in it. */
function besideHolders(
  { tree, found }: Tried,
  holders: readonly Holder[],
  trees: readonly Part[],
): World {
  const others = holders.flatMap((one) => {
    const other = one.place === null ? undefined : trees[one.place];
    return other === undefined || other === tree || !mayBeHeld(one, found) ? [] : other;
  });
  const { part } = tree.world;
  if (others.length === 0 || part === null || part.division === 'pieces') return tree.world;
  const beside = others.flatMap(({ world }) => world.part?.number ?? []);
  return { ...tree.world, part: { ...part, beside } };
}

/** What stays in one part stays in the whole. What goes has to go in all parts that have it. */
const WORST: readonly FateWord[] = ['stays', 'either', 'open', 'goes'];

function worstFates(decisions: readonly Decision[]): ReadonlyMap<Uid, Fate> {
  const found = new Map<Uid, Fate>();
  for (const [uid, fate] of decisions.flatMap(({ fates }) => [...fates])) {
    const known = found.get(uid);
    const isWorse = known === undefined || WORST.indexOf(fate.fate) < WORST.indexOf(known.fate);
    if (isWorse) found.set(uid, fate);
  }
  return found;
}

/** The parts of a tree about which nothing was found out, as the time was up. */
function unsearchedIn(tree: Part, found: readonly Decision[]): readonly World[] {
  // The time can be up in the middle of its search.
  const tried = found.filter(({ by }) => by !== 'none');
  const keys = new Set(tried.map(({ world }) => JSON.stringify(world.part)));
  return partsWithin(tree).filter(({ part }) => !keys.has(JSON.stringify(part)));
}

/** What goes in the parts that were searched may stay for the sake of one that was not. */
function withoutMissing(
  found: ReadonlyMap<Uid, Fate>,
  missing: readonly World[],
  plan: Plan,
  world: World,
): ReadonlyMap<Uid, Fate> {
  if (missing.length === 0) return found;
  const open = new Set(
    missing.flatMap(({ part }) =>
      part === null || part === undefined || part.division === 'pieces'
        ? []
        : (partsOf(plan, world, part.division)[part.number]?.setup.objects ?? []).map(
            ({ uid }) => uid,
          ),
    ),
  );
  return new Map(
    [...found].map(([uid, fate]) => {
      const isOpen = fate.fate === 'goes' && open.has(uid);
      return [uid, isOpen ? { ...fate, fate: 'open' as const } : fate];
    }),
  );
}
