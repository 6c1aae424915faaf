import { listKeys, rememberRead } from '../apiserver/store.ts';
import type { Call, Change, UpdateCall } from '../state/calls.ts';
import type { Cluster, ClusterDraft } from '../state/cluster.ts';
import type { ControllerRole } from '../state/controllers.ts';
import { setState, stateOf } from '../state/controllers.ts';
import { waitsForRelease } from '../state/finalizers.ts';
import { managerCache } from '../state/informers.ts';
import { possibleObjects } from '../state/instances.ts';
import { formatKey, kindOf } from '../state/keys.ts';
import {
  type ApiObject,
  isBeingDeleted,
  keyOf,
  type ObjectKey,
  objectKey,
} from '../state/objects.ts';
import type { Setup } from '../state/setup.ts';
import type { InformerEvent, World } from '../state/world.ts';
import type { Actor } from './actor.ts';
import { hasOtherUsers } from './other-users.ts';
import { DECIDED_REQUESTS, decide, syncAction } from './requests.ts';

/**
 * The controllers that keep PersistentVolumeClaims for the pods that use them, and
 * PersistentVolumes for their claims: `setup.storageProtection`.
 */

export const CLAIM_FINALIZER = 'kubernetes.io/pvc-protection';
export const VOLUME_FINALIZER = 'kubernetes.io/pv-protection';

const CLAIM = 'PersistentVolumeClaim';
const VOLUME = 'PersistentVolume';

/** Before the live list of pods, which follows the list from the cache. */
interface ClaimCheck {
  readonly role: 'claimCheck';
  /** An event of a pod of the claim has followed, so the claim is in the queue again. */
  readonly again?: true;
}

const CLAIM_CHECK: ControllerRole<ClaimCheck> = {
  role: 'claimCheck',
  inManager: true,
  next: () => 'is to list pods once more',
};

/**
 * A pod uses the claim, as far as the controller has seen. Nothing is queued, so the controller
 * does nothing before an event of a pod of the claim, or of the claim itself.
 */
interface ClaimInUse {
  readonly role: 'claimInUse';
}

const CLAIM_IN_USE: ControllerRole<ClaimInUse> = {
  role: 'claimInUse',
  inManager: true,
  next: () => null,
  clause: (_state, name) => `${name} has found the claim in use, and waits for an event`,
};

const PODS = managerCache({
  name: 'pods of claim protection',
  words: 'claim protection',
  kind: 'Pod',
  handle: queueClaims,
});

export const STORAGE_PROTECTION: Actor = {
  actions: {
    protectClaim: syncAction({
      about: 'Claim protection does its next step for a PersistentVolumeClaim.',
      keys: claimsOf,
      kind: {
        name: CLAIM,
        isWorkedOn: (setup) => protects(setup, CLAIM_FINALIZER),
        mayBeDue: (claim) => taskFor(claim, CLAIM_FINALIZER) !== null,
      },
      client: protector,
      sync: (cluster, key, setup, world) => protectClaim(cluster, setup, world, key),
      describe: (_context, { key }, before, after) => {
        const name = formatKey(key);
        const used = stateOf(after, protector(key), CLAIM_IN_USE) !== null;
        if (stateOf(before, protector(key), CLAIM_CHECK) !== null) {
          return `claim protection: LIST pods -> ${used ? `one uses ${name}` : `none uses ${name}`}`;
        }
        if (used) return `claim protection: finds a pod in its cache that uses ${name}`;
        return isBeingDeletedIn(before, key)
          ? `claim protection: finds no pod in its cache that uses ${name}`
          : `claim protection: finds ${name} without its finalizer`;
      },
    }),
    protectVolume: syncAction({
      about: 'Volume protection does its next step for a PersistentVolume.',
      keys: volumesOf,
      kind: {
        name: VOLUME,
        isWorkedOn: (setup) => protects(setup, VOLUME_FINALIZER),
        mayBeDue: (volume) => taskFor(volume, VOLUME_FINALIZER) !== null,
      },
      client: protector,
      sync: protectVolume,
      describe: (_context, { key }, before) =>
        `volume protection: finds ${formatKey(key)} ${isBeingDeletedIn(before, key) ? 'not bound' : 'without its finalizer'}`,
    }),
    releaseVolume: syncAction({
      about: 'The volume controller does its next step for a volume whose claim is gone.',
      keys: volumesOf,
      kind: {
        name: VOLUME,
        isWorkedOn: (setup) => protects(setup, VOLUME_FINALIZER),
        mayBeDue: ({ volume }) => volume?.bound === true,
      },
      client: binder,
      sync: releaseVolume,
      describe: (_context, { key }) =>
        `volume controller: finds the claim of ${formatKey(key)} gone`,
    }),
  },
  roles: [CLAIM_CHECK, CLAIM_IN_USE, DECIDED_REQUESTS],
  clients: (setup) => [
    ...claimsOf(setup).map((key) => [protector(key), 'claim protection'] as const),
    ...volumesOf(setup).flatMap((key) => [
      [protector(key), 'volume protection'] as const,
      [binder(key), 'volume controller'] as const,
    ]),
  ],
  informers: (setup) => {
    const hasClaims = claimsOf(setup).length > 0;
    const mayHave = setup.open === true && protects(setup, CLAIM_FINALIZER);
    return hasClaims || mayHave ? [PODS.informer] : [];
  },
  isIdle: (setup, cluster) =>
    cluster.stopped.controllers !== undefined ||
    (claimsOf(setup).every(
      (key) =>
        isFoundInUse(cluster, key) ||
        (!isAtWork(cluster, key) && nextForClaim(cluster, setup, key) === null),
    ) &&
      volumesOf(setup).every(
        (key) =>
          isIdle(cluster, protector(key)) &&
          isIdle(cluster, binder(key)) &&
          volumeTask(cluster, key) === null &&
          !isToBeReleased(cluster, key),
      )),
  removals: (setup) => [
    ...claimsOf(setup).map((key) => ({
      finalizer: CLAIM_FINALIZER,
      key,
      by: 'claim protection, once no pod with a node uses the claim',
    })),
    ...volumesOf(setup).map((key) => ({
      finalizer: VOLUME_FINALIZER,
      key,
      by: 'volume protection, once the volume is not bound',
    })),
  ],
  keepsFinalizer: (setup, cluster, key, finalizer) => {
    const object = cluster.store[key];
    if (object === undefined) return false;
    if (waitsForRelease(finalizer, object)) return true;
    if (setup.storageProtection !== true) return false;
    if (finalizer === CLAIM_FINALIZER && kindOf(key) === CLAIM) {
      return livePods(cluster, object).some(usesClaim(object)) || hasOtherUsers(cluster, key);
    }
    return finalizer === VOLUME_FINALIZER && object.volume?.bound === true;
  },
};

function isBeingDeletedIn({ store }: Cluster, key: ObjectKey): boolean {
  return store[key]?.deletionTimestamp !== null;
}

function claimsOf(setup: Setup): readonly ObjectKey[] {
  return keysOf(setup, CLAIM);
}

function volumesOf(setup: Setup): readonly ObjectKey[] {
  return keysOf(setup, VOLUME);
}

function keysOf(setup: Setup, kind: string): readonly ObjectKey[] {
  if (!protects(setup, kind === VOLUME ? VOLUME_FINALIZER : CLAIM_FINALIZER)) return [];
  const objects = possibleObjects(setup).filter((object) => object.kind === kind);
  return [...new Set(objects.map(keyOf))];
}

function protects({ storageProtection, finalizers }: Setup, finalizer: string): boolean {
  return storageProtection === true && finalizers[finalizer] !== 'stuck';
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
 * Whether its containers run does not matter, except for the claim of an ephemeral volume, which
 * the pod owns: that waits only until the kubelet has shut the pod down, because the pod may wait
 * for it.
 */
export function usesClaim(claim: Pick<ApiObject, 'namespace' | 'name' | 'ownerReferences'>) {
  return (user: ApiObject): boolean =>
    user.pod?.scheduled === true &&
    user.namespace === claim.namespace &&
    user.pod.claims?.includes(claim.name) === true &&
    !(isShutDown(user) && claim.ownerReferences.some(({ uid }) => uid === user.uid));
}

/** Mirrors `podIsShutDown` (1.20). */
function isShutDown({
  deletionTimestamp,
  deletionGracePeriodSeconds,
}: Pick<ApiObject, 'deletionTimestamp' | 'deletionGracePeriodSeconds'>): boolean {
  return deletionTimestamp !== null && deletionGracePeriodSeconds === 0;
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

/**
 * What the controller does for a claim of its queue: as its cache shows. That a pod uses the claim
 * is a step of its own only where watches of pods break or lose events. Otherwise every change that
 * matters is an event, so the controller works whenever its cache shows something to do.
 */
function nextForClaim(
  cluster: Cluster | ClusterDraft,
  { relists, lostEvents = {} }: Pick<Setup, 'relists' | 'lostEvents'>,
  key: ObjectKey,
): Task | 'wait' | null {
  const claim = cluster.store[key] as ApiObject | undefined;
  const task = taskFor(claim, CLAIM_FINALIZER);
  if (claim === undefined || task !== 'remove') return task;
  const isUsed = PODS.list(cluster, claim.namespace).some(usesClaim(claim));
  if (!isUsed && !hasOtherUsers(cluster, key)) return task;
  return (relists.Pod ?? 0) + (lostEvents.Pod ?? 0) > 0 ? 'wait' : null;
}

/** Whether the claim has been found in use, and no event of it has followed. */
function isFoundInUse(cluster: Cluster | ClusterDraft, key: ObjectKey): boolean {
  const client = protector(key);
  return stateOf(cluster, client, CLAIM_IN_USE) !== null && cluster.unchangedSince[client] === key;
}

/** Whether the controller is about to list pods, or has a request to send for the claim. */
function isAtWork(cluster: Cluster, key: ObjectKey): boolean {
  const client = protector(key);
  return !isIdle(cluster, client) && stateOf(cluster, client, CLAIM_IN_USE) === null;
}

/** A write of the claim since the controller has read it is an event of its own. */
function waitForEvent(cluster: ClusterDraft, key: ObjectKey): void {
  setState<ClaimInUse>(cluster, protector(key), { role: 'claimInUse' });
}

/**
 * Mirrors `podAddedDeletedUpdated` and `enqueuePVCs` (1.20). The claims of a pod that runs are not
 * queued, because the pod cannot help to release them. Left out: the shared informers deliver every
 * object again after 12 to 24 hours, which repairs what was missed.
 */
function queueClaims(
  cluster: ClusterDraft,
  { rules }: World,
  { before, after }: InformerEvent,
): void {
  const runs = after?.pod?.scheduled === true && !after.pod.finished && !isShutDown(after);
  if (after !== null && !runs) queueClaimsOf(cluster, after);
  const isOther = after === null || (before !== null && before.uid !== after.uid);
  if (before === null || !isOther) return;
  if (after === null || rules.claimPodEvents === 'bothPods') queueClaimsOf(cluster, before);
}

function queueClaimsOf(cluster: ClusterDraft, { namespace, pod }: ApiObject): void {
  for (const name of pod?.claims ?? []) {
    const client = protector(objectKey(CLAIM, namespace, name));
    if (stateOf(cluster, client, CLAIM_CHECK) !== null) {
      setState<ClaimCheck>(cluster, client, { role: 'claimCheck', again: true });
    }
    if (stateOf(cluster, client, CLAIM_IN_USE) === null) continue;
    delete cluster.controllers[client];
    delete cluster.unchangedSince[client];
  }
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
function protectClaim(
  cluster: ClusterDraft,
  setup: Pick<Setup, 'relists' | 'lostEvents'>,
  world: World,
  key: ObjectKey,
): void {
  const client = protector(key);
  if (isFoundInUse(cluster, key)) return;
  const check = stateOf(cluster, client, CLAIM_CHECK);
  if (check !== null) {
    delete cluster.controllers[client];
    const claim = cluster.store[key] as ApiObject | undefined;
    const used = claim !== undefined && livePods(cluster, claim).some(usesClaim(claim));
    if (used && check.again === true) delete cluster.unchangedSince[client];
    else if (used) waitForEvent(cluster, key);
    else decide(cluster, client, finalizerUpdate(client, key, CLAIM_FINALIZER, 'remove'));
    return;
  }
  const task = nextForClaim(cluster, setup, key);
  if (task === null) return;
  if (task === 'wait') {
    rememberRead(cluster, client, key);
    waitForEvent(cluster, key);
    return;
  }
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
