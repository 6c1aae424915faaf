import { FOREGROUND, type ObjectKey, type Uid } from '../../../../model/index.ts';
import { keyOfRequest } from '../../logs/keys.ts';
import type { SeenObject, SeenRequest } from '../../logs/observations.ts';
import type { DependentRead, LoggedGet, SharedKey, TraceContext } from '../context.ts';
import { isAboutItemAlone } from '../scope.ts';

type Seen = Pick<
  TraceContext,
  'timeline' | 'trace' | 'relations' | 'orphaned' | 'world' | 'partial'
>;

/** A request of a worker for the item that it holds, or a GET of a dependent's worker. */
interface ItemRequest extends LoggedGet {
  readonly seen: SeenRequest;
}

/**
 * Keys of owners. The worker of an owner sends GETs for it, and so do the workers of its
 * dependents. This is what the log shows of them before the search. Empty if it does not show
 * enough.
 */
export function sharedKeysIn(seen: Seen): readonly SharedKey[] {
  if (!seen.timeline.removals || seen.partial) return [];
  const requests = itemRequests(seen);
  // An answer that is not shown may have any owners.
  const isHidden = ({ seen: { verb, code, answer } }: ItemRequest): boolean =>
    verb === 'get' && code === 200 && answer === null;
  if ([...requests.values()].some((all) => all.some(isHidden))) return [];
  return [...requests].flatMap(([key, all]) => {
    const uid = uidWithOneWorker(seen, key);
    const gets = all.filter(({ seen: { verb } }) => verb === 'get');
    if (uid === null || gets.length < 2) return [];
    const present = presentUntil(seen, uid, gets);
    const reads = [...requests].flatMap(([from, sent]) => readsOf(seen, uid, present, from, sent));
    if (reads.length === 0) return [];
    return [
      {
        ...{ key, uid, gets, reads: reads.sort((a, b) => a.received - b.received) },
        ...wakesIn(seen, uid, all, requests),
      },
    ];
  });
}

/**
 * A worker that reads the owner with its finalizer sends a patch next, unless the log ends before.
 * A worker that does not find the owner any more sends none: that cannot be if its own patch
 * removed the owner.
 */
function unpairedIn(own: readonly ItemRequest[], last: ItemRequest | undefined): number {
  const isLate = own.some(
    ({ received, seen: { verb, answer } }) =>
      verb === 'get' && isInForeground(answer) && received > (last?.received ?? -1),
  );
  return (isLate ? 1 : 0) + (removes(last?.seen) ? 0 : 1);
}

/** An update that takes off the last finalizer of an object that is being deleted removes it. */
function removes(patch: SeenRequest | undefined): boolean {
  const answer = patch?.code === 200 ? patch.answer : null;
  return answer?.deletionTimestamp != null && answer.finalizers.length === 0;
}

function isInForeground(answer: SeenObject | null): boolean {
  return answer?.deletionTimestamp != null && answer.finalizers.includes(FOREGROUND);
}

/** What the log shows of what puts the owner into the queue. */
function wakesIn(
  { relations, world }: Seen,
  owner: Uid,
  own: readonly ItemRequest[],
  requests: ReadonlyMap<ObjectKey, readonly ItemRequest[]>,
): Pick<
  SharedKey,
  'inForeground' | 'counted' | 'patches' | 'unpaired' | 'wakesAreKnown' | 'failures' | 'absentReads'
> {
  const patches = own.filter(({ seen: { verb } }) => verb === 'patch');
  const requestsWith = (isMeant: (request: SeenRequest) => boolean): ReadonlySet<number> =>
    new Set(own.flatMap(({ request, seen }) => (isMeant(seen) ? [request] : [])));
  const dependents = relations.dependentsOf(owner);
  const absentReads = new Map<Uid, readonly LoggedGet[]>(
    [...dependents].map((uid) => {
      const all = [...requests].filter(([key]) => relations.uidsUnder(key).has(uid));
      return [uid, all.flatMap(([, sent]) => sent.filter((one) => !finds(one, uid)))];
    }),
  );
  return {
    inForeground: requestsWith(({ answer }) => isInForeground(answer)),
    counted: requestsWith(({ code, answer }) => code === 404 || isInForeground(answer)),
    wakesAreKnown:
      // A PUT of the finalizers is not told from other updates.
      world.rules.finalizerRemoval === 'patch' &&
      world.rules.foregroundDeletion === 'deleteWorkers' &&
      world.rules.replacedObject === 'updated' &&
      !isFoundLate(owner, own) &&
      relations.ownersOf(owner).size === 0 &&
      [...dependents].every((uid) => relations.hasOneNode(uid)),
    patches,
    unpaired: unpairedIn(own, patches.at(-1)),
    failures: own.filter(
      ({ seen: { verb, code } }) => code >= 400 && (verb !== 'get' || code !== 404),
    ),
    absentReads,
  };
}

/**
 * Whether a GET finds the owner after another has not. Then the graph may lose the node although
 * the object is there. A worker takes such a node from the queue again and again.
 */
function isFoundLate(owner: Uid, own: readonly ItemRequest[]): boolean {
  const gets = own.filter(({ seen: { verb } }) => verb === 'get');
  const missed = gets.filter(({ seen: { code } }) => code === 404);
  const first = Math.min(...missed.map(({ completed }) => completed));
  return gets.some((get) => finds(get, owner) && get.received > first);
}

function finds({ seen: { verb, code, answer } }: ItemRequest, uid: Uid): boolean {
  return code < 400 && (verb !== 'get' || answer?.uid === uid);
}

/** By key: the collector's GETs, DELETEs and patches of finalizers, in order. */
function itemRequests(seen: Seen): ReadonlyMap<ObjectKey, readonly ItemRequest[]> {
  const { timeline, trace } = seen;
  const completed = new Map<number, number>();
  timeline.instants.forEach((instant, at) => {
    if (instant.at === 'completed') completed.set(instant.request, at);
  });
  const found = new Map<ObjectKey, ItemRequest[]>();
  timeline.instants.forEach((instant, received) => {
    if (instant.at !== 'received') return;
    const { request } = instant;
    const sent = trace.requests[request];
    const key = sent === undefined ? null : keyOfRequest(sent);
    if (sent?.collector !== true || key === null) return;
    if (sent.verb !== 'get' && !isAboutItemAlone(seen, request)) return;
    const until = completed.get(request) ?? Number.POSITIVE_INFINITY;
    const own = found.get(key) ?? [];
    own.push({ request, received, completed: until, seen: sent });
    found.set(key, own);
  });
  return found;
}

/** The only object of the key, if no two workers can hold it at a time; null otherwise. */
function uidWithOneWorker({ relations, orphaned }: Seen, key: ObjectKey): Uid | null {
  const [uid, ...others] = relations.uidsUnder(key);
  if (uid === undefined || others.length > 0) return null;
  return relations.hasOneNode(uid) && !orphaned.has(uid) ? uid : null;
}

/**
 * Index of the instant until which no worker can know the owner to be absent: its removal, or a GET
 * that does not find it.
 */
function presentUntil({ timeline }: Seen, uid: Uid, gets: readonly ItemRequest[]): number {
  const missed = gets.find(({ seen: { code, answer } }) => code !== 200 || answer?.uid !== uid);
  const removed = timeline.changes.find(
    ({ seen: { type, object } }) => type === 'DELETED' && object.uid === uid,
  );
  const never = Number.POSITIVE_INFINITY;
  return Math.min(missed?.received ?? never, removed?.after ?? never);
}

/**
 * The GETs of a key that read a dependent of the owner. If nothing else sends requests for the key,
 * the next one shows until when the worker has looked up the owner, and a DELETE that it has.
 */
function readsOf(
  seen: Seen,
  owner: Uid,
  present: number,
  key: ObjectKey,
  requests: readonly ItemRequest[],
): readonly DependentRead[] {
  const uid = uidWithOneWorker(seen, key);
  const isAlone = uid !== null && seen.relations.dependentsOf(uid).size === 0;
  const { rules } = seen.world;
  const looksUp = rules.absenceProof !== 'graph' && rules.collectorDeletePrecondition === 'uid';
  return requests.flatMap(({ request, received, completed, seen: { verb, answer } }, index) => {
    if (verb !== 'get') return [];
    const references = (answer?.ownerReferences ?? []).filter((one) => one.uid === owner);
    if (references.length === 0) return [];
    const next = isAlone ? requests[index + 1] : undefined;
    const until = next?.received ?? Number.POSITIVE_INFINITY;
    const isCertain = looksUp && next?.seen.verb === 'delete' && until <= present;
    const read = { request, received, completed, key, times: references.length, until, isCertain };
    return [read];
  });
}
