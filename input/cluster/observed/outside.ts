import { valueAt } from '../../documents/shape.ts';
import { groupOf } from '../../manifests/names.ts';
import { conditionsOf } from './conditions.ts';
import type { Mark } from './mark.ts';
import { protectionsOf } from './protections.ts';
import { keepsPushed } from './uses.ts';

/** What an object says of the thing outside of the cluster for which it stands. */

/** Conditions that are False while the controller cannot do its work. */
const WORKING: readonly string[] = ['Ready', 'Synced'];
/** Conditions of AWS Controllers for Kubernetes that are True then. */
const FAILING: readonly string[] = ['ACK.Recoverable', 'ACK.Terminal'];

/** Where they are in the spec: of ACK and Config Connector, and of Crossplane. */
const WITHIN: readonly (readonly string[])[] = [[], ['forProvider'], ['initProvider']];

/** Kinds of things that are deleted only while they are empty, and the field that empties them. */
const EMPTIED: Readonly<Record<string, string>> = {
  Bucket: 'forceDestroy',
  StorageBucket: 'forceDestroy',
  HostedZone: 'forceDestroy',
  Zone: 'forceDestroy',
  DNSManagedZone: 'forceDestroy',
  ManagedZone: 'forceDestroy',
  Repository: 'forceDelete',
};
/** The annotation of Config Connector that does the same. */
const FORCED = 'cnrm.cloud.google.com/force-destroy';

/** Kinds of networks, which are deleted only while nothing is in them. */
const NETWORKS =
  /^(VPC|Vpc|Subnet|SecurityGroup|InternetGateway|NATGateway|Network|Subnetwork|ComputeNetwork|ComputeSubnetwork|VirtualNetwork|VirtualNetworksSubnet)$/;

/** Groups whose objects stand for something in a cloud. */
const CLOUDS =
  /\.(services\.k8s\.aws|upbound\.io|crossplane\.io|cnrm\.cloud\.google\.com|azure\.com)$/;

/** What of it may keep its deletion from succeeding. */
export function outsideOf(
  apiVersion: string,
  kind: string,
  annotations: Readonly<Record<string, string>>,
  manifest: unknown,
): readonly Mark[] {
  const group = groupOf(apiVersion) ?? '';
  const refused = protectionsOf(group, kind, annotations, manifest);
  if (!group.includes('.')) return [...refused.map(markOf), ...inUseOf(manifest)];
  const failing = conditionsOf(manifest).find(
    ({ type, status }) =>
      (status === 'False' && WORKING.includes(type)) ||
      (status === 'True' && FAILING.includes(type)),
  );
  const reason = failing?.reason ? ` (${failing.reason})` : '';
  const fails: readonly Mark[] =
    failing === undefined
      ? []
      : [{ mark: 'fails', tool: null, by: `${failing.type}=${failing.status}${reason}` }];
  const isSet = (field: string): boolean =>
    WITHIN.some((path) => valueAt(manifest, ['spec', ...path, field]) === true);
  const refusals = [
    ...refused,
    ...(CLOUDS.test(group) ? contentsOf(kind, isSet, annotations) : []),
    ...(UNSEEN.get(`${kind}.${group}`) ?? []),
    ...(keepsPushed(group, kind, manifest) ? [LEFT_TO_PUSH] : []),
    ...policyOf(group, kind, manifest),
    ...OTHERWISE.flatMap((of) => of(`${kind}.${group}`, manifest) ?? []),
  ];
  const isBlocked = valueAt(manifest, ['spec', 'uninstallStrategy']) === BLOCKS;
  return [
    ...fails,
    ...reportedOf(`${kind}.${group}`, manifest),
    ...destroyedOf(group, manifest),
    ...refusals.map(markOf),
    ...(isBlocked ? [BLOCKED] : []),
    ...unconfirmedOf(`${kind}.${group}`, annotations),
    ...inUseOf(manifest),
  ];
}

const CONFIRMS = 'confirmation.gardener.cloud/deletion';

/** `DeletionConfirmation`, an admission plugin of the API server of Gardener. */
function unconfirmedOf(
  kind: string,
  annotations: Readonly<Record<string, string>>,
): readonly Mark[] {
  // `strconv.ParseBool`
  const isConfirmed = /^(1|t|true)$/i.test(annotations[CONFIRMS] ?? '');
  if (!/^(Shoot|Project)[.]core[.]gardener[.]cloud$/.test(kind) || isConfirmed) return [];
  const who = 'the API server of Gardener';
  const why = `it refuses the DELETE without the annotation ${CONFIRMS}=true`;
  return [{ mark: 'blocks', tool: null, by: CONFIRMS, refuses: { who, why } }];
}

const IN_USE = 'crossplane.io/in-use';

/** The webhook of the usages of Crossplane, by the label with which it selects objects. */
function inUseOf(manifest: unknown): readonly Mark[] {
  if (valueAt(manifest, ['metadata', 'labels', IN_USE]) !== 'true') return [];
  const who = 'the webhook of Crossplane';
  const why = `it refuses the DELETE while a usage names the object, as its label ${IN_USE} says`;
  return [{ mark: 'blocks', tool: null, by: IN_USE, refuses: { who, why } }];
}

/** What the policy of an object asks for first (`deleteWorkspace`, `clusterDeletionTransformer`). */
const POLICIES: readonly {
  readonly kind: string;
  readonly field: string;
  readonly value: string;
  readonly why: string;
}[] = [
  ...['Workspace', 'Project'].map((kind) => ({
    ...{ kind: `${kind}.app.terraform.io`, field: 'deletionPolicy', value: 'soft' },
    why: 'HCP Terraform keeps it while there is anything in it, which no dump shows',
  })),
  ...['Workspace', 'Module'].map((kind) => ({
    ...{ kind: `${kind}.app.terraform.io`, field: 'deletionPolicy', value: 'destroy' },
    why: 'a run of Terraform has to destroy all that it manages first',
  })),
  {
    ...{ kind: 'Cluster.apps.kubeblocks.io', field: 'terminationPolicy', value: 'DoNotTerminate' },
    why: 'KubeBlocks deletes nothing of it',
  },
];

const MANAGED_BY = 'cluster.x-k8s.io/managed-by';
const BY_CLI = 'anywhere.eks.amazonaws.com/managed-by-cli';

/** Of single kinds: a clause; null: nothing. */
const OTHERWISE: readonly ((kind: string, manifest: unknown) => string | null)[] = [
  // `TopicDeletionDisabledException`, after which the finalizer of a topic stays.
  (kind, manifest) => {
    const said = valueAt(manifest, ['spec', 'kafka', 'config', 'delete.topic.enable']);
    return kind === 'Kafka.kafka.strimzi.io' && (said === false || said === 'false')
      ? 'its Kafka deletes no topic (delete.topic.enable is false)'
      : null;
  },
  // `deleteExternalResources` of a restore.
  (kind, manifest) =>
    kind === 'BackupStorageLocation.velero.io' &&
    valueAt(manifest, ['status', 'phase']) === 'Unavailable'
      ? 'the object store of its backup is Unavailable'
      : null,
  // `ResourceIsNotExternallyManaged`: an annotation of any value
  (kind, manifest) =>
    kind.endsWith('Cluster.infrastructure.cluster.x-k8s.io') &&
    valueAt(manifest, ['metadata', 'annotations', MANAGED_BY]) !== undefined
      ? `another tool manages it, as its annotation ${MANAGED_BY} says, and Cluster API leaves it`
      : null,
  // `IsSelfManaged`, `IsManagedByCLI`
  (kind, manifest) => {
    if (kind !== 'Cluster.anywhere.eks.amazonaws.com') return null;
    const by = valueAt(manifest, ['spec', 'managementCluster', 'name']) ?? '';
    const isOther = by !== '' && by !== valueAt(manifest, ['metadata', 'name']);
    return isOther || valueAt(manifest, ['metadata', 'annotations', BY_CLI]) === 'true'
      ? null
      : 'its controller deletes no cluster that manages itself';
  },
  // Several controllers have the same finalizer; the table knows one.
  (kind, manifest) => {
    const controller = valueAt(manifest, ['spec', 'controllerName']);
    return kind === 'GatewayClass.gateway.networking.k8s.io' &&
      typeof controller === 'string' &&
      !controller.includes('envoyproxy')
      ? `its controller is ${controller}, and the dump does not show whether that runs`
      : null;
  },
];

function policyOf(group: string, kind: string, manifest: unknown): readonly string[] {
  return POLICIES.filter(
    (one) =>
      one.kind === `${kind}.${group}` && valueAt(manifest, ['spec', one.field]) === one.value,
  ).map(({ field, value, why }) => `${why} (${field} is ${value})`);
}

/** `hasCleanupPolicy` of Rook: Jobs wipe the disks of the hosts. */
function destroyedOf(group: string, manifest: unknown): readonly Mark[] {
  const field = 'cleanupPolicy.confirmation';
  const said = valueAt(manifest, ['spec', ...field.split('.')]);
  return group === 'ceph.rook.io' && said === 'yes-really-destroy-data'
    ? [{ mark: 'destroys', tool: null, by: field }]
    : [];
}

/** Where the status has the last error of a sidecar of a CSI driver, which it tries again. */
const ERRORS: Readonly<Record<string, string>> = {
  'VolumeAttachment.storage.k8s.io': 'detachError',
  'VolumeSnapshotContent.snapshot.storage.k8s.io': 'error',
};

/** What Argo CD sets each time that its deletion fails (`finalizeApplicationDeletion`). */
const DELETION_ERROR = 'DeletionError';

/** Before a deletion, an error is that of something else. */
function reportedOf(kind: string, manifest: unknown): readonly Mark[] {
  if (typeof valueAt(manifest, ['metadata', 'deletionTimestamp']) !== 'string') return [];
  const field = Object.hasOwn(ERRORS, kind) ? ERRORS[kind] : undefined;
  const isSaid = field !== undefined && Boolean(valueAt(manifest, ['status', field]));
  const isFailed =
    kind === 'Application.argoproj.io' &&
    conditionsOf(manifest).some(({ type }) => type === DELETION_ERROR);
  return [
    ...(isSaid ? [`status.${field}`] : []),
    ...(isFailed ? [`the condition ${DELETION_ERROR}`] : []),
  ].map((by) => ({ mark: 'fails', tool: null, by, always: true }));
}

function markOf(by: string): Mark {
  return { mark: 'refused', tool: null, by };
}

/**
 * `Reconcile` of PushSecrets: releases before 0.9.20 do nothing for one that is being deleted with
 * this policy, and later ones need no store for it (external-secrets/external-secrets#3610).
 */
const LEFT_TO_PUSH =
  'its deletion policy is None, and External Secrets takes its finalizer off only since 0.9.20';

/** Of KubeVirt, CDI and HyperConverged (`KubeVirtDeletionAdmitter.Admit`). */
const BLOCKS = 'BlockUninstallIfWorkloadsExist';
const BLOCKED: Mark = { mark: 'blocks', tool: null, by: `uninstallStrategy ${BLOCKS}` };

const RANCHER =
  'Rancher removes its agent and its machines first, which are elsewhere: the dump does not show that it can';

/** What controllers wait for and no dump shows. */
const UNSEEN: ReadonlyMap<string, readonly string[]> = new Map(
  [
    // `CephObjectStoreDependents` (1.7).
    ['CephObjectStore.ceph.rook.io', 'Rook keeps it while there is a bucket in it'],
    // `checkForImagesInPool`, also of a namespace within a pool.
    ...['CephBlockPool', 'CephBlockPoolRadosNamespace'].map((kind) => [
      `${kind}.ceph.rook.io`,
      'Rook keeps it while there is an image or a snapshot in it',
    ]),
    // `subvolumeGroupDependents` (1.8): retained volumes have a subvolume as well.
    ...['CephFilesystem', 'CephFilesystemSubVolumeGroup'].map((kind) => [
      `${kind}.ceph.rook.io`,
      'Rook keeps it while there is a subvolume in it',
    ]),
    // Finalizers of `mgmt-cluster-remove`, `node-controller` and `machine-provision-remove`.
    ...['Cluster.provisioning', 'Cluster.management', 'Node.management'].map((kind) => [
      `${kind}.cattle.io`,
      RANCHER,
    ]),
  ].map(([kind = '', why = '']) => [kind, [why === RANCHER ? why : `${why}, which no dump shows`]]),
);

function contentsOf(
  kind: string,
  isSet: (field: string) => boolean,
  annotations: Readonly<Record<string, string>>,
): readonly string[] {
  if (NETWORKS.test(kind)) {
    return ['its provider refuses to delete it while anything there uses it, which no dump shows'];
  }
  const field = Object.hasOwn(EMPTIED, kind) ? EMPTIED[kind] : undefined;
  if (field === undefined || isSet(field) || annotations[FORCED] === 'true') return [];
  return [
    `its provider deletes it only while it is empty, which no dump shows (${field} is not set)`,
  ];
}
