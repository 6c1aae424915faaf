import { z } from 'zod';
import { type Mark, marksOf } from './marks.ts';
import {
  type Conversion,
  conversionOf,
  endpointsOf,
  type Webhook,
  webhooksOf,
} from './webhook-observations.ts';

/**
 * What a dump says of a cluster beyond the metadata of its objects: which nodes are ready, what a
 * namespace reports, which API is down. The model does not need it; the answers do.
 *
 * Every reader is lenient: a field that is absent or has another type counts as not said. A dump
 * comes from a real cluster, so a wrong type here is a field of a newer API, not a typing error.
 */

/** A condition as all of Kubernetes writes them; `status` is `True`, `False` or `Unknown`. */
export interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
}

/** What is said of a workload. */
export interface WorkloadObservation {
  readonly of: 'workload';
  /** `spec.replicas`, or 1. */
  readonly replicas: number;
  /** Of a StatefulSet: `spec.ordinals.start`, or 0. */
  readonly firstOrdinal: number;
  /** `status.readyReplicas` (`numberReady` of a DaemonSet); null: the dump has no status. */
  readonly ready: number | null;
  /** The annotation `deployment.kubernetes.io/revision`; null: none. */
  readonly revision: string | null;
  /** Its controller makes nothing anew: a paused Deployment, a suspended Job. */
  readonly paused: boolean;
  /** Of a Job: it has completed or failed. */
  readonly finished: boolean;
  /** Of a Job: seconds after its end until it is deleted; null: never. */
  readonly ttl: number | null;
  /** Of a Job: `spec.podReplacementPolicy` is Failed, so it counts pods only once they have ended. */
  readonly countsEnded: boolean;
  /** Of a StatefulSet: names of its `spec.volumeClaimTemplates`. */
  readonly claimTemplates: readonly string[];
  /** Of a StatefulSet: `spec.persistentVolumeClaimRetentionPolicy`. */
  readonly whenDeleted: 'Retain' | 'Delete';
  readonly whenScaled: 'Retain' | 'Delete';
  /** `spec.template.spec.serviceAccountName`; empty: not said. */
  readonly serviceAccount: string;
}

/** One object's share of the observations. */
export type Observation = { readonly marks?: readonly Mark[] } & (
  | {
      readonly of: 'Node';
      readonly ready: 'True' | 'False' | 'Unknown' | 'unsaid';
      /** It has the taint `node.kubernetes.io/out-of-service`. */
      readonly outOfService: boolean;
    }
  | { readonly of: 'Namespace'; readonly conditions: readonly Condition[] }
  | {
      readonly of: 'APIService';
      readonly groupVersion: string;
      readonly unavailable: Condition | null;
      /** `namespace/name` of the service that serves it; empty: the API server itself does. */
      readonly service: string;
    }
  | {
      readonly of: 'CustomResourceDefinition';
      readonly group: string;
      readonly kind: string;
      readonly plural: string;
      readonly shortNames: readonly string[];
      /** The first that is listed. */
      readonly version: string;
      /** The names of those that are served. */
      readonly served: readonly string[];
      readonly namespaced: boolean;
      readonly conversion: Conversion | null;
      readonly conditions: readonly Condition[];
    }
  | { readonly of: 'webhooks'; readonly webhooks: readonly Webhook[] }
  /** Of Endpoints and EndpointSlices: the name of the Service, and the addresses that are ready. */
  | { readonly of: 'endpoints'; readonly service: string; readonly ready: number }
  | WorkloadObservation
  /** The reclaim policy; `unsaid` stands for the default of its storage class. */
  | { readonly of: 'PersistentVolume'; readonly reclaim: string }
  /** Service accounts that a binding names, as `namespace/name`. */
  | { readonly of: 'binding'; readonly accounts: readonly string[] }
  /** A Secret with a token of this service account of its namespace. */
  | { readonly of: 'token'; readonly account: string }
  /** Of any other kind, with the field `spec.suspend` or a reference that its operator follows. */
  | { readonly of: 'reconciled'; readonly suspended: boolean; readonly prunes: boolean }
  /** Only marks. */
  | { readonly of: 'object' }
  | { readonly of: 'other' }
);

const text = z.string().catch('');

const conditionSchema = z
  .looseObject({ type: text, status: text, reason: text, message: text })
  .catch({ type: '', status: '', reason: '', message: '' });

const statusSchema = z.looseObject({
  status: z
    .looseObject({ conditions: z.array(conditionSchema).catch([]).default([]) })
    .catch({ conditions: [] })
    .default({ conditions: [] }),
});

function conditionsOf(manifest: unknown): readonly Condition[] {
  const read = statusSchema.safeParse(manifest);
  return (read.data?.status.conditions ?? []).map(({ type, status, reason, message }) => ({
    type,
    status,
    reason,
    message,
  }));
}

function readiness(manifest: unknown): 'True' | 'False' | 'Unknown' | 'unsaid' {
  const ready = conditionsOf(manifest).find(({ type }) => type === 'Ready')?.status;
  return ready === 'True' || ready === 'False' || ready === 'Unknown' ? ready : 'unsaid';
}

const apiServiceSchema = z.looseObject({
  spec: z.looseObject({
    group: text,
    version: text,
    service: z.looseObject({ namespace: text, name: text }).nullish().catch(null),
  }),
});

const definitionSchema = z.looseObject({
  metadata: z.looseObject({ name: text }),
  spec: z
    .looseObject({
      group: text,
      scope: text,
      names: z
        .looseObject({ kind: text, plural: text, shortNames: z.array(z.string()).catch([]) })
        .catch({ kind: '', plural: '', shortNames: [] }),
      versions: z
        .array(z.looseObject({ name: text, served: z.boolean().catch(true).default(true) }))
        .catch([]),
    })
    .optional()
    .catch(undefined),
});

/** The name is `PLURAL.GROUP`, so a shortened definition still says most of it. */
function definitionOf(manifest: unknown): Observation {
  const { data } = definitionSchema.safeParse(manifest);
  const [plural = '', ...group] = (data?.metadata.name ?? '').split('.');
  const spec = data?.spec;
  return {
    of: 'CustomResourceDefinition',
    group: spec?.group || group.join('.'),
    plural: spec?.names.plural || plural,
    shortNames: spec?.names.shortNames ?? [],
    kind: spec?.names.kind || plural,
    version: spec?.versions[0]?.name || 'v1',
    served: (spec?.versions ?? []).flatMap(({ name, served }) => (served ? [name] : [])),
    namespaced: spec?.scope !== 'Cluster',
    conversion: conversionOf(manifest),
    conditions: conditionsOf(manifest),
  };
}

const workloadSchema = z.looseObject({
  metadata: z
    .looseObject({ annotations: z.record(z.string(), text).nullish().catch(null) })
    .optional()
    .catch(undefined),
  spec: z
    .looseObject({
      replicas: z.int().min(0).catch(1).default(1),
      parallelism: z.int().min(0).optional().catch(undefined),
      paused: z.boolean().catch(false).default(false),
      suspend: z.boolean().catch(false).default(false),
      ordinals: z
        .looseObject({ start: z.int().min(0).catch(0).default(0) })
        .optional()
        .catch(undefined),
      podReplacementPolicy: z.string().optional().catch(undefined),
      ttlSecondsAfterFinished: z.int().min(0).nullish().catch(null),
      volumeClaimTemplates: z
        .array(z.looseObject({ metadata: z.looseObject({ name: text }) }))
        .nullish()
        .catch(null),
      persistentVolumeClaimRetentionPolicy: z
        .looseObject({ whenDeleted: text.optional(), whenScaled: text.optional() })
        .nullish()
        .catch(null),
      template: z
        .looseObject({ spec: z.looseObject({ serviceAccountName: text.optional() }).optional() })
        .optional()
        .catch(undefined),
    })
    .optional()
    .catch(undefined),
  status: z
    .looseObject({
      readyReplicas: z.int().optional().catch(undefined),
      numberReady: z.int().optional().catch(undefined),
    })
    .optional()
    .catch(undefined),
});

const WORKLOADS: readonly string[] = [
  'Deployment',
  'ReplicaSet',
  'StatefulSet',
  'ReplicationController',
  'DaemonSet',
  'Job',
  'CronJob',
];

function workloadOf(manifest: unknown): WorkloadObservation {
  const { data } = workloadSchema.safeParse(manifest);
  const { spec, status } = data ?? {};
  const policy = spec?.persistentVolumeClaimRetentionPolicy;
  const ended = conditionsOf(manifest).some(
    ({ type, status: value }) => (type === 'Complete' || type === 'Failed') && value === 'True',
  );
  return {
    of: 'workload',
    replicas: spec?.parallelism ?? spec?.replicas ?? 1,
    firstOrdinal: spec?.ordinals?.start ?? 0,
    ready: status === undefined ? null : (status.readyReplicas ?? status.numberReady ?? 0),
    revision: data?.metadata?.annotations?.['deployment.kubernetes.io/revision'] ?? null,
    paused: spec?.paused === true || spec?.suspend === true,
    finished: ended,
    ttl: spec?.ttlSecondsAfterFinished ?? null,
    countsEnded: spec?.podReplacementPolicy === 'Failed',
    claimTemplates: (spec?.volumeClaimTemplates ?? []).map(({ metadata }) => metadata.name),
    whenDeleted: policy?.whenDeleted === 'Delete' ? 'Delete' : 'Retain',
    whenScaled: policy?.whenScaled === 'Delete' ? 'Delete' : 'Retain',
    serviceAccount: spec?.template?.spec?.serviceAccountName ?? '',
  };
}

const nodeSchema = z.looseObject({
  spec: z
    .looseObject({
      taints: z
        .array(z.looseObject({ key: text }))
        .catch([])
        .default([]),
    })
    .catch({ taints: [] })
    .default({ taints: [] }),
});

const volumeSchema = z.looseObject({
  spec: z.looseObject({ persistentVolumeReclaimPolicy: text.default('') }).optional(),
});

/** `ServiceAccountNameKey`. */
const TOKEN_ACCOUNT = 'kubernetes.io/service-account.name';

const tokenSchema = z.looseObject({
  metadata: z.looseObject({ annotations: z.record(z.string(), text) }),
});

const bindingSchema = z.looseObject({
  subjects: z
    .array(z.looseObject({ kind: text, namespace: text.default(''), name: text }))
    .catch([])
    .default([]),
});

const reconciledSchema = z.looseObject({
  spec: z
    .looseObject({
      suspend: z.boolean().optional().catch(undefined),
      prune: z.boolean().optional().catch(undefined),
    })
    .optional()
    .catch(undefined),
});

/** Reads one manifest of this kind (without its group). */
export function observe(kind: string, manifest: unknown): Observation {
  const marks = marksOf(manifest);
  const observed = ofKind(kind, manifest);
  if (marks.length === 0) return observed;
  return { ...(observed.of === 'other' ? { of: 'object' } : observed), marks };
}

function ofKind(kind: string, manifest: unknown): Observation {
  switch (kind) {
    case 'Node': {
      const { data } = nodeSchema.safeParse(manifest);
      const taints = (data?.spec.taints ?? []).map(({ key }) => key);
      const outOfService = taints.includes('node.kubernetes.io/out-of-service');
      return { of: 'Node', ready: readiness(manifest), outOfService };
    }
    case 'Namespace':
      return { of: 'Namespace', conditions: conditionsOf(manifest) };
    case 'APIService': {
      const available = conditionsOf(manifest).find(({ type }) => type === 'Available');
      const { data } = apiServiceSchema.safeParse(manifest);
      const { group = '', version = '', service } = data?.spec ?? {};
      return {
        of: 'APIService',
        groupVersion: `${group}/${version}`,
        unavailable: available?.status === 'False' ? available : null,
        service: service ? `${service.namespace}/${service.name}` : '',
      };
    }
    case 'CustomResourceDefinition':
      return definitionOf(manifest);
    case 'ValidatingWebhookConfiguration':
    case 'MutatingWebhookConfiguration':
      return { of: 'webhooks', webhooks: webhooksOf(manifest) };
    case 'Endpoints':
    case 'EndpointSlice':
      return { of: 'endpoints', ...endpointsOf(manifest) };
    case 'PersistentVolume': {
      const { data } = volumeSchema.safeParse(manifest);
      return { of: kind, reclaim: data?.spec?.persistentVolumeReclaimPolicy || 'unsaid' };
    }
    case 'Secret': {
      const { data } = tokenSchema.safeParse(manifest);
      const account = data?.metadata.annotations[TOKEN_ACCOUNT];
      return account === undefined ? { of: 'other' } : { of: 'token', account };
    }
    case 'RoleBinding':
    case 'ClusterRoleBinding': {
      const { data } = bindingSchema.safeParse(manifest);
      const accounts = (data?.subjects ?? []).flatMap((subject) =>
        subject.kind === 'ServiceAccount' ? [`${subject.namespace}/${subject.name}`] : [],
      );
      return { of: 'binding', accounts };
    }
    default: {
      if (WORKLOADS.includes(kind)) return workloadOf(manifest);
      const { data } = reconciledSchema.safeParse(manifest);
      const { suspend, prune } = data?.spec ?? {};
      if (suspend === undefined && prune === undefined) return { of: 'other' };
      return { of: 'reconciled', suspended: suspend === true, prunes: prune === true };
    }
  }
}
