import type { Rules } from '../rules/rules.ts';
import type { Kind, KindTable } from '../state/kinds.ts';
import type { OwnerReference } from '../state/objects.ts';
import type { DeniedRight } from '../state/setup.ts';
import type { World } from '../state/world.ts';

/**
 * The admission plugin `OwnerReferencesPermissionEnforcement` (`plugin/pkg/admission/gc`, 1.20).
 */

export interface OwnerReferenceChange {
  readonly operation: 'create' | 'update';
  readonly namespace: string;
  /** Null when the request creates the object. */
  readonly oldOwners: readonly OwnerReference[] | null;
  readonly newOwners: readonly OwnerReference[];
}

export interface Denial {
  readonly reason:
    | 'cannot-delete-object'
    | 'cannot-set-finalizers-on-owner'
    | 'cannot-delete-owner'
    | 'unknown-owner-kind';
  readonly message: string;
}

/** The parts of a request that the plugin reads. */
export interface OwnerReferenceRequest extends OwnerReferenceChange {
  readonly resource: string;
  readonly subresource: string;
}

/** Resources whose updates the plugin lets through. */
const EXEMPT = [{ resource: 'pods', subresource: 'status' }];

/** Runs the plugin before a handler. Null if the client may write these owner references. */
export function admitOwnerReferences(
  world: World,
  client: string,
  kind: Kind,
  change: OwnerReferenceChange,
): Denial | null {
  const denied = world.denied?.[client];
  if (denied === undefined) return null;
  const request = { ...change, resource: kind.resource, subresource: '' };
  return judgeOwnerReferences(world.kinds, denied, EXEMPT, request, world.rules);
}

/**
 * Mirrors `gcPermissionsEnforcement.Validate` (1.20): a client that changes the owners of an
 * existing object must have the right to delete it, and one that makes it block an owner must have
 * the right to set that owner's finalizers (or to delete that owner: rule
 * `blockOwnerDeletionRight`).
 */
export function judgeOwnerReferences(
  kinds: KindTable,
  denied: readonly DeniedRight[],
  exempt: readonly { readonly resource: string; readonly subresource: string }[],
  request: OwnerReferenceRequest,
  { blockOwnerDeletionRight }: Pick<Rules, 'blockOwnerDeletionRight'>,
): Denial | null {
  const { resource, subresource } = request;
  if (exempt.some((one) => one.resource === resource && one.subresource === subresource)) {
    return null;
  }
  if (!changesOwners(request.oldOwners, request.newOwners)) return null;
  if (request.operation !== 'create' && lacks(denied, 'delete', resource, subresource)) {
    return {
      reason: 'cannot-delete-object',
      message: "cannot set an ownerRef on a resource you can't delete",
    };
  }
  const blocking = newlyBlocking(request.oldOwners, request.newOwners);
  const [verb, part] =
    blockOwnerDeletionRight === 'deleteOwner'
      ? (['delete', ''] as const)
      : (['update', 'finalizers'] as const);
  // The plugin lets a user who may do that to everything through before it looks up any kind.
  if (blocking.length === 0 || mayDoToAnything(denied, verb, part)) return null;
  for (const reference of blocking) {
    const resources = resourcesOf(kinds, reference);
    if (resources.length === 0) {
      return {
        reason: 'unknown-owner-kind',
        message: `cannot set blockOwnerDeletion in this case because cannot find RESTMapping for APIVersion ${reference.apiVersion} Kind ${reference.kind}`,
      };
    }
    if (resources.some((owner) => lacks(denied, verb, owner, part))) {
      if (verb === 'delete') {
        return {
          reason: 'cannot-delete-owner',
          message: "cannot set blockOwnerDeletion if you can't delete the owner",
        };
      }
      return {
        reason: 'cannot-set-finalizers-on-owner',
        message:
          "cannot set blockOwnerDeletion if an ownerReference refers to a resource you can't set finalizers on",
      };
    }
  }
  return null;
}

function lacks(
  denied: readonly DeniedRight[],
  verb: DeniedRight['verb'],
  resource: string,
  subresource: string,
): boolean {
  return denied.some(
    (right) =>
      right.verb === verb &&
      (right.resource === '*' || right.resource === resource) &&
      (right.subresource === undefined || right.subresource === subresource),
  );
}

/**
 * Mirrors the request of `finalizeAnythingRecord`: a user who lacks any such right lacks this one
 * too.
 */
function mayDoToAnything(
  denied: readonly DeniedRight[],
  asked: DeniedRight['verb'],
  part: string,
): boolean {
  return !denied.some(
    ({ verb, subresource }) =>
      verb === asked && (subresource === undefined || subresource === part),
  );
}

/** Mirrors `isChangingOwnerReference` (1.20), which compares by position. */
function changesOwners(
  before: readonly OwnerReference[] | null,
  after: readonly OwnerReference[],
): boolean {
  if (before === null) return after.length > 0;
  if (before.length !== after.length) return true;
  return before.some((reference, index) => !sameReference(reference, after[index]));
}

function sameReference(a: OwnerReference, b: OwnerReference | undefined): boolean {
  return (
    b !== undefined &&
    a.apiVersion === b.apiVersion &&
    a.kind === b.kind &&
    a.name === b.name &&
    a.uid === b.uid &&
    a.controller === b.controller &&
    a.blockOwnerDeletion === b.blockOwnerDeletion
  );
}

/** Mirrors `newBlockingOwnerDeletionRefs` (1.20), which looks up the old references by uid. */
function newlyBlocking(
  before: readonly OwnerReference[] | null,
  after: readonly OwnerReference[],
): readonly OwnerReference[] {
  const blocking = after.filter((reference) => reference.blockOwnerDeletion === true);
  if (before === null) return blocking;
  const byUid = new Map(before.map((reference) => [reference.uid, reference]));
  return blocking.filter(({ uid }) => byUid.get(uid)?.blockOwnerDeletion !== true);
}

/** Mirrors `restMapper.RESTMappings`: every resource that serves the owner's kind. */
function resourcesOf(kinds: KindTable, reference: OwnerReference): readonly string[] {
  return Object.values(kinds)
    .filter(
      (kind) => kind.kind === reference.kind && kind.apiVersions.includes(reference.apiVersion),
    )
    .map((kind) => kind.resource);
}
