import { apiOf } from '../apiserver/port.ts';
import type { ClusterDraft } from '../state/cluster.ts';
import { kindOf } from '../state/keys.ts';
import { identityOfNode } from '../state/nodes.ts';
import {
  type ApiObject,
  coordinatesOf,
  FOREGROUND,
  type Identity,
  isBeingDeleted,
  ORPHAN,
  type OwnerReference,
} from '../state/objects.ts';
import type { DeleteWorker, Policy, ReferenceClass } from '../state/workers.ts';
import type { World } from '../state/world.ts';
import { isKnownAbsent, rememberAbsent } from './absent-owners.ts';
import { ownerPatch, policyFor, remembersVersion } from './delete-requests.ts';
import { beginDelete } from './item-deletion.ts';
import { lookUpOwner } from './lookup.ts';

/** `classifyReferences` and the three cases at the end of `attemptToDeleteItem` (1.20). */

type Classifying = Extract<DeleteWorker, { at: 'getOwner' }>;

/**
 * Classifies the next owner reference (`isDangling`, `classifyReferences`). The memory of absent
 * owners is read in the same step as the GET: if an owner enters the memory in between, the GET
 * would not find it either.
 */
export function getOwner(
  cluster: ClusterDraft,
  world: World,
  worker: Classifying,
  item: Identity,
): Classifying | 'failed' | 'dropped' {
  const reference = worker.live.ownerReferences[worker.classes.length];
  if (reference === undefined) return worker;
  const found = classify(cluster, world, item, reference);
  if (found === 'failed' || found === 'dropped') return found;
  return { ...worker, classes: [...worker.classes, found] };
}

function classify(
  cluster: ClusterDraft,
  world: World,
  item: Identity,
  reference: OwnerReference,
): ReferenceClass | 'failed' | 'dropped' {
  if (isKnownAbsent(cluster, world, reference, item.namespace)) return 'dangling';
  const lookup = lookUpOwner(world, reference, item.namespace, cluster);
  if (lookup.kind === 'unmapped') return 'failed';
  // A cluster-scoped item with an owner of a namespaced kind. The graph builder warns about it
  // where it can, so there is no warning here.
  if (lookup.kind === 'neverServed') return 'dropped';
  const answer = apiOf(world).get(cluster, world, lookup.key);
  if (answer.code === 404 || (answer.code === 200 && answer.object.uid !== reference.uid)) {
    const namespaced = world.kinds[kindOf(lookup.key)]?.namespaced;
    const namespace = namespaced === true ? item.namespace : '';
    rememberAbsent(cluster, world, coordinatesOf(reference, namespace));
    return 'dangling';
  }
  if (answer.code !== 200) return 'failed';
  return storedOwnerClass(world, answer.object);
}

/** The class of an owner that a GET has found. */
export function storedOwnerClass(
  { rules }: Pick<World, 'rules'>,
  owner: Pick<ApiObject, 'deletionTimestamp' | 'finalizers'>,
): ReferenceClass {
  const foreground = isBeingDeleted(owner) && owner.finalizers.includes(FOREGROUND);
  switch (rules.waitingOwner) {
    case 'none':
      return 'solid';
    case 'deletedWithoutOrphan':
      if (!isBeingDeleted(owner) || owner.finalizers.includes(ORPHAN)) return 'solid';
      return foreground ? 'waiting' : 'leaving';
    case 'foreground':
      return foreground ? 'waiting' : 'solid';
    default:
      throw new Error(`unknown rule ${rules.waitingOwner satisfies never}`);
  }
}

/**
 * Reads the graph, which has a node for every owner that was observed and not deleted: the
 * `processItem` of the first proposal.
 */
export function readOwners(
  cluster: ClusterDraft,
  world: World,
  workerName: string,
  { node, live }: Extract<DeleteWorker, { at: 'readOwners' }>,
): DeleteWorker | 'finished' {
  const classes = live.ownerReferences.map(({ uid }) =>
    cluster.graph[uid] === undefined ? 'dangling' : 'solid',
  );
  return decide(world, workerName, { node, at: 'getOwner', live, classes });
}

/** The three cases of `attemptToDeleteItem` after all references are classified. */
export function decide(
  world: World,
  workerName: string,
  worker: Classifying,
): DeleteWorker | 'finished' {
  const { node } = worker;
  const { ownerReferences } = worker.live;
  const ofClass = (wanted: ReferenceClass): readonly OwnerReference[] =>
    ownerReferences.filter((_, index) => worker.classes[index] === wanted);
  const waiting = ofClass('waiting');
  const dangling = ofClass('dangling');
  if (ofClass('solid').length > 0) {
    const going = goingReferences(world, waiting, dangling);
    if (going.length === 0) return 'finished';
    const uids = going.map((reference) => reference.uid);
    const call = ownerPatch(world, workerName, identityOfNode(node), uids);
    return { node, at: 'patchOwners', call };
  }
  const policy =
    world.rules.collectorDeletePolicy === 'ofOwner'
      ? policyOfOwners(worker.classes)
      : policyFor(worker.live);
  const read = { node, ...(remembersVersion(world) ? { owners: ownerReferences } : {}) };
  if (world.rules.foregroundDeletion === 'deleteWorkers' && waiting.length > 0) {
    return { ...read, at: 'readDependents', policy };
  }
  if (
    world.rules.cycleBreaking === 'searchCycle' &&
    worker.live.foreground &&
    waiting.length === ownerReferences.length
  ) {
    return { node, at: 'searchCycle', policy };
  }
  return beginDelete(world, workerName, read, policy);
}

/** The references that are removed from an item that another owner keeps, dangling ones first. */
function goingReferences(
  { rules }: World,
  waiting: readonly OwnerReference[],
  dangling: readonly OwnerReference[],
): readonly OwnerReference[] {
  switch (rules.mixedOwners) {
    case 'allStay':
      return [];
    case 'waitingGo':
      return waiting;
    case 'danglingAndWaitingGo':
      return [...dangling, ...waiting];
    default:
      throw new Error(`unknown rule ${rules.mixedOwners satisfies never}`);
  }
}

/** An item is deleted in the same way as its owners: in the foreground if one of them is. */
function policyOfOwners(classes: readonly ReferenceClass[]): Policy {
  return classes.includes('waiting') ? 'Foreground' : 'Background';
}
