import { identityOfNode, type NodeId, type Uid } from '../../../../model/index.ts';
import type { SeenRequest } from '../../logs/observations.ts';
import { type Lonely, requestAt, type TraceContext } from '../context.ts';
import { keyOfNode } from '../queue-items.ts';
import { deleteSender, mayListAgain, type TraceState } from '../trace-state.ts';

/** The lonely objects of the log, those first whose last GET comes last. */
export function lonelyObjects({
  timeline,
  trace,
  relations,
  foreground,
  orphaned,
}: Pick<
  TraceContext,
  'timeline' | 'trace' | 'relations' | 'foreground' | 'orphaned'
>): readonly Lonely[] {
  if (!timeline.removals) return [];
  const lastStored = new Map<Uid, number>();
  timeline.changes.forEach(({ seen }, index) => {
    if (seen.type !== 'DELETED') lastStored.set(seen.object.uid, index);
  });
  const found: Lonely[] = [];
  for (const [key, gets] of timeline.collectorGets) {
    const [uid, ...others] = relations.uidsUnder(key);
    if (uid === undefined || others.length > 0 || relations.isDisputed(uid)) continue;
    if (relations.dependentsOf(uid).size > 0 || foreground.has(uid) || orphaned.has(uid)) continue;
    const futile = gets.filter((at) => {
      const instant = timeline.instants[at];
      return instant?.at === 'received' && isFutile(trace.requests[instant.request]);
    });
    const lastGet = gets.at(-1);
    if (futile.length === 0 || lastGet === undefined) continue;
    found.push({ key, uid, lastStored: lastStored.get(uid) ?? -1, lastGet, futile });
  }
  return found.sort((a, b) => b.lastGet - a.lastGet);
}

function isFutile(request: SeenRequest | undefined): boolean {
  return request?.code === 404;
}

/**
 * Whether there is an object that the collector cannot look up often enough any more: the log has
 * more GETs that do not find the object than workers can still send. A state with such an object
 * explains nothing.
 *
 * Once a node has left the graph for good, no event and no worker of another object queues it. So
 * only an item that is queued or held already is left of it, and each of the two ends with the
 * first GET that does not find the object. This holds for an object that nothing names as its
 * owner, and for which no finalizer of the collector is removed.
 */
export function lacksGets(context: TraceContext, state: TraceState, index: number): boolean {
  if (!context.reduced || context.partial || mayListAgain(state)) return false;
  for (const lonely of context.lonely) {
    const pending = state.pendingGets[lonely.key];
    if (lonely.lastGet < index && pending === undefined) continue;
    if (!isGone(state, lonely)) continue;
    let wanted = 0;
    for (let at = lonely.futile.length - 1; at >= 0 && (lonely.futile[at] ?? 0) >= index; at--) {
      wanted++;
    }
    for (const { request } of pending ?? []) {
      if (isFutile(requestAt(context, request))) wanted++;
    }
    if (wanted > sendersLeft(context, state, lonely)) return true;
  }
  return false;
}

/** Whether the node has left the graph and nothing can bring it back. */
function isGone({ cluster, changes }: TraceState, { key, uid, lastStored }: Lonely): boolean {
  if (cluster.graph[uid] !== undefined || lastStored >= changes) return false;
  if (cluster.store[key]?.uid === uid) return false;
  return !Object.values(cluster.watch).some((events) =>
    events.some(({ type, object }) => type !== 'delete' && object.identity.uid === uid),
  );
}

/** How many GETs that do not find the object workers can still send. */
function sendersLeft(context: TraceContext, state: TraceState, { key, uid }: Lonely): number {
  const { cluster } = state;
  const isOwn = (node: string): boolean =>
    identityOfNode(node).uid === uid || keyOfNode(context, node) === key;
  return [
    ...Object.keys(cluster.attemptToDelete),
    ...Object.keys(cluster.deleteWorkers).filter((node) => !isAboutToEnd(context, state, node)),
    ...Object.keys(cluster.attemptToOrphan),
    ...Object.keys(cluster.orphanWorkers),
  ].filter(isOwn).length;
}

/**
 * Whether the worker waits for the answer to a DELETE that succeeds: it does not try the item
 * again.
 */
function isAboutToEnd(context: TraceContext, state: TraceState, node: NodeId): boolean {
  if (state.cluster.deleteWorkers[node]?.at !== 'delete') return false;
  const sender = deleteSender(node);
  const open = Object.entries(state.open).find((entry) => entry[1].sender === sender);
  return open !== undefined && requestAt(context, Number(open[0])).code < 400;
}
