import { knowsAbsent } from '../../collector/absent-owners.ts';
import { storedOwnerClass } from '../../collector/classification.ts';
import type { Cluster } from '../../state/cluster.ts';
import { identityOfNode, type NodeId } from '../../state/nodes.ts';
import { type ApiObject, FOREGROUND, ORPHAN, type Uid } from '../../state/objects.ts';
import type { DeleteWorker, OrphanWorker } from '../../state/workers.ts';
import type { Context } from '../../words/context.ts';

/**
 * Beliefs of the collector that differ from the store, if a step acts on them: a lagging graph, the
 * memory of absent owners, an object as it was when it was read. A lag that no step acts on gets no
 * line.
 */

export function beliefLine(believed: string, stored: string): string {
  return `believes: ${believed} (stored: ${stored})`;
}

/** An event that shows an object that is gone. */
export function observedBeliefs(
  { names }: Context,
  _parameters: unknown,
  before: Cluster,
  after: Cluster,
): readonly string[] {
  return Object.entries(after.graph).flatMap(([uid, node]) => {
    const known = before.graph[uid];
    if (node.virtual || (known !== undefined && !known.virtual)) return [];
    return storedWith(before, uid) === undefined
      ? [beliefLine(`${names.identity(node.identity)} is there`, 'it is gone')]
      : [];
  });
}

function storedWith(cluster: Cluster, uid: Uid): ApiObject | undefined {
  return Object.values(cluster.store).find((object) => object.uid === uid);
}

function namesOwner(object: ApiObject | undefined, owner: Uid, blocking = false): boolean {
  return (object?.ownerReferences ?? []).some(
    (reference) => reference.uid === owner && (!blocking || reference.blockOwnerDeletion === true),
  );
}

/** The dependents of the node that the worker holds, compared with those that are stored. */
export function dependentsBeliefs(
  { names }: Context,
  cluster: Cluster,
  node: NodeId,
  queuedAs: NodeId = node,
): readonly string[] {
  const { uid } = identityOfNode(node);
  const orphaning = cluster.attemptToOrphan[node] ?? cluster.orphaning[node];
  const held = cluster.processing[queuedAs];
  const known: readonly Uid[] =
    typeof orphaning === 'object'
      ? orphaning.dependents.map((dependent) => identityOfNode(dependent).uid)
      : typeof held === 'object'
        ? held.dependents
        : (cluster.dependents[uid] ?? []);
  const owner = names.node(node);
  const missing = Object.values(cluster.store)
    .filter((object) => namesOwner(object, uid) && !known.includes(object.uid))
    .map((object) => beliefLine(`${names.uid(object.uid)} is no dependent of ${owner}`, 'it is'));
  const former = known.flatMap((dependent) => {
    const object = storedWith(cluster, dependent);
    if (namesOwner(object, uid)) return [];
    const stored = object === undefined ? 'it is gone' : 'it has no such owner';
    return [beliefLine(`${names.uid(dependent)} is a dependent of ${owner}`, stored)];
  });
  return [...missing, ...former];
}

export function orphanWorkerBeliefs(
  context: Context,
  cluster: Cluster,
  worker: OrphanWorker | undefined,
): readonly string[] {
  if (worker?.at === 'readDependents') return dependentsBeliefs(context, cluster, worker.node);
  return worker?.at === 'patchFinalizer' && worker.call.at === 'update'
    ? stillNaming(context, cluster, worker.node, ORPHAN)
    : [];
}

/** A finalizer of the collector is removed while stored dependents still need it. */
function stillNaming(
  { names }: Context,
  cluster: Cluster,
  node: NodeId,
  finalizer: typeof ORPHAN | typeof FOREGROUND,
): readonly string[] {
  const { uid } = identityOfNode(node);
  const blocks = finalizer === FOREGROUND;
  const left = Object.values(cluster.store).filter(
    (object) =>
      namesOwner(object, uid, blocks) &&
      // When the worker breaks a cycle, it knows of these blocking dependents.
      !(blocks && cluster.graph[object.uid]?.owners.some((owner) => owner.uid === uid)),
  );
  if (left.length === 0) return [];
  const list = left.map((object) => names.uid(object.uid)).join(', ');
  return blocks
    ? [beliefLine(`nothing blocks ${names.node(node)}`, `dependent ${list}`)]
    : [beliefLine(`no dependent names ${names.node(node)} any more`, `${list} does`)];
}

export function deleteWorkerBeliefs(
  context: Context,
  cluster: Cluster,
  worker: DeleteWorker | undefined,
): readonly string[] {
  if (worker === undefined) return [];
  switch (worker.at) {
    case 'getOwner':
      return absentOwner(context, cluster, worker);
    case 'readOwners':
      return ownersInGraph(context, cluster, worker);
    case 'readDependents':
    case 'readBlockingDependents':
      return dependentsBeliefs(context, cluster, worker.node, worker.queuedAs);
    case 'patchFinalizer':
      return worker.call.at === 'update'
        ? stillNaming(context, cluster, worker.node, FOREGROUND)
        : [];
    case 'patchOwners':
      return worker.call.at === 'update' ? keepers(context, cluster, worker.node, true) : [];
    case 'delete':
      return worker.call.at === 'get' ? keepers(context, cluster, worker.node, false) : [];
    case 'getItem':
    case 'searchCycle':
    case 'unblockOwners':
    case 'getAfterConflict':
    case 'getForFinalizer':
      return [];
    default:
      throw new Error(`unknown worker state ${JSON.stringify(worker satisfies never)}`);
  }
}

function absentOwner(
  { names, world }: Context,
  cluster: Cluster,
  { node, live, classes }: Extract<DeleteWorker, { at: 'getOwner' }>,
): readonly string[] {
  const { namespace } = identityOfNode(node);
  const reference = live.ownerReferences[classes.length];
  if (reference === undefined || !knowsAbsent(cluster, world, reference, namespace)) return [];
  return storedWith(cluster, reference.uid) === undefined
    ? []
    : [beliefLine(`${names.owner(reference, namespace)} is absent`, 'it is there')];
}

function ownersInGraph(
  { names }: Context,
  cluster: Cluster,
  { node, live }: Extract<DeleteWorker, { at: 'readOwners' }>,
): readonly string[] {
  const { namespace } = identityOfNode(node);
  return live.ownerReferences.flatMap((reference) => {
    const isKnown = cluster.graph[reference.uid] !== undefined;
    const isStored = storedWith(cluster, reference.uid) !== undefined;
    if (isKnown === isStored) return [];
    const believed = isKnown ? 'is there' : 'is not there';
    return [
      beliefLine(
        `${names.owner(reference, namespace)} ${believed}`,
        isStored ? 'it is' : 'it is gone',
      ),
    ];
  });
}

/** Whether an owner keeps the item: what the worker has found, compared with the store. */
function keepers(
  { names, world }: Context,
  cluster: Cluster,
  node: NodeId,
  kept: boolean,
): readonly string[] {
  const { uid, namespace } = identityOfNode(node);
  const object = storedWith(cluster, uid);
  if (object === undefined) return [];
  const solid = object.ownerReferences.filter((reference) => {
    const owner = storedWith(cluster, reference.uid);
    return owner !== undefined && storedOwnerClass(world, owner) === 'solid';
  });
  const item = names.node(node);
  if (kept) return solid.length > 0 ? [] : [beliefLine(`an owner keeps ${item}`, 'none does')];
  return solid.map((reference) =>
    beliefLine(`no owner keeps ${item}`, `${names.owner(reference, namespace)} does`),
  );
}
