import { lookUpItem } from './collector/lookup.ts';
import type { Cluster, SLOTS } from './state/cluster.ts';
import { dependentKeys, grouped, instancesOf, possibleObjects } from './state/instances.ts';
import { isWatched } from './state/kinds.ts';
import { identityOfNode, type NodeId } from './state/nodes.ts';
import { keyOf, type ObjectKey, type Uid } from './state/objects.ts';
import type { Setup } from './state/setup.ts';
import { worldOf } from './system.ts';

type Parameters = Readonly<Record<string, string | number | boolean>>;

/** Same structure as the checker's `Confluence`. */
export interface DeletionConfluence {
  readonly writes: readonly (keyof typeof SLOTS)[];
  readonly actions: readonly string[];
  isConfluent(cluster: Cluster, action: string, parameters: Parameters): boolean;
}

/**
 * A delete worker (`attemptToDeleteItem`, 1.20) can continue at once if it takes an item whose
 * object is gone for good, or is about to GET such an item. The only effect is a delete event that
 * the collector makes itself (or none, depending on the flags of the node); then the worker is idle
 * again. Null if the argument below does not apply.
 *
 * Why no run is lost: the object stays gone, so a later GET has the same answer. No step reads the
 * event before it is handled, and the event can wait as long as the item would have waited: the
 * graph changes no earlier than in a run that delays the item. If the item is added again in the
 * meantime, it waits until the event has been handled, as it would wait behind the item. If the
 * node would have been skipped later, there is one more event. That event is handled after the
 * watch has shown the deletion, and finds no node.
 *
 * Three more steps change only what nobody will look at, so they can be taken at once. A worker
 * drops an item whose node is being deleted and not waiting for dependents (`itemsBeingDeleted`).
 * If the node starts to wait for them later, that event queues the item again. And an event of a
 * deletion finds no node in the graph, if the object is gone for good and is nobody's owner: no
 * reference to it can make a node, and no earlier event of it is left. For such a leaf, a second
 * event of the collector's own changes nothing either.
 *
 * The argument needs four facts: the watch shows each deletion, no uid returns, a GET that finds
 * nothing is answered 404, and a uid has one name in the queues.
 */
export function confluenceOf(setup: Setup): DeletionConfluence | null {
  if (!isUndisturbed(setup)) return null;
  const places = placesOfMortals(setup);
  const owners = dependentKeys(setup);
  const { otherDependents = {} } = setup;
  const leaves = new Set(
    [...places.keys()].filter(
      (uid) => (owners.get(uid) ?? []).length === 0 && otherDependents[uid] === undefined,
    ),
  );
  const isForgotten = (cluster: Cluster, uid: Uid): boolean =>
    leaves.has(uid) && cluster.graph[uid] === undefined;
  const skips = setup.rules.itemsBeingDeleted === 'skipped';
  const isGone = (cluster: Cluster, node: NodeId): boolean => {
    const { uid } = identityOfNode(node);
    const keys = places.get(uid);
    if (keys === undefined) return false;
    // For a leaf, a second event would find nothing.
    if (!leaves.has(uid) && cluster.graphChanges[node] !== undefined) return false;
    return keys.every((key) => cluster.store[key]?.uid !== uid);
  };
  return {
    writes: ['attemptToDelete', 'processing', 'deleteWorkers', 'graphChanges', 'watch'],
    actions: ['takeForDelete', 'attemptToDelete', 'deliver', 'deliverVirtualDelete'],
    isConfluent: (cluster, action, { worker, node, kind }) => {
      switch (action) {
        case 'takeForDelete':
          return (skips && isSkipped(cluster, String(node))) || isGone(cluster, String(node));
        case 'deliver': {
          const [event] = cluster.watch[String(kind)] ?? [];
          return event?.type === 'delete' && isForgotten(cluster, event.object.identity.uid);
        }
        case 'deliverVirtualDelete':
          return isForgotten(cluster, identityOfNode(String(node)).uid);
        default: {
          const busy = cluster.deleteWorkers[String(worker)];
          return busy?.at === 'getItem' && isGone(cluster, busy.node);
        }
      }
    },
  };
}

/** Whether a worker that takes the item looks at the flags of its node only, and drops it. */
function isSkipped(cluster: Cluster, id: NodeId): boolean {
  const queued = cluster.attemptToDelete[id];
  if (queued !== 'current') return queued === 'detachedDeleting';
  const node = cluster.graph[identityOfNode(id).uid];
  return node?.beingDeleted === true && !node.deletingDependents;
}

/** Whether watches show every change and the collector's reads are answered from the store. */
function isUndisturbed(setup: Setup): boolean {
  const { rules, users, relists, lostEvents = {}, discovery, definitions = [], lags = 0 } = setup;
  const { neverSyncs = [], syncsLate = [], notInstalled = [], orderedDelivery } = setup;
  // With its memory in the state, the steps that end the work on an item have a further effect.
  const { rateLimiter } = setup;
  const requests = Object.values(users).flatMap((steps) => steps.map(({ request }) => request.do));
  return (
    rules.foregroundDeletion === 'deleteWorkers' &&
    rules.absenceProof === 'liveRead' &&
    Object.keys(relists).length === 0 &&
    Object.keys(lostEvents).length === 0 &&
    discovery === undefined &&
    orderedDelivery === undefined &&
    rateLimiter === undefined &&
    [definitions, neverSyncs, syncsLate, notInstalled].every(({ length }) => length === 0) &&
    lags === 0 &&
    !requests.some((request) =>
      ['serveVersion', 'stopControllers', 'startControllers'].includes(request),
    )
  );
}

/**
 * For each uid that is gone for good once no object has it: the keys that such an object can have.
 * Uids of objects that are created while the model runs are not included.
 */
function placesOfMortals(setup: Setup): ReadonlyMap<Uid, readonly ObjectKey[]> {
  const world = worldOf(setup);
  const objects = possibleObjects(setup);
  const nodes = instancesOf(setup).nodes.map(identityOfNode);
  const holdersOf = grouped(objects, ({ uid }) => uid);
  const namesOf = grouped(nodes, ({ uid }) => uid);
  const stored = new Set(setup.objects);
  const mortals = new Map<Uid, readonly ObjectKey[]>();
  for (const [uid, names] of namesOf) {
    const holders = holdersOf.get(uid) ?? [];
    if (
      names.length === 1 &&
      names.every((node) => lookUpItem(world, node).kind === 'key') &&
      holders.length <= 1 &&
      holders.every((object) => stored.has(object) && isWatched(setup, object.kind))
    ) {
      mortals.set(uid, holders.map(keyOf));
    }
  }
  return mortals;
}
