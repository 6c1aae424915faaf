import {
  ADMITTED_PODS,
  CONTAINERS,
  CONTROLLERS,
  LIMITS,
  REFUSED,
  VOLUME,
  VOLUME_SECRETS,
} from './kept-containers.ts';
import {
  NAME,
  NAMED_BY_MACHINES,
  NAMED_BY_VENDORS,
  NAMED_KIND,
  REFERENCE,
  SCALARS,
} from './kept-named.ts';
import { NODE_AFFINITY, VALUES_OF_TERMS } from './kept-nodes.ts';
import { ANYWHERE, type Kept, type KeptFields, lists, scalars } from './kept-part.ts';

/** Last applied configurations hold the data of secrets. */
export const APPLIED_ANNOTATION = 'kubectl.kubernetes.io/last-applied-configuration';

const SERVICE: Kept = { fields: scalars('namespace', 'name') };
const RESOURCE_CLAIMS: Kept = { items: { fields: scalars('resourceClaimName') } };
const CLAIMS_OF_TEMPLATE: Kept = {
  items: { fields: scalars('resourceClaimName', 'resourceClaimTemplateName') },
};
const CLASS = scalars('deviceClassName');
/** In v1, and in the versions before it. */
const DEVICES: Kept = {
  fields: {
    requests: {
      items: {
        fields: {
          ...CLASS,
          exactly: { fields: CLASS },
          firstAvailable: { items: { fields: CLASS } },
        },
      },
    },
  },
};
const RULE: KeptFields = {
  scope: 'scalar',
  apiGroups: SCALARS,
  apiVersions: SCALARS,
  operations: SCALARS,
  resources: SCALARS,
};
const RULES: Kept = { items: { fields: RULE } };
const NAMED_RULES: Kept = { items: { fields: { ...RULE, resourceNames: SCALARS } } };
const CONDITIONS: Kept = { items: { fields: scalars('expression') } };
const MATCH: Kept = {
  fields: {
    namespaceSelector: 'whole',
    objectSelector: 'whole',
    matchPolicy: 'scalar',
    resourceRules: NAMED_RULES,
    excludeResourceRules: NAMED_RULES,
  },
};
const CLIENT_CONFIG: Kept = { fields: { service: SERVICE } };

const MESSAGE: Kept = { fields: scalars('message') };
const ENABLED: Kept = { fields: scalars('enabled') };
const COUNTED: Kept = { items: { fields: {} } };
/** What a pod, or the template of one, names. Values of variables are not kept. */
const POD: KeptFields = {
  ...scalars('priorityClassName', 'runtimeClassName', 'serviceAccountName'),
  containers: CONTAINERS,
  initContainers: CONTAINERS,
  imagePullSecrets: { items: NAME },
};
const NAMES_OF_TEMPLATE: KeptFields = {
  ...POD,
  resourceClaims: CLAIMS_OF_TEMPLATE,
  volumes: { items: { fields: VOLUME } },
};
const annotated = (...names: readonly string[]): Kept => ({
  fields: { annotations: { fields: scalars(...names) } },
});
const NETWORKS = 'k8s.v1.cni.cncf.io/networks';
const JOB_TEMPLATE: Kept = {
  fields: { metadata: annotated(NETWORKS), spec: { fields: NAMES_OF_TEMPLATE } },
};
const TEMPLATE: Kept = {
  fields: {
    // Velero
    storageLocation: 'scalar',
    // What OLM has selected.
    metadata: annotated('olm.targetNamespaces', NETWORKS),
    spec: {
      fields: {
        ...NAMES_OF_TEMPLATE,
        ...ADMITTED_PODS,
        ...NAMED_BY_MACHINES,
        volumes: { items: { fields: { ...REFUSED, ...VOLUME } } },
        containers: CONTROLLERS,
        nodeSelector: 'whole',
        affinity: { fields: { nodeAffinity: NODE_AFFINITY } },
      },
    },
  },
};
const BACKEND: Kept = { fields: { service: NAME } };

const SPEC: KeptFields = {
  ...POD,
  ...ADMITTED_PODS,
  containers: CONTROLLERS,
  limits: LIMITS,
  scopes: SCALARS,
  scopeSelector: { fields: {} },
  // Only Crossplane has a field for the last snapshot.
  ...scalars(...ANYWHERE.protections.filter((name) => !/FinalSnapshot/i.test(name))),
  forProvider: 'protections',
  initProvider: 'protections',
  settings: 'protections',
  ...scalars(
    'activeDeadlineSeconds',
    'backoffLimit',
    'backoffLimitPerIndex',
    'completions',
    'databaseReclaimPolicy',
    ...['deletionPolicy', 'destroyOnFinalize', 'driver'],
    ...['failedJobsHistoryLimit', 'failurePolicy', 'successfulJobsHistoryLimit'],
    'gatewayClassName',
    'group',
    'holderIdentity',
    'ingressClassName',
    'managedBy',
    'nodeName',
    'noopDelete',
    'parallelism',
    'paused',
    'policyName',
    ...['persistentVolumeReclaimPolicy', 'preventDelete', 'prune'],
    'publicationReclaimPolicy',
    'renewTime',
    ...['replicas', 'restartPolicy', 'externalSubnet', 'networkNamespace', 'subnet', 'vpc'],
    'scope',
    'serviceName',
    'storageClassName',
    'subscriptionReclaimPolicy',
    'suspend',
    'volumeSnapshotClassName',
    ...['terminationGracePeriodSeconds', 'terminationPolicy'],
    'podManagementPolicy',
    'podReplacementPolicy',
    'project',
    'ttlSecondsAfterFinished',
    'type',
    'uninstallStrategy',
    'version',
    'volumeAttributesClassName',
    'volumeName',
    'vpaObjectName',
  ),
  auditAnnotations: { items: { fields: scalars('valueExpression') } },
  by: { fields: { kind: 'scalar', resourceRef: { fields: scalars('name') } } },
  // A word of MariaDB, and a confirmation for Rook
  cleanupPolicy: 'whole',
  cluster: { fields: { ...scalars('name'), kubeconfigSecretRef: NAME } },
  csi: {
    fields: {
      ...scalars('driver', 'volumeHandle'),
      ...VOLUME_SECRETS,
      volumeAttributes: { fields: scalars('clusterID', 'dataPool', 'fsName', 'pool') },
    },
  },
  claimRef: { fields: scalars('namespace', 'name', 'uid') },
  dataSource: { fields: scalars('kind', 'name') },
  dataSourceRef: { fields: scalars('kind', 'name') },
  conversion: {
    fields: { strategy: 'scalar', webhook: { fields: { clientConfig: CLIENT_CONFIG } } },
  },
  defaultBackend: BACKEND,
  finalizers: SCALARS,
  // Which storage a volume has.
  fc: { fields: {} },
  hostPath: { fields: scalars('path') },
  iscsi: { fields: {} },
  local: { fields: {} },
  nfs: { fields: {} },
  nodeAffinity: { fields: { required: VALUES_OF_TERMS } },
  issuerRef: REFERENCE,
  jobTemplate: { fields: { spec: { fields: { template: JOB_TEMPLATE } } } },
  managementPolicies: SCALARS,
  matchConditions: CONDITIONS,
  matchConstraints: MATCH,
  matchResources: MATCH,
  mutations: {
    items: {
      fields: {
        applyConfiguration: { fields: scalars('expression') },
        jsonPatch: { fields: scalars('expression') },
      },
    },
  },
  names: { fields: { ...scalars('kind', 'plural'), categories: SCALARS, shortNames: SCALARS } },
  nodeClassRef: { fields: scalars('name') },
  ordinals: { fields: scalars('start') },
  paramKind: { fields: scalars('apiVersion', 'kind') },
  paramRef: {
    fields: { ...scalars('name', 'namespace', 'parameterNotFoundAction'), selector: 'whole' },
  },
  priorityLevelConfiguration: NAME,
  persistentVolumeClaimRetentionPolicy: { fields: scalars('whenDeleted', 'whenScaled') },
  resourceClaims: RESOURCE_CLAIMS,
  devices: DEVICES,
  spec: { fields: { devices: DEVICES } },
  podFailurePolicy: { fields: {} },
  scaleTargetRef: REFERENCE,
  schedulingGroup: { fields: scalars('podGroupName') },
  secretStoreRef: REFERENCE,
  targetRef: REFERENCE,
  sourceRef: REFERENCE,
  parentRefs: { items: NAME },
  // Classes of load balancers of AWS
  parameters: NAME,
  loadBalancerAttributes: { items: { fields: scalars('key', 'value') } },
  // Ranges of addresses
  ...scalars('cidr'),
  cidrs: SCALARS,
  parentRef: { fields: scalars('resource', 'namespace', 'name') },
  rules: {
    items: {
      fields: {
        backendRefs: { items: NAME },
        http: { fields: { paths: { items: { fields: { backend: BACKEND } } } } },
        // Kyverno
        generate: { fields: scalars('synchronize', 'orphanDownstreamOnPolicyDelete') },
      },
    },
  },
  resourceRef: { fields: scalars('kind', 'name') },
  selector: 'whole',
  service: SERVICE,
  source: { fields: scalars('persistentVolumeClaimName', 'persistentVolumeName') },
  // Argo CD
  destination: { fields: scalars('server', 'name') },
  strategy: { fields: scalars('deletionOrder') },
  syncPolicy: {
    fields: { ...scalars('applicationsSync'), syncOptions: SCALARS, automated: 'whole' },
  },
  driftDetection: { fields: scalars('mode') },
  // Routes of OpenShift, target groups of AWS, Karmada, MetalLB
  ...{ to: NAME, serviceRef: NAME, clusters: { items: NAME }, ipAddressPools: SCALARS },
  // Ceph
  ...scalars('blockPoolName', 'filesystemName', 'store'),
  zone: NAME,
  // MinIO
  pools: { items: { fields: scalars('reclaimStorage') } },
  // Fleet
  ...scalars('deleteNamespace', 'keepResources', 'targetNamespace'),
  kubeConfig: { fields: { secretRef: NAME } },
  // What controllers read before they let an object go
  ...scalars('githubConfigSecret', 'secretName', 'secretRef'),
  bootstrap: { fields: { configRef: NAMED_KIND } },
  ephemeralRunnerSpec: { fields: scalars('githubConfigSecret') },
  ...{ clientSecret: REFERENCE, connectionSecret: REFERENCE },
  connectionSecretRef: REFERENCE,
  credentials: { fields: { secretRef: REFERENCE } },
  controlPlaneRef: NAMED_KIND,
  credentialsRef: REFERENCE,
  hetznerSecretRef: REFERENCE,
  identityRef: REFERENCE,
  infrastructureRef: NAMED_KIND,
  prismCentral: { fields: { credentialRef: REFERENCE } },
  projectRef: REFERENCE,
  providerConfigRef: REFERENCE,
  rabbitmqClusterReference: { fields: { connectionSecret: REFERENCE } },
  secretStoreRefs: {
    items: { fields: { ...scalars('kind', 'namespace', 'name'), labelSelector: 'whole' } },
  },
  provider: 'references',
  solver: 'references',
  ...NAMED_BY_VENDORS,
  // Kyverno
  evaluation: { fields: { synchronize: ENABLED, orphanDownstreamOnPolicyDelete: ENABLED } },
  // Open Cluster Management
  ...scalars('namespace'),
  deployOption: { fields: scalars('mode') },
  // OpenShift
  lifecycleHooks: { fields: { preDrain: COUNTED, preTerminate: COUNTED } },
  target: { fields: scalars('name', 'creationPolicy') },
  taints: { items: { fields: scalars('key', 'value', 'effect') } },
  template: TEMPLATE,
  tls: { items: { fields: scalars('secretName') } },
  validationActions: SCALARS,
  validations: { items: { fields: scalars('expression', 'message', 'messageExpression') } },
  variables: { items: { fields: scalars('name', 'expression') } },
  versions: { items: { fields: scalars('name', 'served', 'storage') } },
  volumes: {
    items: { fields: { ...REFUSED, ...VOLUME, name: 'scalar', ephemeral: { fields: {} } } },
  },
  volumeClaimTemplates: { items: { fields: { metadata: { fields: scalars('name') } } } },
};

/**
 * What a dump keeps of an object beside its type and its metadata: everything that the reader of
 * dumps reads, for any kind, and nothing else. None of it holds a secret.
 */
export const KEPT: KeptFields = {
  spec: { fields: SPEC },
  status: {
    fields: {
      syncedPushSecrets: 'references',
      // What goes wrong, in words.
      ...scalars('message', 'reason'),
      attachError: MESSAGE,
      detachError: MESSAGE,
      error: MESSAGE,
      modifyVolumeStatus: { fields: scalars('targetVolumeAttributesClassName') },
      ...scalars(
        'boundVolumeSnapshotContentName',
        'boundVolumeGroupSnapshotContentName',
        'currentVolumeAttributesClassName',
        'disruptionsAllowed',
        'failed',
        'numberReady',
        'observedGeneration',
        'phase',
        'readyReplicas',
        'readyToUse',
        'replicas',
        'succeeded',
        ...['backingNamespace', 'namespace', 'status', 'storageNamespace'],
      ),
      // Percona
      azure: { fields: scalars('credentialsSecret') },
      s3: { fields: scalars('credentialsSecret') },
      // Argo CD
      sync: { fields: scalars('status') },
      // Flux
      history: { items: NAME },
      inventory: { fields: { entries: { items: { fields: scalars('id') } } } },
      resources: {
        items: {
          fields: scalars(
            ...['group', 'kind', 'namespace', 'name', 'hook', 'requiresDeletionConfirmation'],
          ),
        },
      },
      // Quotas
      hard: 'whole',
      used: 'whole',
      // Kueue
      admission: { fields: scalars('clusterQueue') },
      // OpenShift
      ...{ nodeRef: NAME, nodeInfo: { fields: scalars('kubeletVersion') } },
      // Their times say when the dump was made.
      conditions: 'whole',
      resourceClaimStatuses: RESOURCE_CLAIMS,
      storedVersions: SCALARS,
    },
  },
  aggregationRule: { fields: { clusterRoleSelectors: 'whole' } },
  globalDefault: 'scalar',
  imagePullSecrets: { items: NAME },
  // Of roles
  rules: { items: { fields: lists('apiGroups', 'resourceNames', 'resources', 'verbs') } },
  roleRef: { fields: scalars('kind', 'name') },
  subjects: { items: { fields: scalars('kind', 'namespace', 'name') } },
  webhooks: {
    items: {
      fields: {
        ...scalars('name', 'failurePolicy', 'matchPolicy', 'timeoutSeconds'),
        clientConfig: CLIENT_CONFIG,
        matchConditions: CONDITIONS,
        namespaceSelector: 'whole',
        objectSelector: 'whole',
        rules: RULES,
      },
    },
  },
  // Addresses are only counted.
  endpoints: { items: { fields: { conditions: { fields: scalars('ready') } } } },
  subsets: { items: { fields: { addresses: COUNTED } } },
};
