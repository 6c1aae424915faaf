import { setImmediate } from 'node:timers/promises';
import { isContainerIn } from '../../../input/cluster/containers/emptied.ts';
import { endingOf, type Facts, nextEnding } from '../../../input/cluster/operating/ending.ts';
import { divided } from '../../../input/cluster/parts.ts';
import { replacedIn } from '../../../input/cluster/replacements.ts';
import { areTornDown } from '../../../input/cluster/teardowns.ts';
import { setupIn, type World } from '../../../input/cluster/worlds.ts';
import type { Plan } from '../../../input/plan.ts';
import { requestsOf, type Setup, type Uid } from '../../../model/index.ts';
import type { CheckReport, Fate } from '../../../report/document/result-document.ts';
import { type Budget, clusterOf, type Decision, isLate, NOTHING } from './decision.ts';
import type { KnownFates } from './known-fates.ts';
import { type Division, dividedBeside, type Searched, searchedPieces } from './searched-pieces.ts';

/**
 * Decides each object with its owners, beside everything around them; together they decide the
 * whole (`piecesOf` has the argument).
 *
 * Where owners of finalizers may act or not, what goes on every run if all of them act, and stays
 * on every run if none does, goes or stays: all those runs are possible. They may also stop halfway,
 * and so may operators. Of the other objects, what is said is true of all of those runs as well
 * (`withoutStopping`).
 *
 * Null: nothing is decided.
 */
export async function inPieces(plan: Plan, world: World, budget: Budget): Promise<Decision | null> {
  const own = await proved(plan, world, budget);
  const alone = own !== null && own.fates.size > 0 ? own : null;
  if (world.finalizers !== 'may' || own?.by === 'search') return alone;
  const acting = await proved(plan, { ...world, finalizers: 'act' }, budget);
  const idle = acting && (await proved(plan, { ...world, finalizers: 'never' }, budget));
  if (acting === null || idle === null) return alone;
  const { setup } = setupIn(plan.setup, clusterOf(plan), world);
  const fates = new Map<Uid, Fate>(own?.fates);
  for (const { uid } of setup.objects) {
    const either = eitherWay(acting.fates.get(uid), idle.fates.get(uid));
    if (either !== null && !fates.has(uid)) fates.set(uid, either);
  }
  const reports = [...(own?.reports ?? []), ...idle.reports];
  const wasFull = [own, acting, idle].some((decision) => decision?.isFull === true);
  if (fates.size === 0) return null;
  const { isExhausted: _, ...rest } = idle;
  const isExhausted = [own, acting, idle].every((one) => one?.isExhausted === true);
  const decision = decisionOn(setup, { ...rest, world, fates, reports }, wasFull);
  return isExhausted ? { ...decision, isExhausted } : decision;
}

/**
 * What pieces prove of all runs.
 *
 * It leaves out an object if no search that decides it has ended, or if its fate is not the same on
 * all runs of a piece, which can be due to what the objects around it do there and not in the
 * whole. The others have their fates all the same: each was shown by what was shown before, and by
 * searches that have ended.
 *
 * Null: the setup has no such pieces, or what all fates rest on is not decided: of each emptied
 * namespace all pods go, or one of them stays; operators end their work; and it is known what is
 * replaced.
 */
async function proved(plan: Plan, world: World, budget: Budget): Promise<Decision | null> {
  // To divide takes seconds in large dumps.
  await setImmediate();
  if (isLate(budget)) return null;
  const { setup: whole } = setupIn(plan.setup, clusterOf(plan), world);
  const division = dividedBeside(whole, []);
  if (division === null) return besideOperators(plan, world, budget, whole);
  if (isAlone(division) && requestsOf(division.setup).length < 2) return null;
  const found = await searchedPieces(plan, world, budget, division);
  return found && decisionOf(world, division, found);
}

/** What is true of all runs, with the operators that are shown to end, one after the other. */
async function besideOperators(
  plan: Plan,
  world: World,
  budget: Budget,
  whole: Setup,
): Promise<Decision | null> {
  let ending = endingOf(whole);
  let best: Decision | null = null;
  let before: Searched | null = null;
  while (ending !== null) {
    const division = dividedBeside(whole, [], ending);
    if (division === null) return best;
    const found = await searchedPieces(plan, world, budget, division, before?.known);
    if (found === null) return best;
    const reports: readonly CheckReport[] = [...(before?.reports ?? []), ...found.reports];
    before = { ...found, reports };
    best = decisionOf(world, division, before);
    const next = nextEnding(whole, ending, factsOf(found.known));
    if (next === ending || isLate(budget)) return best;
    ending = next;
  }
  return best;
}

function factsOf(known: KnownFates): Facts {
  return {
    begins: (uid) => known.begins(uid),
    neverBegins: (uid) => known.neverBegins(uid),
    // A namespace that goes in one piece can stay in another one.
    goes: (uid) => known.fateOf(uid)?.fate === 'goes',
  };
}

/**
 * Whether each piece is a tree by itself, has all of its owners, and all that controllers empty:
 * `inParts` searches the same, and shows a run of each fate.
 */
function isAlone({ given, setup, pieces }: Division): boolean {
  const containers = setup.objects.filter((object) => isContainerIn(setup, object));
  return (
    pieces.every(
      ({ uids, dependents, users }) =>
        dependents.size + users.size === 0 && containers.every(({ uid }) => uids.includes(uid)),
    ) &&
    setup.objects.every((object, place) => {
      const { ownerReferences = [] } = given.objects[place] ?? {};
      return object.ownerReferences.length === ownerReferences.length;
    })
  );
}

/** Null: it is not known what is replaced, or operators may not end. */
function decisionOf(world: World, division: Division, found: Searched): Decision | null {
  const { whole, given, pieces } = division;
  const fates = found.known.all();
  const replaced = replacedIn(given, found.known);
  if (replaced === null || !areTornDown(given, factsOf(found.known).goes)) return null;
  const apart = { division: 'pieces', count: pieces.length } as const;
  const { reports } = found;
  const own = { ...NOTHING, world, fates: withReplaced(fates, replaced), reports, apart };
  const isExhausted = !found.isCut && !found.isFull;
  return { ...decisionOn(whole, own, found.isFull), ...(isExhausted ? { isExhausted } : {}) };
}

/** The fate of what goes on every run of one kind, and stays on every run of another; null: not so. */
function eitherWay(goes: Fate | undefined, stays: Fate | undefined): Fate | null {
  if (goes?.fate !== 'goes' || stays?.fate !== 'stays') return null;
  const begins = goes.begins || stays.begins;
  const replaced = goes.replaced && stays.replaced;
  return { ...stays, fate: 'either', begins, replaced, mayGo: goes.mayGo };
}

/** A decision on some objects of a setup, or on all of them. */
function decisionOn(
  setup: Setup,
  found: Omit<Decision, 'by' | 'worlds' | 'isFull' | 'isExhausted'>,
  wasFull: boolean,
): Decision {
  const { world, fates } = found;
  // Invariants are judged without what is around a chain, which no property knows of.
  const worlds = divided(setup, 'chains').map(
    (_, number): World => ({ ...world, part: { division: 'chains', number } }),
  );
  const by = fates.size === setup.objects.length ? 'search' : 'some';
  return { ...found, worlds, by, ...(wasFull ? { isFull: true } : {}) };
}

/** The pieces lack the controllers that replace these. */
function withReplaced(
  fates: ReadonlyMap<Uid, Fate>,
  replaced: ReadonlySet<Uid>,
): ReadonlyMap<Uid, Fate> {
  const known = [...fates].map(([uid, fate]): [Uid, Fate] => {
    return [uid, replaced.has(uid) ? { ...fate, replaced: true } : fate];
  });
  return new Map(known);
}
