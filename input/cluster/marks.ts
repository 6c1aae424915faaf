import * as z from 'zod';
import { type ApiObject, keyOf } from '../../model/index.ts';
import { textAt, valueAt } from '../documents/shape.ts';
import { groupOf } from '../manifests/names.ts';
import { defaultsOf } from './observed/defaults.ts';
import { followsOf, leavesClaims } from './observed/follows.ts';
import { gitopsOf } from './observed/gitops.ts';
import { lockOf } from './observed/locks.ts';
import { makesOf, removesOf } from './observed/makes.ts';
import type { Mark, Tool } from './observed/mark.ts';
import { needsOf } from './observed/needs.ts';
import { outsideOf } from './observed/outside.ts';
import { policiesOf } from './observed/policies.ts';
import { exceedsOf } from './observed/quotas.ts';
import { rangesOf } from './observed/ranges.ts';
import { aggregationOf } from './observed/selectors.ts';
import { TRACKERS } from './observed/trackers.ts';
import { sourcesOf, undrainedOf, usesOf } from './observed/uses.ts';
import { variablesIn } from './observed/variables.ts';

export type { Mark, Tool } from './observed/mark.ts';

const words = z.record(z.string(), z.string().catch('')).nullish().catch(null);

const markedSchema = z.looseObject({
  apiVersion: z.string().catch(''),
  kind: z.string().catch(''),
  metadata: z.looseObject({
    namespace: z.string().catch('').default(''),
    name: z.string().catch('').default(''),
    labels: words,
    annotations: words,
  }),
});

/** Annotations of pods that Karpenter does not evict (`IsDisruptable`). */
const UNDISTURBED: readonly string[] = ['karpenter.sh/do-not-disrupt', 'karpenter.sh/do-not-evict'];

/** Annotations that pause the controllers of a tool; a value of null: any. */
const PAUSES: readonly {
  readonly tool: Tool;
  readonly annotation: string;
  readonly value: string | null;
}[] = [
  { tool: 'Cluster API', annotation: 'cluster.x-k8s.io/paused', value: null },
  { tool: 'EKS Anywhere', annotation: 'anywhere.eks.amazonaws.com/paused', value: 'true' },
  { tool: 'Crossplane', annotation: 'crossplane.io/paused', value: 'true' },
  // `canProcessApp`
  { tool: 'Argo CD', annotation: 'argocd.argoproj.io/skip-reconcile', value: 'true' },
  { tool: 'Strimzi', annotation: 'strimzi.io/pause-reconciliation', value: 'true' },
  { tool: 'Metal3', annotation: 'baremetalhost.metal3.io/paused', value: null },
];

/** `IsPaused` of Cluster API: by the Cluster, for all that belongs to it. */
const PAUSED_SPEC = 'cluster.x-k8s.io/';

function pausesOf(
  apiVersion: string,
  annotations: Readonly<Record<string, string>>,
  manifest: unknown,
): readonly Mark[] {
  const bySpec =
    apiVersion.startsWith(PAUSED_SPEC) && valueAt(manifest, ['spec', 'paused']) === true;
  return [
    ...PAUSES.filter(
      ({ annotation, value }) =>
        Object.hasOwn(annotations, annotation) &&
        (value === null || annotations[annotation] === value),
    ).map(({ tool, annotation }): Mark => ({ mark: 'paused', tool, by: annotation })),
    ...(bySpec
      ? [{ mark: 'paused', tool: 'Cluster API', by: 'spec.paused' } as const satisfies Mark]
      : []),
  ];
}

/** Before these prefixes and a name, annotations of a Machine keep its deletion from going on. */
const MACHINE_HOOKS: readonly string[] = [
  'pre-drain.delete.hook.machine.cluster.x-k8s.io',
  'pre-terminate.delete.hook.machine.cluster.x-k8s.io',
];

/** The hooks of a machine: `reconcileDelete` of Cluster API, `lifecycleHooks` of OpenShift. */
function hooksOf(
  apiVersion: string,
  kind: string,
  annotations: Readonly<Record<string, string>>,
  manifest: unknown,
): readonly Mark[] {
  if (kind !== 'Machine') return [];
  if (apiVersion.startsWith('cluster.x-k8s.io/')) {
    return Object.keys(annotations)
      .filter((key) => MACHINE_HOOKS.some((prefix) => key.startsWith(prefix)))
      .map((by) => ({ mark: 'hooked', tool: 'Cluster API', by }));
  }
  if (!apiVersion.startsWith('machine.openshift.io/')) return [];
  return ['preDrain', 'preTerminate'].flatMap((phase): readonly Mark[] => {
    const hooks = valueAt(manifest, ['spec', 'lifecycleHooks', phase]);
    const isThere = Array.isArray(hooks) && hooks.length > 0;
    return isThere
      ? [{ mark: 'hooked', tool: 'OpenShift', by: `spec.lifecycleHooks.${phase}` }]
      : [];
  });
}

/** A Usage goes once what uses the other resource is gone (`Reconcile` of Crossplane's usages). */
function awaitsOf(apiVersion: string, kind: string, manifest: unknown): readonly Mark[] {
  if (!kind.endsWith('Usage') || !apiVersion.includes('crossplane.io/')) return [];
  const using = valueAt(manifest, ['spec', 'by', 'kind']);
  const name = valueAt(manifest, ['spec', 'by', 'resourceRef', 'name']);
  if (typeof using !== 'string' || typeof name !== 'string') return [];
  return [{ mark: 'awaits', tool: 'Crossplane', kind: using, name }];
}

/** Where a Cluster or Machine of Cluster API names what is deleted before it (`reconcileDelete`). */
const TORN_DOWN: readonly (readonly string[])[] = [
  ['infrastructureRef'],
  ['controlPlaneRef'],
  ['bootstrap', 'configRef'],
];

function tearsDownOf(apiVersion: string, manifest: unknown): readonly Mark[] {
  if (!apiVersion.startsWith('cluster.x-k8s.io/')) return [];
  return TORN_DOWN.flatMap((path): readonly Mark[] => {
    const [kind, name] = ['kind', 'name'].map((field) =>
      valueAt(manifest, ['spec', ...path, field]),
    );
    if (typeof kind !== 'string' || typeof name !== 'string') return [];
    return [{ mark: 'tearsDown', tool: 'Cluster API', kind, name }];
  });
}

/** A version that OLM has copied from another namespace. */
function copyOf({ kind, metadata }: z.output<typeof markedSchema>): readonly Mark[] {
  const namespace = metadata.labels?.['olm.copiedFrom'];
  return kind === 'ClusterServiceVersion' && namespace
    ? [{ mark: 'trackedBy', tool: 'OLM', kind, name: metadata.name, namespace }]
    : [];
}

/** `PurgeNamespace` */
const KEPT_NAMESPACES =
  /^(default|fleet-local|fleet-default|cattle-fleet-system|cattle-fleet-clusters-system|kube-.*)$/;

/**
 * What Config Sync manages: `:root_NAME` for a RootSync, `NAMESPACE_NAME` for a RepoSync, without
 * the name for those of the usual name.
 */
function configSyncOf(annotations: Readonly<Record<string, string>>): readonly Mark[] {
  const [scope = '', name] = (annotations['configsync.gke.io/manager'] ?? '').split('_');
  if (scope === '') return [];
  const isRoot = scope === ':root';
  const isKept = annotations['client.lifecycle.config.k8s.io/deletion'] === 'detach';
  return [
    {
      ...{ mark: 'trackedBy', tool: 'Config Sync', kind: isRoot ? 'RootSync' : 'RepoSync' },
      name: name ?? (isRoot ? 'root-sync' : 'repo-sync'),
      namespace: isRoot ? 'config-management-system' : scope,
    } as const,
    ...(isKept ? [{ mark: 'keptBy', tool: 'Config Sync' } as const] : []),
  ];
}

/** What stands behind an object, by its spec or status. */
function managesOf(apiVersion: string, kind: string, manifest: unknown): readonly Mark[] {
  if (kind === 'SubnamespaceAnchor' && apiVersion.startsWith('hnc.x-k8s.io/')) {
    const name = valueAt(manifest, ['metadata', 'name']);
    // `shouldDeleteSubns`: its namespace is that of another anchor.
    const isOfOther = valueAt(manifest, ['status', 'status']) === 'Conflict';
    return typeof name === 'string' && !isOfOther
      ? [{ mark: 'manages', tool: 'HNC', kind: 'Namespace', namespace: '', name }]
      : [];
  }
  if (kind === 'Machine' && apiVersion.startsWith('machine.openshift.io/')) {
    const name = valueAt(manifest, ['status', 'nodeRef', 'name']);
    return typeof name === 'string'
      ? [{ mark: 'manages', tool: 'OpenShift', kind: 'Node', namespace: '', name }]
      : [];
  }
  const own = (field: string): string => textAt(manifest, ['metadata', field]) ?? '';
  if (kind === 'Cluster' && apiVersion.startsWith('cluster.karmada.io/')) {
    // `GenerateExecutionSpaceName`
    const name = `karmada-es-${own('name')}`;
    return [{ mark: 'manages', tool: 'Karmada', kind: 'Namespace', namespace: '', name }];
  }
  if (kind === 'Project' && apiVersion.startsWith('management.cattle.io/')) {
    // `GetProjectNamespace`
    const name = textAt(manifest, ['status', 'backingNamespace']) ?? own('name');
    return [{ mark: 'manages', tool: 'Rancher', kind: 'Namespace', namespace: '', name }];
  }
  const said = (...path: string[]): unknown => valueAt(manifest, ['spec', ...path]);
  if (apiVersion.startsWith('sriovnetwork.openshift.io/') && kind.endsWith('Network')) {
    const namespace = textAt(manifest, ['spec', 'networkNamespace']) ?? own('namespace');
    return [
      {
        ...{ mark: 'manages', tool: 'SR-IOV Network Operator', namespace, name: own('name') },
        ...{ kind: 'NetworkAttachmentDefinition', group: 'k8s.cni.cncf.io' },
      },
    ];
  }
  if (kind === 'GitRepo' && apiVersion.startsWith('fleet.cattle.io/')) {
    // `PurgeTargetNamespaceIfNeeded`
    const name = said('targetNamespace');
    const isDeleted = said('deleteNamespace') === true && said('keepResources') !== true;
    if (typeof name !== 'string' || !isDeleted || KEPT_NAMESPACES.test(name)) return [];
    return [{ mark: 'manages', tool: 'Fleet', kind: 'Namespace', namespace: '', name }];
  }
  const isSnapshot =
    /^(group)?snapshot\.storage\.k8s\.io\//.test(apiVersion) &&
    /^Volume(Group)?Snapshot$/.test(kind);
  const [tool, of, name]: readonly [Tool, unknown, unknown] = isSnapshot
    ? ['Kubernetes', `${kind}Content`, valueAt(manifest, ['status', `bound${kind}ContentName`])]
    : [
        'Crossplane',
        valueAt(manifest, ['spec', 'resourceRef', 'kind']),
        valueAt(manifest, ['spec', 'resourceRef', 'name']),
      ];
  if (typeof of !== 'string' || typeof name !== 'string') return [];
  return [{ mark: 'manages', tool, kind: of, namespace: '', name }];
}

/** Annotations with which controllers leave what an object stands for. */
const ABANDONS: readonly { readonly annotation: string; readonly values?: readonly string[] }[] = [
  // `checkInitiateDelete`
  { annotation: 'baremetalhost.metal3.io/detached' },
  { annotation: 'services.k8s.aws/deletion-policy', values: ['retain'] },
  // It adopts what is there, and changes nothing of it.
  { annotation: 'services.k8s.aws/read-only', values: ['true'] },
  { annotation: 'cnrm.cloud.google.com/deletion-policy', values: ['abandon'] },
  { annotation: 'strimzi.io/managed', values: ['false'] },
  { annotation: 'mongodb.com/atlas-resource-policy', values: ['keep'] },
  {
    annotation: 'serviceoperator.azure.com/reconcile-policy',
    values: ['detach-on-delete', 'skip'],
  },
];

const CNPG = 'postgresql.cnpg.io/v1';
const RECLAIMS: readonly (readonly [kind: string, field: string])[] = [
  ['Database', 'databaseReclaimPolicy'],
  ['Publication', 'publicationReclaimPolicy'],
  ['Subscription', 'subscriptionReclaimPolicy'],
];

/** By group: fields with which an object leaves what it stands for, or has deployed. */
const LEAVING: readonly (readonly [group: string, at: string, value: string | true])[] = [
  ['app.terraform.io', 'deletionPolicy', 'retain'],
  ['jetstream.nats.io', 'preventDelete', true],
  // `shouldSkipDeletion`
  ['rabbitmq.com', 'deletionPolicy', 'retain'],
  // `deleteByRelease`
  ['fleet.cattle.io', 'options.keepResources', true],
  // `DeletePropagationPolicyTypeOrphan`
  ['work.open-cluster-management.io', 'deleteOption.propagationPolicy', 'Orphan'],
];

function kindOf(manifest: unknown): unknown {
  return valueAt(manifest, ['kind']);
}

function abandonsOf(
  apiVersion: string,
  annotations: Readonly<Record<string, string>>,
  manifest: unknown,
): readonly Mark[] {
  const by = ABANDONS.flatMap(({ annotation, values }) => {
    const value = annotations[annotation];
    if (value === undefined) return [];
    if (values === undefined) return [annotation];
    return values.includes(value) ? [`${annotation}: ${value}`] : [];
  });
  // Of custom resources: Orphan is a policy of Crossplane alone, and Skip one of MariaDB.
  for (const [field, value] of [
    ['deletionPolicy', 'Orphan'],
    ['cleanupPolicy', 'Skip'],
  ] as const) {
    const isSaid = apiVersion.includes('.') && valueAt(manifest, ['spec', field]) === value;
    if (isSaid) by.push(`${field}: ${value}`);
  }
  // The default of CloudNativePG is retain.
  const [reclaims] = RECLAIMS.filter(([kind]) => apiVersion === CNPG && kind === kindOf(manifest));
  if (reclaims !== undefined && valueAt(manifest, ['spec', reclaims[1]]) !== 'delete') {
    by.push(`${reclaims[1]}: retain`);
  }
  const group = groupOf(apiVersion);
  // Its default; the operator then makes nothing either.
  if (group === 'pulumi.com' && kindOf(manifest) === 'Stack') {
    const destroys = valueAt(manifest, ['spec', 'destroyOnFinalize']);
    const isSaid = valueAt(manifest, ['spec']) !== undefined;
    if (isSaid && destroys !== true) by.push('destroyOnFinalize is not true');
  }
  for (const [of, path, value] of LEAVING) {
    if (group !== of || valueAt(manifest, ['spec', ...path.split('.')]) !== value) continue;
    by.push(`${path.split('.').at(-1)}: ${value}`);
  }
  const policies = valueAt(manifest, ['spec', 'managementPolicies']);
  if (Array.isArray(policies) && !policies.includes('*') && !policies.includes('Delete')) {
    by.push('managementPolicies without Delete');
  }
  return by.map((one) => ({ mark: 'abandons', tool: null, by: one }));
}

/** `time.ParseDuration`, or a time as in `2026-01-02` or `2026-01-02T150405Z`, or about so. */
function expiresOf(labels: Readonly<Record<string, string>>): readonly Mark[] {
  const ttl = labels['cleanup.kyverno.io/ttl'] ?? '';
  if (!/^\d/.test(ttl)) return [];
  const when = /^\d{4}-/.test(ttl) ? `at ${ttl}` : `${ttl} after it was made`;
  return [{ mark: 'expires', tool: 'Kyverno', when }];
}

/** `AnnVolumeSnapshotBeingDeleted` of a content, with which the sidecar lets it go. */
const LET_GO = 'snapshot.storage.kubernetes.io/volumesnapshot-being-deleted';

/** The marks of an object of a dump; none where the dump says nothing of it. */
export function marksOn(
  observations: ReadonlyMap<string, { readonly marks?: readonly Mark[] }>,
  object: Pick<ApiObject, 'kind' | 'namespace' | 'name'>,
): readonly Mark[] {
  return observations.get(keyOf(object))?.marks ?? [];
}

/** Reads labels, annotations and references of one manifest. */
export function marksOf(manifest: unknown): readonly Mark[] {
  const { data } = markedSchema.safeParse(manifest);
  if (data === undefined) return [];
  const { metadata, apiVersion, kind } = data;
  const marked = {
    ...{ apiVersion, kind, manifest },
    labels: metadata.labels ?? {},
    annotations: metadata.annotations ?? {},
  };
  const tracked = TRACKERS.flatMap((tracker): Mark[] => {
    const { tool, kind, in: where, key, namespaceKey, isBeside, isCommon } = tracker;
    const value = metadata[where]?.[key];
    if (!value) return [];
    const said = namespaceKey === undefined ? '' : (metadata[where]?.[namespaceKey] ?? '');
    const namespace = isBeside === true ? metadata.namespace : said;
    // Argo CD writes `NAMESPACE_NAME` for Applications outside of its own namespace.
    const name = (value.split(':')[0] ?? value).split('_').at(-1) ?? value;
    const common = isCommon === true ? { isCommon } : {};
    return [{ mark: 'trackedBy', tool, kind, name, namespace, ...common }];
  });
  return [
    ...tracked,
    ...copyOf(data),
    ...followsOf(marked),
    ...leavesClaims(apiVersion, kind, manifest),
    ...configSyncOf(metadata.annotations ?? {}),
    ...usesOf(apiVersion, kind, manifest),
    ...undrainedOf(apiVersion, kind, manifest),
    ...sourcesOf(apiVersion, kind, manifest),
    ...lockOf(kind, metadata.annotations ?? {}, manifest),
    ...(apiVersion === 'v1' ? variablesIn(kind, manifest) : []),
    ...rangesOf(apiVersion, kind, manifest),
    ...pausesOf(apiVersion, metadata.annotations ?? {}, manifest),
    ...hooksOf(apiVersion, kind, metadata.annotations ?? {}, manifest),
    ...awaitsOf(apiVersion, kind, manifest),
    ...gitopsOf(marked),
    ...UNDISTURBED.filter((by) => metadata.annotations?.[by] === 'true').map(
      (by): Mark => ({ mark: 'keptBy', tool: 'Karpenter', by }),
    ),
    ...expiresOf(marked.labels),
    ...(Object.hasOwn(marked.annotations, LET_GO) ? [{ mark: 'letGo', tool: null } as const] : []),
    ...aggregationOf(kind, manifest),
    ...defaultsOf(kind, manifest),
    ...exceedsOf(apiVersion, kind, manifest),
    ...managesOf(apiVersion, kind, manifest),
    ...makesOf(apiVersion, kind, manifest),
    ...removesOf(apiVersion, kind, manifest),
    ...abandonsOf(apiVersion, metadata.annotations ?? {}, manifest),
    ...policiesOf(apiVersion, kind, metadata.annotations ?? {}, manifest),
    ...tearsDownOf(apiVersion, manifest),
    ...needsOf(apiVersion, kind, metadata.annotations ?? {}, manifest),
    ...outsideOf(apiVersion, kind, metadata.annotations ?? {}, manifest),
  ];
}
