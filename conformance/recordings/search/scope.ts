import { identityOfNode, type Uid } from '../../../model/index.ts';
import type { Change } from '../logs/timeline.ts';
import { isJson } from '../matching/patches.ts';
import { requestAt, type TraceContext } from './context.ts';
import type { TraceState } from './trace-state.ts';

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
  context: TraceContext,
  state: TraceState,
  index: number,
  request: number | null,
): Scope {
  const key = request === null ? null : (context.keys[request] ?? null);
  if (request === null || key === null) return null;
  const scope = new Set<Uid>();
  const reach = (uid: Uid): void => {
    for (const near of context.relations.relatedTo(uid)) scope.add(near);
  };
  for (const uid of context.relations.uidsUnder(key)) reach(uid);
  const moving = new Set(eventsUnderWay(context, state, index));
  if (!isAboutItemAlone(context, request)) {
    for (const uid of workersUnderWay(context, state)) moving.add(uid);
  }
  const streams = streamsUnderWay(context, state, index);
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
function streamsUnderWay(
  context: TraceContext,
  state: TraceState,
  index: number,
): readonly Uid[][] {
  const streams = new Map<string, Uid[]>();
  const add = (kind: string, uid: Uid): void => {
    const stream = streams.get(kind);
    if (stream === undefined) streams.set(kind, [uid]);
    else stream.push(uid);
  };
  for (const [kind, events] of Object.entries(state.cluster.watch)) {
    for (const { object } of events) add(kind, object.identity.uid);
  }
  for (const { seen } of dueChanges(context, state, index)) add(seen.kind.name, seen.object.uid);
  return [...streams.values()];
}

/**
 * A worker sends it for its own item, and no other worker has a part in that: the GET of the item,
 * which comes before it, has told how the item got to the worker. Where a log has gaps that GET may
 * be missing, so that another worker may have queued the item since.
 */
export function isAboutItemAlone(context: TraceContext, request: number): boolean {
  if (context.partial) return false;
  const { verb, body } = requestAt(context, request);
  if (verb === 'delete') return true;
  const value = body.is === 'value' ? body.value : null;
  const metadata = isJson(value) ? value.metadata : null;
  return verb === 'patch' && isJson(metadata) && 'finalizers' in metadata;
}

/** Objects with undelivered events. */
function eventsUnderWay(context: TraceContext, state: TraceState, index: number): readonly Uid[] {
  const { cluster } = state;
  return [
    ...Object.values(cluster.watch).flatMap((events) =>
      events.map(({ object }) => object.identity.uid),
    ),
    ...dueChanges(context, state, index).map(({ seen }) => seen.object.uid),
    ...Object.keys(cluster.graphChanges).map((node) => identityOfNode(node).uid),
  ];
}

/** Objects with a worker that has yet to look at their dependents. */
function workersUnderWay(context: TraceContext, state: TraceState): readonly Uid[] {
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
    ...Object.keys(state.pendingGets).flatMap((key) => [...context.relations.uidsUnder(key)]),
  ];
}

export function isInScope(scope: Scope, uid: Uid): boolean {
  return scope === null || scope.has(uid);
}

/** The changes that may have been written by now, but are not yet explained. */
export function dueChanges(
  context: TraceContext,
  state: TraceState,
  index: number,
): readonly Change[] {
  const { changes } = context.timeline;
  let end = state.changes;
  while (end < changes.length && (changes[end]?.after ?? index) < index) end++;
  return changes.slice(state.changes, end);
}
