import { type Cluster, identityOfNode, nodeId, type OwnerReference } from '../../../model/index.ts';
import type { Names } from './names.ts';
import type { RunState } from './run-state.ts';

/** The collector's state in the format of the cases. */

interface QueueItem {
  readonly ref: string;
  readonly virtual: boolean;
}

/** The nodes in a work queue, in order. */
export function queueOf(
  names: Names,
  cluster: Cluster,
  queue: 'attemptToDelete' | 'attemptToOrphan',
): readonly QueueItem[] {
  return Object.entries(cluster[queue]).map(([id, entry]) => {
    const node = cluster.graph[identityOfNode(id).uid];
    const current = node !== undefined && nodeId(node.identity) === id && entry === 'current';
    return { ref: names.ofNode(id), virtual: current ? node.virtual : entry === 'detachedVirtual' };
  });
}

/** The items of the event queue, in order. */
export function eventQueueOf(
  names: Names,
  state: RunState,
  nameReference: (reference: OwnerReference) => unknown,
): readonly object[] {
  return state.eventQueue.map((queued) => {
    if ('virtual' in queued) {
      return { type: 'delete', virtual: true, object: names.ofNode(queued.virtual), owners: [] };
    }
    const { stream } = queued;
    const event = state.cluster.watch[stream]?.[0];
    if (event === undefined) throw new Error(`there is no event in ${stream}`);
    return {
      type: event.type,
      virtual: false,
      object: names.ofIdentity(event.object.identity),
      owners: event.object.ownerReferences.map(nameReference),
    };
  });
}

/**
 * The memory of absent owners. A protocol may remember only uids instead of whole identities.
 *
 * @param byIdentity shows an entry that is an identity.
 * @param byUid shows an entry that is a uid.
 */
export function absentOwnersOf<Shown>(
  cluster: Cluster,
  byIdentity: (node: string) => Shown,
  byUid: (uid: string) => Shown,
): readonly Shown[] {
  return Object.keys(cluster.absentOwners).map((key) =>
    key.startsWith('[') ? byIdentity(key) : byUid(key),
  );
}

/** The dependents of every node that has some, sorted by name. */
export function dependentsOf(
  names: Names,
  cluster: Cluster,
): Readonly<Record<string, readonly string[]>> {
  const nameOf = (uid: string): string => {
    const node = cluster.graph[uid];
    return node === undefined ? `uid ${uid}` : names.ofIdentity(node.identity);
  };
  return Object.fromEntries(
    Object.entries(cluster.dependents).map(([uid, list]) => [nameOf(uid), list.map(nameOf).sort()]),
  );
}

export function sortedLists(
  lists: Readonly<Record<string, readonly string[]>>,
): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(Object.entries(lists).map(([name, list]) => [name, [...list].sort()]));
}
