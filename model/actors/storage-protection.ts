import { listKeys, rememberRead } from '../apiserver/store.ts';
import type { Call, Change, UpdateCall } from '../state/calls.ts';
import type { Cluster, ClusterDraft } from '../state/cluster.ts';
import type { ControllerRole } from '../state/controllers.ts';
import { setState, stateOf } from '../state/controllers.ts';
import { waitsForRelease } from '../state/finalizers.ts';
import { managerCache } from '../state/informers.ts';
import { possibleObjects } from '../state/instances.ts';
import { formatKey } from '../state/keys.ts';
import { type ApiObject, isBeingDeleted, keyOf, type ObjectKey } from '../state/objects.ts';
import type { Setup } from '../state/setup.ts';
import type { World } from '../state/world.ts';
import type { Actor } from './actor.ts';
import { DECIDED_REQUESTS, decide, syncAction } from './requests.ts';

/**
 * The controllers that keep PersistentVolumeClaims for the pods that use them, and
 * PersistentVolumes for their claims: `setup.storageProtection`.
 */

export const CLAIM_FINALIZER = 'kubernetes.io/pvc-protection';
export const VOLUME_FINALIZER = 'kubernetes.io/pv-protection';

/** Before the live list of pods, which follows the list from the cache. */
interface ClaimCheck {
  readonly role: 'claimCheck';
}

const CLAIM_CHECK: ControllerRole<ClaimCheck> = {
  role: 'claimCheck',
  inManager: true,
  next: () => 'is to list pods once more',
};

const PODS = managerCache({
  name: 'pods of claim protection',
  words: 'claim protection',
  kind: 'Pod',
});

export const STORAGE_PROTECTION: Actor = {
  actions: {
    protectClaim: syncAction({
      about: 'Claim protection does its next step for a PersistentVolumeClaim.',
      keys: claimsOf,
      client: protector,
      sync: (cluster, key, _setup, world) => protectClaim(cluster, world, key),
      describe: (_context, { key }, before, after) => {
        const name = formatKey(key);
        if (stateOf(before, protector(key), CLAIM_CHECK) !== null) {
          const used = after.controllers[protector(key)] === undefined;
          return `claim protection: LIST pods -> ${used ? `one uses ${name}` : `none uses ${name}`}`;
        }
        return isBeingDeletedIn(before, key)
          ? `claim protection: finds no pod in its cache that uses ${name}`
          : `claim protection: finds ${name} without its finalizer`;
      },
    }),
    protectVolume: syncAction({
      about: 'Volume protection does its next step for a PersistentVolume.',
      keys: volumesOf,
      client: protector,
      sync: protectVolume,
      describe: (_context, { key }, before) =>
        `volume protection: finds ${formatKey(key)} ${isBeingDeletedIn(before, key) ? 'not bound' : 'without its finalizer'}`,
    }),
    releaseVolume: syncAction({
      about: 'The volume controller does its next step for a volume whose claim is gone.',
      keys: volumesOf,
      client: binder,
      sync: releaseVolume,
      describe: (_context, { key }) =>
        `volume controller: finds the claim of ${formatKey(key)} gone`,
    }),
  },
  roles: [CLAIM_CHECK, DECIDED_REQUESTS],
  clients: (setup) => [
    ...claimsOf(setup).map((key) => [protector(key), 'claim protection'] as const),
    ...volumesOf(setup).flatMap((key) => [
      [protector(key), 'volume protection'] as const,
      [binder(key), 'volume controller'] as const,
    ]),
  ],
  informers: (setup) => (claimsOf(setup).length === 0 ? [] : [PODS.informer]),
  isIdle: (setup, cluster) =>
    cluster.stopped.controllers !== undefined ||
    (claimsOf(setup).every(
      (key) => isIdle(cluster, protector(key)) && claimTask(cluster, key) === null,
    ) &&
      volumesOf(setup).every(
        (key) =>
          isIdle(cluster, protector(key)) &&
          isIdle(cluster, binder(key)) &&
          volumeTask(cluster, key) === null &&
          !isToBeReleased(cluster, key),
      )),
  ownsFinalizer: (setup, finalizer) =>
    setup.storageProtection === true &&
    (finalizer === CLAIM_FINALIZER || finalizer === VOLUME_FINALIZER) &&
    setup.finalizers[finalizer] !== 'stuck',
  keepsFinalizer: (setup, cluster, key, finalizer) => {
    const object = cluster.store[key];
    if (object === undefined) return false;
    if (waitsForRelease(finalizer, object)) return true;
    if (setup.storageProtection !== true) return false;
    if (finalizer === CLAIM_FINALIZER) return livePods(cluster, object).some(uses(object));
    return finalizer === VOLUME_FINALIZER && object.volume?.bound === true;
  },
};

function isBeingDeletedIn({ store }: Cluster, key: ObjectKey): boolean {
  return store[key]?.deletionTimestamp !== null;
}

function claimsOf(setup: Setup): readonly ObjectKey[] {
  return keysOf(setup, 'PersistentVolumeClaim');
}

function volumesOf(setup: Setup): readonly ObjectKey[] {
  return keysOf(setup, 'PersistentVolume');
}

function keysOf(setup: Setup, kind: string): readonly ObjectKey[] {
  if (setup.storageProtection !== true) return [];
  const finalizer = kind === 'PersistentVolume' ? VOLUME_FINALIZER : CLAIM_FINALIZER;
  if (setup.finalizers[finalizer] === 'stuck') return [];
  const objects = possibleObjects(setup).filter((object) => object.kind === kind);
  return [...new Set(objects.map(keyOf))];
}

function protector(key: ObjectKey): string {
  return `protection of ${key}`;
}

function binder(key: ObjectKey): string {
  return `volume controller for ${key}`;
}

function isIdle(cluster: Cluster, client: string): boolean {
  return cluster.controllers[client] === undefined;
}

/**
 * Mirrors `podUsesPVC` (1.20): the pod is bound to a node and one of its volumes names the claim.
 * Whether its containers run does not matter.
 */
export function uses(claim: Pick<ApiObject, 'namespace' | 'name'>) {
  return ({ pod, namespace }: Pick<ApiObject, 'pod' | 'namespace'>): boolean =>
    pod?.scheduled === true &&
    namespace === claim.namespace &&
    pod.claims?.includes(claim.name) === true;
}

function livePods(cluster: Cluster | ClusterDraft, { namespace }: ApiObject): readonly ApiObject[] {
  return listKeys(cluster as ClusterDraft, 'Pod', namespace).flatMap(
    (key) => (cluster.store[key] as ApiObject | undefined) ?? [],
  );
}

type Task = 'add' | 'remove';

/** Mirrors `IsDeletionCandidate` and `NeedToAddFinalizer` (1.20). */
function taskFor(object: ApiObject | undefined, finalizer: string): Task | null {
  if (object === undefined) return null;
  const protectedNow = object.finalizers.includes(finalizer);
  if (isBeingDeleted(object)) return protectedNow ? 'remove' : null;
  return protectedNow ? null : 'add';
}

function claimTask(cluster: Cluster | ClusterDraft, key: ObjectKey): Task | null {
  const claim = cluster.store[key] as ApiObject | undefined;
  const task = taskFor(claim, CLAIM_FINALIZER);
  if (claim === undefined || task !== 'remove') return task;
  return PODS.list(cluster, claim.namespace).some(uses(claim)) ? null : task;
}

function volumeTask(cluster: Cluster | ClusterDraft, key: ObjectKey): Task | null {
  const volume = cluster.store[key] as ApiObject | undefined;
  const task = taskFor(volume, VOLUME_FINALIZER);
  return task === 'remove' && volume?.volume?.bound === true ? null : task;
}

/**
 * Mirrors `processPVC` of the PVC protection controller (1.20): a claim that is being deleted loses
 * the finalizer once no pod uses it. The read of the cached pods, the live list that follows it
 * since 1.18, and the PUT are each a step. The claim itself is read from the store: with an older
 * copy the PUT would be a conflict.
 */
function protectClaim(cluster: ClusterDraft, world: World, key: ObjectKey): void {
  const client = protector(key);
  if (stateOf(cluster, client, CLAIM_CHECK) !== null) {
    delete cluster.controllers[client];
    const claim = cluster.store[key] as ApiObject | undefined;
    const used = claim !== undefined && livePods(cluster, claim).some(uses(claim));
    if (used) delete cluster.unchangedSince[client];
    else decide(cluster, client, finalizerUpdate(client, key, CLAIM_FINALIZER, 'remove'));
    return;
  }
  const task = claimTask(cluster, key);
  if (task === null) return;
  rememberRead(cluster, client, key);
  if (task === 'remove' && world.rules.claimUseCheck === 'cachedThenLivePods') {
    setState<ClaimCheck>(cluster, client, { role: 'claimCheck' });
  } else {
    decide(cluster, client, finalizerUpdate(client, key, CLAIM_FINALIZER, task));
  }
}

/** Mirrors `processPV` of the PV protection controller (1.20): a volume stays while it is Bound. */
function protectVolume(cluster: ClusterDraft, key: ObjectKey): void {
  const client = protector(key);
  const task = volumeTask(cluster, key);
  if (task === null) return;
  rememberRead(cluster, client, key);
  decide(cluster, client, finalizerUpdate(client, key, VOLUME_FINALIZER, task));
}

function isToBeReleased(cluster: Cluster | ClusterDraft, key: ObjectKey): boolean {
  const binding = cluster.store[key]?.volume;
  if (binding === undefined || !binding.bound) return false;
  const claim = cluster.store[binding.claim];
  return claim === undefined || (binding.claimUid !== undefined && claim.uid !== binding.claimUid);
}

/**
 * Mirrors what `PersistentVolumeController.syncVolume` (1.20) does when a claim is gone: the volume
 * becomes Released. Reclaiming the volume is left out.
 */
function releaseVolume(cluster: ClusterDraft, key: ObjectKey): void {
  const client = binder(key);
  if (!isToBeReleased(cluster, key)) return;
  rememberRead(cluster, client, key);
  decide(cluster, client, put(client, key, { do: 'releaseVolume' }));
}

function finalizerUpdate(client: string, key: ObjectKey, finalizer: string, task: Task): Call {
  const change = task === 'add' ? 'addFinalizer' : 'removeFinalizer';
  return put(client, key, { do: change, finalizer });
}

function put(client: string, key: ObjectKey, change: Change): UpdateCall {
  return {
    verb: 'update',
    client,
    key,
    change,
    uid: null,
    put: true,
    resourceVersion: true,
    at: 'update',
  };
}
