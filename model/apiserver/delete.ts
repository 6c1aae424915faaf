import type { Answer, DeleteCall, DeleteOptions, Progress } from '../state/calls.ts';
import type { ClusterDraft } from '../state/cluster.ts';
import { equalJson } from '../state/equal.ts';
import { splitKey } from '../state/keys.ts';
import { defaultPolicy, type Kind, kindNamed } from '../state/kinds.ts';
import type { ApiObject } from '../state/objects.ts';
import type { World } from '../state/world.ts';
import { answered, forbidden, invalid, notFound, ok } from './answers.ts';
import { refusedByDefinition, terminateDefinition } from './definition.ts';
import { validateDeleteOptions } from './delete-options.ts';
import { deletionFinalizers } from './finalizers.ts';
import { beforeDelete, markAsDeleting } from './graceful.ts';
import { refusedDeletion } from './immortal.ts';
import { isFoundByName } from './initializers.ts';
import { terminateNamespace } from './namespace.ts';
import { checkPreconditions } from './preconditions.ts';
import { readObject, remove, write } from './store.ts';

/**
 * DELETE of one object: `Store.Delete` of the generic store (1.20), one access to etcd in each
 * step. `remove` does not check again what `get` has read, so a finalizer stored in between is
 * lost. The rule `removalCondition` has the repairs that were tried.
 */
export function stepDelete(cluster: ClusterDraft, world: World, call: DeleteCall): Progress {
  switch (call.at) {
    case 'get':
      return get(cluster, world, call);
    case 'terminate':
      return terminate(cluster, world, call);
    case 'update':
      return updateBeforeDelete(cluster, world, call);
    case 'remove':
    case 'removeMarked':
      return removeFromStore(cluster, world, call);
    default:
      throw new Error(`unknown step ${JSON.stringify(call.at satisfies never)}`);
  }
}

function kindOf(world: World, call: DeleteCall): Kind {
  return kindNamed(world.kinds, splitKey(call.key)[0]);
}

function chosenFinalizers(
  world: World,
  call: DeleteCall,
  object: ApiObject,
  options: DeleteOptions,
) {
  const kind = kindOf(world, call);
  const version = call.apiVersion ?? kind.apiVersions[0] ?? null;
  return deletionFinalizers(world.rules, defaultPolicy(kind, version), object, options);
}

/**
 * Mirrors the handler up to the first read, and what `Store.Delete` decides on that read (1.20).
 *
 * The storages of Namespace and CustomResourceDefinition read the object. Once it is being deleted,
 * they hand over to the generic store, which reads it again. The two reads are one step here:
 * deletionTimestamp is never unset and spec.finalizers never grow, so the result of the first read
 * still holds at the second, and everything else comes from the second read alone.
 */
function get(cluster: ClusterDraft, world: World, asked: DeleteCall): Progress {
  const errors = validateDeleteOptions(asked.options);
  if (errors.length > 0) return answered(invalid('DeleteOptions', errors));
  const kind = kindOf(world, asked);
  const immortal = refusedDeletion(kind, asked.key);
  if (immortal !== null) return answered(forbidden(asked.key, immortal.why));
  const refused =
    asked.internal === true ? null : refusedByDefinition(cluster, world, kind, 'delete');
  if (refused !== null) return answered(refused);
  const object = readObject(cluster, asked.key);
  if (object === null || !isFoundByName(world, object)) {
    return answered(whenGone(world, asked));
  }
  const call = kind.storage === 'generic' ? asked : withUidPrecondition(asked, object);
  const failure = checkPreconditions(cluster, call, object);
  if (failure !== null) return answered(failure);
  if (kind.storage !== 'generic' && object.deletionTimestamp === null) {
    return { done: false, call: { ...call, at: 'terminate' } };
  }
  if (kind.storage === 'namespace' && (object.specFinalizers ?? []).length > 0) {
    return notRemoved(call, object, call.options);
  }
  const check = beforeDelete(world.rules, kind.graceful, object, call.options);
  if (check.pending) return notRemoved(call, check.object, check.options);
  const { changed } = chosenFinalizers(world, call, check.object, check.options);
  const update = check.graceful || object.finalizers.length > 0 || changed;
  const next: DeleteCall = { ...call, options: check.options, at: update ? 'update' : 'remove' };
  return { done: false, call: decidedOn(world, next, object) };
}

/** Notes the object on which the removal is decided, for a handler that removes only that one. */
function decidedOn(world: World, call: DeleteCall, object: ApiObject | null): DeleteCall {
  if (world.rules.removalCondition === 'asRequested' || object === null) return call;
  return { ...call, decidedOn: object };
}

/** Mirrors "Ensure we have a UID precondition" of the storages that are not generic. */
function withUidPrecondition(call: DeleteCall, object: ApiObject): DeleteCall {
  const { preconditions } = call.options;
  if (preconditions?.uid !== undefined) return call;
  const options = { ...call.options, preconditions: { ...preconditions, uid: object.uid } };
  return { ...call, options };
}

/** The transaction that starts the deletion of Namespaces and CustomResourceDefinitions. */
function terminate(cluster: ClusterDraft, world: World, call: DeleteCall): Progress {
  const stored = readObject(cluster, call.key);
  if (stored === null) return answered(notFound(call.key));
  const failure = checkPreconditions(cluster, call, stored);
  if (failure !== null) return answered(failure);
  const object =
    kindOf(world, call).storage === 'namespace'
      ? terminateNamespace(world.rules, stored, call.options)
      : terminateDefinition(stored);
  if (call.options.dryRun !== true) write(cluster, world, call.client, object);
  return notRemoved(call, object, call.options);
}

/** The outcome of the transaction of `update`. */
type Attempt =
  | { readonly kind: 'pending'; readonly options: DeleteOptions }
  /** The object as the request would leave it, without finalizers. */
  | { readonly kind: 'deleteNow'; readonly object: ApiObject }
  | {
      readonly kind: 'store';
      readonly object: ApiObject;
      readonly options: DeleteOptions;
      readonly thenRemove: boolean;
    };

/**
 * Mirrors `updateForGracefulDeletionAndFinalizers` (1.20), a `GuaranteedUpdate`: it decides on the
 * object as it is when the transaction commits.
 *
 * @param cached the copy that the transaction tries first, as from a watch cache. If the copy
 * differs from the stored object, the decision on it is discarded.
 */
export function updateBeforeDelete(
  cluster: ClusterDraft,
  world: World,
  call: DeleteCall,
  cached?: ApiObject,
): Progress {
  const stored = readObject(cluster, call.key);
  if (stored === null) return answered(whenGone(world, call));
  const failure = checkPreconditions(cluster, call, stored);
  if (failure !== null) return answered(failure);
  let attempt = attemptUpdate(world, call, cached ?? stored);
  if (cached !== undefined && !equalJson(cached, stored)) {
    attempt = attemptUpdate(world, call, stored);
  }
  const dryRun = call.options.dryRun === true;
  switch (attempt.kind) {
    case 'pending':
      return notRemoved(call, stored, attempt.options);
    case 'deleteNow':
      if (dryRun) return answered(ok(stored, true));
      if (world.rules.strippedFinalizer === 'written') {
        const moved = write(cluster, world, call.client, attempt.object);
        return { done: false, call: { ...(moved ? afterWrite(world, call) : call), at: 'remove' } };
      }
      return {
        done: false,
        call: decidedOn(world, { ...afterAbort(world, call), at: 'remove' }, stored),
      };
    case 'store': {
      const moved = !dryRun && write(cluster, world, call.client, attempt.object);
      const next = { ...call, options: attempt.options };
      if (!attempt.thenRemove) return notRemoved(call, attempt.object, attempt.options);
      if (dryRun) return answered(ok(attempt.object, true));
      const marked: DeleteCall = {
        ...(moved ? afterWrite(world, next) : next),
        at: 'removeMarked',
      };
      // The first repair still demanded the object from before this write.
      const isCurrent = world.rules.removalCondition === 'asDecidedOrGone';
      const decision = isCurrent ? readObject(cluster, call.key) : stored;
      return { done: false, call: decidedOn(world, marked, decision) };
    }
    default:
      throw new Error(`unknown attempt ${JSON.stringify(attempt satisfies never)}`);
  }
}

/** The update function of the transaction. */
function attemptUpdate(world: World, call: DeleteCall, existing: ApiObject): Attempt {
  const check = beforeDelete(world.rules, kindOf(world, call).graceful, existing, call.options);
  const { options } = check;
  if (check.pending) return { kind: 'pending', options };
  const { finalizers } = chosenFinalizers(world, call, check.object, options);
  const object = { ...check.object, finalizers };
  const held = finalizers.length > 0;
  if (!check.graceful) {
    if (!held) return { kind: 'deleteNow', object };
    return { kind: 'store', object: markAsDeleting(object), options, thenRemove: false };
  }
  const over = (options.gracePeriodSeconds ?? 0) <= 0;
  const holdsBack = held && world.rules.pendingFinalizersOnDelete === 'keepObject';
  return { kind: 'store', object, options, thenRemove: over && !holdsBack };
}

/**
 * After its own write the handler replaces a resourceVersion precondition with the new version
 * (`updated`). Under `original` it does not, and conflicts with itself
 * (kubernetes/kubernetes#85485).
 */
function afterWrite(world: World, call: DeleteCall): DeleteCall {
  return world.rules.deletePreconditionAfterUpdate === 'updated' ? call : outdated(call);
}

/**
 * An aborted transaction leaves the output object empty. `Store.Delete` still takes the new
 * precondition from it (`updated`), so the removal then demands an empty resourceVersion, which is
 * a conflict.
 */
function afterAbort(world: World, call: DeleteCall): DeleteCall {
  return world.rules.deletePreconditionAfterUpdate === 'updated' ? outdated(call) : call;
}

function outdated(call: DeleteCall): DeleteCall {
  const { preconditions } = call.options;
  if (preconditions?.resourceVersion === undefined) return call;
  const options = {
    ...call.options,
    preconditions: { ...preconditions, resourceVersion: 'outdated' as const },
  };
  return { ...call, options };
}

/**
 * Mirrors `Storage.Delete` with only the preconditions of the request (`asRequested`), and with
 * tolerance for an object that another request has removed after it was marked (1.20).
 */
function removeFromStore(cluster: ClusterDraft, world: World, call: DeleteCall): Progress {
  const stored = readObject(cluster, call.key);
  if (stored === null) {
    return answered(call.at === 'removeMarked' ? ok(null, true) : whenGone(world, call));
  }
  const failure = checkPreconditions(cluster, call, stored);
  if (failure !== null) return answered(failure);
  if (call.decidedOn !== undefined && !equalJson(call.decidedOn, stored)) return begun(call);
  if (call.options.dryRun !== true) remove(cluster, world, call.key);
  return { done: true, answer: ok(stored, true), options: call.options };
}

/**
 * The answer for an object that is gone. Under `asDecidedOrGone` that is no error once it was
 * marked.
 */
function whenGone(world: World, call: DeleteCall): Answer {
  const isOwnDoing = call.marked === true && world.rules.removalCondition === 'asDecidedOrGone';
  return isOwnDoing ? ok(null, true) : notFound(call.key);
}

/** The handler begins again: the object is not the one on which it has decided. */
function begun({ decidedOn: _, ...call }: DeleteCall): Progress {
  const marked = call.at === 'removeMarked' ? { marked: true as const } : {};
  return { done: false, call: { ...call, at: 'get', ...marked } };
}

/**
 * 202 if the request asked to delete the dependents and the object is still there, otherwise 200.
 */
function notRemoved(call: DeleteCall, object: ApiObject, options: DeleteOptions): Progress {
  const code = call.options.orphanDependents === false ? 202 : 200;
  return { done: true, answer: { code, deleted: false, object }, options };
}
