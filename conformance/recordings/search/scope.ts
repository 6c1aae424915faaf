import { identityOfNode, type Uid } from '../../../model/index.ts';
import type { Change } from '../logs/timeline.ts';
import { isJson } from '../matching/json-patch.ts';
import { requestAt, type TraceContext } from './context.ts';
import type { TraceState } from './trace-state.ts';

/** The objects whose events can affect a request; null for all objects. */
export type Scope = ReadonlySet<Uid> | null;

/**
 * The scope of a request of the collector: the objects related to its target, and those related to
 * every object in the scope that has an event or a worker in progress, or that has an event before
 * one of the scope in the same stream. A worker sends a DELETE or a patch of finalizers for its
 * own item, so other workers do not matter then.
 *
 * @param request null for the scope of all objects.
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
    // The events before it in its stream must be delivered first.
    for (const stream of streams) {
      const last = stream.findLastIndex((uid) => scope.has(uid));
      for (const uid of stream.splice(0, last + 1)) reach(uid);
    }
  }
  return scope;
}

/** The objects of the undelivered events, by stream, in order. */
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
 * Whether a worker sends the request for its own item, independently of other workers: the GET of
 * the item comes first and shows how the worker got the item. In a log with gaps that GET may be
 * missing, and another worker may have queued the item since.
 */
export function isAboutItemAlone(
  context: Pick<TraceContext, 'trace' | 'partial'>,
  request: number,
): boolean {
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

/** Objects with a worker that will still read their dependents. */
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

/** The unexplained changes that may have been written by now. */
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
