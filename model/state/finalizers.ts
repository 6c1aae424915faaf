import type { Rules } from '../rules/rules.ts';
import type { Cluster, ClusterDraft } from './cluster.ts';
import { type KindTable, resolveKind } from './kinds.ts';
import { type ApiObject, isBeingDeleted, type OwnerReference, objectKey } from './objects.ts';
import type { World } from './world.ts';

/** When the owners of Kubernetes' own finalizers let an object go. */

/** Pods have it until their end is counted in the status of their Job. */
export const JOB_TRACKING = 'batch.kubernetes.io/job-tracking';

/**
 * Volumes have one of them until their backing storage is deleted: that of the volume controller, or
 * that of the provisioner of a CSI driver (`HonorPVReclaimPolicy`, on by default since 1.31).
 */
export const RECLAIM_FINALIZERS: readonly string[] = [
  'kubernetes.io/pv-controller',
  'external-provisioner.volume.kubernetes.io/finalizer',
];

/**
 * Whether the owner of the finalizer removes it from the object as things are. By the contract of
 * finalizers it does so once deletion has begun.
 */
export function isLetGo(
  cluster: Cluster | ClusterDraft,
  world: Pick<World, 'kinds'>,
  finalizer: string,
  object: ApiObject,
): boolean {
  if (finalizer === JOB_TRACKING && isCounted(cluster, world, object)) return true;
  return isBeingDeleted(object) && !waitsForRelease(finalizer, object);
}

/**
 * Mirrors `deleteVolumeOperation` of the volume controller and `ProvisionController.shouldDelete` of the
 * CSI provisioner (1.31): a volume is reclaimed once its claim is gone, and not before.
 */
export function waitsForRelease(finalizer: string, { volume }: Pick<ApiObject, 'volume'>): boolean {
  return RECLAIM_FINALIZERS.includes(finalizer) && volume?.bound === true;
}

/**
 * Mirrors `trackJobStatusAndRemoveFinalizers` and `syncOrphanPod` of the Job controller (1.26): a pod
 * that has ended or is being deleted is counted, and a pod without a Job, or of a Job that is being
 * deleted, is not tracked any more. A pod that another controller owns is left alone
 * (kubernetes/kubernetes#124798). The status of the Job is left out.
 */
function isCounted(
  { store }: Cluster | ClusterDraft,
  { kinds }: Pick<World, 'kinds'>,
  object: ApiObject,
): boolean {
  if (object.pod?.finished === true) return true;
  const controller = object.ownerReferences.find((reference) => reference.controller === true);
  if (controller === undefined) return true;
  if (!isJob(controller)) return false;
  const kind = jobKind(kinds, controller);
  if (kind === null) return false;
  const job = store[objectKey(kind, object.namespace, controller.name)];
  return job?.uid !== controller.uid || job.deletionTimestamp !== null;
}

function isJob({ apiVersion, kind }: OwnerReference): boolean {
  return kind === 'Job' && apiVersion.startsWith('batch/');
}

function jobKind(kinds: KindTable, { apiVersion, kind }: OwnerReference): string | null {
  return resolveKind(kinds, apiVersion, kind)?.name ?? null;
}

/** The finalizers with which the controller of a Job creates this pod besides those of its template. */
export function trackingFinalizers(
  { jobTracking }: Rules,
  { pod, ownerReferences, finalizers }: ApiObject,
): readonly string[] {
  if (jobTracking === 'none' || pod === undefined || finalizers.includes(JOB_TRACKING)) return [];
  const isOfJob = ownerReferences.some(
    (reference) => reference.controller === true && isJob(reference),
  );
  return isOfJob ? [JOB_TRACKING] : [];
}
