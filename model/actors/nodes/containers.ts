import { proceed } from '../../apiserver/client.ts';
import type { UpdateCall } from '../../state/calls.ts';
import { patchCall } from '../../state/calls.ts';
import type { Cluster, ClusterDraft } from '../../state/cluster.ts';
import { setState } from '../../state/controllers.ts';
import { formatKey } from '../../state/keys.ts';
import {
  type ApiObject,
  isBeingDeleted,
  keyOf,
  type ObjectKey,
  objectKey,
  type Uid,
} from '../../state/objects.ts';
import type { Setup } from '../../state/setup.ts';
import type { World } from '../../state/world.ts';
import { type Actor, action, orNone } from '../actor.ts';
import {
  isOnLostNode,
  kubeletClient,
  RUNNING_POD,
  type RunningPod,
  runningPod,
  scheduledPods,
} from './kubelet.ts';

/**
 * Kubelets that run containers: `setup.containers` (`RunningPod`).
 *
 * Left out: containers that end by themselves, restarts, probes, and the kubelet's own cache of
 * pods. The kubelet can act late, but always acts on what is stored at that time.
 */
export const CONTAINERS: Actor = {
  actions: {
    startPod: action<{ key: ObjectKey }>({
      fairness: 'weak',
      about: 'A kubelet reads the next claim of a pod, or starts its containers.',
      parameters,
      reducer:
        () =>
        (cluster, { key }) =>
          startPod(cluster, key),
      describe: (_context, { key }, before, after) =>
        `kubelet: ${startWords(before, key, runningPod(after, key)?.containers ?? null)}`,
    }),
    stopPod: action<{ key: ObjectKey }>({
      fairness: 'weak',
      about: 'A kubelet sends TERM to the containers of a pod, or sees them end.',
      parameters,
      reducer:
        () =>
        (cluster, { key }) =>
          stopPod(cluster, key),
      describe: (_context, { key }, _before, after) =>
        runningPod(after, key)?.containers === 'terminating'
          ? `kubelet: sends TERM to the containers of ${formatKey(key)}`
          : `kubelet: sees the containers of ${formatKey(key)} end`,
    }),
    reportPod: action<{ key: ObjectKey }>({
      fairness: 'weak',
      about: 'A kubelet reports that a pod has ended.',
      parameters,
      reducer:
        (_setup, world) =>
        (cluster, { key }) =>
          reportPod(cluster, world, key),
      request: (_setup, before, { key }) => report(before, key),
      continued: (after, { key }) => after.calls[kubeletClient(key)] ?? null,
      describe: (_context, { key }) => `kubelet: finds ${formatKey(key)} gone`,
    }),
  },
  roles: [RUNNING_POD],
  initialStates: (setup) =>
    Object.fromEntries(
      setup.objects.flatMap((object): [string, RunningPod][] =>
        setup.containers === true && object.pod?.running === true
          ? [
              [
                kubeletClient(keyOf(object)),
                { role: 'pod', uid: object.uid, containers: 'running' },
              ],
            ]
          : [],
      ),
    ),
  isIdle: (setup, cluster) =>
    podsWithContainers(setup).every((key) => {
      const running = runningPod(cluster, key);
      if (running === null) return !canFinishStarting(cluster, key);
      return running.containers === 'running' && !isToStop(cluster, key, running.uid);
    }),
};

function parameters(setup: Setup): readonly { key: ObjectKey }[] | null {
  return orNone(podsWithContainers(setup).map((key) => ({ key })));
}

function startWords(before: Cluster, key: ObjectKey, now: RunningPod['containers'] | null): string {
  const found = runningPod(before, key)?.found ?? 0;
  const pod = before.store[key];
  const claim = pod?.pod?.claims?.[found];
  const get = claim === undefined ? '' : `GET ${formatKey(claimKey(key, claim))} -> `;
  if (now === null) return `${get}gives up starting ${formatKey(key)}`;
  return `${get}${now === 'running' ? 'starts' : 'goes on with'} ${formatKey(key)}`;
}

function podsWithContainers(setup: Setup): readonly ObjectKey[] {
  return setup.containers === true ? scheduledPods(setup) : [];
}

/** Whether the pod should run here and is not being deleted. */
function wanted(cluster: Cluster | ClusterDraft, key: ObjectKey): ApiObject | null {
  const pod = cluster.store[key] as ApiObject | undefined;
  if (pod?.pod?.scheduled !== true || pod.pod.finished || isBeingDeleted(pod)) return null;
  return isOnLostNode(cluster, pod) ? null : pod;
}

/** Whether the kubelet can continue to start the pod. It has found the first claims already. */
function canStart(cluster: Cluster | ClusterDraft, key: ObjectKey, found: number): boolean {
  const pod = wanted(cluster, key);
  if (pod === null) return false;
  const claim = pod.pod?.claims?.[found];
  return claim === undefined || isClaimThere(cluster, key, claim);
}

function isClaimThere(cluster: Cluster | ClusterDraft, pod: ObjectKey, claim: string): boolean {
  const stored = cluster.store[claimKey(pod, claim)];
  return stored !== undefined && stored.deletionTimestamp === null;
}

/** While a claim is missing, the kubelet begins again and again without a result. */
function canFinishStarting(cluster: Cluster, key: ObjectKey): boolean {
  const claims = wanted(cluster, key)?.pod?.claims ?? [];
  return canStart(cluster, key, 0) && claims.every((claim) => isClaimThere(cluster, key, claim));
}

function claimKey(pod: ObjectKey, claim: string): ObjectKey {
  return objectKey('PersistentVolumeClaim', pod.split('/')[1] ?? '', claim);
}

/**
 * Mirrors `desiredStateOfWorldPopulator.getPVCExtractPV` and `syncPod` of the kubelet (1.20): a
 * live GET of each claim, which must not be in deletion; then the containers start.
 */
function startPod(cluster: ClusterDraft, key: ObjectKey): void {
  const client = kubeletClient(key);
  const running = runningPod(cluster, key);
  if (running !== null && running.containers !== 'starting') return;
  const found = running?.found ?? 0;
  const pod = cluster.store[key];
  if (!canStart(cluster, key, found) || (running !== null && running.uid !== pod?.uid)) {
    if (running !== null) delete cluster.controllers[client];
    return;
  }
  if (pod === undefined) return;
  const { uid } = pod;
  const next = found + 1;
  const started: RunningPod =
    next < (pod.pod?.claims?.length ?? 0)
      ? { role: 'pod', uid, containers: 'starting', found: next }
      : { role: 'pod', uid, containers: 'running' };
  setState(cluster, client, started);
}

function isToStop(cluster: Cluster | ClusterDraft, key: ObjectKey, uid: Uid): boolean {
  const pod = cluster.store[key];
  return pod?.uid !== uid || pod.deletionTimestamp !== null;
}

/**
 * Mirrors `killPod` of the kubelet (1.20) for a pod that is being deleted or is gone: TERM, and at
 * any later time the containers end.
 */
function stopPod(cluster: ClusterDraft, key: ObjectKey): void {
  const client = kubeletClient(key);
  const running = runningPod(cluster, key);
  if (running === null) return;
  const { uid } = running;
  if (running.containers === 'running' && isToStop(cluster, key, uid)) {
    setState<RunningPod>(cluster, client, { role: 'pod', uid, containers: 'terminating' });
  } else if (running.containers === 'terminating') {
    if (cluster.store[key]?.uid !== uid) delete cluster.controllers[client];
    else setState<RunningPod>(cluster, client, { role: 'pod', uid, containers: 'ended' });
  }
}

/** The PATCH of the status with which the kubelet reports that the pod has ended. */
function report(cluster: Cluster | ClusterDraft, key: ObjectKey): UpdateCall | null {
  const running = runningPod(cluster, key);
  if (running?.containers !== 'ended' || cluster.store[key]?.uid !== running.uid) return null;
  return patchCall(kubeletClient(key), key, { do: 'finishPod' }, running.uid);
}

/** Mirrors the status update in `manager.syncPod` of the kubelet (1.20): the phase is terminal. */
function reportPod(cluster: ClusterDraft, world: World, key: ObjectKey): void {
  const client = kubeletClient(key);
  if (runningPod(cluster, key)?.containers !== 'ended') return;
  if (cluster.calls[client] !== undefined) return;
  const call = report(cluster, key);
  delete cluster.controllers[client];
  if (call !== null) proceed(cluster, world, client, call);
}
