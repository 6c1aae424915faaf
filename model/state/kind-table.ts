import type { DefaultPolicy, Kind, KindTable, PolicyByVersion } from './kinds.ts';

/**
 * The kinds of a kube-apiserver 1.20 with its default set of APIs: their versions, the preferred
 * one first, and the deletion settings of their strategies. The kinds and versions that came since,
 * up to 1.36, follow: a version that 1.20 lacks is the last one of its kind, and a kind is there
 * whatever the protocol says. A dump shows which of them its cluster has, and `kindsServedIn`
 * leaves out what a release no longer serves. A kind that is served under several groups (Ingress,
 * Event) is listed once, under the group that later versions keep.
 */

interface Entry {
  readonly kind: string;
  readonly resource: string;
  readonly versions: readonly string[];
  readonly traits: Traits;
}

interface Traits {
  readonly cluster?: true;
  readonly generation?: true;
  /** Whether its own controller writes `status.observedGeneration`. */
  readonly observed?: true;
  readonly defaultPolicy?: DefaultPolicy;
  readonly byVersion?: PolicyByVersion;
  readonly graceful?: true;
  readonly storage?: Kind['storage'];
  readonly finalizerNames?: 'qualified';
  readonly unwatched?: true;
  readonly extendsApi?: true;
  readonly singlyDeleted?: true;
}

function entry(
  kind: string,
  resource: string,
  versions: readonly string[],
  traits: Traits = {},
): Entry {
  return { kind, resource, versions, traits };
}

/**
 * Kinds that orphan their dependents through these old versions and delete them through other
 * versions.
 */
function orphanThrough(...versions: readonly string[]): PolicyByVersion {
  return {
    versions: Object.fromEntries(versions.map((version) => [version, 'orphanDependents'])),
    otherVersions: 'deleteDependents',
    noRequest: 'deleteDependents',
  };
}

const CORE: readonly Entry[] = [
  entry('ConfigMap', 'configmaps', ['v1']),
  entry('Endpoints', 'endpoints', ['v1']),
  entry('Event', 'events', ['v1', 'events.k8s.io/v1', 'events.k8s.io/v1beta1'], {
    defaultPolicy: 'unsupported',
    unwatched: true,
  }),
  entry('LimitRange', 'limitranges', ['v1']),
  entry('Namespace', 'namespaces', ['v1'], { cluster: true, storage: 'namespace' }),
  entry('Node', 'nodes', ['v1'], { cluster: true }),
  entry('PersistentVolume', 'persistentvolumes', ['v1'], { cluster: true }),
  entry('PersistentVolumeClaim', 'persistentvolumeclaims', ['v1']),
  entry('Pod', 'pods', ['v1'], { graceful: true }),
  entry('PodTemplate', 'podtemplates', ['v1']),
  entry('ReplicationController', 'replicationcontrollers', ['v1'], {
    generation: true,
    observed: true,
    defaultPolicy: 'orphanDependents',
  }),
  entry('ResourceQuota', 'resourcequotas', ['v1']),
  entry('Secret', 'secrets', ['v1']),
  entry('Service', 'services', ['v1'], { singlyDeleted: true }),
  entry('ServiceAccount', 'serviceaccounts', ['v1']),
];

const WORKLOADS: readonly Entry[] = [
  entry('ControllerRevision', 'controllerrevisions', ['apps/v1']),
  entry('DaemonSet', 'daemonsets', ['apps/v1'], {
    generation: true,
    observed: true,
    byVersion: orphanThrough('extensions/v1beta1', 'apps/v1beta2'),
  }),
  entry('Deployment', 'deployments', ['apps/v1'], {
    generation: true,
    observed: true,
    byVersion: orphanThrough('extensions/v1beta1', 'apps/v1beta1', 'apps/v1beta2'),
  }),
  entry('ReplicaSet', 'replicasets', ['apps/v1'], {
    generation: true,
    observed: true,
    byVersion: orphanThrough('extensions/v1beta1', 'apps/v1beta2'),
  }),
  entry('StatefulSet', 'statefulsets', ['apps/v1'], {
    generation: true,
    observed: true,
    byVersion: orphanThrough('apps/v1beta1', 'apps/v1beta2'),
  }),
  entry('Job', 'jobs', ['batch/v1'], { byVersion: orphanThrough('batch/v1') }),
  entry('CronJob', 'cronjobs', ['batch/v1beta1', 'batch/v1'], {
    byVersion: orphanThrough('batch/v1beta1', 'batch/v2alpha1'),
  }),
  entry('HorizontalPodAutoscaler', 'horizontalpodautoscalers', [
    'autoscaling/v1',
    'autoscaling/v2beta1',
    'autoscaling/v2beta2',
    'autoscaling/v2',
  ]),
  entry('PodDisruptionBudget', 'poddisruptionbudgets', ['policy/v1beta1', 'policy/v1'], {
    generation: true,
  }),
  entry('PodSecurityPolicy', 'podsecuritypolicies', ['policy/v1beta1'], { cluster: true }),
];

const NETWORK_AND_STORAGE: readonly Entry[] = [
  entry('EndpointSlice', 'endpointslices', ['discovery.k8s.io/v1beta1', 'discovery.k8s.io/v1'], {
    generation: true,
  }),
  entry(
    'Ingress',
    'ingresses',
    ['networking.k8s.io/v1', 'networking.k8s.io/v1beta1', 'extensions/v1beta1'],
    { generation: true },
  ),
  entry('IngressClass', 'ingressclasses', ['networking.k8s.io/v1', 'networking.k8s.io/v1beta1'], {
    cluster: true,
    generation: true,
  }),
  entry('NetworkPolicy', 'networkpolicies', ['networking.k8s.io/v1'], { generation: true }),
  entry('CSIDriver', 'csidrivers', ['storage.k8s.io/v1', 'storage.k8s.io/v1beta1'], {
    cluster: true,
  }),
  entry('CSINode', 'csinodes', ['storage.k8s.io/v1', 'storage.k8s.io/v1beta1'], { cluster: true }),
  entry('StorageClass', 'storageclasses', ['storage.k8s.io/v1', 'storage.k8s.io/v1beta1'], {
    cluster: true,
  }),
  entry('VolumeAttachment', 'volumeattachments', ['storage.k8s.io/v1', 'storage.k8s.io/v1beta1'], {
    cluster: true,
  }),
];

const RBAC_VERSIONS = ['rbac.authorization.k8s.io/v1', 'rbac.authorization.k8s.io/v1beta1'];
const REGISTRATION_VERSIONS = [
  'admissionregistration.k8s.io/v1',
  'admissionregistration.k8s.io/v1beta1',
];

const FLOW_VERSIONS = ['flowcontrol.apiserver.k8s.io/v1beta1', 'flowcontrol.apiserver.k8s.io/v1'];

const CLUSTER_ADMINISTRATION: readonly Entry[] = [
  entry('Role', 'roles', RBAC_VERSIONS),
  entry('RoleBinding', 'rolebindings', RBAC_VERSIONS),
  entry('ClusterRole', 'clusterroles', RBAC_VERSIONS, { cluster: true }),
  entry('ClusterRoleBinding', 'clusterrolebindings', RBAC_VERSIONS, { cluster: true }),
  entry('MutatingWebhookConfiguration', 'mutatingwebhookconfigurations', REGISTRATION_VERSIONS, {
    cluster: true,
    generation: true,
  }),
  entry(
    'ValidatingWebhookConfiguration',
    'validatingwebhookconfigurations',
    REGISTRATION_VERSIONS,
    { cluster: true, generation: true },
  ),
  entry(
    'CustomResourceDefinition',
    'customresourcedefinitions',
    ['apiextensions.k8s.io/v1', 'apiextensions.k8s.io/v1beta1'],
    {
      cluster: true,
      generation: true,
      storage: 'customResourceDefinition',
      finalizerNames: 'qualified',
      extendsApi: true,
    },
  ),
  entry(
    'APIService',
    'apiservices',
    ['apiregistration.k8s.io/v1', 'apiregistration.k8s.io/v1beta1'],
    { cluster: true, finalizerNames: 'qualified', extendsApi: true },
  ),
  entry(
    'CertificateSigningRequest',
    'certificatesigningrequests',
    ['certificates.k8s.io/v1', 'certificates.k8s.io/v1beta1'],
    { cluster: true },
  ),
  entry('FlowSchema', 'flowschemas', FLOW_VERSIONS, {
    cluster: true,
    generation: true,
  }),
  entry('PriorityLevelConfiguration', 'prioritylevelconfigurations', FLOW_VERSIONS, {
    cluster: true,
    generation: true,
  }),
  entry('Lease', 'leases', ['coordination.k8s.io/v1', 'coordination.k8s.io/v1beta1']),
  entry('PriorityClass', 'priorityclasses', ['scheduling.k8s.io/v1', 'scheduling.k8s.io/v1beta1'], {
    cluster: true,
    generation: true,
  }),
  entry('RuntimeClass', 'runtimeclasses', ['node.k8s.io/v1', 'node.k8s.io/v1beta1'], {
    cluster: true,
  }),
];

/** Kinds that came after 1.20, each with the release that serves it by default. */
const LATER: readonly Entry[] = [
  // 1.24
  entry('CSIStorageCapacity', 'csistoragecapacities', ['storage.k8s.io/v1']),
  // 1.30
  ...['ValidatingAdmissionPolicy', 'ValidatingAdmissionPolicyBinding'].map((kind) =>
    policyEntry(kind),
  ),
  // 1.33
  entry('ServiceCIDR', 'servicecidrs', ['networking.k8s.io/v1'], { cluster: true }),
  entry('IPAddress', 'ipaddresses', ['networking.k8s.io/v1'], { cluster: true }),
  // 1.34
  entry('VolumeAttributesClass', 'volumeattributesclasses', ['storage.k8s.io/v1'], {
    cluster: true,
  }),
  entry('ResourceClaim', 'resourceclaims', ['resource.k8s.io/v1']),
  entry('ResourceClaimTemplate', 'resourceclaimtemplates', ['resource.k8s.io/v1']),
  entry('ResourceSlice', 'resourceslices', ['resource.k8s.io/v1'], {
    cluster: true,
    generation: true,
  }),
  entry('DeviceClass', 'deviceclasses', ['resource.k8s.io/v1'], {
    cluster: true,
    generation: true,
  }),
  // 1.36
  ...['MutatingAdmissionPolicy', 'MutatingAdmissionPolicyBinding'].map((kind) => policyEntry(kind)),
];

function policyEntry(kind: string): Entry {
  const resource = kind.endsWith('y')
    ? `${kind.slice(0, -1)}ies`.toLowerCase()
    : `${kind}s`.toLowerCase();
  return entry(kind, resource, ['admissionregistration.k8s.io/v1'], {
    cluster: true,
    generation: true,
  });
}

function kindName(kind: string, apiVersion: string): string {
  const group = apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : '';
  return group === '' ? kind : `${kind}.${group}`;
}

function kindOf({ kind, resource, versions, traits }: Entry): Kind {
  const preferred = versions[0] ?? '';
  const { byVersion } = traits;
  const ofPreferred = byVersion?.versions[preferred] ?? byVersion?.otherVersions;
  return {
    name: kindName(kind, preferred),
    kind,
    apiVersions: versions,
    resource,
    namespaced: traits.cluster !== true,
    defaultPolicy: traits.defaultPolicy ?? ofPreferred ?? 'none',
    ...(byVersion === undefined ? {} : { defaultPolicyByVersion: byVersion }),
    graceful: traits.graceful === true,
    generation: traits.generation === true,
    ...(traits.observed === true ? { observesGeneration: true } : {}),
    storage: traits.storage ?? 'generic',
    ...(traits.finalizerNames === undefined ? {} : { finalizerNames: traits.finalizerNames }),
    ...(traits.extendsApi === undefined ? {} : { extendsApi: true }),
    ...(traits.singlyDeleted === undefined ? {} : { singlyDeleted: true }),
    watched: traits.unwatched !== true,
  };
}

/** By `Kind.name`. */
export const BUILT_IN_KINDS: KindTable = Object.fromEntries(
  [...CORE, ...WORKLOADS, ...NETWORK_AND_STORAGE, ...CLUSTER_ADMINISTRATION, ...LATER]
    .map(kindOf)
    .map((kind) => [kind.name, kind]),
);

/**
 * A kind served from a CustomResourceDefinition (`customResourceStrategy`, 1.20).
 *
 * @param resource the plural; absent: the kind in lower case plus `s`.
 */
export function customKind(
  apiVersion: string,
  kind: string,
  namespaced: boolean,
  resource = `${kind.toLowerCase()}s`,
): Kind {
  return {
    name: kindName(kind, apiVersion),
    kind,
    apiVersions: [apiVersion],
    resource,
    namespaced,
    defaultPolicy: 'none',
    graceful: false,
    generation: true,
    storage: 'generic',
    finalizerNames: 'qualified',
    patchTypes: 'mergeOnly',
    watched: true,
  };
}
