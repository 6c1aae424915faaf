import type { Cluster, ClusterDraft } from '../state/cluster.ts';
import { type ApiObject, isBeingDeleted, keyOf, type Uid } from '../state/objects.ts';
import type { Setup } from '../state/setup.ts';

/** Whether the object is gone or being deleted. */
export function isLeaving(cluster: Cluster | ClusterDraft, setup: Setup, uid: Uid): boolean {
  const object = objectOf(setup, uid);
  const stored = cluster.store[keyOf(object)];
  return stored?.uid !== uid || isBeingDeleted(stored);
}

/** The object of a setup with this uid. Throws if there is none. */
export function objectOf({ objects }: Setup, uid: Uid): ApiObject {
  const object = objects.find((candidate) => candidate.uid === uid);
  if (object === undefined) throw new Error(`no object has the uid ${uid}`);
  return object;
}
