import { identityOfNode } from '../../../../model/index.ts';
import type { LoggedGet, SharedKey, TraceContext } from '../context.ts';
import { candidates, lateness } from '../pending-gets.ts';
import { keyOfNode } from '../queue-items.ts';
import { mayListAgain, type TraceState } from '../trace-state.ts';
import { workerSlots } from '../workers.ts';
import { ownGetsLeft } from './wakes.ts';

/**
 * Whether the GETs of an owner that are left do not fit the workers. Such a state explains nothing.
 * Which worker has sent which of them stays open until it matters, so without this the search would
 * get to the request that nothing explains much later than to the wrong step.
 *
 * Each of these GETs is sent by the worker of the owner, which sends the next one only after it is
 * answered, or by the worker of a dependent, which looks up the owner after it has read the
 * dependent and before it sends its next request. So
 *
 * - up to each GET there are no more than can follow each other and than workers can have looked up
 *   by then,
 * - each GET that is received already has a worker that is about to send it, and
 * - each worker that must have looked up the owner, because the log shows its DELETE, has a GET,
 *   and
 * - the worker of the owner is queued often enough to send the GETs that no look-up sends.
 */
export function lacksSenders(context: TraceContext, state: TraceState, index: number): boolean {
  if (!context.reduced || context.partial || mayListAgain(state)) return false;
  return context.sharedKeys.some((shared) => {
    const gets = getsLeft(state, shared, index);
    const lookUps = lookUpsLeft(context, state, shared, index);
    const ownSince = lastBeforeOwn(context, state, shared, index);
    if (hasTooMany(gets, lookUps, ownSince, index)) return true;
    const certain = lookUps.filter(({ isCertain }) => isCertain);
    if (!canPair(certain, gets, (lookUp, get) => fits(get, lookUp))) return true;
    const sent = gets.filter(({ received }) => received < index);
    if (lacksWakes(context, state, shared, index, gets, lookUps)) return true;
    const own: LookUp = { since: ownSince, until: Number.POSITIVE_INFINITY, isCertain: false };
    return !canPair(sent, [...lookUps, own], fits);
  });
}

function fits({ received, completed }: LoggedGet, { since, until }: LookUp): boolean {
  return received > since && completed < until;
}

/** The GETs of the key that are still to come or have no certain sender yet, in order. */
function getsLeft(
  { pendingGets }: TraceState,
  { key, gets }: SharedKey,
  index: number,
): readonly LoggedGet[] {
  const pending = new Set((pendingGets[key] ?? []).map(({ request }) => request));
  return gets.filter(({ request, received }) => received >= index || pending.has(request));
}

/** The worker of the owner can have sent only GETs that are received after this one. */
function lastBeforeOwn(
  context: TraceContext,
  state: TraceState,
  { key, uid }: SharedKey,
  index: number,
): number {
  const own = candidates(context, state, key).find(
    ({ slot }) => slot.role === 'delete' && identityOfNode(slot.node).uid === uid,
  );
  return own === undefined ? index - 1 : lateness(state, key, own.sender);
}

/** A GET of the owner that the worker of a dependent may send, or must have sent. */
interface LookUp {
  /** The GET is received after the instant with this index, */
  readonly since: number;
  /** and answered before this one. */
  readonly until: number;
  readonly isCertain: boolean;
}

/** In the order of `since`. */
function lookUpsLeft(
  context: TraceContext,
  state: TraceState,
  { key, uid, reads }: SharedKey,
  index: number,
): readonly LookUp[] {
  const found: LookUp[] = [];
  const add = (times: number, lookUp: LookUp): void => {
    for (let left = times; left > 0; left--) found.push({ ...lookUp });
  };
  const pending = new Set(
    Object.values(state.pendingGets).flatMap((gets) => gets.map(({ request }) => request)),
  );
  const isLeft = ({ request, received }: LoggedGet): boolean =>
    received >= index || pending.has(request);
  const senders = new Set(candidates(context, state, key).map(({ sender }) => sender));
  for (const { sender, role, node } of workerSlots(state)) {
    const worker = role === 'delete' ? state.cluster.deleteWorkers[node] : undefined;
    if (worker?.at !== 'getOwner') continue;
    const references = worker.live.ownerReferences.slice(worker.classes.length);
    const times = references.filter((reference) => reference.uid === uid).length;
    const item = keyOfNode(context, node);
    const read = reads.findLast((one) => one.key === item && !isLeft(one));
    const { until = Number.POSITIVE_INFINITY, isCertain = false } = read ?? {};
    const since = senders.has(sender) ? lateness(state, key, sender) : index - 1;
    add(times, { since, until, isCertain });
  }
  for (const read of reads) {
    if (!isLeft(read)) continue;
    const { completed, times, until, isCertain } = read;
    add(times, { since: Math.max(completed, index - 1), until, isCertain });
  }
  return found.sort((a, b) => a.since - b.since);
}

/**
 * Whether there are too many GETs up to some GET.
 *
 * @param ownSince the worker of the owner can have sent only GETs after it.
 */
function hasTooMany(
  gets: readonly LoggedGet[],
  lookUps: readonly LookUp[],
  ownSince: number,
  index: number,
): boolean {
  let inTurn = 0;
  let busyUntil = -1;
  let byDependents = 0;
  for (const [position, { received, completed }] of gets.entries()) {
    if (received > ownSince) {
      // The worker of the owner has sent one of the GETs so far, and sends others from now on. Of
      // GETs that overlap, the one that ends first leaves the most time for others.
      const isNext = inTurn === 0 || (received >= index && received > busyUntil);
      if (isNext) inTurn++;
      busyUntil = isNext ? completed : Math.min(busyUntil, completed);
    }
    while ((lookUps[byDependents]?.since ?? Number.POSITIVE_INFINITY) < received) byDependents++;
    if (position >= inTurn + byDependents) return true;
  }
  return false;
}

/**
 * Whether the worker of the owner cannot send all the GETs that no worker of a dependent has sent.
 */
function lacksWakes(
  context: TraceContext,
  state: TraceState,
  shared: SharedKey,
  index: number,
  gets: readonly LoggedGet[],
  lookUps: readonly LookUp[],
): boolean {
  const most = ownGetsLeft(context, state, shared, index);
  if (most === null) return false;
  const withoutLookUp = (wanted: ReadonlySet<number>): number =>
    unpaired(
      gets.filter(({ request }) => wanted.has(request)),
      lookUps,
    );
  return (
    withoutLookUp(shared.inForeground) > most.inForeground ||
    withoutLookUp(shared.counted) > most.counted
  );
}

/** How many of the GETs are sent by no look-up, if as many as possible are. */
function unpaired(gets: readonly LoggedGet[], lookUps: readonly LookUp[]): number {
  let count = 0;
  let next = 0;
  // Of the look-ups that may have sent a GET, the one that is over first is the least use to later
  // GETs.
  const begun: LookUp[] = [];
  for (const get of gets) {
    for (const lookUp of lookUps.slice(next)) {
      if (lookUp.since >= get.received) break;
      next++;
      const place = begun.findIndex(({ until }) => until > lookUp.until);
      begun.splice(place < 0 ? begun.length : place, 0, lookUp);
    }
    const place = begun.findIndex(({ until }) => get.completed < until);
    if (place < 0) count++;
    else begun.splice(place, 1);
  }
  return count;
}

/**
 * Whether each of `all` can have a partner of its own (a maximum matching, by augmenting paths).
 */
function canPair<Item, Partner>(
  all: readonly Item[],
  partners: readonly Partner[],
  fits: (item: Item, partner: Partner) => boolean,
): boolean {
  const taken = new Map<Partner, Item>();
  const finds = (item: Item, tried: Set<Partner>): boolean => {
    for (const partner of partners) {
      if (tried.has(partner) || !fits(item, partner)) continue;
      tried.add(partner);
      const other = taken.get(partner);
      if (other !== undefined && !finds(other, tried)) continue;
      taken.set(partner, item);
      return true;
    }
    return false;
  };
  return all.every((item) => finds(item, new Set()));
}
