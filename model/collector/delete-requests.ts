import { rememberShown } from '../apiserver/lag.ts';
import { apiOf } from '../apiserver/port.ts';
import type {
  Call,
  Change,
  DeleteCall,
  DeleteOptions,
  Progress,
  UpdateCall,
} from '../state/calls.ts';
import type { ClusterDraft } from '../state/cluster.ts';
import {
  FOREGROUND,
  type Identity,
  type ObjectKey,
  ORPHAN,
  type OwnerReference,
  type Uid,
} from '../state/objects.ts';
import type { LiveItem, Policy } from '../state/workers.ts';
import type { World } from '../state/world.ts';
import { lookUpItem } from './lookup.ts';

/** The writing requests of the collector. */

function keyOfItem(world: World, item: Identity): ObjectKey {
  const lookup = lookUpItem(world, item);
  if (lookup.kind !== 'key') throw new Error(`no kind serves ${item.apiVersion} ${item.kind}`);
  return lookup.key;
}

/** The last case of `attemptToDeleteItem`: the collector's finalizer on the object decides. */
export function policyFor(live: LiveItem): Policy {
  if (live.orphan) return 'Orphan';
  return live.foreground ? 'Foreground' : 'Background';
}

/** The policy that a DELETE of the object has asked for. Null: none has, or it was background. */
export function policyOfFinalizers(finalizers: readonly string[]): Policy | null {
  if (finalizers.includes(ORPHAN)) return 'Orphan';
  return finalizers.includes(FOREGROUND) ? 'Foreground' : null;
}

/** Whether the collector deletes an object only in the version that it has read. */
export function demandsVersion(world: World): boolean {
  return world.rules.collectorDeletePrecondition === 'uidAndResourceVersion';
}

/**
 * Mirrors `GarbageCollector.deleteObject`, which never sets a grace period.
 *
 * @param version whether the DELETE demands the version that the worker has read.
 */
export function deleteCall(
  world: World,
  client: string,
  item: Identity,
  policy: Policy,
  version: boolean,
): DeleteCall {
  const { collectorDeletePrecondition } = world.rules;
  const preconditions = {
    uid: item.uid,
    ...(version ? { resourceVersion: true as const } : {}),
  };
  return {
    verb: 'delete',
    client,
    key: keyOfItem(world, item),
    options: {
      ...policyOptions(world, policy),
      ...(collectorDeletePrecondition === 'none' ? {} : { preconditions }),
    },
    at: 'get',
  };
}

/** The options without a grace period, in the API of the version. */
function policyOptions({ rules }: World, policy: Policy): DeleteOptions {
  switch (rules.collectorDeletePolicy) {
    case 'none':
      // Even then, an item deleted because of a waiting owner was deleted with the policy of that
      // owner.
      return policy === 'Foreground' ? { propagationPolicy: policy } : {};
    case 'orphanDependentsFalse':
      return { orphanDependents: false };
    case 'ofOwner':
      return policy === 'Foreground' ? { propagationPolicy: policy } : { orphanDependents: false };
    case 'explicit':
      return { propagationPolicy: policy };
    default:
      throw new Error(`unknown rule ${rules.collectorDeletePolicy satisfies never}`);
  }
}

function strategicMerge(world: World, client: string, item: Identity, change: Change): UpdateCall {
  return {
    verb: 'update',
    client,
    key: keyOfItem(world, item),
    change,
    uid: item.uid,
    put: false,
    resourceVersion: false,
    strategicMerge: true,
    at: 'update',
  };
}

/**
 * Mirrors `GenerateDeleteOwnerRefStrategicMergeBytes`: the uid of the item is a condition, its
 * resourceVersion is not. In versions that use a PUT, a PUT that loses against another write is
 * retried on the new stored object. That equals a PUT that is sent later. Another object with that
 * name has no such reference.
 */
export function ownerPatch(
  world: World,
  client: string,
  item: Identity,
  uids: readonly Uid[],
): UpdateCall {
  const patch = strategicMerge(world, client, item, { do: 'removeOwners', uids });
  if (world.rules.referenceRemoval === 'patch') return patch;
  const { strategicMerge: _, ...update } = patch;
  return { ...update, put: true, uid: null };
}

/** Whether a patch that unblocks owners sends the references that the worker has read. */
export function unblocksAsRead(world: World): boolean {
  return world.rules.unblockedReferences === 'asRead';
}

/** Whether a worker remembers the version of the item that it has read. */
export function remembersVersion(world: World): boolean {
  return demandsVersion(world) || unblocksAsRead(world);
}

/**
 * Mirrors `node.unblockOwnerReferencesStrategicMergePatch`: the complete blocking references as the
 * graph knows them, with blockOwnerDeletion false. Under `asRead` those of the version that the
 * worker has read, and only if that is still the stored one.
 */
export function unblockPatch(
  world: World,
  client: string,
  item: Identity,
  owners: readonly OwnerReference[],
): UpdateCall {
  const blocking = owners.filter((reference) => reference.blockOwnerDeletion === true);
  const call = strategicMerge(world, client, item, {
    do: 'unblockOwners',
    ownerReferences: relaxed(blocking),
  });
  if (unblocksAsRead(world)) return { ...call, resourceVersion: true };
  // The DELETE that follows demands the version from before this patch.
  return demandsVersion(world) ? { ...call, reader: patchReader(call) } : call;
}

/** A patch must not count as a new read of the object by the worker, so it gets its own reader. */
export function patchReader({ client, key }: Pick<UpdateCall, 'client' | 'key'>): string {
  return `${client} patching ${key}`;
}

function relaxed(owners: readonly OwnerReference[]): readonly OwnerReference[] {
  return owners.map((reference) => ({ ...reference, blockOwnerDeletion: false }));
}

/**
 * One step of `GarbageCollector.patch`: if a strategic merge patch is refused with 415 (custom
 * resources), a JSON merge patch of the whole list of references follows.
 *
 * That patch carries no uid. It carries the resourceVersion of the object's metadata, from the
 * informer's copy or a live GET (`getMetadata`), so any write in between is a conflict and the item
 * is queued again. The step that receives the refusal also reads the metadata: a run with a later
 * read equals a run with a later refusal. A copy that is outdated at that moment also means a
 * conflict: the same conflict as in a run in which the refusal came before the write.
 *
 * @param owners the references of the graph's node: the list that
 * `unblockOwnerReferencesJSONMergePatch` writes, with blockOwnerDeletion false, even if the stored
 * object has other references.
 */
export function advancePatch(
  cluster: ClusterDraft,
  world: World,
  call: UpdateCall,
  owners: () => readonly OwnerReference[],
): Progress & { readonly next?: UpdateCall } {
  const progress = apiOf(world).advance(cluster, world, call);
  if (!progress.done) return { ...progress, next: asUpdate(progress.call) };
  if (call.reader !== undefined) delete cluster.unchangedSince[call.reader];
  if (progress.answer.code !== 415 || call.strategicMerge !== true) return progress;
  if (world.rules.ownerPatchFallback === 'none') return progress;
  const { strategicMerge: _, ...rest } = call;
  const change = wholeList(call.change, owners);
  if (call.resourceVersion) {
    const next: UpdateCall = { ...rest, uid: null, change };
    return { done: false, call: next, next };
  }
  const reader = patchReader(call);
  rememberShown(cluster, world, reader, call.key);
  const next: UpdateCall = { ...rest, uid: null, change, resourceVersion: true, reader };
  return { done: false, call: next, next };
}

function asUpdate(call: Call): UpdateCall {
  if (call.verb !== 'update') throw new Error(`a patch continued as ${call.verb}`);
  return call;
}

function wholeList(change: Change, owners: () => readonly OwnerReference[]): Change {
  if (change.do !== 'unblockOwners') return change;
  return { do: 'setOwnerReferences', ownerReferences: relaxed(owners()) };
}
