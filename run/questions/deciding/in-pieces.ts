import { setImmediate } from 'node:timers/promises';
import { complete } from '../../../input/cluster/likeness/alike.ts';
import { placesIn } from '../../../input/cluster/lookups.ts';
import { maybeEmptied } from '../../../input/cluster/operating/stopping.ts';
import { areHeldByPods, divided } from '../../../input/cluster/parts.ts';
import { patternOf } from '../../../input/cluster/piece-pattern.ts';
import {
  type Piece,
  pieceIn,
  piecesOf,
  type Shown,
  simplified,
} from '../../../input/cluster/pieces.ts';
import { replacedIn } from '../../../input/cluster/replacements.ts';
import { areTornDown } from '../../../input/cluster/teardowns.ts';
import { setupIn, type World } from '../../../input/cluster/worlds.ts';
import { displayName } from '../../../input/manifests/names.ts';
import type { Plan } from '../../../input/plan.ts';
import { type ApiObject, requestsOf, type Setup, type Uid } from '../../../model/index.ts';
import type { CheckReport, Fate } from '../../../report/document/result-document.ts';
import {
  type Budget,
  clusterOf,
  type Decision,
  isFull,
  isLate,
  NOTHING,
  partOf,
} from './decision.ts';
import { planIn, searchOnce } from './grow.ts';
import { KnownFates } from './known-fates.ts';
import { pauses } from './pauses.ts';
import { agreed, subsetsOf } from './variants.ts';

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
  const division = dividedIn(plan, world);
  if (division === null) return null;
  const { given, setup, pieces } = division;
  // Each piece is then a tree by itself, if it has all of its owners.
  const isAlone =
    pieces.every(({ dependents, users }) => dependents.size + users.size === 0) &&
    setup.objects.every((object, place) => {
      const { ownerReferences = [] } = given.objects[place] ?? {};
      return object.ownerReferences.length === ownerReferences.length;
    });
  if (isAlone && requestsOf(setup).length < 2) return null;
  const found = await searchedPieces(plan, world, budget, division);
  if (found === null) return null;
  const fates = found.known.all();
  const replaced = replacedIn(given, found.known);
  // A namespace that goes in one piece can stay in another one.
  const goes = (uid: Uid): boolean => found.known.fateOf(uid)?.fate === 'goes';
  if (replaced === null || !areTornDown(given, goes)) return null;
  const apart = { division: 'pieces', count: pieces.length } as const;
  const { reports } = found;
  const own = { ...NOTHING, world, fates: withReplaced(fates, replaced), reports, apart };
  const isExhausted = !found.isCut && !found.isFull;
  return { ...decisionOn(given, own, found.isFull), ...(isExhausted ? { isExhausted } : {}) };
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

/** What is searched piece by piece. */
interface Division {
  readonly given: Setup;
  readonly setup: Setup;
  readonly pieces: readonly Piece[];
  /** See `piecesOf`. */
  readonly holders: readonly Uid[];
}

function dividedIn(plan: Plan, world: World): Division | null {
  return dividedBeside(setupIn(plan.setup, clusterOf(plan), world).setup, []);
}

function dividedBeside(given: Setup, holders: readonly Uid[]): Division | null {
  const setup = simplified(given, holders);
  const pieces = piecesOf(given, holders);
  return pieces === null ? null : { given, setup, pieces, holders };
}

interface Searched {
  readonly known: KnownFates;
  /** Those that have shown something. */
  readonly reports: readonly CheckReport[];
  /** Whether the memory ended a search. */
  readonly isFull: boolean;
  /** Whether the time ended one, or was up before it. */
  readonly isCut: boolean;
}

/** What is true of the objects of a piece, and the searches that have shown it. */
interface PieceFound {
  readonly fates: readonly Fate[];
  readonly reports: readonly CheckReport[];
}

/** The parts of the time that is left for each piece: at first few, so that one takes not all. */
const SHARES = [0.3, 1];

/**
 * What pieces show if all pods of emptied namespaces go. Where a pod stays, what they show beside
 * it. Null: what has been shown is not known to be true.
 *
 * That a pod stays is true of the whole although some pods do not go: in the whole, controllers of
 * namespaces only go on later than in the piece of the pod, and so may what was shown to happen to
 * its owners. If the pod went on a run of the whole, the steps until then would be those of a run
 * of the piece.
 */
async function searchedPieces(
  plan: Plan,
  world: World,
  budget: Budget,
  division: Division,
): Promise<Searched | null> {
  const { given } = division;
  const first = await searchedIn(plan, world, budget, division);
  const holders = holdersAmong(given, first.known);
  if (holders === null) return null;
  const last = holders.length === 0 ? division : dividedBeside(given, holders);
  if (last === null) return null;
  const found = last === division ? first : await searchedIn(plan, world, budget, last);
  if (found.known.isContradictory()) return null;
  const isRight = podsOfEmptied(given).every(
    (pods) =>
      pods.every(({ uid }) => found.known.goes(uid)) ||
      pods.some(({ uid }) => holders.includes(uid) && found.known.fateOf(uid)?.fate === 'stays'),
  );
  return isRight ? found : null;
}

/**
 * A pod that stays, for each emptied namespace of which not all pods are known to go. Null: no pod
 * of such a namespace is known to stay.
 */
function holdersAmong(setup: Setup, known: KnownFates): readonly Uid[] | null {
  const holders = podsOfEmptied(setup)
    .filter((pods) => !pods.every(({ uid }) => known.goes(uid)))
    .map((pods) => pods.find(({ uid }) => known.remains(uid))?.uid);
  // Where pods cannot be listed, the controller goes on without them.
  const isHeld = holders.length === 0 || (setup.unavailableApis ?? []).length === 0;
  const found = holders.filter((uid) => uid !== undefined);
  return isHeld && found.length === holders.length ? found : null;
}

/**
 * The pods of each emptied namespace that they hold back if they stay. To the others it is as if the
 * namespace were not deleted: where that is so on other runs, no more need be asked.
 */
function podsOfEmptied(setup: Setup): readonly (readonly ApiObject[])[] {
  const maybe = maybeEmptied(setup);
  const emptied = areHeldByPods(setup) ? (setup.emptiedNamespaces ?? []) : [];
  const names = emptied.filter((name) => !maybe.includes(name));
  return names.map((name) =>
    setup.objects.filter(({ kind, namespace }) => kind === 'Pod' && namespace === name),
  );
}

/**
 * Goes down from the owners, as what happens to an owner causes what happens to its dependents, and
 * up again, as an owner can wait for them; until nothing new is shown. Pieces whose searches did
 * not end in their time, or had no room, wait for the others.
 */
async function searchedIn(
  plan: Plan,
  world: World,
  budget: Budget,
  { given, setup, pieces, holders }: Division,
): Promise<Searched> {
  const places = placesIn(given.objects);
  const beside = holders.flatMap((uid) => places.get(uid) ?? []);
  const known = new KnownFates(setup);
  const reports: CheckReport[] = [];
  const tried = new Set<string>();
  const byPattern = new Map<string, readonly Fate[]>();
  const pause = pauses();
  let wasFull = false;
  let isSkipped = false;
  let isCut = false;
  const down = pieces.map((piece, number) => ({ piece, number }));
  const up = [...down].reverse();
  for (const share of SHARES) {
    const cut = new Set<string>();
    isSkipped = false;
    let hasNews = true;
    for (let order = down; hasNews; order = order === down ? up : down) {
      hasNews = false;
      for (const { piece, number } of order) {
        const isDone = piece.subjects.every((subject) => known.isExhausted(subject));
        const shown = isDone ? null : shownAround(piece, known);
        const attempt = `${number} ${JSON.stringify(shown)}`;
        if (shown === null || tried.has(attempt) || cut.has(attempt)) continue;
        await pause();
        if (isLate(budget)) break;
        // Smaller pieces may have room, and this one once the others have ended.
        if (isFull(budget, piece.uids.length)) {
          isSkipped = true;
          cut.add(attempt);
          continue;
        }
        const found = await searched(piece, number, shown, share);
        // Only more time helps.
        (found === 'cut' ? cut : tried).add(attempt);
        if (found === null || found === 'cut' || !known.add(piece, found.fates)) continue;
        hasNews = true;
        reports.push(...found.reports);
      }
    }
    isCut = cut.size > 0 || isLate(budget);
    if (cut.size === 0) break;
  }
  return { known, reports, isFull: wasFull || isSkipped, isCut };

  /** With each set of what may be sent. Null: nothing was found. `cut`: the time was up. */
  async function searched(
    piece: Piece,
    number: number,
    shown: Shown,
    share: number,
  ): Promise<PieceFound | 'cut' | null> {
    const own: CheckReport[] = [];
    const variants: (readonly Fate[])[] = [];
    let last: Setup | null = null;
    for (const unsent of subsetsOf(piece.maybe) ?? []) {
      const sent: Shown = unsent.length === 0 ? shown : { ...shown, unsent };
      const shownBeside = { shown: sent, ...(beside.length === 0 ? {} : { holders: beside }) };
      const part: World = { ...world, part: { division: 'pieces', number, ...shownBeside } };
      const current = planIn(plan, part, complete(pieceIn(given, piece, sent)));
      last = current.plan.setup;
      const pattern = patternOf(last);
      const same = byPattern.get(pattern);
      if (same !== undefined) {
        variants.push(same);
        continue;
      }
      const { report, isDone } = await searchOnce(current, false, partOf(budget, share));
      const limit = report.result.limit?.kind;
      wasFull ||= limit === 'memory';
      if (!isDone) return limit === 'time' ? 'cut' : null;
      const fates = byPlace(last, report.fates);
      byPattern.set(pattern, fates);
      variants.push(fates);
      own.push(report);
    }
    return last === null ? null : { fates: placedIn(last, agreed(variants)), reports: own };
  }
}

/** The fates in the order of the objects. */
function byPlace({ objects }: Setup, fates: readonly Fate[]): readonly Fate[] {
  const byUid = new Map(
    fates.flatMap((fate) => (fate.members ?? [fate]).map(({ uid }) => [uid, fate] as const)),
  );
  return objects.map(({ uid }) => {
    const own = byUid.get(uid);
    if (own === undefined) throw new Error(`nothing was found about ${uid}`);
    return own;
  });
}

/**
 * The same fates for the objects of a piece of the same pattern, as members: uids and traces are of
 * the objects that were searched.
 */
function placedIn({ objects }: Setup, fates: readonly Fate[]): readonly Fate[] {
  return objects.flatMap((object, place): readonly Fate[] => {
    const fate = fates[place];
    const members = [{ object: displayName(object), uid: object.uid }];
    return fate === undefined ? [] : [{ ...fate, members }];
  });
}

/** What is known of the objects around a piece. Null: too little to search it. */
function shownAround(piece: Piece, known: KnownFates): Shown | null {
  const { uids, ownersAbove, dependents, users } = piece;
  const deleted: number[] = [];
  const waiting: number[] = [];
  const left: number[] = [];
  const kept: number[] = [];
  const released: number[] = [];
  const used: number[] = [];
  for (const [place, uid] of uids.entries()) {
    const above = ownersAbove.get(uid);
    const isSafe = known.neverBegins(uid) || above?.every((owner) => known.neverBegins(owner));
    if (above !== undefined && isSafe !== true) {
      if (!known.begins(uid)) return null;
      deleted.push(place);
      if (known.waits(uid)) waiting.push(place);
    }
    const outside = dependents.get(uid) ?? [];
    const isLeft = outside.length > 0 && outside.every((child) => known.leaves(child, uid));
    if (isLeft) left.push(place);
    if (known.isBlocked(uid, outside)) kept.push(place);
    const pods = users.get(uid) ?? [];
    const isReleased = pods.length > 0 && pods.every((pod) => known.goes(pod.uid));
    if (isReleased) released.push(place);
    if (known.isUsed(uid, pods)) used.push(place);
  }
  return { deleted, waiting, left, kept, released, used };
}
