import type { ObjectKey } from '../../../model/index.ts';
import { isDryRun, keyOfChange, keyOfRequest, mayCreate } from './keys.ts';
import type { SeenChange, SeenObject, SeenPlace, SeenRequest, Trace } from './observations.ts';

/**
 * The known order of observations. The requests give one sequence of instants: when the API server
 * received each request and when it answered. The changes in the store give another sequence, in
 * the order of resourceVersions. Only the resourceVersions in answers connect the two.
 */

/** An instant with an observation. `end` comes after all others. */
export type Instant =
  | { readonly at: 'received' | 'completed'; readonly request: number }
  /** In logs without requests: the next change in the store. */
  | { readonly at: 'change' }
  | { readonly at: 'end' };

/** A change in the store with its position among the others. */
export interface Change {
  readonly key: ObjectKey;
  readonly seen: SeenChange;
  /** The change happened after the instant with this index; -1 if nothing is known. */
  readonly after: number;
}

export interface Timeline {
  readonly instants: readonly Instant[];
  readonly changes: readonly Change[];
  /** Whether removals are among the changes. Changes derived from answers have none. */
  readonly removals: boolean;
  /** By key: indices of the instants at which the collector sent a GET for it. */
  readonly collectorGets: ReadonlyMap<ObjectKey, readonly number[]>;
}

export function timelineOf(trace: Trace): Timeline {
  const instants = instantsOf(trace);
  const changes = trace.changes ?? changesInAnswers(trace.requests);
  return {
    instants,
    changes: withEarliestInstants(changes, trace.requests, instants),
    removals: trace.changes !== null,
    collectorGets: collectorGets(trace.requests, instants),
  };
}

/**
 * The order within one microsecond is unknown: then all requests are received before any answer.
 */
function instantsOf(trace: Trace): readonly Instant[] {
  if (!trace.requestsLogged) {
    const changes = (trace.changes ?? []).map((): Instant => ({ at: 'change' }));
    return [...changes, { at: 'end' }];
  }
  const timed = trace.requests.flatMap(({ received, completed }, request) => [
    { time: received, order: 0, instant: { at: 'received', request } as const },
    { time: completed, order: 1, instant: { at: 'completed', request } as const },
  ]);
  timed.sort((a, b) => a.time - b.time || a.order - b.order);
  return [...timed.map(({ instant }) => instant), { at: 'end' }];
}

/**
 * The changes of a log without watch events: each version of an object in the answer to a writing
 * request, unless an earlier answer showed this version before the request was sent. Removals show
 * no version, so their positions are unknown.
 */
function changesInAnswers(requests: readonly SeenRequest[]): readonly SeenChange[] {
  const shownAt = new Map<string, number>();
  for (const { answer, completed } of requests) {
    if (answer === null || answer.resourceVersion === null) continue;
    const version = `${answer.uid} ${answer.resourceVersion}`;
    shownAt.set(version, Math.min(shownAt.get(version) ?? completed, completed));
  }
  const written = new Map<string, SeenChange>();
  for (const request of [...requests].sort((a, b) => a.received - b.received)) {
    const { answer, name } = request;
    if (answer === null || answer.resourceVersion === null || isDryRun(request)) continue;
    const version = `${answer.uid} ${answer.resourceVersion}`;
    if (request.verb === 'get' || mayShowRemoval(request.verb, answer)) continue;
    const old = (shownAt.get(version) ?? request.completed) < request.received;
    if (old || written.has(version) || name === null) continue;
    const type = mayCreate(request) ? 'ADDED' : 'MODIFIED';
    const { place, kind, namespace } = request;
    written.set(version, { place, type, kind, namespace, name, object: answer, pod: null });
  }
  return [...written.values()].sort((a, b) =>
    compareVersions(a.object.resourceVersion ?? '', b.object.resourceVersion ?? ''),
  );
}

/**
 * An update that takes off the last finalizer and removes the object is answered with the version
 * that it has read, without the finalizers.
 */
function mayShowRemoval(
  verb: SeenRequest['verb'],
  { deletionTimestamp, deletionGracePeriodSeconds, finalizers, specFinalizers }: SeenObject,
): boolean {
  if (verb !== 'update' && verb !== 'patch') return false;
  const isHeld = finalizers.length > 0 || (specFinalizers ?? []).length > 0;
  return deletionTimestamp !== null && !isHeld && (deletionGracePeriodSeconds ?? 0) === 0;
}

/** Versions are etcd revisions: decimal numbers that may be too long for a double. */
export function compareVersions(a: string, b: string): number {
  return a.length - b.length || (a < b ? -1 : a > b ? 1 : 0);
}

/**
 * Finds the earliest instant of each change, for three reasons. First, an answer with a version of
 * an object was read before the next version was written, so the next change came after the API
 * server received that request. Second, a change is made by a request, which must be received
 * first. Third, the changes happen in their order.
 */
function withEarliestInstants(
  changes: readonly SeenChange[],
  requests: readonly SeenRequest[],
  instants: readonly Instant[],
): readonly Change[] {
  const receivedAt: number[] = [];
  const completedAt: number[] = [];
  instants.forEach((instant, index) => {
    if (instant.at === 'received') receivedAt[instant.request] = index;
    if (instant.at === 'completed') completedAt[instant.request] = index;
  });
  const followers = followersOf(changes);
  const after: number[] = changes.map(() => -1);
  requests.forEach(({ answer }, index) => {
    if (answer === null || answer.resourceVersion === null) return;
    const next = followers.get(`${answer.uid} ${answer.resourceVersion}`);
    if (next !== undefined) after[next] = Math.max(after[next] ?? -1, receivedAt[index] ?? -1);
  });
  const writers = writersByPlace(requests);
  let latest = -1;
  return changes.map((seen, index) => {
    latest = Math.max(latest, after[index] ?? -1);
    const possible = (writers.get(placeOf(seen)) ?? []).filter(
      (writer) =>
        (completedAt[writer] ?? -1) > latest && mayHaveMade(requests[writer] as SeenRequest, seen),
    );
    const first = Math.min(...possible.map((writer) => receivedAt[writer] ?? -1));
    if (possible.length > 0) latest = Math.max(latest, first);
    return { key: keyOfChange(seen), seen, after: latest };
  });
}

function placeOf({ kind, namespace }: SeenPlace): string {
  return `${kind.name}/${namespace}`;
}

function writersByPlace(requests: readonly SeenRequest[]): ReadonlyMap<string, readonly number[]> {
  const writers = new Map<string, number[]>();
  requests.forEach((request, index) => {
    if (request.verb === 'get' || request.code >= 500) return;
    const place = placeOf(request);
    writers.set(place, [...(writers.get(place) ?? []), index]);
  });
  return writers;
}

/** By name and version. A removal shows no version, and a collection no names. */
function mayHaveMade(request: SeenRequest, { type, name, object }: SeenChange): boolean {
  if (request.name !== null && request.name !== name) return false;
  const version = request.answer?.resourceVersion ?? null;
  if (type === 'DELETED' || version === null || request.verb === 'delete') return true;
  return version === object.resourceVersion;
}

/** By version of an object: the index of the change that replaces that version. */
function followersOf(changes: readonly SeenChange[]): ReadonlyMap<string, number> {
  const followers = new Map<string, number>();
  const last = new Map<string, string>();
  changes.forEach(({ object }, index) => {
    const before = last.get(object.uid);
    if (before !== undefined) followers.set(`${object.uid} ${before}`, index);
    if (object.resourceVersion === null) last.delete(object.uid);
    else last.set(object.uid, object.resourceVersion);
  });
  return followers;
}

function collectorGets(
  requests: readonly SeenRequest[],
  instants: readonly Instant[],
): ReadonlyMap<ObjectKey, readonly number[]> {
  const gets = new Map<ObjectKey, number[]>();
  instants.forEach((instant, index) => {
    if (instant.at !== 'received') return;
    const request = requests[instant.request];
    const key = request === undefined ? null : keyOfRequest(request);
    if (request?.collector !== true || request.verb !== 'get' || key === null) return;
    gets.set(key, [...(gets.get(key) ?? []), index]);
  });
  return gets;
}
