/** Objects of Kubernetes' own kinds, as short as a dump of them can be. */

export type Manifest = {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: Readonly<Record<string, unknown>> & {
    readonly name: string;
    readonly uid: string;
  };
};

const VERSIONS: Readonly<Record<string, string>> = {
  ...versioned(
    'v1',
    'Pod Node Namespace ConfigMap Secret Service ServiceAccount PodTemplate Event',
  ),
  ...versioned('v1', 'PersistentVolumeClaim PersistentVolume ReplicationController Endpoints'),
  ...versioned('apps/v1', 'Deployment ReplicaSet StatefulSet DaemonSet ControllerRevision'),
  ...versioned('batch/v1', 'Job CronJob'),
  ...versioned('autoscaling/v2', 'HorizontalPodAutoscaler'),
  ...versioned('policy/v1', 'PodDisruptionBudget'),
  ...versioned('networking.k8s.io/v1', 'Ingress IngressClass ServiceCIDR IPAddress'),
  ...versioned('storage.k8s.io/v1', 'StorageClass CSIDriver CSINode VolumeAttributesClass'),
  ...versioned('scheduling.k8s.io/v1', 'PriorityClass'),
  ...versioned('node.k8s.io/v1', 'RuntimeClass'),
  ...versioned('rbac.authorization.k8s.io/v1', 'Role RoleBinding ClusterRoleBinding'),
  ...versioned('flowcontrol.apiserver.k8s.io/v1', 'FlowSchema PriorityLevelConfiguration'),
  ...versioned('apiregistration.k8s.io/v1', 'APIService'),
  ...versioned('coordination.k8s.io/v1', 'Lease'),
  ...versioned('discovery.k8s.io/v1', 'EndpointSlice'),
  ...versioned('resource.k8s.io/v1', 'ResourceSlice DeviceClass'),
  ...versioned('certificates.k8s.io/v1beta1', 'ClusterTrustBundle'),
  ...versioned('snapshot.storage.k8s.io/v1', 'VolumeSnapshot VolumeSnapshotClass'),
  ...versioned('gadgets.acme.io/v1', 'Gadget'),
};

function versioned(apiVersion: string, kinds: string): Record<string, string> {
  return Object.fromEntries(kinds.split(' ').map((kind) => [kind, apiVersion]));
}

const OF_CLUSTER: ReadonlySet<string> = new Set(
  [
    ...['Node Namespace PersistentVolume IngressClass StorageClass CSIDriver CSINode IPAddress'],
    ...['PriorityClass RuntimeClass ClusterRoleBinding FlowSchema PriorityLevelConfiguration'],
    ...['APIService VolumeSnapshotClass DeviceClass ResourceSlice ClusterTrustBundle ServiceCIDR'],
    ...['VolumeAttributesClass'],
  ].flatMap((words) => words.split(' ')),
);

/** @param named `KIND/NAME`; in the namespace shop unless the metadata say another one. */
export function made(
  named: string,
  rest: Readonly<Record<string, unknown>> = {},
  metadata: Readonly<Record<string, unknown>> = {},
): Manifest {
  const [kind = '', name = ''] = named.split('/');
  const { namespace = '' } = metadata;
  const uid = `u-${kind}-${name}-${String(namespace)}`.toLowerCase();
  return {
    apiVersion: VERSIONS[kind] ?? '',
    kind,
    metadata: {
      name,
      ...(OF_CLUSTER.has(kind) ? {} : { namespace: 'shop' }),
      uid,
      creationTimestamp: '2025-01-01T00:00:00Z',
      ...metadata,
    },
    ...rest,
  };
}

/** A reference to the owner that is its controller and blocks it. */
export function ownedBy({ apiVersion, kind, metadata }: Manifest): Record<string, unknown> {
  const { name, uid } = metadata;
  const reference = { apiVersion, kind, name, uid };
  return { ownerReferences: [{ controller: true, blockOwnerDeletion: true, ...reference }] };
}

/** A namespace with what each one has, so that the dump lacks nothing of it. */
export function wholeNamespace(name: string): readonly Manifest[] {
  return [
    made(
      `Namespace/${name}`,
      { spec: { finalizers: ['kubernetes'] }, status: { phase: 'Active' } },
      { labels: { 'kubernetes.io/metadata.name': name } },
    ),
    made('ConfigMap/kube-root-ca.crt', {}, { namespace: name }),
    made('ServiceAccount/default', {}, { namespace: name }),
  ];
}

export const NODE = made(
  'Node/n1',
  { spec: {}, status: { conditions: [{ type: 'Ready', status: 'True' }] } },
  { labels: { 'kubernetes.io/hostname': 'n1' } },
);

export function podNamed(name: string, spec: object = {}, metadata: object = {}): Manifest {
  const containers = [{ name: 'c', image: 'i' }];
  return made(
    `Pod/${name}`,
    { spec: { nodeName: 'n1', containers, ...spec }, status: { phase: 'Running' } },
    { ...metadata },
  );
}
