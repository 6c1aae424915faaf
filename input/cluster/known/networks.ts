import type { KnownFinalizer } from './schema.ts';

/** Of the AWS Load Balancer Controller: what it waits for, what is left, and what else may use it. */
type OfAws = readonly [name: string, waitsFor: string, leaves: string, ...users: readonly string[]];

const IN_USE = ['every Gateway that uses it to be gone', 'Gateways without it', 'Gateway'] as const;

function ofAwsController(rows: readonly OfAws[]): readonly KnownFinalizer[] {
  return rows.map(([name, waitsFor, leaves, ...users]) => ({
    ...{ name, waitsFor, leaves },
    project: 'AWS Load Balancer Controller',
    owner: 'the AWS Load Balancer Controller',
    runs: 'workload' as const,
    workloads: ['aws-load-balancer-controller'],
    ...(users.length === 0
      ? {}
      : { whileThere: users.map((kind) => `${kind}.gateway.networking.k8s.io`) }),
    documented: 'https://kubernetes-sigs.github.io/aws-load-balancer-controller/',
  }));
}

const OF_KUBE_OVN: readonly (Pick<KnownFinalizer, 'waitsFor' | 'whileThere' | 'surely'> & {
  readonly kind: string;
})[] = [
  { kind: 'IP', waitsFor: 'its port to be removed' },
  {
    // `readyToRemoveFinalizer`; that between underlay and overlay does not count.
    kind: 'Subnet',
    waitsFor: 'all its addresses to be free',
    whileThere: ['IP', 'Vip', 'IptablesEIP', 'OvnEip'].map((kind) => `${kind}.kubeovn.io`),
  },
  {
    // `handleDelVpc`
    kind: 'Vpc',
    waitsFor: 'every Subnet in it to be gone',
    whileThere: ['Subnet.kubeovn.io'],
    surely: true,
  },
  {
    kind: '*',
    waitsFor: 'what has its addresses, or is in it, to be gone',
    whileThere: ['*.kubeovn.io'],
  },
];

/** Finalizers of load balancers, gateways and networks. */
export const NETWORK_FINALIZERS: readonly KnownFinalizer[] = [
  {
    name: 'service.kubernetes.io/load-balancer-cleanup',
    kinds: ['Service'],
    project: 'Kubernetes',
    owner: "the service controller of the cloud's controller manager",
    waitsFor: 'the load balancer to be deleted',
    runs: 'cloud',
    workloads: ['cloud-controller-manager'],
    // In their managed control planes.
    builds: ['-eks', '-gke'],
    leaves: 'the load balancer',
    documented:
      'https://kubernetes.io/docs/tasks/access-application-cluster/create-external-load-balancer/#garbage-collecting-load-balancers',
  },
  ...ofAwsController([
    ['service.k8s.aws/resources', 'the load balancer to be deleted', 'the load balancer'],
    ['ingress.k8s.aws/resources', 'the load balancer to be deleted', 'the load balancer'],
    ['group.ingress.k8s.aws/*', 'the load balancer to be deleted', 'the load balancer'],
    ['elbv2.k8s.aws/resources', 'the registered targets to be removed', 'registered targets'],
    ['gateway.k8s.aws/alb', 'the load balancer to be deleted', 'the load balancer'],
    ['gateway.k8s.aws/nlb', 'the load balancer to be deleted', 'the load balancer'],
    ['aga.k8s.aws/resources', 'the accelerator to be deleted', 'the accelerator'],
    // Those of a class or configuration in use.
    ['gateway.k8s.aws/gatewayclass', ...IN_USE],
    ['gateway.k8s.aws/loadbalancerconfigurations', ...IN_USE, 'GatewayClass'],
    ['gateway.k8s.aws/targetgroupconfigurations', ...IN_USE],
    ['gateway.k8s.aws/listenerruleconfigurations', ...IN_USE, 'HTTPRoute', 'GRPCRoute'],
  ]),
  {
    // Its controller of Gateways looks for routes of them.
    name: 'gateway.k8s.aws/resources',
    project: 'AWS Gateway API Controller',
    owner: 'the AWS Gateway API Controller',
    waitsFor: 'the service of VPC Lattice to be deleted',
    runs: 'workload',
    workloads: ['gateway-api-controller'],
    whileThere: ['HTTPRoute', 'GRPCRoute', 'TLSRoute'].map(
      (kind) => `${kind}.gateway.networking.k8s.io`,
    ),
    leaves: 'the service of VPC Lattice',
    documented: 'https://www.gateway-api-controller.eks.aws.dev/',
  },
  {
    // EKS Auto Mode has a controller of its own.
    name: '*.eks.amazonaws.com/resources',
    project: 'Amazon EKS',
    owner: 'EKS Auto Mode',
    waitsFor: 'the load balancer to be deleted',
    runs: 'distribution',
    leaves: 'the load balancer',
    documented: 'https://docs.aws.amazon.com/eks/latest/userguide/auto-elb-example.html',
  },
  {
    name: 'networking.gke.io/neg-finalizer',
    project: 'Google Kubernetes Engine',
    owner: "the cloud's controller of network endpoint groups",
    waitsFor: 'the network endpoint group to be deleted',
    runs: 'cloud',
    leaves: 'the network endpoint group',
    documented: 'https://cloud.google.com/kubernetes-engine/docs/how-to/standalone-neg',
  },
  {
    name: 'networking.gke.io/*',
    project: 'Google Kubernetes Engine',
    owner: "the cloud's ingress controller",
    waitsFor: 'the load balancer to be deleted',
    runs: 'cloud',
    leaves: 'the load balancer',
    documented: 'https://cloud.google.com/kubernetes-engine/docs/concepts/ingress',
  },
  {
    name: 'gke.networking.io/*',
    project: 'Google Kubernetes Engine',
    owner: "the cloud's load balancer controller",
    waitsFor: 'the load balancer to be deleted',
    runs: 'cloud',
    leaves: 'the load balancer',
    documented: 'https://cloud.google.com/kubernetes-engine/docs/concepts/service-load-balancer',
  },
  {
    name: 'gateway-exists-finalizer.gateway.networking.k8s.io',
    project: 'Gateway API',
    owner: 'the controller that the GatewayClass names',
    waitsFor: 'every Gateway of the class to be gone',
    runs: 'workload',
    workloads: ['envoy-gateway'],
    whileThere: ['Gateway.gateway.networking.k8s.io'],
    leaves: 'Gateways without a class',
    documented: 'https://gateway-api.sigs.k8s.io/reference/spec/#gatewayclass',
  },
  {
    name: 'tigera.io/cni-protector',
    project: 'Calico',
    owner: 'the Tigera operator',
    // Until the Installation goes, older releases of the operator hold what is being deleted.
    waitsFor: 'every pod on the network to be gone, and in older releases the Installation as well',
    runs: 'workload',
    workloads: ['tigera-operator'],
    whileThere: ['Installation.operator.tigera.io'],
    leaves: 'pods without a network',
    documented: 'https://docs.tigera.io/calico/latest/getting-started/kubernetes/',
  },
  {
    // `reconcileFinalizer` of its `IPPoolController`
    name: 'projectcalico.org/ippool-finalizer',
    project: 'Calico',
    owner: "Calico's kube-controllers",
    waitsFor: 'every block of addresses of the pool to be free',
    runs: 'workload',
    workloads: ['calico-kube-controllers'],
    whileThere: ['IPAMBlock.crd.projectcalico.org', 'IPAMBlock.projectcalico.org'],
    leaves: 'pods with addresses of a pool that is gone',
    documented: 'https://docs.tigera.io/calico/latest/networking/ipam/migrate-pools',
  },
  ...['tigera.io/operator-cleanup', 'operator.tigera.io/*'].map((name) => ({
    name,
    project: 'Calico',
    owner: 'the Tigera operator',
    waitsFor: 'what it installed to be torn down in order',
    runs: 'workload' as const,
    workloads: ['tigera-operator'],
    leaves: 'parts of Calico',
    documented: 'https://docs.tigera.io/calico/latest/getting-started/kubernetes/',
  })),
  ...['netattdef', 'poolconfig', 'operatorconfig'].map(
    (of): KnownFinalizer => ({
      name: `${of}.finalizers.sriovnetwork.openshift.io`,
      project: 'SR-IOV Network Operator',
      owner: 'the SR-IOV network operator',
      waitsFor:
        of === 'netattdef'
          ? 'the DELETE of its NetworkAttachmentDefinition, perhaps in another namespace'
          : 'what it has set up on the nodes to be removed',
      runs: 'workload',
      workloads: ['sriov-network-operator'],
      leaves: of === 'netattdef' ? 'its NetworkAttachmentDefinition' : 'settings of the nodes',
      documented: 'https://github.com/k8snetworkplumbingwg/sriov-network-operator',
    }),
  ),
  ...[
    // `NetAttachDefNotInUse`
    {
      kinds: ['UserDefinedNetwork.k8s.ovn.org', 'ClusterUserDefinedNetwork.k8s.ovn.org'],
      whileThere: ['Pod'],
    },
    {
      kinds: ['NetworkAttachmentDefinition.k8s.cni.cncf.io'],
      whileThere: ['Pod'],
      onlyWith: ['UserDefinedNetwork.k8s.ovn.org', 'ClusterUserDefinedNetwork.k8s.ovn.org'],
    },
  ].map(
    (row): KnownFinalizer => ({
      name: 'k8s.ovn.org/user-defined-network-protection',
      project: 'OVN-Kubernetes',
      owner: 'the cluster manager of OVN-Kubernetes',
      waitsFor: 'every pod on the network to be gone',
      runs: 'workload',
      workloads: ['ovnkube-control-plane', 'ovnkube-cluster-manager'],
      leaves: 'pods without a network',
      documented: 'https://ovn-kubernetes.io/features/user-defined-networks/user-defined-networks/',
      ...row,
    }),
  ),
  ...['kubeovn.io/kube-ovn-controller', 'kube-ovn-controller'].flatMap((name) =>
    OF_KUBE_OVN.map(
      ({ kind, ...row }): KnownFinalizer => ({
        ...{ name, kinds: [`${kind}.kubeovn.io`], ...row },
        project: 'Kube-OVN',
        owner: 'the controller of Kube-OVN',
        runs: 'workload',
        workloads: ['kube-ovn-controller'],
        leaves: 'logical switches, routers or ports',
        documented: 'https://kubeovn.github.io/docs/stable/en/',
      }),
    ),
  ),
];
