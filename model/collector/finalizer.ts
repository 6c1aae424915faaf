import { rememberShown } from '../apiserver/lag.ts';
import { apiOf } from '../apiserver/port.ts';
import type { ClusterDraft } from '../state/cluster.ts';
import type { Identity } from '../state/objects.ts';
import type { FinalizerStep } from '../state/workers.ts';
import type { World } from '../state/world.ts';
import { lookUpItem } from './lookup.ts';

/** The outcome of a step of the removal. `failed` puts the item back into its queue. */
export type FinalizerOutcome = FinalizerStep | 'finished' | 'failed';

/**
 * `retry.DefaultBackoff.Steps`: how often GET and PATCH are tried before the item is queued again.
 */
export const FINALIZER_ATTEMPTS = 4;

/**
 * One step of `GarbageCollector.removeFinalizer` (1.15 to 1.31): GET the owner by name, then PATCH
 * its finalizers with the resourceVersion that was read. A conflict leads back to the GET. The uid
 * is not compared (rule `finalizerOwnerUid`). Before 1.15 a PUT sends the object back as it was
 * read, and its resourceVersion ensures that only the finalizers change.
 */
export function removeFinalizerStep(
  cluster: ClusterDraft,
  world: World,
  client: string,
  owner: Identity,
  finalizer: string,
  step: FinalizerStep,
): FinalizerOutcome {
  switch (step.at) {
    case 'getForFinalizer': {
      const lookup = lookUpItem(world, owner, cluster);
      if (lookup.kind !== 'key') return 'failed';
      const answer = apiOf(world).get(cluster, world, lookup.key);
      if (answer.code === 404) return 'finished';
      if (answer.code !== 200) return 'failed';
      const { finalizers, uid } = answer.object;
      // Another object has taken the name, so the owner is gone.
      if (world.rules.finalizerOwnerUid === 'compared' && uid !== owner.uid) return 'finished';
      if (!finalizers.includes(finalizer)) return 'finished';
      rememberShown(cluster, world, client, lookup.key);
      const put = world.rules.finalizerRemoval === 'put';
      return {
        at: 'patchFinalizer',
        attempt: step.attempt,
        call: {
          verb: 'update',
          client,
          key: lookup.key,
          change: {
            do: 'setFinalizers',
            finalizers: finalizers.filter((name) => name !== finalizer),
          },
          uid: put ? answer.object.uid : null,
          put,
          resourceVersion: true,
          at: 'update',
        },
      };
    }
    case 'patchFinalizer': {
      const progress = apiOf(world).advance(cluster, world, step.call);
      if (!progress.done) {
        if (progress.call.verb !== 'update')
          throw new Error('a removal continued as another request');
        return { at: 'patchFinalizer', attempt: step.attempt, call: progress.call };
      }
      delete cluster.unchangedSince[client];
      const { code } = progress.answer;
      if (code === 409 && step.attempt < FINALIZER_ATTEMPTS) {
        return { at: 'getForFinalizer', attempt: step.attempt + 1 };
      }
      return code < 400 ? 'finished' : 'failed';
    }
    default:
      throw new Error(`unknown step ${JSON.stringify(step satisfies never)}`);
  }
}
