import { produce } from 'immer';
import { knowsAbsent } from '../../collector/absent-owners.ts';
import { getOwner } from '../../collector/classification.ts';
import { stepDeleteWorker } from '../../collector/delete-worker.ts';
import { lookUpItem, lookUpOwner } from '../../collector/lookup.ts';
import type { Cluster } from '../../state/cluster.ts';
import { identityOfNode, type NodeId } from '../../state/nodes.ts';
import { FOREGROUND, ORPHAN } from '../../state/objects.ts';
import type { DeleteWorker, OrphanWorker } from '../../state/workers.ts';
import type { World } from '../../state/world.ts';
import type { Names } from '../../words/names.ts';

/** Words for the steps of the collector's workers that are not writing requests. */

/** A worker takes an item, and can drop it at once. */
export function describeTake(
  names: Names,
  before: Cluster,
  after: Cluster,
  worker: string,
  node: NodeId,
): string {
  const taken = `takes ${names.node(node)} from attemptToDelete`;
  if (after.deleteWorkers[worker] !== undefined) return taken;
  const known = before.graph[identityOfNode(node).uid];
  const why = known?.beingDeleted === true ? 'is being deleted already' : 'needs no check any more';
  return `${taken}, drops it: it ${why}`;
}

/** A step of a delete worker that is a GET or a read of the graph. */
export function describeDeleteStep(
  names: Names,
  world: World,
  before: Cluster,
  after: Cluster,
  worker: string,
): string {
  const old = before.deleteWorkers[worker];
  const now = after.deleteWorkers[worker];
  if (old === undefined) return 'is idle';
  const item = names.node(old.node);
  switch (old.at) {
    case 'getItem':
      switch (lookUpItem(world, identityOfNode(old.node), before).kind) {
        case 'unmapped':
          return `cannot look up ${item}: no such kind is served, so it is queued again`;
        case 'neverServed':
          return `cannot look up ${item}: it has no namespace, so it is dropped`;
        default:
          return `GET ${item} -> ${itemFound(world, before, after, worker, old, now)}`;
      }
    case 'getOwner':
      return ownerFound(names, world, before, old);
    case 'readOwners': {
      const absent = old.live.ownerReferences.filter(({ uid }) => before.graph[uid] === undefined);
      const found = absent.map((reference) =>
        names.owner(reference, identityOfNode(old.node).namespace),
      );
      return `looks for the owners of ${item} in the graph -> ${found.length === 0 ? 'all are there' : `${found.join(', ')} is not there`}`;
    }
    case 'searchCycle':
      return `searches the graph for a cycle through ${item} -> ${now?.at === 'getForFinalizer' ? 'found' : 'none'}`;
    case 'readDependents':
      return `reads dependents of ${item} in the graph -> ${dependents(names, before, old.node)}`;
    case 'readBlockingDependents': {
      const found = now?.at === 'getForFinalizer' ? 'none' : blocking(names, before, old.node);
      return `reads blocking dependents of ${item} in the graph -> ${found}`;
    }
    case 'getForFinalizer':
      return `GET ${item} -> ${finalizerFound(now, FOREGROUND)}`;
    case 'getAfterConflict':
      return `GET ${item} -> ${afterConflict(world, before, worker, now)}`;
    case 'patchOwners':
    case 'unblockOwners':
    case 'delete':
    case 'patchFinalizer':
      return `works on ${item}`;
    default:
      throw new Error(`unknown worker state ${JSON.stringify(old satisfies never)}`);
  }
}

/**
 * Whether the step makes a delete event. Repeats the step without the event that may already be
 * queued.
 */
function findsNothing(world: World, before: Cluster, worker: string): boolean {
  const after = produce({ ...before, graphChanges: {} }, (draft) =>
    stepDeleteWorker(draft, world, worker),
  );
  return Object.keys(after.graphChanges).length > 0;
}

function afterConflict(
  world: World,
  before: Cluster,
  worker: string,
  now: DeleteWorker | undefined,
): string {
  if (now?.at === 'delete') return '200, with the same owners: it is still to be deleted';
  if (findsNothing(world, before, worker)) return '404 NotFound';
  return 'not the object that was looked at, so it is queued again';
}

/** What the GET has found, derived from what the worker records or sends next. */
function itemFound(
  world: World,
  before: Cluster,
  after: Cluster,
  worker: string,
  old: DeleteWorker,
  now: DeleteWorker | undefined,
): string {
  if (findsNothing(world, before, worker)) return '404 NotFound, or another uid';
  if (now?.at === 'readBlockingDependents') return '200, it is deleting its dependents';
  if (now?.at === 'getOwner' || now?.at === 'readOwners') {
    const count = now.live.ownerReferences.length;
    return `200, ${count} owner${count === 1 ? '' : 's'} to look up`;
  }
  if (after.attemptToDelete[old.node] !== undefined) return 'an error, so it is queued again';
  return '200, no owners: nothing to do';
}

function ownerFound(
  names: Names,
  world: World,
  before: Cluster,
  old: Extract<DeleteWorker, { at: 'getOwner' }>,
): string {
  const item = identityOfNode(old.node);
  const reference = old.live.ownerReferences[old.classes.length];
  if (reference === undefined) return `looks at ${names.node(old.node)}`;
  let found: ReturnType<typeof getOwner> = 'failed';
  produce(before, (draft) => {
    found = getOwner(draft, world, old, item);
  });
  const name = names.owner(reference, item.namespace);
  const owner = `${name}, owner of ${names.node(old.node)}`;
  if (found === 'failed') {
    return lookUpOwner(world, reference, item.namespace, before).kind === 'key'
      ? `GET ${owner} -> an error, so it is queued again`
      : `cannot look up ${owner}: no such kind is served, so it is queued again`;
  }
  if (found === 'dropped') return `cannot look up ${owner}: no namespace, so it is dropped`;
  const { classes } = found as Extract<DeleteWorker, { at: 'getOwner' }>;
  const outcome = classes.at(-1) ?? '';
  if (knowsAbsent(before, world, reference, item.namespace)) {
    return `knows ${name} is absent: ${outcome} owner of ${names.node(old.node)}`;
  }
  const status =
    outcome === 'dangling' ? '404 NotFound, or another uid: dangling' : `200: ${outcome}`;
  return `GET ${owner} -> ${status}`;
}

function dependents(names: Names, cluster: Cluster, node: NodeId): string {
  const found = cluster.dependents[identityOfNode(node).uid] ?? [];
  if (found.length === 0) return 'none';
  const deleting = found.filter((uid) => cluster.graph[uid]?.deletingDependents === true);
  return deleting.length === 0
    ? some(names, found)
    : `${some(names, deleting)} waits too: a cycle?`;
}

function blocking(names: Names, cluster: Cluster, node: NodeId): string {
  const { uid } = identityOfNode(node);
  const found = (cluster.dependents[uid] ?? []).filter((dependent) =>
    cluster.graph[dependent]?.owners.some(
      (reference) => reference.uid === uid && reference.blockOwnerDeletion === true,
    ),
  );
  return found.length === 0 ? 'none' : some(names, found);
}

/** The names of the first objects, and how many more there are. */
function some(names: Names, uids: readonly string[]): string {
  const shown = uids.length <= 2 ? uids : uids.slice(0, 1);
  const list = shown.map((uid) => names.uid(uid)).join(', ');
  return shown.length === uids.length ? list : `${list} and ${uids.length - shown.length} more`;
}

function finalizerFound(now: DeleteWorker | OrphanWorker | undefined, finalizer: string): string {
  return now?.at === 'patchFinalizer'
    ? `200, ${finalizer} is to be taken off`
    : `nothing to take ${finalizer} off`;
}

/** A step of an orphan worker that is a GET, or in which the worker gives up. */
export function describeOrphanStep(
  names: Names,
  before: Cluster,
  after: Cluster,
  worker: string,
): string {
  const old = before.orphanWorkers[worker];
  if (old === undefined) return 'is idle';
  const owner = names.node(old.node);
  switch (old.at) {
    case 'awaitGeneration':
      return `GET ${owner} -> ${generationFound(old.generation, after.orphanWorkers[worker])}`;
    case 'readDependents': {
      const uids = Object.keys(callsOf(after.orphanWorkers[worker]));
      return `reads dependents of ${owner} in the graph -> ${uids.length === 0 ? 'none' : some(names, uids)}`;
    }
    case 'patchDependents':
      return `puts ${owner} back into attemptToOrphan: a PATCH has failed`;
    case 'getForFinalizer':
      return `GET ${owner} -> ${finalizerFound(after.orphanWorkers[worker], ORPHAN)}`;
    case 'patchFinalizer':
      return `works on ${owner}`;
    default:
      throw new Error(`unknown worker state ${JSON.stringify(old satisfies never)}`);
  }
}

function generationFound(generation: number, now: OrphanWorker | undefined): string {
  return now?.at === 'readDependents'
    ? `200, generation ${generation} is observed`
    : `generation ${generation} is not observed yet, so it is queued again`;
}

function callsOf(worker: OrphanWorker | undefined): object {
  return worker?.at === 'patchDependents' ? worker.calls : {};
}

/** An orphan worker takes an owner, with the dependents that the graph shows. */
export function describeOrphanTake(
  names: Names,
  after: Cluster,
  worker: string,
  node: NodeId,
): string {
  const now = after.orphanWorkers[worker];
  if (now?.at === 'awaitGeneration') return `takes ${names.node(node)} from attemptToOrphan`;
  const uids = Object.keys(callsOf(now));
  const found = uids.length === 0 ? 'no dependents' : some(names, uids);
  return `takes ${names.node(node)} from attemptToOrphan, to free ${found}`;
}

/** What a delete worker has decided to do with its item. */
export function describeWorkerDecision(
  names: Names,
  before: DeleteWorker | undefined,
  after: DeleteWorker | undefined,
): string | null {
  if (before === undefined || after === undefined || before.at === after.at) return null;
  const item = names.node(after.node);
  if (after.at === 'patchOwners') return `${item} has a solid owner: it keeps that and stays`;
  if (after.at === 'unblockOwners')
    return `${item} is to stop blocking its owners, then to be deleted`;
  if (after.at === 'delete') {
    const { propagationPolicy } = after.call.options;
    if (before.at === 'getOwner' && propagationPolicy === 'Foreground' && !before.live.foreground) {
      return `no owner keeps ${item}, and one waits for it: it is to be deleted`;
    }
    return before.at === 'getOwner' || before.at === 'readOwners'
      ? `${item} has no owner left: it is to be deleted`
      : `${item} has only owners that wait for it: it is to be deleted`;
  }
  if (after.at === 'getForFinalizer' && before.at === 'searchCycle') {
    return `${item} waits for itself in a cycle: ${FOREGROUND} is to be taken off`;
  }
  if (after.at === 'getForFinalizer' && before.at === 'readBlockingDependents') {
    return `nothing blocks ${item}: ${FOREGROUND} is to be taken off`;
  }
  return null;
}
