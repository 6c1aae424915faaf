import { complete } from '../../../input/cluster/likeness/alike.ts';
import { byKeyIn, placesIn } from '../../../input/cluster/lookups.ts';
import { begunIn, type Ending, withEnding } from '../../../input/cluster/operating/ending.ts';
import { maybeEmptied } from '../../../input/cluster/operating/stopping.ts';
import { areHeldByPods } from '../../../input/cluster/parts.ts';
import { patternOf } from '../../../input/cluster/piece-pattern.ts';
import {
  type Piece,
  pieceIn,
  piecesOf,
  type Shown,
  simplified,
} from '../../../input/cluster/pieces.ts';
import type { World } from '../../../input/cluster/worlds.ts';
import { displayName } from '../../../input/manifests/names.ts';
import type { Plan } from '../../../input/plan.ts';
import { type ApiObject, objectKey, type Setup, type Uid } from '../../../model/index.ts';
import type { CheckReport, Fate } from '../../../report/document/result-document.ts';
import { type Budget, isFull, isLate, partOf } from './decision.ts';
import { planIn, searchOnce } from './grow.ts';
import { KnownFates } from './known-fates.ts';
import { pauses } from './pauses.ts';
import { agreed, subsetsOf } from './variants.ts';

/** What is searched piece by piece. */
export interface Division {
  readonly whole: Setup;
  readonly given: Setup;
  readonly setup: Setup;
  readonly pieces: readonly Piece[];
  /** See `piecesOf`. */
  readonly holders: readonly Uid[];
  /** Those that are not as they are in the whole. Absent: none. */
  readonly operators?: Ending;
}

/**
 * Null: there are no such pieces.
 *
 * @param whole the setup in the world, all of whose operators are as they are.
 */
export function dividedBeside(
  whole: Setup,
  holders: readonly Uid[],
  operators?: Ending,
): Division | null {
  const given = operators === undefined ? whole : withEnding(whole, operators);
  const pieces = piecesOf(given, holders);
  if (pieces === null) return null;
  const own = { whole, given, setup: simplified(given, holders), pieces, holders };
  return operators === undefined ? own : { ...own, operators };
}

export interface Searched {
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
export async function searchedPieces(
  plan: Plan,
  world: World,
  budget: Budget,
  division: Division,
  before?: KnownFates,
): Promise<Searched | null> {
  const { whole, given, operators } = division;
  const first = await searchedIn(plan, world, budget, division, before);
  const holders = holdersAmong(given, first.known);
  if (holders === null) return null;
  const last = holders.length === 0 ? division : dividedBeside(whole, holders, operators);
  if (last === null) return null;
  const found = last === division ? first : await searchedIn(plan, world, budget, last, before);
  if (found.known.isContradictory()) return null;
  const isRight = podsOfEmptied(given, found.known).every(
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
  const holders = podsOfEmptied(setup, known)
    .filter((pods) => !pods.every(({ uid }) => known.goes(uid)))
    .map((pods) => pods.find(({ uid }) => known.remains(uid))?.uid);
  // Where pods cannot be listed, the controller goes on without them.
  const isHeld = holders.length === 0 || (setup.unavailableApis ?? []).length === 0;
  const found = holders.filter((uid) => uid !== undefined);
  return isHeld && found.length === holders.length ? found : null;
}

/**
 * The pods of each emptied namespace that they hold back if they stay. To the others it is as if the
 * namespace were not deleted: where that is so on other runs, no more need be asked. Where an
 * operator may delete it and it is deleted on every run, there are no such runs.
 */
function podsOfEmptied(setup: Setup, known: KnownFates): readonly (readonly ApiObject[])[] {
  const byKey = byKeyIn(setup.objects);
  const begins = (name: string): boolean =>
    known.begins(byKey.get(objectKey('Namespace', '', name))?.uid ?? '');
  const maybe = maybeEmptied(setup).filter((name) => !begins(name));
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
  { given, setup, pieces, holders, operators }: Division,
  before?: KnownFates,
): Promise<Searched> {
  const places = placesIn(given.objects);
  const beside = holders.flatMap((uid) => places.get(uid) ?? []);
  const known = new KnownFates(setup, begunIn(given), before);
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
      const shownBeside = {
        shown: sent,
        ...(beside.length === 0 ? {} : { holders: beside }),
        ...(operators === undefined ? {} : { operators }),
      };
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
  const { uids, ownersAbove, dependents, users, maybe } = piece;
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
    } else if (maybe.includes(place) && known.begins(uid)) {
      // By others, where the operator does not delete it.
      deleted.push(place);
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
