import { likenessTo } from '../../../input/cluster/alike.ts';
import {
  areHeldByPods,
  type Division,
  divided,
  meetInContainers,
} from '../../../input/cluster/parts.ts';
import { setupIn, type World } from '../../../input/cluster/worlds.ts';
import type { Plan } from '../../../input/plan.ts';
import type { Setup, Uid } from '../../../model/index.ts';
import type { Fate, FateWord } from '../../../report/document/result-document.ts';
import { type Budget, clusterOf, type Decision, LEAST, withAlike } from './decision.ts';
import { grown, walked } from './grow.ts';

export function hasParts(plan: Plan, world: World): boolean {
  return partsOf(plan, world, 'trees').length > 1 || partsOf(plan, world, 'chains').length > 1;
}

/** Whether what is found for each tree of objects by itself is true of the whole. */
export function arePartsEnough(plan: Plan, world: World): boolean {
  const { setup } = setupIn(plan.setup, clusterOf(plan), world);
  return meetInContainers(setup) && partsOf(plan, world, 'trees').length > 1;
}

function partsOf(plan: Plan, world: World, division: Division): readonly Setup[] {
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
  const chains = partsOf(plan, world, 'chains').map((setup, number) => ({
    uids: setup.objects.map(({ uid }) => uid),
    world: { ...world, part: { division: 'chains', number } } satisfies World,
  }));
  const trees = partsOf(plan, world, 'trees').map(({ objects }, number): Part => {
    const own = new Set(objects.map(({ uid }) => uid));
    const within = chains.filter(({ uids }) => uids.every((uid) => own.has(uid)));
    const part: World = { ...world, part: { division: 'trees', number } };
    return { world: part, size: own.size, chains: within.map((chain) => chain.world) };
  });
  return trees.sort((one, other) => one.size - other.size);
}

/** The part of a tree's time for the tree as a whole, if it has several chains. */
const OF_TREE = 0.5;
/** Of what is left for a part: the time for its search; the rest is for walks. */
const SEARCHING = 0.85;

/**
 * Decides each tree of objects by itself; if its search does not end, each chain of owners in it.
 *
 * The fates are those of the whole if the trees meet only in containers (`meetInContainers`), every
 * search of a tree has ended, and no pod holds back the other contents.
 */
export async function inParts(plan: Plan, world: World, budget: Budget): Promise<Decision> {
  const trees = inOrder(plan, world);
  const decisions: Decision[] = [];
  for (const [place, tree] of trees.entries()) {
    const deadline = shareOf(budget.deadline, trees.length - place);
    decisions.push(...(await treeDecided(plan, tree, { ...budget, deadline })));
  }
  const found = worstFates(decisions);
  const { setup } = setupIn(plan.setup, clusterOf(plan), world);
  const known = areHeldByPods(setup) ? withHeldBack(found, setup) : found;
  const isCertain =
    known === found &&
    arePartsEnough(plan, world) &&
    decisions.length === trees.length &&
    decisions.every(({ by }) => by === 'search' || by === 'bounded');
  const bounded = decisions.filter(({ by }) => by === 'bounded');
  const least = Math.min(...bounded.map((decision) => decision.world.alike ?? 1));
  const kept = setup.objects.filter(({ uid }) => known.has(uid));
  return {
    world: bounded.length === 0 ? world : { ...world, alike: least },
    fates: withAlike(known, likenessTo(kept, setup)),
    by: !isCertain ? 'parts' : bounded.length > 0 ? 'bounded' : 'search',
    nothingNew: bounded.length > 0 && bounded.every(({ nothingNew }) => nothingNew),
    groups: bounded.flatMap(({ groups }) => groups),
    walks: 0,
    reports: decisions.flatMap(({ reports }) => reports),
    worlds: decisions.flatMap(({ worlds }) => worlds),
    apart: isCertain ? trees.length : null,
  };
}

/** An equal share of the time for each of the parts that are left, from now on. */
function shareOf(deadline: number, parts: number): number {
  return Date.now() + Math.max(0, deadline - Date.now()) / parts;
}

/** One decision about the tree, or one about each of its chains. */
async function treeDecided(plan: Plan, tree: Part, budget: Budget): Promise<readonly Decision[]> {
  const chains = tree.chains.length > 1 ? tree.chains : [];
  const share = chains.length > 0 ? OF_TREE : SEARCHING;
  const whole = await grown(plan, tree.world, { ...budget, deadline: portion(budget, share) });
  if (whole !== null) return [whole];
  if (chains.length === 0) return [await walked(plan, tree.world, budget)];
  const decisions: Decision[] = [];
  for (const [place, chain] of chains.entries()) {
    const own = { ...budget, deadline: shareOf(budget.deadline, chains.length - place) };
    if (own.deadline - Date.now() < LEAST || budget.interrupted()) break;
    const searched = await grown(plan, chain, { ...own, deadline: portion(own, SEARCHING) });
    decisions.push(searched ?? (await walked(plan, chain, own)));
  }
  return decisions;
}

function portion({ deadline }: Budget, share: number): number {
  return Date.now() + share * Math.max(0, deadline - Date.now());
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

/** If a pod may stay, nothing is known about the contents that wait for all pods to be gone. */
function withHeldBack(found: ReadonlyMap<Uid, Fate>, setup: Setup): ReadonlyMap<Uid, Fate> {
  const isHeld = setup.objects.some(
    ({ kind, uid }) => kind === 'Pod' && (found.get(uid)?.fate ?? 'goes') !== 'goes',
  );
  if (!isHeld) return found;
  const kinds = new Map(setup.objects.map(({ uid, kind }) => [uid, kind]));
  return new Map(
    [...found].map(([uid, fate]) => {
      const waits = fate.fate === 'goes' && kinds.get(uid) !== 'Pod';
      return [uid, waits ? { ...fate, fate: 'open' as const } : fate];
    }),
  );
}
