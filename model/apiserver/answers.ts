import type { Answer, Failure, Progress, Success } from '../state/calls.ts';
import { formatKey } from '../state/keys.ts';
import { type KindTable, kindNamed } from '../state/kinds.ts';
import type { ApiObject, ObjectKey } from '../state/objects.ts';

/** The handler answers. */
export function answered(answer: Answer): Progress {
  return { done: true, answer };
}

export function ok(object: ApiObject | null, deleted = false): Success {
  return { code: 200, deleted, object };
}

/** Mirrors `errors.NewNotFound`. */
export function notFound(key: ObjectKey): Failure {
  return { code: 404, reason: 'NotFound', message: `${formatKey(key)} not found` };
}

/** Mirrors `errors.NewConflict`. */
export function conflict(key: ObjectKey, why: string): Failure {
  return {
    code: 409,
    reason: 'Conflict',
    message: `Operation cannot be fulfilled on ${formatKey(key)}: ${why}`,
  };
}

/** `OptimisticLockErrorMsg` of the generic store. */
export function modified(key: ObjectKey): Failure {
  return conflict(
    key,
    'the object has been modified; please apply your changes to the latest version and try again',
  );
}

/** Mirrors `errors.NewInvalid`. */
export function invalid(what: string, errors: readonly string[]): Failure {
  const list = errors.length === 1 ? errors[0] : `[${errors.join(', ')}]`;
  return { code: 422, reason: 'Invalid', message: `${what} is invalid: ${list}` };
}

/** Mirrors `errors.NewForbidden`. */
export function forbidden(key: ObjectKey, why: string): Failure {
  return { code: 403, reason: 'Forbidden', message: `${formatKey(key)} is forbidden: ${why}` };
}

/** The `metav1.Status` with which most kinds answer a DELETE that has removed the object. */
export interface DeletionStatus {
  readonly status: 'Success';
  readonly details: {
    readonly name: string;
    readonly group: string;
    /** The plural name of the resource. */
    readonly kind: string;
    readonly uid: string;
  };
}

/**
 * Mirrors `Store.finalizeDelete` (1.20) for kinds whose store does not return the deleted object.
 */
export function deletionStatus(kinds: KindTable, object: ApiObject): DeletionStatus {
  const kind = kindNamed(kinds, object.kind);
  const [group = '', version] = (kind.apiVersions[0] ?? '').split('/');
  return {
    status: 'Success',
    details: {
      name: object.name,
      group: version === undefined ? '' : group,
      kind: kind.resource,
      uid: object.uid,
    },
  };
}
