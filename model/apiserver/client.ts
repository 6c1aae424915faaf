import { castDraft } from 'immer';
import type { Answer, Call } from '../state/calls.ts';
import type { ClusterDraft } from '../state/cluster.ts';
import { type ApiObject, isBeingDeleted, ORPHAN } from '../state/objects.ts';
import type { World } from '../state/world.ts';
import { advanceCall } from './handle.ts';

/** Requests in flight of clients other than the collector's workers. */

/**
 * The API server does the next step of this request. The state keeps the request after the step.
 *
 * @returns the answer, if this was the last step.
 */
export function proceed(
  cluster: ClusterDraft,
  world: World,
  client: string,
  call: Call,
): Answer | null {
  const progress = advanceCall(cluster, world, call);
  if (!progress.done) {
    cluster.calls[client] = castDraft(progress.call);
    return null;
  }
  delete cluster.calls[client];
  const { answer } = progress;
  if (call.verb === 'delete' && call.options.dryRun !== true && 'object' in answer) {
    if (!answer.deleted) promiseOrphans(cluster, answer.object);
  }
  return answer;
}

/**
 * A DELETE is answered with an owner on which it has left `orphan`: records the dependents that
 * have no other owner.
 */
export function promiseOrphans(cluster: ClusterDraft, owner: ApiObject | null): void {
  if (owner === null || !isBeingDeleted(owner) || !owner.finalizers.includes(ORPHAN)) return;
  for (const object of Object.values(cluster.store)) {
    const { uid, ownerReferences } = object;
    if (uid === owner.uid || ownerReferences.length === 0 || isBeingDeleted(object)) continue;
    if (ownerReferences.every((reference) => reference.uid === owner.uid)) {
      cluster.promisedOrphans[uid] = owner.uid;
    }
  }
}
