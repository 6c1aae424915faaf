import { listKeys, rememberRead } from '../apiserver/store.ts';
import type { Call, Change, UpdateCall } from '../state/calls.ts';
import type { Cluster, ClusterDraft } from '../state/cluster.ts';
import { cached, type Informer } from '../state/informers.ts';
import { possibleObjects } from '../state/instances.ts';
import { formatKey } from '../state/keys.ts';
import { type ApiObject, isBeingDeleted, keyOf, type ObjectKey } from '../state/objects.ts';
import type { Setup } from '../state/setup.ts';
import type { World } from '../state/world.ts';
import { type Actor, action, parameter } from './actor.ts';
import { decide, errandOf, goOnErrand } from './requests.ts';

/**
 * The controllers that keep PersistentVolumeClaims for the pods that use them, and
 * PersistentVolumes for their claims: `setup.storageProtection`.
 */

export const CLAIM_FINALIZER = 'kubernetes.io/pvc-protection';
export const VOLUME_FINALIZER = 'kubernetes.io/pv-protection';

const PODS: Informer = {
  name: 'pods of claim protection',
  words: 'claim protection',
  kind: 'Pod',
  inManager: true,
};

type Somewhere = Cluster | ClusterDraft;

export const STORAGE_PROTECTION: Actor = {
  actionNames: ['protectClaim', 'protectVolume', 'releaseVolume'],
  actions: (setup, world) => {
    const claims = keysOf(setup, 'PersistentVolumeClaim').map((key) => ({ key }));
    const volumes = keysOf(setup, 'PersistentVolume').map((key) => ({ key }));
    return {
      ...(claims.length === 0
        ? {}
        : {
            protectClaim: action('weak', claims, (cluster, { key }) =>
              protectClaim(cluster, world, key),
            ),
          }),
      ...(volumes.length === 0
        ? {}
        : {
            protectVolume: action('weak', volumes, (cluster, { key }) =>
              protectVolume(cluster, world, key),
            ),
            releaseVolume: action('weak', volumes, (cluster, { key }) =>
              releaseVolume(cluster, world, key),
            ),
          }),
    };
  },
  clients: (setup) => [
    ...keysOf(setup, 'PersistentVolumeClaim').map(
      (key) => [protector(key), 'claim protection'] as const,
    ),
    ...keysOf(setup, 'PersistentVolume').flatMap((key) => [
      [protector(key), 'volume protection'] as const,
      [binder(key), 'volume controller'] as const,
    ]),
  ],
  informers: (setup) => (keysOf(setup, 'PersistentVolumeClaim').length === 0 ? [] : [PODS]),
  isIdle: (setup, cluster) =>
    cluster.stopped.controllers !== undefined ||
    (keysOf(setup, 'PersistentVolumeClaim').every(
      (key) => isIdle(cluster, protector(key)) && claimTask(cluster, key) === null,
    ) &&
      keysOf(setup, 'PersistentVolume').every(
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
    if (setup.storageProtection !== true) return false;
    const object = cluster.store[key];
    if (object === undefined) return false;
    if (finalizer === CLAIM_FINALIZER) return livePods(cluster, object).some(uses(object));
    return finalizer === VOLUME_FINALIZER && object.volume?.bound === true;
  },
  acting: (_setup, before, step) => errandOf(before, clientOf(step.name, parameter(step, 'key'))),
  continued: (after, step) => errandOf(after, clientOf(step.name, parameter(step, 'key'))),
  describe: (_context, step, before, after) => {
    const key = parameter(step, 'key');
    const name = formatKey(key);
    if (step.name === 'releaseVolume') return `volume controller: finds the claim of ${name} gone`;
    const deleting = before.store[key]?.deletionTimestamp !== null;
    if (step.name === 'protectVolume') {
      return `volume protection: finds ${name} ${deleting ? 'not bound' : 'without its finalizer'}`;
    }
    const used = after.controllers[protector(key)] === undefined;
    if (before.controllers[protector(key)]?.role === 'claimCheck') {
      return `claim protection: LIST pods -> ${used ? `one uses ${name}` : `none uses ${name}`}`;
    }
    return deleting
      ? `claim protection: finds no pod in its cache that uses ${name}`
      : `claim protection: finds ${name} without its finalizer`;
  },
};

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

function clientOf(action: string, key: ObjectKey): string {
  return action === 'releaseVolume' ? binder(key) : protector(key);
}

function isIdle(cluster: Cluster, client: string): boolean {
  return cluster.controllers[client] === undefined;
}

/**
 * Mirrors `podUsesPVC` (1.20): the pod is bound to a node and one of its volumes names the claim,
 * whether its containers run or not.
 */
export function uses(claim: Pick<ApiObject, 'namespace' | 'name'>) {
  return ({ pod, namespace }: Pick<ApiObject, 'pod' | 'namespace'>): boolean =>
    pod?.scheduled === true &&
    namespace === claim.namespace &&
    pod.claims?.includes(claim.name) === true;
}

function livePods(cluster: Somewhere, { namespace }: ApiObject): readonly ApiObject[] {
  return listKeys(cluster as ClusterDraft, 'Pod', namespace).flatMap(
    (key) => (cluster.store[key] as ApiObject | undefined) ?? [],
  );
}

function cachedPods(cluster: Somewhere, claim: ApiObject): readonly ApiObject[] {
  const unseen = (cluster.unseen[PODS.name] ?? []).map(({ key }) => key);
  const keys = [
    ...new Set([...listKeys(cluster as ClusterDraft, 'Pod', claim.namespace), ...unseen]),
  ];
  return keys.flatMap((key) => cached(cluster, PODS.name, key) ?? []);
}

type Task = 'add' | 'remove';

/** Mirrors `IsDeletionCandidate` and `NeedToAddFinalizer` (1.20). */
function taskFor(object: ApiObject | undefined, finalizer: string): Task | null {
  if (object === undefined) return null;
  const protectedNow = object.finalizers.includes(finalizer);
  if (isBeingDeleted(object)) return protectedNow ? 'remove' : null;
  return protectedNow ? null : 'add';
}

function claimTask(cluster: Somewhere, key: ObjectKey): Task | null {
  const claim = cluster.store[key] as ApiObject | undefined;
  const task = taskFor(claim, CLAIM_FINALIZER);
  if (claim === undefined || task !== 'remove') return task;
  return cachedPods(cluster, claim).some(uses(claim)) ? null : task;
}

function volumeTask(cluster: Somewhere, key: ObjectKey): Task | null {
  const volume = cluster.store[key] as ApiObject | undefined;
  const task = taskFor(volume, VOLUME_FINALIZER);
  return task === 'remove' && volume?.volume?.bound === true ? null : task;
}

/**
 * Mirrors `processPVC` of the PVC protection controller (1.20): a claim that is being deleted loses
 * the finalizer once no pod uses it. The look at the cached pods, the live list that follows it
 * since 1.18 and the PUT are each a step. The claim itself is taken as it is stored: with an older
 * copy the PUT would be a conflict.
 */
function protectClaim(cluster: ClusterDraft, world: World, key: ObjectKey): void {
  if (cluster.stopped.controllers !== undefined) return;
  const client = protector(key);
  if (errandOf(cluster, client) !== null) {
    goOnErrand(cluster, world, client);
    return;
  }
  if (cluster.controllers[client]?.role === 'claimCheck') {
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
    cluster.controllers[client] = { role: 'claimCheck' };
  } else {
    decide(cluster, client, finalizerUpdate(client, key, CLAIM_FINALIZER, task));
  }
}

/** Mirrors `processPV` of the PV protection controller (1.20): a volume stays while it is Bound. */
function protectVolume(cluster: ClusterDraft, world: World, key: ObjectKey): void {
  if (cluster.stopped.controllers !== undefined) return;
  const client = protector(key);
  if (errandOf(cluster, client) !== null) {
    goOnErrand(cluster, world, client);
    return;
  }
  const task = volumeTask(cluster, key);
  if (task === null) return;
  rememberRead(cluster, client, key);
  decide(cluster, client, finalizerUpdate(client, key, VOLUME_FINALIZER, task));
}

function isToBeReleased(cluster: Somewhere, key: ObjectKey): boolean {
  const binding = cluster.store[key]?.volume;
  if (binding === undefined || !binding.bound) return false;
  const claim = cluster.store[binding.claim];
  return claim === undefined || (binding.claimUid !== undefined && claim.uid !== binding.claimUid);
}

/**
 * Mirrors what `PersistentVolumeController.syncVolume` (1.20) does about a claim that is gone: the
 * volume is Released. Reclaiming it is left out.
 */
function releaseVolume(cluster: ClusterDraft, world: World, key: ObjectKey): void {
  if (cluster.stopped.controllers !== undefined) return;
  const client = binder(key);
  if (errandOf(cluster, client) !== null) {
    goOnErrand(cluster, world, client);
    return;
  }
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
