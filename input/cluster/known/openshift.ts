import type { KnownFinalizer } from './schema.ts';

/** Finalizers of OpenShift, and of operators that mostly run there. */
export const OPENSHIFT_FINALIZERS: readonly KnownFinalizer[] = [
  {
    name: 'machine.machine.openshift.io',
    project: 'OpenShift',
    owner: "OpenShift's machine controller",
    waitsFor: 'the node to be drained, and its machine to be terminated',
    runs: 'workload',
    workloads: ['machine-api-controllers'],
    drains: true,
    leaves: 'a machine in the cloud that costs money, and its node',
    documented:
      'https://docs.redhat.com/en/documentation/openshift_container_platform/4.18/html/machine_management/deleting-machine',
  },
  {
    name: 'ingresscontroller.operator.openshift.io/finalizer-ingresscontroller',
    project: 'OpenShift',
    owner: "OpenShift's ingress operator",
    waitsFor: 'its routers, its load balancer and its records in DNS to be removed',
    runs: 'workload',
    workloads: ['openshift-ingress-operator/ingress-operator'],
    leaves: 'routers, a load balancer and records in DNS',
    documented:
      'https://docs.redhat.com/en/documentation/openshift_container_platform/4.18/html/networking/configuring-ingress',
  },
  {
    // The names of the machine configurations that it has made (`popFinalizerFromKubeletConfig`).
    name: '99-*',
    kinds: ['KubeletConfig', 'ContainerRuntimeConfig'].map(
      (kind) => `${kind}.machineconfiguration.openshift.io`,
    ),
    project: 'OpenShift',
    owner: "OpenShift's machine config controller",
    waitsFor: 'the DELETE of the machine configuration that it made of it',
    runs: 'workload',
    workloads: ['machine-config-controller'],
    leaves: 'a machine configuration that nobody updates',
    documented:
      'https://docs.redhat.com/en/documentation/openshift_container_platform/4.18/html/machine_configuration/index',
  },
  {
    // `finalizeResources` of its operator
    name: 'imageregistry.operator.openshift.io/finalizer',
    project: 'OpenShift',
    owner: "OpenShift's image registry operator",
    waitsFor: 'the registry and its storage, with the images, to be removed',
    runs: 'workload',
    workloads: ['cluster-image-registry-operator'],
    leaves: 'the registry and its storage',
    documented:
      'https://docs.redhat.com/en/documentation/openshift_container_platform/4.18/html/registry/configuring-registry-operator',
  },
  {
    name: 'hive.openshift.io/deprovision',
    kinds: ['ClusterDeployment.hive.openshift.io'],
    project: 'Hive',
    owner: 'the Hive controllers',
    waitsFor: 'a Job to deprovision the cluster, unless preserveOnDelete is set',
    runs: 'workload',
    makes: 'jobs',
    workloads: ['hive-controllers'],
    external: true,
    leaves: 'the cluster with its machines in the cloud',
    documented: 'https://github.com/openshift/hive/blob/master/docs/using-hive.md',
  },
  {
    // `cleanupLocalVolumeDeployment`: bound and released volumes hold it.
    name: 'storage.openshift.com/local-volume-protection',
    project: 'Local Storage Operator',
    owner: 'the local storage operator',
    waitsFor: 'every volume of it to be gone',
    runs: 'workload',
    workloads: ['local-storage-operator'],
    whileThere: ['PersistentVolume'],
    leaves: 'volumes that nobody cleans up',
    documented: 'https://github.com/openshift/local-storage-operator',
  },
  {
    // `stopMaintenance`
    name: 'foregroundDeleteNodeMaintenance',
    project: 'Node Maintenance Operator',
    owner: 'the node maintenance operator',
    waitsFor: 'the node to take pods again',
    runs: 'workload',
    workloads: ['node-maintenance-operator', 'node-maintenance-operator-controller-manager'],
    leaves: 'a node that takes no pods',
    documented: 'https://github.com/medik8s/node-maintenance-operator',
  },
];
