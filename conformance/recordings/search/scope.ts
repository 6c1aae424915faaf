import {
  identityOfNode,
  type ObjectKey,
  type OwnerReference,
  objectKey,
  resolveKind,
  type Uid,
} from '../../../model/index.ts';
import type { SeenObject, SeenPlace, Trace } from '../logs/observations.ts';
import { type Change, keyOfChange, keyOfRequest } from '../logs/timeline.ts';
import { isJson } from '../matching/patches.ts';
import { requestOfTrial, type Trial } from './context.ts';
import type { TraceState } from './trace-state.ts';

/**
 * Which events can bear upon a request of the collector for one object? The graph builder puts into
 * its queues the object of an event itself, its owners and its dependents, and a worker reads the
 * nodes of its item, of the item's owners and of its dependents. So an event about an object that is
 * none of these, nor another owner of a dependent, can as well be delivered after the request; unless
 * it comes before one that cannot: then what bears upon it matters as well.
 */
export class Neighbours {
  readonly #uids = new Map<ObjectKey, Set<Uid>>();
  readonly #owners = new Map<Uid, Set<Uid>>();
  readonly #dependents = new Map<Uid, Set<Uid>>();
  /** What dependents and the log itself say of an owner: one thing, if they agree. */
  readonly #accounts = new Map<Uid, Set<string>>();
  readonly #hoods = new Map<Uid, ReadonlySet<Uid>>();
  readonly #trace: Trace;

  constructor(trace: Trace) {
    this.#trace = trace;
    for (const change of trace.changes ?? []) {
      this.#note(change, keyOfChange(change), change.object);
    }
    for (const request of trace.requests) {
      const key = keyOfRequest(request);
      if (request.answer !== null && key !== null) this.#note(request, key, request.answer);
    }
    for (const final of trace.final ?? []) {
      this.#note(final, objectKey(final.kind.name, final.namespace, final.name), final.object);
    }
  }

  #note(place: SeenPlace, key: ObjectKey, object: SeenObject): void {
    add(this.#uids, key, object.uid);
    add(this.#accounts, object.uid, key);
    for (const reference of object.ownerReferences) {
      add(this.#owners, object.uid, reference.uid);
      add(this.#dependents, reference.uid, object.uid);
      // A reference may give its owner another name: the collector looks there.
      const named = this.#keyOf(reference, place.namespace);
      if (named !== null) add(this.#uids, named, reference.uid);
      const { apiVersion, kind, name } = reference;
      const unknown = `${apiVersion} ${kind} ${place.namespace} ${name}`;
      add(this.#accounts, reference.uid, named ?? unknown);
    }
  }

  #keyOf(reference: OwnerReference, namespace: string): ObjectKey | null {
    const kind = resolveKind(this.#trace.kinds, reference.apiVersion, reference.kind);
    if (kind === null) return null;
    return objectKey(kind.name, kind.namespaced ? namespace : '', reference.name);
  }

  /** Uids of the objects that have ever been under this key, or were taken to be. */
  under(key: ObjectKey): ReadonlySet<Uid> {
    return this.#uids.get(key) ?? new Set();
  }

  /**
   * The object, its owners, its dependents and their other owners; where dependents disagree about
   * an owner, the first one to be seen decides for all.
   */
  around(uid: Uid): ReadonlySet<Uid> {
    const known = this.#hoods.get(uid);
    if (known !== undefined) return known;
    const hood = new Set<Uid>([uid]);
    for (const owner of this.#owners.get(uid) ?? []) {
      hood.add(owner);
      if ((this.#accounts.get(owner)?.size ?? 0) < 2) continue;
      for (const sibling of this.#dependents.get(owner) ?? []) hood.add(sibling);
    }
    for (const dependent of this.#dependents.get(uid) ?? []) {
      hood.add(dependent);
      for (const owner of this.#owners.get(dependent) ?? []) hood.add(owner);
    }
    this.#hoods.set(uid, hood);
    return hood;
  }
}

function add<Key, Value>(map: Map<Key, Set<Value>>, key: Key, value: Value): void {
  const set = map.get(key);
  if (set === undefined) map.set(key, new Set([value]));
  else set.add(value);
}

/** The objects whose events bear upon a request; null for everything. */
export type Scope = ReadonlySet<Uid> | null;

/**
 * The scope of a request of the collector: what is around the object that it goes to, and around
 * every object in the scope for which something is under way, or which has an event before one of
 * the scope in the same stream. To a DELETE or a patch of finalizers a worker comes for its own item,
 * so that what other workers are about does not matter.
 *
 * @param request null for the scope of everything.
 */
export function scopeOf(
  trial: Trial,
  state: TraceState,
  index: number,
  request: number | null,
): Scope {
  const key = request === null ? null : (trial.keys[request] ?? null);
  if (request === null || key === null) return null;
  const scope = new Set<Uid>();
  const reach = (uid: Uid): void => {
    for (const near of trial.neighbours.around(uid)) scope.add(near);
  };
  for (const uid of trial.neighbours.under(key)) reach(uid);
  const moving = new Set(eventsUnderWay(trial, state, index));
  if (!concernsItemAlone(trial, request)) {
    for (const uid of workersUnderWay(trial, state)) moving.add(uid);
  }
  const streams = streamsUnderWay(trial, state, index);
  for (let size = -1; size !== scope.size; ) {
    size = scope.size;
    for (const uid of moving) {
      if (!scope.has(uid)) continue;
      moving.delete(uid);
      reach(uid);
    }
    // Whatever comes before it in its stream has to be delivered first.
    for (const stream of streams) {
      const last = stream.findLastIndex((uid) => scope.has(uid));
      for (const uid of stream.splice(0, last + 1)) reach(uid);
    }
  }
  return scope;
}

/** The objects of the undelivered events, stream by stream in their order. */
function streamsUnderWay(trial: Trial, state: TraceState, index: number): readonly Uid[][] {
  const streams = new Map<string, Uid[]>();
  const add = (kind: string, uid: Uid): void => {
    const stream = streams.get(kind);
    if (stream === undefined) streams.set(kind, [uid]);
    else stream.push(uid);
  };
  for (const [kind, events] of Object.entries(state.cluster.watch)) {
    for (const { object } of events) add(kind, object.identity.uid);
  }
  for (const { seen } of dueChanges(trial, state, index)) add(seen.kind.name, seen.object.uid);
  return [...streams.values()];
}

/**
 * A worker sends it for its own item, and no other worker has a part in that: the GET of the item,
 * which comes before it, has told how the item got to the worker. Where a log has gaps that GET may
 * be missing, so that another worker may have queued the item since.
 */
export function concernsItemAlone(trial: Trial, request: number): boolean {
  if (trial.partial) return false;
  const { verb, body } = requestOfTrial(trial, request);
  if (verb === 'delete') return true;
  const value = body.is === 'value' ? body.value : null;
  const metadata = isJson(value) ? value.metadata : null;
  return verb === 'patch' && isJson(metadata) && 'finalizers' in metadata;
}

/** Objects with undelivered events. */
function eventsUnderWay(trial: Trial, state: TraceState, index: number): readonly Uid[] {
  const { cluster } = state;
  return [
    ...Object.values(cluster.watch).flatMap((events) =>
      events.map(({ object }) => object.identity.uid),
    ),
    ...dueChanges(trial, state, index).map(({ seen }) => seen.object.uid),
    ...Object.keys(cluster.graphChanges).map((node) => identityOfNode(node).uid),
  ];
}

/** Objects with a worker that has yet to look at their dependents. */
function workersUnderWay(trial: Trial, state: TraceState): readonly Uid[] {
  const { cluster } = state;
  const looking = Object.entries(cluster.deleteWorkers).filter(
    ([, { at }]) => at === 'getItem' || at === 'getOwner' || at === 'readBlockingDependents',
  );
  const nodes = [
    ...looking.map(([node]) => node),
    ...Object.keys(cluster.orphanWorkers),
    ...Object.keys(cluster.attemptToOrphan),
  ];
  return [
    ...nodes.map((node) => identityOfNode(node).uid),
    ...Object.keys(state.pools).flatMap((key) => [...trial.neighbours.under(key)]),
  ];
}

export function bears(scope: Scope, uid: Uid): boolean {
  return scope === null || scope.has(uid);
}

/** The changes that may have been written by now, but are not yet explained. */
export function dueChanges(trial: Trial, state: TraceState, index: number): readonly Change[] {
  const { changes } = trial.timeline;
  let end = state.changes;
  while (end < changes.length && (changes[end]?.after ?? index) < index) end++;
  return changes.slice(state.changes, end);
}
