import { castDraft } from 'immer';
import { beginWaiting } from '../actors/kubectl.ts';
import type { Answer, Call } from '../state/calls.ts';
import type { ClusterDraft } from '../state/cluster.ts';
import { type ApiObject, isBeingDeleted, ORPHAN } from '../state/objects.ts';
import type { UserStep } from '../state/setup.ts';
import type { World } from '../state/world.ts';
import { advanceCall } from './handle.ts';

/** How a client of the API server other than the collector gets on with a request. */

/** The client under which the owner of a finalizer works on one object. */
export function finalizerClient(finalizer: string, key: string): string {
  return `${finalizer} on ${key}`;
}

/**
 * The API server does the next step of this request, and notes how it goes on.
 *
 * @returns the answer, if that was the last step.
 */
export function proceed(
  cluster: ClusterDraft,
  world: World,
  client: string,
  call: Call,
  step?: UserStep,
): Answer | null {
  const progress = advanceCall(cluster, world, call);
  if (!progress.done) {
    cluster.calls[client] = castDraft(progress.call);
    return null;
  }
  delete cluster.calls[client];
  const { answer } = progress;
  if (step?.answer !== undefined) noteSurprise(cluster, client, answer, step.answer);
  if (step?.request.do === 'kubectlDelete' && step.request.flags.wait) {
    beginWaiting(cluster, client, step.request.key, answer);
  }
  if (call.verb === 'delete' && call.options.dryRun !== true && 'object' in answer) {
    if (!answer.deleted) promiseOrphans(cluster, answer.object);
  }
  return answer;
}

function noteSurprise(
  cluster: ClusterDraft,
  client: string,
  answer: Answer,
  expected: NonNullable<UserStep['answer']>,
): void {
  const reason = 'reason' in answer ? answer.reason : null;
  if ((reason ?? 'success') === expected || cluster.surprises[client] !== undefined) return;
  const step = (cluster.users[client] ?? 0) - 1;
  cluster.surprises[client] = { step, code: answer.code, reason };
}

/** Notes the dependents that have no other owner when a user is told that they are being orphaned. */
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
