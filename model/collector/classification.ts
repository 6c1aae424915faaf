import { apiOf } from '../apiserver/port.ts';
import {
  coordinatesOf,
  FOREGROUND,
  type Identity,
  isBeingDeleted,
  type OwnerReference,
} from '../objects.ts';
import { type ClusterDraft, identityOfNode } from '../state.ts';
import type { World } from '../world.ts';
import { isKnownAbsent, rememberAbsent } from './absent-owners.ts';
import { deleteCall, ownerPatch, policyFor } from './delete-requests.ts';
import { lookUpOwner } from './lookup.ts';
import type { DeleteWorker, ReferenceClass } from './worker.ts';

/** `classifyReferences` and the three cases at the end of `attemptToDeleteItem` (1.20). */

type Classifying = Extract<DeleteWorker, { at: 'getOwner' }>;

/**
 * Classifies the next owner reference (`isDangling`, `classifyReferences`). The memory of absent
 * owners is read in the same step as the GET: an owner that it gains in between is one that the GET
 * would not find either.
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
  // A cluster-scoped item with an owner of a namespaced kind: no warning here, the graph builder
  // gives it where it can.
  if (lookup.kind === 'neverServed') return 'dropped';
  const answer = apiOf(world).get(cluster, world, lookup.key);
  if (answer.code === 404 || (answer.code === 200 && answer.object.uid !== reference.uid)) {
    const namespaced = world.kinds[lookup.key.slice(0, lookup.key.indexOf('/'))]?.namespaced;
    const namespace = namespaced === true ? item.namespace : '';
    rememberAbsent(cluster, world, coordinatesOf(reference, namespace));
    return 'dangling';
  }
  if (answer.code !== 200) return 'failed';
  const owner = answer.object;
  return isBeingDeleted(owner) && owner.finalizers.includes(FOREGROUND) ? 'waiting' : 'solid';
}

/** The three cases of `attemptToDeleteItem` once all references are classified. */
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
    if (dangling.length === 0 && waiting.length === 0) return 'finished';
    const uids = [...dangling, ...waiting].map((reference) => reference.uid);
    const call = ownerPatch(world, workerName, identityOfNode(node), uids);
    return { node, at: 'patchOwners', call };
  }
  const policy = policyFor(worker.live);
  if (waiting.length > 0) return { node, at: 'readDependents', policy };
  return { node, at: 'delete', call: deleteCall(world, workerName, identityOfNode(node), policy) };
}
