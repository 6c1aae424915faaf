import type { DeleteCall, Failure } from '../state/calls.ts';
import type { ClusterDraft } from '../state/cluster.ts';
import type { ApiObject } from '../state/objects.ts';
import { conflict } from './answers.ts';
import { isAsRead } from './store.ts';

/**
 * Mirrors `storage.Preconditions.Check` and the same comparison in `rest.BeforeDelete` (1.20): the
 * failure that refuses a DELETE because it meant another object, or another version of the object.
 * Null if the DELETE may continue.
 */
export function checkPreconditions(
  cluster: ClusterDraft,
  call: DeleteCall,
  object: ApiObject,
): Failure | null {
  const { preconditions } = call.options;
  if (preconditions === undefined) return null;
  if (preconditions.uid !== undefined && preconditions.uid !== object.uid) {
    return conflict(
      call.key,
      `the UID in the precondition (${preconditions.uid}) does not match the UID in record (${object.uid}). The object might have been deleted and then recreated`,
    );
  }
  if (preconditions.resourceVersion === undefined) return null;
  if (preconditions.resourceVersion === 'outdated' || !isAsRead(cluster, call.client, call.key)) {
    return conflict(
      call.key,
      'the ResourceVersion in the precondition does not match the ResourceVersion in record. The object might have been modified',
    );
  }
  return null;
}
