/**
 * Finalizers that are widely used: who removes each of them, and what that waits for. A row is data
 * for answers; it never makes a finalizer cooperative by itself. Whether its owner runs is judged
 * from the dump (`finalizers.ts`).
 */

export interface KnownFinalizer {
  /** The whole name, or a suffix that begins with `*`, or a prefix that ends with `*`. */
  readonly name: string;
  /** The project that it belongs to. */
  readonly project: string;
  /** Who removes it. */
  readonly owner: string;
  /** What its owner does, or waits for, before it removes it. */
  readonly waitsFor: string;
  /**
   * Where its owner runs: in the control plane (part of every cluster), in a cloud's controller
   * manager, or as a workload of its own.
   */
  readonly runs: 'control plane' | 'cloud' | 'workload';
  /** Parts of the names of the workloads that run the owner; for `workload` only. */
  readonly workloads?: readonly string[];
  /** What is left behind when the finalizer is removed by hand. */
  readonly leaves: string;
  readonly documented: string;
}

const KUBERNETES = 'https://kubernetes.io/docs/';

export const WELL_KNOWN_FINALIZERS: readonly KnownFinalizer[] = [
  {
    name: 'foregroundDeletion',
    project: 'Kubernetes',
    owner: 'the garbage collector',
    waitsFor: 'every dependent with blockOwnerDeletion to be gone',
    runs: 'control plane',
    leaves: 'dependents that are collected in the background',
    documented: `${KUBERNETES}concepts/architecture/garbage-collection/#foreground-deletion`,
  },
  {
    name: 'orphan',
    project: 'Kubernetes',
    owner: 'the garbage collector',
    waitsFor: 'the owner references of all dependents to be removed',
    runs: 'control plane',
    leaves: 'dependents that still name the owner and are collected',
    documented: `${KUBERNETES}concepts/architecture/garbage-collection/#orphaned-dependents`,
  },
  {
    name: 'kubernetes.io/pvc-protection',
    project: 'Kubernetes',
    owner: 'the claim protection controller',
    waitsFor: 'every pod that uses the claim to finish or to be gone',
    runs: 'control plane',
    leaves: 'running pods without their volume',
    documented: `${KUBERNETES}concepts/storage/persistent-volumes/#storage-object-in-use-protection`,
  },
  {
    name: 'kubernetes.io/pv-protection',
    project: 'Kubernetes',
    owner: 'the volume protection controller',
    waitsFor: 'the volume to be released by its claim',
    runs: 'control plane',
    leaves: 'a bound claim without its volume',
    documented: `${KUBERNETES}concepts/storage/persistent-volumes/#storage-object-in-use-protection`,
  },
  {
    name: 'kubernetes.io/pv-controller',
    project: 'Kubernetes',
    owner: 'the volume controller',
    waitsFor: 'the backing storage to be deleted, where the reclaim policy is Delete',
    runs: 'control plane',
    leaves: 'the backing storage',
    documented: `${KUBERNETES}concepts/storage/persistent-volumes/#persistentvolume-deletion-protection-finalizer`,
  },
  {
    name: 'external-provisioner.volume.kubernetes.io/finalizer',
    project: 'Kubernetes',
    owner: 'the external provisioner of the CSI driver',
    waitsFor: 'the backing storage to be deleted, where the reclaim policy is Delete',
    runs: 'workload',
    workloads: ['csi', 'provisioner'],
    leaves: 'the backing storage',
    documented: `${KUBERNETES}concepts/storage/persistent-volumes/#persistentvolume-deletion-protection-finalizer`,
  },
  {
    name: 'external-attacher/*',
    project: 'Kubernetes',
    owner: 'the external attacher of the CSI driver',
    waitsFor: 'the volume to be detached from every node',
    runs: 'workload',
    workloads: ['csi', 'attacher'],
    leaves: 'a volume that is still attached',
    documented: 'https://kubernetes-csi.github.io/docs/external-attacher.html',
  },
  {
    name: 'snapshot.storage.kubernetes.io/*',
    project: 'Kubernetes',
    owner: 'the snapshot controller',
    waitsFor: 'snapshots in progress, and the deletion of the stored snapshot',
    runs: 'workload',
    workloads: ['snapshot'],
    leaves: 'the stored snapshot',
    documented: 'https://kubernetes-csi.github.io/docs/snapshot-controller.html',
  },
  {
    name: 'batch.kubernetes.io/job-tracking',
    project: 'Kubernetes',
    owner: 'the Job controller',
    waitsFor: 'the end of the pod to be counted in the status of its Job',
    runs: 'control plane',
    leaves: 'a Job whose counts are wrong',
    documented: `${KUBERNETES}concepts/workloads/controllers/job/#job-tracking-with-finalizers`,
  },
  {
    name: 'customresourcecleanup.apiextensions.k8s.io',
    project: 'Kubernetes',
    owner: 'the definition controller of the API server',
    waitsFor: 'every instance of the definition to be gone',
    runs: 'control plane',
    leaves: 'instances in etcd that no API shows',
    documented: `${KUBERNETES}tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#delete-a-customresourcedefinition`,
  },
  {
    name: 'service.kubernetes.io/load-balancer-cleanup',
    project: 'Kubernetes',
    owner: "the service controller of the cloud's controller manager",
    waitsFor: 'the load balancer to be deleted',
    runs: 'cloud',
    leaves: 'the load balancer',
    documented: `${KUBERNETES}tasks/access-application-cluster/create-external-load-balancer/#garbage-collecting-load-balancers`,
  },
  {
    name: 'service.k8s.aws/resources',
    project: 'AWS Load Balancer Controller',
    owner: 'the AWS Load Balancer Controller',
    waitsFor: 'the load balancer to be deleted',
    runs: 'workload',
    workloads: ['aws-load-balancer-controller'],
    leaves: 'the load balancer',
    documented: 'https://kubernetes-sigs.github.io/aws-load-balancer-controller/',
  },
  {
    name: 'ingress.k8s.aws/resources',
    project: 'AWS Load Balancer Controller',
    owner: 'the AWS Load Balancer Controller',
    waitsFor: 'the load balancer to be deleted',
    runs: 'workload',
    workloads: ['aws-load-balancer-controller'],
    leaves: 'the load balancer',
    documented: 'https://kubernetes-sigs.github.io/aws-load-balancer-controller/',
  },
  {
    name: 'elbv2.k8s.aws/resources',
    project: 'AWS Load Balancer Controller',
    owner: 'the AWS Load Balancer Controller',
    waitsFor: 'the registered targets to be removed',
    runs: 'workload',
    workloads: ['aws-load-balancer-controller'],
    leaves: 'registered targets',
    documented: 'https://kubernetes-sigs.github.io/aws-load-balancer-controller/',
  },
  {
    name: 'networking.gke.io/*',
    project: 'Google Kubernetes Engine',
    owner: "the cloud's ingress and load balancer controllers",
    waitsFor: 'the load balancer to be deleted',
    runs: 'cloud',
    leaves: 'the load balancer',
    documented: 'https://cloud.google.com/kubernetes-engine/docs/concepts/ingress',
  },
  {
    name: 'resources-finalizer.argocd.argoproj.io*',
    project: 'Argo CD',
    owner: 'the Argo CD application controller',
    waitsFor: 'every resource that the Application tracks to be deleted',
    runs: 'workload',
    workloads: ['argocd-application-controller', 'application-controller'],
    leaves: 'the resources that the Application tracks',
    documented: 'https://argo-cd.readthedocs.io/en/stable/user-guide/app_deletion/',
  },
  {
    name: 'post-delete-finalizer.argocd.argoproj.io*',
    project: 'Argo CD',
    owner: 'the Argo CD application controller',
    waitsFor: 'its PostDelete hooks',
    runs: 'workload',
    workloads: ['argocd-application-controller', 'application-controller'],
    leaves: 'PostDelete hooks that never ran',
    documented: 'https://argo-cd.readthedocs.io/en/stable/user-guide/resource_hooks/',
  },
  {
    name: 'finalizers.fluxcd.io',
    project: 'Flux',
    owner: 'the Flux controller of that kind',
    waitsFor: 'what it applied to be pruned, where prune is on and it is not suspended',
    runs: 'workload',
    workloads: ['kustomize-controller', 'helm-controller', 'source-controller'],
    leaves: 'everything that it applied',
    documented: 'https://fluxcd.io/flux/components/kustomize/kustomizations/#prune',
  },
  {
    name: 'finalizer.apiextensions.crossplane.io',
    project: 'Crossplane',
    owner: "Crossplane's claim controller",
    waitsFor: 'the composite resource to be deleted',
    runs: 'workload',
    workloads: ['crossplane'],
    leaves: 'the composite resource with all that it composes',
    documented: 'https://docs.crossplane.io/latest/concepts/claims/',
  },
  {
    name: 'composite.apiextensions.crossplane.io',
    project: 'Crossplane',
    owner: "Crossplane's composite controller",
    waitsFor: 'its connection secret to be unpublished',
    runs: 'workload',
    workloads: ['crossplane'],
    leaves: 'nothing outside of the cluster',
    documented: 'https://docs.crossplane.io/latest/concepts/composite-resources/',
  },
  {
    name: 'finalizer.managedresource.crossplane.io',
    project: 'Crossplane',
    owner: 'the Crossplane provider of that kind',
    waitsFor: 'the external resource to be deleted',
    runs: 'workload',
    workloads: ['provider'],
    leaves: 'the external resource',
    documented: 'https://docs.crossplane.io/latest/concepts/managed-resources/#finalizers',
  },
  {
    name: 'in-use.crossplane.io',
    project: 'Crossplane',
    owner: 'the Crossplane provider',
    waitsFor: 'every ProviderConfigUsage of the configuration to be gone',
    runs: 'workload',
    workloads: ['provider'],
    leaves: 'managed resources without credentials',
    documented: 'https://docs.crossplane.io/latest/concepts/providers/',
  },
  {
    name: 'revision.pkg.crossplane.io',
    project: 'Crossplane',
    owner: "Crossplane's package manager",
    waitsFor: 'the package to be removed from its lock',
    runs: 'workload',
    workloads: ['crossplane'],
    leaves: 'an entry in the lock of packages',
    documented: 'https://docs.crossplane.io/latest/concepts/packages/',
  },
  {
    name: 'acme.cert-manager.io/finalizer',
    project: 'cert-manager',
    owner: 'cert-manager',
    waitsFor: 'the records or pods of the challenge to be cleaned up',
    runs: 'workload',
    workloads: ['cert-manager'],
    leaves: 'records of the challenge, in DNS for example',
    documented: 'https://cert-manager.io/docs/concepts/acme-orders-challenges/',
  },
  {
    name: 'finalizer.acme.cert-manager.io',
    project: 'cert-manager',
    owner: 'cert-manager',
    waitsFor: 'the records or pods of the challenge to be cleaned up',
    runs: 'workload',
    workloads: ['cert-manager'],
    leaves: 'records of the challenge, in DNS for example',
    documented: 'https://cert-manager.io/docs/concepts/acme-orders-challenges/',
  },
  {
    name: 'restores.velero.io/external-resources-finalizer',
    project: 'Velero',
    owner: 'Velero',
    waitsFor: 'the results of the restore to be deleted from the object store',
    runs: 'workload',
    workloads: ['velero'],
    leaves: 'files in the object store',
    documented: 'https://velero.io/docs/main/restore-reference/',
  },
  {
    name: 'istio-finalizer.install.istio.io',
    project: 'Istio',
    owner: 'the Istio operator',
    waitsFor: 'the control plane that it installed to be removed',
    runs: 'workload',
    workloads: ['istio-operator'],
    leaves: 'the installed control plane',
    documented: 'https://istio.io/latest/docs/setup/install/',
  },
  {
    name: '*.cluster.x-k8s.io',
    project: 'Cluster API',
    owner: 'the Cluster API controller or provider of that kind',
    waitsFor: 'what it created, machines included, to be deleted',
    runs: 'workload',
    workloads: ['capi', 'cluster-api', 'capa', 'capz', 'capv', 'capd', 'capg'],
    leaves: 'machines and networks in the cloud',
    documented: 'https://cluster-api.sigs.k8s.io/',
  },
  {
    name: '*.ceph.rook.io',
    project: 'Rook',
    owner: 'the Rook operator',
    waitsFor: 'everything that uses the store to be gone',
    runs: 'workload',
    workloads: ['rook-ceph-operator', 'rook'],
    leaves: 'data on the disks',
    documented: 'https://rook.io/docs/rook/latest/Storage-Configuration/ceph-teardown/',
  },
  {
    name: 'ceph.rook.io/*',
    project: 'Rook',
    owner: 'the Rook operator',
    waitsFor: 'the cluster of storage to be torn down',
    runs: 'workload',
    workloads: ['rook-ceph-operator', 'rook'],
    leaves: 'data on the disks',
    documented: 'https://rook.io/docs/rook/latest/Storage-Configuration/ceph-teardown/',
  },
  {
    name: 'longhorn.io',
    project: 'Longhorn',
    owner: 'the Longhorn manager',
    waitsFor: 'replicas and engines to be removed from the nodes',
    runs: 'workload',
    workloads: ['longhorn'],
    leaves: 'replicas on the disks of nodes',
    documented: 'https://longhorn.io/docs/latest/deploy/uninstall/',
  },
  {
    name: 'foregroundDeleteVirtualMachine',
    project: 'KubeVirt',
    owner: "KubeVirt's controller",
    waitsFor: 'the virtual machine to be shut down',
    runs: 'workload',
    workloads: ['virt-controller'],
    leaves: 'a virtual machine that still runs',
    documented: 'https://kubevirt.io/user-guide/',
  },
  {
    name: 'kubevirt.io/*',
    project: 'KubeVirt',
    owner: "KubeVirt's controllers",
    waitsFor: 'what belongs to the object to be removed',
    runs: 'workload',
    workloads: ['virt-controller', 'virt-operator'],
    leaves: 'virtual machines, or the installation itself',
    documented: 'https://kubevirt.io/user-guide/',
  },
  {
    name: 'operators.coreos.com/*',
    project: 'Operator Lifecycle Manager',
    owner: 'the OLM operator',
    waitsFor: 'the cluster-scoped resources of the installed version to be removed',
    runs: 'workload',
    workloads: ['olm-operator', 'catalog-operator'],
    leaves: 'roles, bindings and webhooks of the operator',
    documented: 'https://olm.operatorframework.io/docs/',
  },
  {
    name: 'kyverno.io/*',
    project: 'Kyverno',
    owner: 'Kyverno',
    waitsFor: 'what belongs to the policy to be cleaned up',
    runs: 'workload',
    workloads: ['kyverno'],
    leaves: 'webhooks or generated resources',
    documented: 'https://kyverno.io/docs/',
  },
  {
    name: 'strimzi.io/topic-operator',
    project: 'Strimzi',
    owner: "Strimzi's topic operator",
    waitsFor: 'the topic to be deleted in Kafka',
    runs: 'workload',
    workloads: ['entity-operator', 'topic-operator', 'strimzi'],
    leaves: 'the topic in Kafka',
    documented: 'https://strimzi.io/docs/operators/latest/deploying#con-removing-topics-finalizers',
  },
];

/** The row for a finalizer; null: it is not in the table. The first row that fits. */
export function knownFinalizer(
  finalizer: string,
  table: readonly KnownFinalizer[] = WELL_KNOWN_FINALIZERS,
): KnownFinalizer | null {
  return table.find(({ name }) => matches(name, finalizer)) ?? null;
}

function matches(pattern: string, finalizer: string): boolean {
  if (pattern.startsWith('*')) return finalizer.endsWith(pattern.slice(1));
  if (pattern.endsWith('*')) return finalizer.startsWith(pattern.slice(0, -1));
  return finalizer === pattern;
}
