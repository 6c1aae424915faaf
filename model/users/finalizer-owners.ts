import { type Actor, action } from '../actors/actor.ts';
import { isOwnedByActor } from '../actors/registry.ts';
import { proceed } from '../apiserver/client.ts';
import type { UpdateCall } from '../state/calls.ts';
import { patchCall } from '../state/calls.ts';
import { finalizerClient } from '../state/client-names.ts';
import type { Cluster, ClusterDraft } from '../state/cluster.ts';
import { isLetGo } from '../state/finalizers.ts';
import { type Instances, instancesOf } from '../state/instances.ts';
import { formatKey } from '../state/keys.ts';
import { type ApiObject, allFinalizers, type ObjectKey } from '../state/objects.ts';
import type { FinalizerOwner, Setup } from '../state/setup.ts';
import type { World } from '../state/world.ts';

/**
 * The owners of third-party finalizers that belong to no other actor (`setup.finalizers`). What an
 * owner does before it removes its finalizer is not modelled. It acts only once deletion has begun,
 * because that is the contract of finalizers; what Kubernetes' own controllers wait for is in
 * `isLetGo`.
 */
export const FINALIZER_OWNERS: Actor = {
  actions: {
    removeThirdPartyFinalizer: removal(
      'cooperative',
      'weak',
      'The owner of a finalizer removes it from an object that is being deleted.',
    ),
    removeFinalizerAtWill: removal(
      'unknown',
      'none',
      'The owner of a finalizer removes it, but nothing says that it ever does (unknown finalizers).',
    ),
  },
  clients: (setup) =>
    [...ownedBy(setup, 'cooperative'), ...ownedBy(setup, 'unknown')].map(({ finalizer, key }) => [
      finalizerClient(finalizer, key),
      `owner of ${finalizer}`,
    ]),
  isIdle: () => true,
};

function removal(
  owner: FinalizerOwner,
  fairness: 'weak' | 'none',
  about: string,
): Actor['actions'][string] {
  return action<{ finalizer: string; key: ObjectKey }>({
    fairness,
    about,
    parameters: (setup) => {
      const owned = ownedBy(setup, owner);
      // A model without unknown owners lacks the action, so that it is not reported as never done.
      return owner === 'unknown' && owned.length === 0 ? null : owned;
    },
    reducer:
      (_setup, world) =>
      (cluster, { finalizer, key }) =>
        removeThirdPartyFinalizer(cluster, world, finalizer, key),
    request: (_setup, before, { finalizer, key }) => thirdPartyRemoval(before, finalizer, key),
    continued: (after, { finalizer, key }) => after.calls[finalizerClient(finalizer, key)] ?? null,
    describe: (_context, { finalizer, key }) => `owner of ${finalizer}: works on ${formatKey(key)}`,
    obstacle: (_context, { finalizer }, _cluster, { path }, words) =>
      path[2] === 'finalizers' || path[2] === 'specFinalizers'
        ? `${formatKey(path[1] ?? '')} does not have finalizer ${finalizer}`
        : words,
  });
}

/** The finalizers whose owner behaves so, unless another actor has them. */
function ownedBy(setup: Setup, owner: FinalizerOwner): Instances['finalizers'] {
  return instancesOf(setup).finalizers.filter(
    ({ finalizer }) =>
      (setup.finalizers[finalizer] ?? 'cooperative') === owner && !isOwnedByActor(setup, finalizer),
  );
}

/** The owner of a finalizer has done its work and removes the finalizer with a PATCH. */
export function removeThirdPartyFinalizer(
  cluster: ClusterDraft,
  world: World,
  finalizer: string,
  key: string,
): void {
  const object = cluster.store[key];
  const client = finalizerClient(finalizer, key);
  if (object === undefined || !isLetGo(cluster, world, finalizer, object as ApiObject)) return;
  if (cluster.calls[client] !== undefined) return;
  const has = allFinalizers(object as ApiObject).includes(finalizer);
  if (has) proceed(cluster, world, client, thirdPartyRemoval(cluster, finalizer, key));
}

/**
 * The PATCH with which the owner of a finalizer removes it. From `spec.finalizers` of a namespace
 * it takes it by the subresource `finalize`.
 */
function thirdPartyRemoval(
  { store }: Cluster | ClusterDraft,
  finalizer: string,
  key: string,
): UpdateCall {
  const object = store[key];
  const client = finalizerClient(finalizer, key);
  if (object === undefined || object.finalizers.includes(finalizer)) {
    return patchCall(client, key, { do: 'removeFinalizer', finalizer });
  }
  const specFinalizers = (object.specFinalizers ?? []).filter((name) => name !== finalizer);
  return patchCall(client, key, { do: 'finalizeNamespace', specFinalizers });
}
