import {
  type Cluster,
  equalJson,
  identityOfNode,
  nodeId,
  type OwnerReference,
} from '../../../model/index.ts';
import type { Difference } from './compare-state.ts';
import type { Names } from './names.ts';
import type { RunState } from './run-state.ts';

/** The collector's state in the words of the cases. */

/** Every field that is stated has that value. */
export function agrees(stated: unknown, shown: unknown): boolean {
  if (typeof stated !== 'object' || stated === null || Array.isArray(stated)) {
    return equalJson(stated, shown);
  }
  if (typeof shown !== 'object' || shown === null) return false;
  return Object.entries(stated).every(
    ([key, value]) => value === undefined || agrees(value, Reflect.get(shown, key)),
  );
}

/** A list in order; of each element only what the case states. */
export function compareListed(
  field: string,
  stated: readonly unknown[] | undefined,
  shown: readonly unknown[],
): Difference | null {
  if (stated === undefined) return null;
  const same =
    stated.length === shown.length && stated.every((item, index) => agrees(item, shown[index]));
  return same ? null : { field, expected: stated, got: shown };
}

interface QueueItem {
  readonly ref: string;
  readonly virtual: boolean;
}

/** The node objects that wait, in order. */
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
export function waitingChanges(
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
    if (event === undefined) throw new Error(`no event waits in ${stream}`);
    return {
      type: event.type,
      virtual: false,
      object: names.ofIdentity(event.object.identity),
      owners: event.object.ownerReferences.map(nameReference),
    };
  });
}

export function absentOwnersOf(names: Names, cluster: Cluster): readonly string[] {
  // A protocol may remember uids instead of whole identities.
  return Object.keys(cluster.absentOwners).map((key) =>
    key.startsWith('[') ? names.ofNode(key) : `uid ${key}`,
  );
}

/** For every node that has any: its dependents, sorted by name. */
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
