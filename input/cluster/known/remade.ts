/** `flowcontrol/bootstrap`: the API server makes all of them anew, the suggested ones as well. */
export const REMADE_FLOW_CONTROL: Readonly<Record<string, readonly string[]>> = {
  'FlowSchema.flowcontrol.apiserver.k8s.io': [
    ...['exempt', 'catch-all', 'system-nodes', 'system-node-high', 'probes', 'global-default'],
    ...['system-leader-election', 'workload-leader-election', 'endpoint-controller'],
    ...['kube-controller-manager', 'kube-scheduler', 'kube-system-service-accounts'],
    'service-accounts',
  ],
  'PriorityLevelConfiguration.flowcontrol.apiserver.k8s.io': [
    ...['exempt', 'catch-all', 'system', 'node-high', 'leader-election', 'workload-high'],
    ...['workload-low', 'global-default'],
  ],
};

const API_SERVER = 'the API server';

/** Single objects that something makes again. Without `namespace`: in any. */
export const REMADE_BY_NAME: readonly {
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
  readonly maker: string;
  readonly more: string;
}[] = [
  {
    ...{ kind: 'ConfigMap', name: 'kube-root-ca.crt' },
    ...{ maker: 'the publisher of root certificates', more: '' },
  },
  // `systemnamespaces`; the others of them cannot be deleted.
  {
    ...{ kind: 'Namespace', name: 'kube-node-lease', maker: API_SERVER },
    more: ' within a minute, and the kubelets their leases in it',
  },
  // `defaultservicecidr`
  {
    ...{ kind: 'ServiceCIDR.networking.k8s.io', name: 'kubernetes', maker: API_SERVER },
    more: ', from its flag --service-cluster-ip-range',
  },
  // `clusterauthenticationtrust`
  {
    ...{ kind: 'ConfigMap', namespace: 'kube-system', maker: API_SERVER },
    ...{ name: 'extension-apiserver-authentication', more: ': extension API servers read it' },
  },
  {
    ...{ kind: 'ServiceAccount', name: 'default' },
    ...{ maker: 'the controller of service accounts', more: '' },
  },
  // `CACertNamespaceConfigMap` of its controller of namespaces (1.20).
  {
    ...{ kind: 'ConfigMap', name: 'istio-ca-root-cert' },
    ...{ maker: 'istiod, if it runs,', more: '' },
  },
  {
    ...{ kind: 'ConfigMap', name: 'openshift-service-ca.crt' },
    ...{ maker: 'OpenShift', more: '' },
  },
  // `ServiceAccountsController` of OpenShift; elsewhere nothing makes accounts of these names.
  ...['builder', 'deployer'].map((name) => ({
    ...{ kind: 'ServiceAccount', name, maker: 'OpenShift, if this is one,', more: '' },
  })),
  {
    ...{ kind: 'IngressController.operator.openshift.io', namespace: 'openshift-ingress-operator' },
    ...{ name: 'default', maker: "OpenShift's ingress operator", more: '' },
  },
  {
    ...{ kind: 'Queue.scheduling.volcano.sh', name: 'default' },
    ...{ maker: 'the scheduler of Volcano, when it starts,', more: '' },
  },
  ...['Service', 'Endpoints', 'EndpointSlice.discovery.k8s.io'].map((kind) => ({
    ...{ kind, namespace: 'default', name: 'kubernetes', maker: API_SERVER },
    more: ': clients in the cluster reach it there',
  })),
];

/** Kinds of which whatever makes the objects may do so again. */
export const REMADE_BY_KIND: Readonly<Record<string, (words: string) => string>> = {
  'VolumeAttachment.storage.k8s.io': (words) =>
    `the attach and detach controller makes ${words} anew as long as a pod on that node uses the volume`,
  'CSINode.storage.k8s.io': (words) =>
    `the kubelet of that node makes ${words} anew when it starts`,
  Node: (words) =>
    `if its machine runs on, its kubelet registers ${words} anew when it starts again`,
  // The repair loop of the allocator of addresses.
  'IPAddress.networking.k8s.io': (words) =>
    `the API server makes ${words} anew within minutes as long as its Service is there`,
  // It collects what has the label `operators.coreos.com/NAME.NAMESPACE`.
  'Operator.operators.coreos.com': (words) =>
    `OLM makes ${words} anew as long as anything has the label of that operator`,
  'ClusterOperator.config.openshift.io': (words) =>
    `the cluster-version operator, or the operator of that name, makes ${words} anew`,
  // `onDeleteLocked` of its allocator, with `enableMasterKeyProtection`.
  'CiliumIdentity.cilium.io': (words) =>
    `the agents of Cilium make ${words} anew as long as an endpoint has that identity`,
  'Setting.longhorn.io': (words) =>
    `Longhorn makes ${words} anew when it starts, with the default value`,
  'Backup.velero.io': (words) =>
    `Velero makes ${words} anew while the backup is in the object store: velero backup delete deletes both`,
};
