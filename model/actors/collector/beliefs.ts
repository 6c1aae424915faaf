import { actingItemCall, type Step } from '../../actions.ts';
import { knowsAbsent } from '../../collector/absent-owners.ts';
import { storedOwnerClass } from '../../collector/classification.ts';
import { SYNCHRONOUS_WORKER } from '../../collector/synchronous-worker.ts';
import type { Context } from '../../describe/steps.ts';
import { type Cluster, identityOfNode, type NodeId } from '../../state/cluster.ts';
import { formatKey } from '../../state/keys.ts';
import { type ApiObject, FOREGROUND, ORPHAN, type Uid } from '../../state/objects.ts';
import type { DeleteWorker, OrphanWorker } from '../../state/workers.ts';

/**
 * What the actor of a step takes to be so and is stored otherwise, where the step acts on it: the
 * graph that lags behind, the memory of absent owners, an object as it was when it was read. That
 * something lags while nobody acts on it is no line.
 */
export function describeBeliefs(
  context: Context,
  step: Step,
  before: Cluster,
  after: Cluster,
): readonly string[] {
  const of = (name: string): string => String(step.parameters[name] ?? '');
  const handled = actingItemCall(context.setup, before, step);
  if (handled?.verb === 'delete' && handled.at === 'remove') {
    return after.store[handled.key] === undefined ? removalBeliefs(before.store[handled.key]) : [];
  }
  switch (step.name) {
    case 'deliver':
    case 'deliverListed':
      return observed(context, before, after);
    case 'takeForOrphan':
      return after.orphanWorkers[of('worker')]?.at === 'awaitGeneration'
        ? []
        : dependentsOf(context, before, of('node'));
    case 'attemptToOrphan':
      return orphanBeliefs(context, before, before.orphanWorkers[of('worker')]);
    case 'attemptToDelete':
      return deleteBeliefs(context, before, before.deleteWorkers[of('worker')]);
    case 'synchronousDeletion': {
      const worker = before.synchronousWorkers[SYNCHRONOUS_WORKER];
      return worker?.at === 'readDependents' ? dependentsOf(context, before, worker.node) : [];
    }
    default:
      return [];
  }
}

function line(believed: string, stored: string): string {
  return `believes: ${believed} (stored: ${stored})`;
}

/** A removal was decided on an object without finalizers. */
function removalBeliefs(object: ApiObject | undefined): readonly string[] {
  if (object === undefined || object.finalizers.length === 0) return [];
  const name = formatKey(`${object.kind}/${object.namespace}/${object.name}`);
  return [line(`${name} has no finalizers`, object.finalizers.join(', '))];
}

/** An event that shows what is not there any more. */
function observed({ names }: Context, before: Cluster, after: Cluster): readonly string[] {
  return Object.entries(after.graph).flatMap(([uid, node]) => {
    const known = before.graph[uid];
    if (node.virtual || (known !== undefined && !known.virtual)) return [];
    return storedWith(before, uid) === undefined
      ? [line(`${names.identity(node.identity)} is there`, 'it is gone')]
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

/** The dependents of an owner: those of the node that the worker holds, beside those stored. */
function dependentsOf(
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
    .map((object) => line(`${names.uid(object.uid)} is no dependent of ${owner}`, 'it is'));
  const former = known.flatMap((dependent) => {
    const object = storedWith(cluster, dependent);
    if (namesOwner(object, uid)) return [];
    const stored = object === undefined ? 'it is gone' : 'it has no such owner';
    return [line(`${names.uid(dependent)} is a dependent of ${owner}`, stored)];
  });
  return [...missing, ...former];
}

function orphanBeliefs(
  context: Context,
  cluster: Cluster,
  worker: OrphanWorker | undefined,
): readonly string[] {
  if (worker?.at === 'readDependents') return dependentsOf(context, cluster, worker.node);
  return worker?.at === 'patchFinalizer' && worker.call.at === 'update'
    ? stillNaming(context, cluster, worker.node, ORPHAN)
    : [];
}

/** Dependents that a collector finalizer is there for, when it is taken off. */
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
      // Where a cycle is broken the worker knows of those that block.
      !(blocks && cluster.graph[object.uid]?.owners.some((owner) => owner.uid === uid)),
  );
  if (left.length === 0) return [];
  const list = left.map((object) => names.uid(object.uid)).join(', ');
  return blocks
    ? [line(`nothing blocks ${names.node(node)}`, `dependent ${list}`)]
    : [line(`no dependent names ${names.node(node)} any more`, `${list} does`)];
}

function deleteBeliefs(
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
      return dependentsOf(context, cluster, worker.node, worker.queuedAs);
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
    : [line(`${names.owner(reference, namespace)} is absent`, 'it is there')];
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
      line(`${names.owner(reference, namespace)} ${believed}`, isStored ? 'it is' : 'it is gone'),
    ];
  });
}

/** Whether some owner keeps the item, as the worker has found out, and as it is now. */
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
  if (kept) return solid.length > 0 ? [] : [line(`an owner keeps ${item}`, 'none does')];
  return solid.map((reference) =>
    line(`no owner keeps ${item}`, `${names.owner(reference, namespace)} does`),
  );
}
