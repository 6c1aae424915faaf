import type { ApiObject } from '../../../model/index.ts';

export const APPLICATION = 'Application.argoproj.io';
export const VELA = 'Application.core.oam.dev';
export const CLAIM = 'PersistentVolumeClaim';
export const CAPI_CLUSTER = 'Cluster.cluster.x-k8s.io';
export const MACHINE = 'Machine.cluster.x-k8s.io';

/** The finalizer under which each kind that tracks objects deletes them. */
export const TRACKING_FINALIZERS: Readonly<Record<string, string>> = {
  [APPLICATION]: 'resources-finalizer.argocd.argoproj.io',
  'Kustomization.kustomize.toolkit.fluxcd.io': 'finalizers.fluxcd.io',
  'HelmRelease.helm.toolkit.fluxcd.io': 'finalizers.fluxcd.io',
  'ResourceSet.fluxcd.controlplane.io': 'fluxcd.controlplane.io/finalizer',
  'GitRepo.fleet.cattle.io': 'fleet.cattle.io/gitrepo-finalizer',
  'Bundle.fleet.cattle.io': 'fleet.cattle.io/bundle-finalizer',
  [VELA]: 'app.oam.dev/resource-tracker-finalizer',
  'RootSync.configsync.gke.io': 'configsync.gke.io/reconciler',
  'RepoSync.configsync.gke.io': 'configsync.gke.io/reconciler',
  [CAPI_CLUSTER]: 'cluster.cluster.x-k8s.io',
  // Its node
  [MACHINE]: 'machine.cluster.x-k8s.io',
  'ClusterServiceVersion.operators.coreos.com': 'operators.coreos.com/csv-cleanup',
  'VolumeSnapshot.snapshot.storage.k8s.io':
    'snapshot.storage.kubernetes.io/volumesnapshot-bound-protection',
  'VolumeGroupSnapshot.groupsnapshot.storage.k8s.io':
    'groupsnapshot.storage.kubernetes.io/volumegroupsnapshot-bound-protection',
  'Ingress.networking.k8s.io': 'ingress.k8s.aws/resources',
  Service: 'service.k8s.aws/resources',
  'SubnamespaceAnchor.hnc.x-k8s.io': 'hnc.x-k8s.io',
  'Machine.machine.openshift.io': 'machine.machine.openshift.io',
  // Its lifecycle deletes the namespace (`Remove`)
  'Project.management.cattle.io': 'controller.cattle.io/mgmt-project-rbac-remove',
  [CLAIM]: 'topolvm.io/pvc',
  // `cleanResourcesAndFinalizers`
  ...Object.fromEntries(
    ['SriovNetwork', 'SriovIBNetwork', 'OVSNetwork'].map((kind) => [
      `${kind}.sriovnetwork.openshift.io`,
      'netattdef.finalizers.sriovnetwork.openshift.io',
    ]),
  ),
  // `removesOf`, and what is in the namespace of a managed cluster
  'VirtualMachine.kubevirt.io': 'wrangler.cattle.io/VMController.CleanupPVCAndSnapshot',
  'Cluster.anywhere.eks.amazonaws.com': 'clusters.anywhere.eks.amazonaws.com/finalizer',
  'Cluster.fleet.cattle.io': 'fleet.cattle.io/cluster-finalizer',
  'ManagedCluster.cluster.open-cluster-management.io':
    'cluster.open-cluster-management.io/resource-cleanup',
  // `removeExecutionSpace`, and `DeleteWorks` of both controllers of bindings
  'Cluster.cluster.karmada.io': 'karmada.io/cluster-controller',
  'ResourceBinding.work.karmada.io': 'karmada.io/binding-controller',
  'ClusterResourceBinding.work.karmada.io': 'karmada.io/cluster-resource-binding-controller',
};
/** With it, KubeVela leaves what it has deployed. */
export const ORPHANING = 'app.oam.dev/orphan-resource';
const CLAIM_FINALIZER = 'finalizer.apiextensions.crossplane.io';

/** The finalizer of an object under which its operator deletes other objects; null: none. */
export function trackingFinalizer({ kind, finalizers }: ApiObject): string | null {
  const prefix = TRACKING_FINALIZERS[kind] ?? CLAIM_FINALIZER;
  return finalizers.find((name) => name === prefix || name.startsWith(`${prefix}/`)) ?? null;
}
