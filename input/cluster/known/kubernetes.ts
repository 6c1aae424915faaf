import type { KnownFinalizer } from './schema.ts';

/** Workloads in which all sidecars of a CSI driver run. */
const CSI: readonly string[] = ['csi-controller', 'controllerplugin'];

/**
 * Finalizers of Kubernetes itself. The controllers of the control plane look at objects of one kind
 * only, so on objects of another kind they leave their finalizer.
 */
export const KUBERNETES_FINALIZERS: readonly KnownFinalizer[] = [
  {
    name: 'foregroundDeletion',
    project: 'Kubernetes',
    owner: 'the garbage collector',
    waitsFor: 'every dependent with blockOwnerDeletion to be gone',
    runs: 'control plane',
    leaves: 'dependents that are collected in the background',
    documented:
      'https://kubernetes.io/docs/concepts/architecture/garbage-collection/#foreground-deletion',
  },
  {
    name: 'orphan',
    project: 'Kubernetes',
    owner: 'the garbage collector',
    waitsFor: 'the owner references of all dependents to be removed',
    runs: 'control plane',
    leaves: 'dependents that still name the owner and are collected',
    documented:
      'https://kubernetes.io/docs/concepts/architecture/garbage-collection/#orphaned-dependents',
  },
  {
    name: 'kubernetes.io/pvc-protection',
    kinds: ['PersistentVolumeClaim'],
    project: 'Kubernetes',
    owner: 'the claim protection controller',
    waitsFor: 'every pod on a node that mounts the claim to be gone, finished pods as well',
    runs: 'control plane',
    actor: 'storage-protection',
    leaves: 'running pods without their volume',
    documented:
      'https://kubernetes.io/docs/concepts/storage/persistent-volumes/#storage-object-in-use-protection',
  },
  {
    name: 'kubernetes.io/pv-protection',
    kinds: ['PersistentVolume'],
    project: 'Kubernetes',
    owner: 'the volume protection controller',
    waitsFor: 'the volume to be released by its claim',
    runs: 'control plane',
    actor: 'storage-protection',
    readsNothing: true,
    leaves: 'a bound claim without its volume',
    documented:
      'https://kubernetes.io/docs/concepts/storage/persistent-volumes/#storage-object-in-use-protection',
  },
  {
    name: 'kubernetes.io/vac-protection',
    kinds: ['VolumeAttributesClass.storage.k8s.io'],
    project: 'Kubernetes',
    owner: 'the controller that protects classes of volume attributes',
    waitsFor: 'every claim and volume that names the class to be gone',
    runs: 'control plane',
    whileThere: ['PersistentVolumeClaim', 'PersistentVolume'],
    leaves: 'claims and volumes that name a class that is gone',
    documented: 'https://kubernetes.io/docs/concepts/storage/volume-attributes-classes/',
  },
  {
    name: 'resource.kubernetes.io/delete-protection',
    kinds: ['ResourceClaim.resource.k8s.io'],
    project: 'Kubernetes',
    owner: 'the controller of resource claims',
    waitsFor: 'every pod that uses the claim to have ended',
    runs: 'control plane',
    whileThere: ['Pod'],
    leaves: 'devices that stay allocated',
    documented:
      'https://kubernetes.io/docs/concepts/scheduling-eviction/dynamic-resource-allocation/',
  },
  {
    name: 'scheduling.k8s.io/podgroup-protection',
    kinds: ['PodGroup.scheduling.k8s.io'],
    project: 'Kubernetes',
    owner: 'the controller that protects groups of pods',
    waitsFor: 'every pod of the group to have ended',
    runs: 'control plane',
    whileThere: ['Pod'],
    leaves: 'pods whose group is gone',
    documented: 'https://kubernetes.io/docs/concepts/workloads/podgroup-api/',
  },
  {
    name: 'networking.k8s.io/service-cidr-finalizer',
    kinds: ['ServiceCIDR.networking.k8s.io'],
    project: 'Kubernetes',
    owner: 'the controller of service address ranges',
    waitsFor: 'every address of the range to be free, or to be in another range as well',
    runs: 'control plane',
    leaves: 'addresses without a range',
    documented: 'https://kubernetes.io/docs/tasks/network/extend-service-ip-ranges/',
  },
  {
    name: 'kubernetes.io/pv-controller',
    kinds: ['PersistentVolume'],
    project: 'Kubernetes',
    owner: 'the volume controller',
    waitsFor: 'the backing storage to be deleted, where the reclaim policy is Delete',
    runs: 'control plane',
    readsNothing: true,
    leaves: 'the backing storage',
    documented:
      'https://kubernetes.io/docs/concepts/storage/persistent-volumes/#persistentvolume-deletion-protection-finalizer',
  },
  {
    name: 'external-provisioner.volume.kubernetes.io/finalizer',
    kinds: ['PersistentVolume'],
    project: 'Kubernetes',
    owner: 'the external provisioner of the CSI driver',
    waitsFor: 'the backing storage to be deleted, where the reclaim policy is Delete',
    runs: 'workload',
    workloads: [...CSI, 'provisioner'],
    ofDriver: true,
    detaches: true,
    // It goes on without its Secret (`Delete`, external-provisioner 5).
    readsNothing: true,
    leaves: 'the backing storage',
    documented:
      'https://kubernetes.io/docs/concepts/storage/persistent-volumes/#persistentvolume-deletion-protection-finalizer',
  },
  // `csiDetach`, which reads the volume and its Secret; `SyncNewOrUpdatedPersistentVolume`, which
  // reads neither (external-attacher 4)
  ...[
    {
      kinds: ['VolumeAttachment.storage.k8s.io'],
      waitsFor: 'the volume to be detached from the node',
    },
    {
      kinds: ['PersistentVolume'],
      waitsFor: 'every VolumeAttachment of the volume to be gone',
      detaches: true,
      readsNothing: true,
    },
  ].map((row) => ({
    ...row,
    name: 'external-attacher/*',
    project: 'Kubernetes',
    owner: 'the external attacher of the CSI driver',
    runs: 'workload' as const,
    // The provisioners of ceph-csi have all sidecars.
    workloads: [
      ...[...CSI, 'attacher', 'rbdplugin-provisioner', 'cephfsplugin-provisioner'],
      ...['nfsplugin-provisioner', 'csi-rbd-provisioner', 'csi-cephfs-provisioner'],
    ],
    ofDriver: true,
    leaves: 'a volume that is still attached',
    documented: 'https://kubernetes-csi.github.io/docs/external-attacher.html',
  })),
  // `shouldDelete`, `shouldDeleteGroupSnapshotContent` (external-snapshotter 8)
  ...[
    { word: 'snapshot', kind: 'VolumeSnapshot' },
    { word: 'groupsnapshot', kind: 'VolumeGroupSnapshot' },
  ].map(({ word, kind }) => ({
    name: `${word}.storage.kubernetes.io/volume${word}content-bound-protection`,
    kinds: [`${kind}Content.${word}.storage.k8s.io`],
    project: 'Kubernetes',
    owner: 'the snapshot sidecar of the CSI driver',
    waitsFor: `the ${kind} to be deleted, and then for the deletion of the stored snapshot`,
    runs: 'workload' as const,
    workloads: [...CSI, 'provisioner', 'snapshotter'],
    ofDriver: true,
    whileThere: [`${kind}.${word}.storage.k8s.io`],
    surely: true,
    leaves: 'the stored snapshot',
    documented: 'https://kubernetes-csi.github.io/docs/snapshot-controller.html',
  })),
  {
    // `processGroupSnapshotWithDeletionTimestamp` (external-snapshotter 8)
    name: 'groupsnapshot.storage.kubernetes.io/volumegroupsnapshot-bound-protection',
    kinds: ['VolumeGroupSnapshot.groupsnapshot.storage.k8s.io'],
    project: 'Kubernetes',
    owner: 'the snapshot controller',
    waitsFor:
      'restores in progress from a snapshot of the group, and the deletion of the stored group',
    runs: 'workload',
    workloads: ['snapshot-controller'],
    leaves: 'the stored group of snapshots',
    documented: 'https://kubernetes-csi.github.io/docs/snapshot-controller.html',
  },
  ...[
    {
      name: 'snapshot.storage.kubernetes.io/volumesnapshot-as-source-protection',
      owner: 'the snapshot controller',
      workloads: ['snapshot-controller'],
    },
    {
      name: 'provisioner.storage.kubernetes.io/volumesnapshot-as-source-protection',
      owner: 'the external provisioner of the CSI driver',
      workloads: [...CSI, 'provisioner'],
    },
  ].map((row) => ({
    ...row,
    kinds: ['VolumeSnapshot.snapshot.storage.k8s.io'],
    project: 'Kubernetes',
    waitsFor: 'every claim that is being filled from the snapshot',
    runs: 'workload' as const,
    whileThere: ['PersistentVolumeClaim'],
    leaves: 'claims that are never filled',
    documented: 'https://kubernetes-csi.github.io/docs/snapshot-controller.html',
  })),
  {
    name: 'snapshot.storage.kubernetes.io/pvc-as-source-protection',
    kinds: ['PersistentVolumeClaim'],
    project: 'Kubernetes',
    owner: 'the snapshot controller',
    waitsFor: 'every snapshot that is being taken of the claim',
    runs: 'workload',
    workloads: ['snapshot-controller'],
    whileThere: ['VolumeSnapshot.snapshot.storage.k8s.io'],
    leaves: 'snapshots that are never ready',
    documented: 'https://kubernetes-csi.github.io/docs/snapshot-controller.html',
  },
  {
    name: 'provisioner.storage.kubernetes.io/cloning-protection',
    kinds: ['PersistentVolumeClaim'],
    project: 'Kubernetes',
    owner: 'the external provisioner of the CSI driver',
    waitsFor: 'every clone of the claim to be filled',
    runs: 'workload',
    workloads: [...CSI, 'provisioner'],
    whileThere: ['PersistentVolumeClaim'],
    leaves: 'clones that are never filled',
    documented: 'https://kubernetes-csi.github.io/docs/volume-cloning.html',
  },
  ...[
    {
      name: 'snapshot.storage.kubernetes.io/volumesnapshot-bound-protection',
      waitsFor: 'restores in progress, and the deletion of the stored snapshot',
      leaves: 'the stored snapshot',
    },
    {
      // `checkandRemoveSnapshotFinalizersAndCheckandDeleteContent`
      name: 'snapshot.storage.kubernetes.io/volumesnapshot-in-group-protection',
      waitsFor: 'its group to be deleted',
      whileThere: ['VolumeGroupSnapshot.groupsnapshot.storage.k8s.io'],
      leaves: 'a group that lacks one of its snapshots',
    },
  ].map((row) => ({
    ...row,
    kinds: ['VolumeSnapshot.snapshot.storage.k8s.io'],
    project: 'Kubernetes',
    owner: 'the snapshot controller',
    runs: 'workload' as const,
    workloads: ['snapshot-controller'],
    documented: 'https://kubernetes-csi.github.io/docs/snapshot-controller.html',
  })),
  {
    name: 'batch.kubernetes.io/job-tracking',
    kinds: ['Pod'],
    project: 'Kubernetes',
    owner: 'the Job controller',
    waitsFor: 'the end of the pod to be counted in the status of its Job',
    runs: 'control plane',
    actor: 'job-tracking',
    leaves: 'a Job whose counts are wrong',
    documented:
      'https://kubernetes.io/docs/concepts/workloads/controllers/job/#job-tracking-with-finalizers',
  },
  {
    name: 'customresourcecleanup.apiextensions.k8s.io',
    kinds: ['CustomResourceDefinition.apiextensions.k8s.io'],
    project: 'Kubernetes',
    owner: 'the definition controller of the API server',
    waitsFor: 'every instance of the definition to be gone',
    runs: 'control plane',
    actor: 'definition-controller',
    leaves: 'instances in etcd that no API shows',
    documented:
      'https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#delete-a-customresourcedefinition',
  },
];
