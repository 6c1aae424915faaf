import { identityOfNode, type ObjectKey, type Uid } from '../../../model/index.ts';
import type { LoggedGet, SharedKey, TraceContext } from './context.ts';
import { candidates, lateness } from './pending-gets.ts';
import { mayListAgain, type TraceState } from './trace-state.ts';
import { workerSlots } from './workers.ts';

/**
 * Keys of owners. The worker of an owner sends GETs for it, and so do the workers of its dependents.
 * Which of them has sent a GET stays open until it matters. But a worker has one request at a time, so
 * a wrong step can be seen long before the search gets to the GET that no worker is left for.
 */

/** The shared keys of the log, as far as it shows enough of them. */
export function sharedKeysIn({
  timeline,
  trace,
  relations,
  orphaned,
}: Pick<TraceContext, 'timeline' | 'trace' | 'relations' | 'orphaned'>): readonly SharedKey[] {
  if (!timeline.removals) return [];
  const gets = collectorGets({ timeline, trace });
  // An answer that is not shown may have any owners.
  const isHidden = ({ request }: LoggedGet): boolean =>
    trace.requests[request]?.code === 200 && trace.requests[request].answer === null;
  if (gets.some(isHidden)) return [];
  const found: SharedKey[] = [];
  for (const [key, received] of timeline.collectorGets) {
    const [uid, ...others] = relations.uidsUnder(key);
    if (uid === undefined || others.length > 0 || received.length < 2) continue;
    if (!relations.hasOneNode(uid) || orphaned.has(uid)) continue;
    const reads = gets.flatMap((get) => {
      const references = trace.requests[get.request]?.answer?.ownerReferences ?? [];
      const lookUps = references.filter((reference) => reference.uid === uid).length;
      return lookUps === 0 ? [] : [{ ...get, lookUps }];
    });
    if (reads.length === 0) continue;
    const own = gets.filter((get) => received.includes(get.received));
    found.push({ key, uid, gets: own, reads });
  }
  return found;
}

/** In the order in which they are received. */
function collectorGets({
  timeline,
  trace,
}: Pick<TraceContext, 'timeline' | 'trace'>): readonly LoggedGet[] {
  const completed = new Map<number, number>();
  timeline.instants.forEach((instant, at) => {
    if (instant.at === 'completed') completed.set(instant.request, at);
  });
  return timeline.instants.flatMap((instant, received) => {
    if (instant.at !== 'received') return [];
    const { request } = instant;
    const seen = trace.requests[request];
    if (seen?.collector !== true || seen.verb !== 'get') return [];
    const answered = completed.get(request) ?? Number.POSITIVE_INFINITY;
    return [{ request, received, completed: answered }];
  });
}

/**
 * Whether a shared key has more GETs than workers can still send. Such a state explains nothing.
 *
 * Each GET of the key that is left is sent by the worker of the owner, which sends the next one only
 * after it is answered, or by the worker of a dependent, once for each time that it reads the
 * dependent. So for each of these GETs the GETs up to it are counted: they are at most as many as can
 * follow each other, and as the times at which dependents were read before.
 */
export function exceedsWorkers(context: TraceContext, state: TraceState, index: number): boolean {
  if (!context.reduced || context.partial || mayListAgain(state)) return false;
  return context.sharedKeys.some((shared) => isExceeded(context, state, shared, index));
}

function isExceeded(
  context: TraceContext,
  state: TraceState,
  shared: SharedKey,
  index: number,
): boolean {
  const { key, uid } = shared;
  const left = getsLeft(state, shared.gets, key, index);
  if (left.length < 2) return false;
  const own = candidates(context, state, key).find(
    ({ slot }) => slot.role === 'delete' && identityOfNode(slot.node).uid === uid,
  );
  const since = own === undefined ? index - 1 : lateness(state, key, own.sender);
  const lookUps = lookUpsLeft(context, state, shared, index);
  let inTurn = 0;
  let busyUntil = -1;
  let byDependents = 0;
  for (const [position, { received, completed }] of left.entries()) {
    if (received > since) {
      // Of GETs that overlap, the one that ends first leaves the most time for others. A worker that
      // has sent a GET before now sends the next one from now on.
      const isNext = inTurn === 0 || (received >= index && received > busyUntil);
      if (isNext) inTurn++;
      busyUntil = isNext ? completed : Math.min(busyUntil, completed);
    }
    while ((lookUps[byDependents] ?? Number.POSITIVE_INFINITY) < received) byDependents++;
    if (position >= inTurn + byDependents) return true;
  }
  return false;
}

/** The GETs of a key that are still to come or have no certain sender yet, in order. */
function getsLeft(
  { pendingGets }: TraceState,
  gets: readonly LoggedGet[],
  key: ObjectKey,
  index: number,
): readonly LoggedGet[] {
  const pending = new Set((pendingGets[key] ?? []).map(({ request }) => request));
  return gets.filter(({ request, received }) => received >= index || pending.has(request));
}

/**
 * The times at which workers of dependents can look up the owner, in order: each is the index of an
 * instant after which the GET is received.
 */
function lookUpsLeft(
  context: TraceContext,
  state: TraceState,
  { key, uid, reads }: SharedKey,
  index: number,
): readonly number[] {
  const found: number[] = [];
  const senders = new Set(candidates(context, state, key).map(({ sender }) => sender));
  for (const { sender, role, node } of workerSlots(state)) {
    const worker = role === 'delete' ? state.cluster.deleteWorkers[node] : undefined;
    if (worker?.at !== 'getOwner') continue;
    const references = worker.live.ownerReferences.slice(worker.classes.length);
    const count = references.filter((reference) => reference.uid === uid).length;
    for (let one = 0; one < count; one++) {
      const isNext = one === 0 && senders.has(sender);
      found.push(isNext ? lateness(state, key, sender) : index - 1);
    }
  }
  for (const { request, received, completed, lookUps } of reads) {
    if (received < index && !isPending(state, request)) continue;
    for (let one = 0; one < lookUps; one++) found.push(Math.max(completed, index - 1));
  }
  return found.sort((a, b) => a - b);
}

function isPending({ pendingGets }: TraceState, request: number): boolean {
  return Object.values(pendingGets).some((gets) => gets.some((get) => get.request === request));
}
