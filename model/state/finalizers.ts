import type { Rules } from '../rules/rules.ts';
import type { Cluster, ClusterDraft } from './cluster.ts';
import { type KindTable, resolveKind } from './kinds.ts';
import { type ApiObject, isBeingDeleted, type OwnerReference, objectKey } from './objects.ts';
import type { World } from './world.ts';

/** When the owners of Kubernetes' own finalizers let an object go. */

/** Pods have it until their end is counted in the status of their Job. */
export const JOB_TRACKING = 'batch.kubernetes.io/job-tracking';

/**
 * Volumes have one of them until their backing storage is deleted: that of the volume controller,
 * or that of the provisioner of a CSI driver (`HonorPVReclaimPolicy`, on by default since 1.31).
 */
export const RECLAIM_FINALIZERS: readonly string[] = [
  'kubernetes.io/pv-controller',
  'external-provisioner.volume.kubernetes.io/finalizer',
];

/**
 * The owner of a finalizer acts for all objects or for none (`setup.finalizers`). Where it acts for
 * some only, these have the finalizer with one of these endings: its owner acts for them, or a
 * person takes it off them, or nobody ever does. The endings are no part of the name: no rule and no
 * text knows them.
 */
export const STANDING_IN = ['.its-owner-acts', '.taken-off-by-hand', '.never-taken-off'] as const;

/** The name of the finalizer in the cluster. */
export function plainFinalizer(finalizer: string): string {
  const ending = STANDING_IN.find((one) => finalizer.endsWith(one)) ?? '';
  return finalizer.slice(0, finalizer.length - ending.length);
}

/** The text with the names of finalizers as the cluster has them. */
export function withPlainFinalizers(text: string): string {
  return STANDING_IN.reduce((said, ending) => said.replaceAll(ending, ''), text);
}

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
  if (plainFinalizer(finalizer) === JOB_TRACKING && isCounted(cluster, world, object)) return true;
  return isBeingDeleted(object) && !waitsForRelease(finalizer, object);
}

/**
 * Mirrors `deleteVolumeOperation` of the volume controller and `ProvisionController.shouldDelete`
 * of the CSI provisioner (1.31): a volume is reclaimed once its claim is gone, and not before.
 */
export function waitsForRelease(finalizer: string, { volume }: Pick<ApiObject, 'volume'>): boolean {
  return RECLAIM_FINALIZERS.includes(plainFinalizer(finalizer)) && volume?.bound === true;
}

/**
 * Mirrors `trackJobStatusAndRemoveFinalizers` and `syncOrphanPod` of the Job controller (1.26): a
 * pod that has ended or is being deleted is counted, and a pod without a Job, or of a Job that is
 * being deleted, is not tracked any more. A pod that another controller owns is left alone
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

/**
 * The finalizers with which the controller of a Job creates this pod besides those of its template.
 */
export function trackingFinalizers(
  { jobTracking }: Rules,
  { pod, ownerReferences, finalizers }: ApiObject,
): readonly string[] {
  if (jobTracking === 'none' || pod === undefined) return [];
  if (finalizers.some((name) => plainFinalizer(name) === JOB_TRACKING)) return [];
  const isOfJob = ownerReferences.some(
    (reference) => reference.controller === true && isJob(reference),
  );
  return isOfJob ? [JOB_TRACKING] : [];
}
