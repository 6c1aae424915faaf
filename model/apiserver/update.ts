import type { Rules } from '../rules/rules.ts';
import type { Change, Failure, Progress, UpdateCall } from '../state/calls.ts';
import type { ClusterDraft } from '../state/cluster.ts';
import { equalJson } from '../state/equal.ts';
import { formatKey, splitKey } from '../state/keys.ts';
import { type Kind, kindNamed } from '../state/kinds.ts';
import { type ApiObject, isBeingDeleted } from '../state/objects.ts';
import type { World } from '../state/world.ts';
import { admitOwnerReferences } from './admission.ts';
import { answered, conflict, forbidden, invalid, modified, notFound, ok } from './answers.ts';
import { applyChange, changesMore, withoutDuplicateOwners } from './changes.ts';
import { missingNamespace } from './create.ts';
import { refusedByDefinition } from './definition.ts';
import { subresource } from './describe.ts';
import { isFoundByName, removalOfRejected } from './initializers.ts';
import {
  type NamespaceUpdate,
  prepareNamespaceUpdate,
  validateNamespaceUpdate,
} from './namespace.ts';
import { isAsRead, readObject, remove, touch, write } from './store.ts';
import { formatFieldError, validateMetadata, validateMetadataUpdate } from './validation.ts';

/**
 * PUT and PATCH: `Store.Update` of the generic store (1.20). The transaction is one step. If it
 * finds that the finalizers become empty, it is abandoned, and the removal is a separate step.
 */
export function stepUpdate(cluster: ClusterDraft, world: World, call: UpdateCall): Progress {
  switch (call.at) {
    case 'update':
      return update(cluster, world, call);
    case 'remove':
      return removeEmptied(cluster, world, call);
    default:
      throw new Error(`unknown step ${JSON.stringify(call.at satisfies never)}`);
  }
}

function update(cluster: ClusterDraft, world: World, call: UpdateCall): Progress {
  const kind = kindNamed(world.kinds, splitKey(call.key)[0]);
  const refused = refusedByDefinition(cluster, world, kind, 'update');
  if (refused !== null) return answered(refused);
  const stored = readObject(cluster, call.key);
  if (stored !== null && !isFoundByName(world, stored) && call.change.do !== 'initialize') {
    return answered(notFound(call.key));
  }
  const failure = checkIdentity(cluster, world, call, stored);
  if (failure !== null) return answered(failure);
  if (stored === null) return answered(notFound(call.key));
  const gone = missingNamespace(cluster, world, kind, stored.namespace);
  if (gone !== null) return answered(gone);
  const object = requestedObject(world.rules, kind, call.change, stored);
  const errors = [
    ...validateUpdate(world.rules, kind, call.change, object, stored),
    ...refusedByValidation(world, kind, call.change),
  ];
  if (errors.length > 0) return answered(invalid(formatKey(call.key), errors));
  const denied = admitOwnerReferences(world, call.client, kind, {
    operation: 'update',
    namespace: stored.namespace,
    oldOwners: stored.ownerReferences,
    newOwners: object.ownerReferences,
  });
  if (denied !== null) return answered(forbidden(call.key, denied.message));
  if (removedByUpdate(world.rules, kind, object, stored)) {
    const decided = world.rules.removalCondition === 'asRequested' ? {} : { decidedOn: stored };
    return { done: false, call: { ...call, at: 'remove', ...decided } };
  }
  if (call.dryRun !== true) {
    const reader = readerOf(call);
    if (!write(cluster, world, reader, object) && changesMore(call.change)) {
      touch(cluster, reader, call.key);
    }
  }
  if (call.change.do === 'initialize' && object.initializers?.failed === true) {
    return { done: false, call: removalOfRejected(call.client, object) };
  }
  return answered(ok(object));
}

/** The name under which the client read the version that an update demands. */
export function readerOf(call: UpdateCall): string {
  return call.reader ?? call.client;
}

/**
 * The uid of a PUT is a storage precondition. Until 1.33 it is checked even before the handler
 * knows that the object is missing. The uid of a PATCH becomes part of the new object, in which the
 * uid is immutable. The resourceVersion of the body is checked afterwards.
 */
function checkIdentity(
  cluster: ClusterDraft,
  world: World,
  call: UpdateCall,
  stored: ApiObject | null,
): Failure | null {
  const { key, uid } = call;
  const isMissed = stored === null && world.rules.putOfMissing === 'notFound';
  if (call.put && uid !== null && uid !== (stored?.uid ?? '') && !isMissed) {
    return conflict(
      key,
      `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${stored?.uid ?? ''}`,
    );
  }
  if (stored === null) return notFound(key);
  if (call.resourceVersion && !isAsRead(cluster, readerOf(call), key)) return modified(key);
  if (uid !== null && uid !== stored.uid) {
    return invalid(formatKey(key), [`metadata.uid: Invalid value: "${uid}": field is immutable`]);
  }
  return null;
}

/**
 * The new object as `rest.BeforeUpdate` (1.20) leaves it. What a change does not carry of
 * deletionTimestamp and grace period stays as it is stored, and so does the generation; what it
 * carries must be equal (`ValidateObjectMetaAccessorUpdate`).
 */
function requestedObject(rules: Rules, kind: Kind, change: Change, stored: ApiObject): ApiObject {
  const changed = applyChange(stored, change);
  const object =
    kind.storage === 'namespace'
      ? prepareNamespaceUpdate(namespacePart(change), changed, stored)
      : changed;
  if (rules.duplicateOwnerReferences === 'kept') return object;
  return { ...object, ownerReferences: withoutDuplicateOwners(object.ownerReferences) };
}

/** The part of a Namespace that the request can change, by its subresource. */
function namespacePart(change: Change): NamespaceUpdate {
  if (change.do === 'finalizeNamespace') return 'finalize';
  return change.do === 'setNamespaceStatus' ? 'status' : 'metadata';
}

function validateUpdate(
  rules: Rules,
  kind: Kind,
  change: Change,
  object: ApiObject,
  stored: ApiObject,
): readonly string[] {
  const names = kind.finalizerNames ?? 'standardOrPrefixed';
  const part = namespacePart(change);
  return [
    ...validateMetadata(object, names).map(formatFieldError),
    ...validateMetadataUpdate(rules, object, stored).map(formatFieldError),
    ...(kind.storage === 'namespace' ? validateNamespaceUpdate(part, object) : []),
  ];
}

/**
 * The whole object is validated, not only what changes: so a finalizer cannot be removed either.
 * Not so for custom resources from 1.30 on, where unchanged fields are not validated again.
 */
function refusedByValidation(world: World, kind: Kind, change: Change): readonly string[] {
  if (world.refusesUpdates?.includes(kind.name) !== true || subresource(change) !== '') return [];
  return ['the object does not pass the validation of its kind'];
}

/**
 * Mirrors `ShouldDeleteDuringUpdate` (1.15 and later; before, `deletionGracePeriodSeconds` had to
 * be present and 0) and `ShouldDeleteNamespaceDuringUpdate`.
 */
export function removedByUpdate(
  rules: Rules,
  kind: Kind,
  object: ApiObject,
  stored: ApiObject,
): boolean {
  if (object.finalizers.length > 0) return false;
  if (kind.storage === 'namespace' && (object.specFinalizers ?? []).length > 0) return false;
  const grace = stored.deletionGracePeriodSeconds;
  switch (rules.removeOnEmptyFinalizers) {
    case 'deletionTimestampAndGracePeriodZero':
      return isBeingDeleted(stored) && grace === 0;
    case 'gracePeriodZero':
      return grace === 0;
    case 'deletionTimestamp':
      return isBeingDeleted(stored) && (grace === null || grace === 0);
    default:
      throw new Error(`unknown rule ${rules.removeOnEmptyFinalizers satisfies never}`);
  }
}

/**
 * Mirrors `deleteWithoutFinalizers` (1.20): removes by key, with the uid as precondition for a PUT
 * and without precondition for a PATCH, even if the object has been changed in between. It is no
 * error if another request has already removed the object. Other values of the rule
 * `removalCondition` begin again instead.
 */
function removeEmptied(cluster: ClusterDraft, world: World, call: UpdateCall): Progress {
  const stored = readObject(cluster, call.key);
  if (stored === null) return answered(ok(null));
  if (call.put && call.uid !== null && call.uid !== stored.uid) {
    return answered(
      conflict(
        call.key,
        `Precondition failed: UID in precondition: ${call.uid}, UID in object meta: ${stored.uid}`,
      ),
    );
  }
  if (call.decidedOn !== undefined && !equalJson(call.decidedOn, stored)) {
    const { decidedOn: _, ...again } = call;
    return { done: false, call: { ...again, at: 'update' } };
  }
  const kind = kindNamed(world.kinds, splitKey(call.key)[0]);
  const submitted = requestedObject(world.rules, kind, call.change, stored);
  if (call.dryRun !== true) remove(cluster, world, call.key);
  return answered(ok(submitted));
}
