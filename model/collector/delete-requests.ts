import type { Call, Change, DeleteCall, Progress, UpdateCall } from '../apiserver/call.ts';
import { apiOf } from '../apiserver/port.ts';
import type { Identity, ObjectKey, OwnerReference, Uid } from '../objects.ts';
import type { ClusterDraft } from '../state.ts';
import type { World } from '../world.ts';
import { lookUpItem } from './lookup.ts';
import type { LiveItem, Policy } from './worker.ts';

/** The writing requests of the collector. */

function keyOfItem(world: World, item: Identity): ObjectKey {
  const lookup = lookUpItem(world, item);
  if (lookup.kind !== 'key') throw new Error(`no kind serves ${item.apiVersion} ${item.kind}`);
  return lookup.key;
}

/** The last case of `attemptToDeleteItem`: the collector finalizer on the object decides. */
export function policyFor(live: LiveItem): Policy {
  if (live.orphan) return 'Orphan';
  return live.foreground ? 'Foreground' : 'Background';
}

/** Mirrors `GarbageCollector.deleteObject`: never a grace period. */
export function deleteCall(
  world: World,
  client: string,
  item: Identity,
  policy: Policy,
): DeleteCall {
  const { collectorDeletePolicy, collectorDeletePrecondition } = world.rules;
  return {
    verb: 'delete',
    client,
    key: keyOfItem(world, item),
    options: {
      ...(collectorDeletePolicy === 'explicit' ? { propagationPolicy: policy } : {}),
      ...(collectorDeletePrecondition === 'uid' ? { preconditions: { uid: item.uid } } : {}),
    },
    at: 'get',
  };
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
 * resourceVersion is not.
 */
export function ownerPatch(
  world: World,
  client: string,
  item: Identity,
  uids: readonly Uid[],
): UpdateCall {
  return strategicMerge(world, client, item, { do: 'removeOwners', uids });
}

/**
 * Mirrors `node.unblockOwnerReferencesStrategicMergePatch`: the blocking references as the graph
 * knows them, in full, with blockOwnerDeletion false.
 */
export function unblockPatch(
  world: World,
  client: string,
  item: Identity,
  owners: readonly OwnerReference[],
): UpdateCall {
  const blocking = owners.filter((reference) => reference.blockOwnerDeletion === true);
  return strategicMerge(world, client, item, {
    do: 'unblockOwners',
    ownerReferences: relaxed(blocking),
  });
}

function relaxed(owners: readonly OwnerReference[]): readonly OwnerReference[] {
  return owners.map((reference) => ({ ...reference, blockOwnerDeletion: false }));
}

/**
 * One step of `GarbageCollector.patch`: a strategic merge patch that is refused with 415 (custom
 * resources) is followed by a JSON merge patch of the whole list of references.
 *
 * That patch carries no uid but the resourceVersion of the informer's copy. Where the copy is up to
 * date it has the effect modelled here. Where it is not, the answer is a conflict and the item is
 * queued again, as if the worker had taken it later; that detour is left out.
 *
 * @param owners the references of the graph's node: the list that `unblockOwnerReferencesJSONMergePatch`
 *   writes, all of them relaxed, whatever the object has.
 */
export function advancePatch(
  cluster: ClusterDraft,
  world: World,
  call: UpdateCall,
  owners: () => readonly OwnerReference[],
): Progress & { readonly next?: UpdateCall } {
  const progress = apiOf(world).advance(cluster, world, call);
  if (!progress.done) return { ...progress, next: asUpdate(progress.call) };
  if (progress.answer.code !== 415 || call.strategicMerge !== true) return progress;
  const { strategicMerge: _, ...rest } = call;
  const next: UpdateCall = { ...rest, uid: null, change: wholeList(call.change, owners) };
  return { done: false, call: next, next };
}

function asUpdate(call: Call): UpdateCall {
  if (call.verb !== 'update') throw new Error(`a patch went on as ${call.verb}`);
  return call;
}

function wholeList(change: Change, owners: () => readonly OwnerReference[]): Change {
  if (change.do !== 'unblockOwners') return change;
  return { do: 'setOwnerReferences', ownerReferences: relaxed(owners()) };
}
