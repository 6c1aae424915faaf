import { NOTHING, row, type Transition } from './transition.ts';

/**
 * Actors other than users, the collector and the controllers of namespaces, definitions,
 * workloads.
 */
export const AROUND: readonly Transition[] = [
  row(
    'deliverToInformer',
    '',
    'sharedIndexInformer',
    'state/informers.ts#deliverToInformer',
    'breaking watches: this one only lags',
  ),
  row(
    'reconcile',
    'workload',
    'ReplicaSetController.syncReplicaSet and its like',
    'actors/workloads/reconciling.ts#reconcile actors/workloads/workload-plan.ts#planWorkload',
    'rolling updates, failures of pods, order of preference among pods that are too many',
  ),
  row(
    'reconcile',
    'operator',
    'the contract of finalizers',
    'actors/workloads/reconciling.ts#reconcile actors/workloads/operator-plan.ts#planOperator',
    'what an operator does outside of the cluster',
  ),
  row(
    'reconcileAtWill',
    '',
    'the contract of finalizers',
    'actors/workloads/reconciling.ts#reconcile',
    NOTHING,
  ),
  row(
    'startPod',
    '',
    'getPVCExtractPV, syncPod of the kubelet',
    'actors/nodes/containers.ts#startPod',
    'its cache of pods: it acts late, but on what is stored then; probes and restarts',
  ),
  row(
    'stopPod',
    '',
    'killPod of the kubelet',
    'actors/nodes/containers.ts#stopPod',
    'how long containers take: any time; containers that end by themselves',
  ),
  row(
    'reportPod',
    '',
    'manager.syncPod of the kubelet',
    'actors/nodes/containers.ts#reportPod',
    NOTHING,
  ),
  row(
    'protectClaim',
    '',
    'processPVC of the PVC protection controller',
    'actors/storage-protection.ts#protectClaim',
    'its cache of claims: an old copy makes the PUT a conflict',
  ),
  row(
    'protectVolume',
    '',
    'processPV of the PV protection controller',
    'actors/storage-protection.ts#protectVolume',
    'its cache of volumes: an old copy makes the PUT a conflict',
  ),
  row(
    'releaseVolume',
    '',
    'PersistentVolumeController.syncVolume',
    'actors/storage-protection.ts#releaseVolume',
    'reclaiming: a Released volume stays until a user deletes it',
  ),
  row(
    'removeNode',
    '',
    'forcefullyDeleteNode',
    'actors/nodes/node-controller.ts#removeNode',
    'DELETEs that would change nothing',
  ),
  row(
    'collectPod',
    '',
    'PodGCController.gc',
    'actors/nodes/pod-gc.ts#collectPod',
    'the age of pods: any of too many may go; the quarantine of nodes is a delay',
  ),
  row(
    'evictPod',
    '',
    'Controller.deletePod of taint eviction',
    'actors/nodes/taint-eviction.ts#evictPod',
    'tolerations other than those of DaemonSets; the minutes until eviction are a delay',
  ),
  row(
    'syncCronJob',
    '',
    'ControllerV2.sync of the CronJob controller',
    'actors/cron-jobs.ts#syncCronJob',
    'concurrency policies, caches; a Job counts as finished from any time on',
  ),
  row(
    'pollDeletion',
    '',
    'IsDeleted of kubectl',
    'actors/kubectl.ts#poll',
    'looks that still find the object change nothing',
  ),
];
