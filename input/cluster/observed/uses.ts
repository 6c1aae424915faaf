import { valueAt } from '../../documents/shape.ts';
import { groupOf } from '../../manifests/names.ts';
import type { Mark } from './mark.ts';

/** Where objects of a kind name what they use. */
interface Use {
  /** The group and the kind of the object. */
  readonly group: string;
  readonly kind: string;
  /** The kind of what it uses, and the fields with its name; a field on the way may be a list. */
  readonly uses: string;
  readonly at: readonly (readonly string[])[];
  /** The fields have the namespace of what it uses. */
  readonly isNamespace?: true;
}

/** What the provisioners of Ceph write down of a volume. */
const OF_CSI = ['spec', 'csi', 'volumeAttributes'];
const CLASS = ['spec', 'volumeAttributesClassName'];
const CURRENT_CLASS = ['status', 'currentVolumeAttributesClassName'];
/** Of a change that has begun, whatever the spec says by now. */
const TARGET_CLASS = ['status', 'modifyVolumeStatus', 'targetVolumeAttributesClassName'];
const USES: readonly Use[] = [
  { group: 'argoproj.io', kind: 'Application', uses: 'AppProject', at: [['spec', 'project']] },
  {
    group: 'gateway.networking.k8s.io',
    kind: 'Gateway',
    uses: 'GatewayClass',
    at: [['spec', 'gatewayClassName']],
  },
  {
    group: '',
    kind: 'PersistentVolumeClaim',
    uses: 'VolumeAttributesClass',
    at: [CLASS, CURRENT_CLASS, TARGET_CLASS],
  },
  { group: '', kind: 'PersistentVolume', uses: 'VolumeAttributesClass', at: [CLASS] },
  ...[
    ['Ingress', 'IngressClass', 'spec.ingressClassName'],
    ['IngressClass', 'IngressClassParams', 'spec.parameters.name'],
  ].map((row) => inGroup('networking.k8s.io', row)),
  ...[
    {
      uses: 'CephBlockPool',
      at: [
        [...OF_CSI, 'pool'],
        [...OF_CSI, 'dataPool'],
      ],
    },
    { uses: 'CephFilesystem', at: [[...OF_CSI, 'fsName']] },
    { uses: 'CephCluster', at: [[...OF_CSI, 'clusterID']], isNamespace: true as const },
  ].map((use) => ({ group: '', kind: 'PersistentVolume', ...use })),
  {
    group: 'snapshot.storage.k8s.io',
    kind: 'VolumeSnapshot',
    uses: 'VolumeSnapshotContent',
    at: [['status', 'boundVolumeSnapshotContentName']],
  },
  {
    group: 'groupsnapshot.storage.k8s.io',
    kind: 'VolumeGroupSnapshot',
    uses: 'VolumeGroupSnapshotContent',
    at: [['status', 'boundVolumeGroupSnapshotContentName']],
  },
  {
    group: '',
    kind: 'Pod',
    uses: 'ResourceClaim',
    at: [
      ['spec', 'resourceClaims', 'resourceClaimName'],
      ['status', 'resourceClaimStatuses', 'resourceClaimName'],
    ],
  },
  { group: '', kind: 'Pod', uses: 'PodGroup', at: [['spec', 'schedulingGroup', 'podGroupName']] },
  {
    group: 'storage.k8s.io',
    kind: 'VolumeAttachment',
    uses: 'PersistentVolume',
    at: [['spec', 'source', 'persistentVolumeName']],
  },
  ...['Database', 'Publication', 'Subscription'].map((kind) => ({
    ...{ group: 'postgresql.cnpg.io', kind, uses: 'Cluster' },
    at: [['spec', 'cluster', 'name']],
  })),
  {
    group: 'karpenter.sh',
    kind: 'NodeClaim',
    uses: 'EC2NodeClass',
    at: [['spec', 'nodeClassRef', 'name']],
  },
  ...[
    ['ResourceFlavor', 'Topology', 'spec.topologyName'],
    ['ClusterQueue', 'ResourceFlavor', 'spec.resourceGroups.flavors.name'],
    [
      ...['ClusterQueue', 'AdmissionCheck', 'spec.admissionChecks'],
      'spec.admissionChecksStrategy.admissionChecks.name',
    ],
    ['Workload', 'ClusterQueue', 'status.admission.clusterQueue'],
  ].map((row) => inGroup('kueue.x-k8s.io', row)),
  // `CephObjectStoreDependents`, and those of the other stores.
  ...[
    ['CephObjectStoreUser', 'CephObjectStore', 'spec.store'],
    ['CephObjectStore', 'CephObjectZone', 'spec.zone.name'],
    ['CephFilesystemSubVolumeGroup', 'CephFilesystem', 'spec.filesystemName'],
    ['CephBlockPoolRadosNamespace', 'CephBlockPool', 'spec.blockPoolName'],
  ].map((row) => inGroup('ceph.rook.io', row)),
  // The namespace of a managed cluster has its name.
  ...[
    ['addon.open-cluster-management.io', 'ManagedClusterAddOn'],
    ['work.open-cluster-management.io', 'ManifestWork'],
  ].map(([group = '', kind = '']) =>
    inGroup(group, [kind, 'ManagedCluster', 'metadata.namespace']),
  ),
  // `readyToRemoveFinalizer`, `handleDelVpc`
  ...[
    ['IP', 'Subnet', 'spec.subnet'],
    ['Vip', 'Subnet', 'spec.subnet'],
    ['IptablesEIP', 'Subnet', 'spec.externalSubnet'],
    ['OvnEip', 'Subnet', 'spec.externalSubnet'],
    ['Subnet', 'Vpc', 'spec.vpc'],
  ].map((row) => inGroup('kubeovn.io', row)),
  ...['ResourceBinding', 'ClusterResourceBinding'].map((kind) =>
    inGroup('work.karmada.io', [kind, 'Cluster', 'spec.clusters.name']),
  ),
  inGroup('flink.apache.org', ['FlinkSessionJob', 'FlinkDeployment', 'spec.deploymentName']),
  inGroup('machine.openshift.io', ['Machine', 'Node', 'status.nodeRef.name']),
  inGroup('cluster.x-k8s.io', ['Machine', 'Node', 'status.nodeRef.name']),
  // On whose disks it is
  ...[
    ['topolvm.io', 'LogicalVolume', 'spec.nodeName'],
    ['topolvm.cybozu.com', 'LogicalVolume', 'spec.nodeName'],
    ['local.openebs.io', 'LVMVolume', 'spec.ownerNodeID'],
    ['zfs.openebs.io', 'ZFSVolume', 'spec.ownerNodeID'],
  ].map(([group = '', kind = '', at = '']) => inGroup(group, [kind, 'Node', at])),
  ...[
    ['servicecatalog.k8s.io', 'ServiceInstance', 'spec.instanceRef.name'],
    ['services.cloud.sap.com', 'ServiceInstance', 'spec.serviceInstanceName'],
  ].map(([group = '', uses = '', at = '']) => inGroup(group, ['ServiceBinding', uses, at])),
];

function inGroup(group: string, [kind = '', uses = '', ...at]: readonly string[]): Use {
  return { group, kind, uses, at: at.map((path) => path.split('.')) };
}

/**
 * What a claim is being filled from, and what a snapshot is being taken of: each is held until that
 * is done (`isVolumeBeingCreatedFromSnapshot`, `isPVCBeingUsed` of the snapshot controller, and the
 * cloning protection of provisioners).
 */
export function sourcesOf(apiVersion: string, kind: string, manifest: unknown): readonly Mark[] {
  const uses = (used: unknown, name: unknown): readonly Mark[] =>
    typeof used === 'string' && typeof name === 'string'
      ? [{ mark: 'uses', tool: null, kind: used, name }]
      : [];
  if (apiVersion === 'v1' && kind === 'PersistentVolumeClaim') {
    if (valueAt(manifest, ['status', 'phase']) === 'Bound') return [];
    return ['dataSource', 'dataSourceRef'].flatMap((field) =>
      uses(valueAt(manifest, ['spec', field, 'kind']), valueAt(manifest, ['spec', field, 'name'])),
    );
  }
  const isSnapshot = apiVersion.startsWith('snapshot.storage.k8s.io/') && kind === 'VolumeSnapshot';
  if (!isSnapshot || valueAt(manifest, ['status', 'readyToUse']) === true) return [];
  const claim = valueAt(manifest, ['spec', 'source', 'persistentVolumeClaimName']);
  return uses('PersistentVolumeClaim', claim);
}

/** Whether a PushSecret leaves what it has pushed: it does so unless it says otherwise. */
export function keepsPushed(group: string, kind: string, manifest: unknown): boolean {
  const isPushed = group === 'external-secrets.io' && kind === 'PushSecret';
  return isPushed && valueAt(manifest, ['spec', 'deletionPolicy']) !== 'Delete';
}

/**
 * Whether an Ingress has the annotation of the time before classes: it comes before the class, and
 * has no parameters (`classifyIngress` of the AWS Load Balancer Controller, 2).
 */
function isClassedBefore(manifest: unknown): boolean {
  const annotation = 'kubernetes.io/ingress.class';
  return typeof valueAt(manifest, ['metadata', 'annotations', annotation]) === 'string';
}

/** Waits of Cluster API for the node of a Machine: the annotation and the time that end them. */
const WAITS = {
  // `isNodeDrainAllowed`
  drain: ['exclude-node-draining', 'nodeDrainTimeout'],
  // `isNodeVolumeDetachingAllowed`
  volumes: ['exclude-wait-for-node-volume-detach', 'nodeVolumeDetachTimeout'],
} as const;

/** What ends a wait for the node of a Machine: the word for it; null: nothing. */
function endOf(wait: keyof typeof WAITS, manifest: unknown): string | null {
  const [name, field] = WAITS[wait];
  const annotation = `machine.cluster.x-k8s.io/${name}`;
  const timeout = valueAt(manifest, ['spec', field]);
  const seconds = valueAt(manifest, ['spec', 'deletion', `${field}Seconds`]);
  if (valueAt(manifest, ['metadata', 'annotations', annotation]) !== undefined) return annotation;
  const isTimed =
    (typeof timeout === 'string' && /[1-9]/.test(timeout)) ||
    (typeof seconds === 'number' && seconds > 0);
  return isTimed ? field : null;
}

/** A Machine of Cluster API whose node it does not drain, or not to the end. */
export function undrainedOf(apiVersion: string, kind: string, manifest: unknown): readonly Mark[] {
  if (!isMachine(groupOf(apiVersion) ?? '', kind)) return [];
  const by = endOf('drain', manifest);
  return by === null ? [] : [{ mark: 'undrained', tool: 'Cluster API', by }];
}

function isMachine(group: string, kind: string): boolean {
  return kind === 'Machine' && group === 'cluster.x-k8s.io';
}

/** What an object of this kind says that it uses. */
export function usesOf(apiVersion: string, kind: string, manifest: unknown): readonly Mark[] {
  const group = groupOf(apiVersion) ?? '';
  if (keepsPushed(group, kind, manifest)) {
    return ['SecretStore', 'ClusterSecretStore'].map((store) => ({
      ...{ mark: 'uses', tool: null, kind: store, name: '' },
    }));
  }
  if (isMachine(group, kind)) {
    const waits = endOf('drain', manifest) === null || endOf('volumes', manifest) === null;
    if (!waits) return [];
  }
  if (group === 'networking.k8s.io' && kind === 'Ingress' && isClassedBefore(manifest)) {
    return [{ mark: 'uses', tool: null, kind: 'IngressClass', name: '' }];
  }
  return USES.filter((use) => use.group === group && use.kind === kind).flatMap((use): Mark[] => {
    const marks = (names: readonly (string | null)[]): readonly Mark[] =>
      names.map((name) => ({
        ...({ mark: 'uses', tool: null, kind: use.uses, name } as const),
        ...(use.isNamespace === true ? { isNamespace: true } : {}),
      }));
    return use.at.flatMap(([part = '', ...path]) => {
      const within = valueAt(manifest, [part]);
      // Without its spec or status, an object does not say what it uses.
      return marks(within === undefined ? [null] : namesAt(within, path));
    });
  });
}

/**
 * The names at a path, on which a field may be a list. An element without one names nothing: a pod
 * owns the claims that are made for it by a template, and its status has their names.
 */
function namesAt(value: unknown, [field, ...path]: readonly string[]): readonly string[] {
  if (field === undefined) return [typeof value === 'string' ? value : ''];
  const found = valueAt(value, [field]);
  if (!Array.isArray(found)) return namesAt(found, path);
  return found.flatMap((one) => namesAt(one, path));
}

/** Pairs of kinds of `sourcesOf`. */
const SOURCES: readonly (readonly [kind: string, uses: string])[] = [
  ['PersistentVolumeClaim', 'VolumeSnapshot'],
  ['PersistentVolumeClaim', 'PersistentVolumeClaim'],
  ['VolumeSnapshot.snapshot.storage.k8s.io', 'PersistentVolumeClaim'],
];

/**
 * Whether objects of a kind (with its group) say it if they use one of the other kind (without).
 */
export function sayUses(kind: string, used: string): boolean {
  return (
    SOURCES.some(([user, uses]) => user === kind && uses === used) ||
    USES.some((use) => {
      const name = use.group === '' ? use.kind : `${use.kind}.${use.group}`;
      return name === kind && use.uses === used;
    })
  );
}

/** The names of the objects of this kind that an object says it uses. */
export function usedNames(marks: readonly Mark[] | undefined, kind: string): readonly string[] {
  return (marks ?? []).flatMap((mark) =>
    mark.mark === 'uses' && mark.kind === kind && mark.name !== null ? [mark.name] : [],
  );
}
