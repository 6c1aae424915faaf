import type { KnownFinalizer } from './schema.ts';

/** Finalizers of Kubernetes itself. */
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
    project: 'Kubernetes',
    owner: 'the volume protection controller',
    waitsFor: 'the volume to be released by its claim',
    runs: 'control plane',
    actor: 'storage-protection',
    leaves: 'a bound claim without its volume',
    documented:
      'https://kubernetes.io/docs/concepts/storage/persistent-volumes/#storage-object-in-use-protection',
  },
  {
    name: 'kubernetes.io/pv-controller',
    project: 'Kubernetes',
    owner: 'the volume controller',
    waitsFor: 'the backing storage to be deleted, where the reclaim policy is Delete',
    runs: 'control plane',
    leaves: 'the backing storage',
    documented:
      'https://kubernetes.io/docs/concepts/storage/persistent-volumes/#persistentvolume-deletion-protection-finalizer',
  },
  {
    name: 'external-provisioner.volume.kubernetes.io/finalizer',
    project: 'Kubernetes',
    owner: 'the external provisioner of the CSI driver',
    waitsFor: 'the backing storage to be deleted, where the reclaim policy is Delete',
    runs: 'workload',
    workloads: ['csi-controller', 'controllerplugin', 'csi-provisioner', 'provisioner', 'attacher'],
    leaves: 'the backing storage',
    documented:
      'https://kubernetes.io/docs/concepts/storage/persistent-volumes/#persistentvolume-deletion-protection-finalizer',
  },
  {
    name: 'external-attacher/*',
    project: 'Kubernetes',
    owner: 'the external attacher of the CSI driver',
    waitsFor: 'the volume to be detached from every node',
    runs: 'workload',
    workloads: ['csi-controller', 'controllerplugin', 'csi-provisioner', 'provisioner', 'attacher'],
    leaves: 'a volume that is still attached',
    documented: 'https://kubernetes-csi.github.io/docs/external-attacher.html',
  },
  {
    name: 'snapshot.storage.kubernetes.io/*',
    project: 'Kubernetes',
    owner: 'the snapshot controller',
    waitsFor: 'snapshots and restores in progress, and the deletion of the stored snapshot',
    runs: 'workload',
    workloads: ['snapshot-controller', 'snapshotter'],
    leaves: 'the stored snapshot',
    documented: 'https://kubernetes-csi.github.io/docs/snapshot-controller.html',
  },
  {
    name: 'batch.kubernetes.io/job-tracking',
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
