import * as z from 'zod';
import { valueAt } from '../documents/shape.ts';
import { type Mark, marksOf } from './marks.ts';
import { type Condition, conditionsOf } from './observed/conditions.ts';
import { subjectsOf, tokenOf, type Writes, writesOf } from './observed/credentials.ts';
import { type Reconciled, reconciledOf } from './observed/reconciled.ts';
import { type Named, referencesOf } from './observed/references.ts';
import {
  type PodObservation,
  podOf,
  type WorkloadObservation,
  workloadOf,
} from './observed/workload.ts';
import { type Taint, taintsOf } from './taints.ts';
import {
  type Conversion,
  conversionOf,
  endpointsOf,
  type Requirement,
  selectorOf,
  type Webhook,
  webhooksOf,
} from './webhooks/observed.ts';
import {
  type MutatingPolicy,
  mutatingPolicyOf,
  type Policy,
  type PolicyBinding,
  policyBindingOf,
  policyOf,
} from './webhooks/observed-policies.ts';

/**
 * What a dump says of a cluster beyond the metadata of its objects: which nodes are ready, what a
 * namespace reports, which API is down. The model does not need it; the answers do.
 *
 * Every reader is lenient: a field that is absent or has another type counts as not said. A dump
 * comes from a real cluster, so a wrong type here is a field of a newer API, not a typing error.
 */

export type { Condition } from './observed/conditions.ts';
export type { PodObservation, WorkloadObservation } from './observed/workload.ts';

/** One object's share of the observations. */
export type Observation = {
  readonly marks?: readonly Mark[];
  /** What it names and does without if that is gone. */
  readonly names?: readonly Named[];
} & (
  | {
      readonly of: 'Node';
      readonly ready: 'True' | 'False' | 'Unknown' | 'unsaid';
      /** Why it is not ready, as it says: one clause; empty: it is, or does not say. */
      readonly because: string;
      /** It has the taint `node.kubernetes.io/out-of-service`. */
      readonly outOfService: boolean;
      readonly taints: readonly Taint[];
      /** Of its kubelet, such as `v1.33.1+k3s1`; empty: not said. */
      readonly version: string;
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
      /** Such as `all` of `kubectl get all`. */
      readonly categories: readonly string[];
      /** The first that is listed. */
      readonly version: string;
      /** The names of those that are served. */
      readonly served: readonly string[];
      readonly namespaced: boolean;
      readonly conversion: Conversion | null;
      readonly conditions: readonly Condition[];
    }
  | { readonly of: 'webhooks'; readonly webhooks: readonly Webhook[] }
  | ({ readonly of: 'admission policy' } & Policy)
  | ({ readonly of: 'admission binding' } & PolicyBinding)
  | ({ readonly of: 'mutating policy' } & MutatingPolicy)
  | ({ readonly of: 'mutating binding' } & PolicyBinding)
  /** Of Endpoints and EndpointSlices: the name of the Service, and the addresses that are ready. */
  | { readonly of: 'endpoints'; readonly service: string; readonly ready: number }
  | WorkloadObservation
  /** The reclaim policy; `unsaid` stands for the default of its storage class. */
  | {
      readonly of: 'PersistentVolume';
      readonly reclaim: string;
      /** What provisions its storage outside of Kubernetes; empty: nothing, or not said. */
      readonly driver: string;
      /** The annotation of what made it, such as `kubernetes.io/aws-ebs`; empty: not said. */
      readonly provisioner: string;
      /** Its phase is Failed, of which nothing makes Released again. */
      readonly failed: boolean;
      /** Empty: not said. */
      readonly source: VolumeSource | '';
      /** Of a hostPath. */
      readonly path: string;
      /** Of a CSI driver: what it calls the volume; empty: not said. */
      readonly handle: string;
    }
  /** The phase of a claim whose volume is gone, or is for another one. */
  | { readonly of: 'lost claim' }
  /** The labels of the pods from which its endpoints are made; empty: none, null: not said. */
  | {
      readonly of: 'Service';
      readonly selector: Readonly<Record<string, string>> | null;
      /** `spec.type`; empty: not said. */
      readonly type: string;
    }
  /** What becomes of the stored snapshot. */
  | {
      readonly of: 'VolumeSnapshotContent';
      readonly policy: string;
      /** The CSI driver; empty: not said. */
      readonly driver: string;
    }
  | PodObservation
  /** The kubelet mirrors a static pod. */
  | { readonly of: 'mirror pod' }
  /** A pod of a Job that counts failures by index: how often its index has failed. */
  | { readonly of: 'pod of an index'; readonly failures: number }
  /** What it allows to change; null: not said. The API server makes some anew at its start. */
  | {
      readonly of: 'role';
      readonly writes: readonly Writes[] | null;
      readonly bootstrapped: boolean;
    }
  /** Service accounts that a binding names, as `namespace/name`, and groups of them. */
  | {
      readonly of: 'binding';
      readonly accounts: readonly string[];
      readonly groups: readonly string[];
      readonly bootstrapped: boolean;
    }
  /** A Secret with a token of this account of its namespace; no uid: it is not said. */
  | {
      readonly of: 'token';
      readonly account: string;
      readonly uid: string;
      readonly perhaps: boolean;
    }
  /** Of any other kind, with the field `spec.suspend` or of Flux. */
  | Reconciled
  | {
      readonly of: 'PodDisruptionBudget';
      readonly selector: readonly Requirement[];
      /** `status.disruptionsAllowed`; null: not said. */
      readonly allowed: number | null;
    }
  /** Only marks and names. */
  | { readonly of: 'object' }
  | { readonly of: 'other' }
);

const text = z.string().catch('');

/** By its condition; without one, by the taints that the node controller gives it. */
function readinessOf(
  manifest: unknown,
  taints: readonly string[],
): { readonly ready: 'True' | 'False' | 'Unknown' | 'unsaid'; readonly because: string } {
  const found = conditionsOf(manifest).find(({ type }) => type === 'Ready');
  const ready = found?.status;
  if (ready === 'True' || ready === 'Unknown') return { ready, because: '' };
  if (ready === 'False') {
    const reason = found?.reason ? ` (${found.reason})` : '';
    return { ready, because: `reports Ready=False${reason}` };
  }
  if (taints.includes('node.kubernetes.io/unreachable')) return { ready: 'Unknown', because: '' };
  return taints.includes('node.kubernetes.io/not-ready')
    ? { ready: 'False', because: 'has the taint node.kubernetes.io/not-ready' }
    : { ready: 'unsaid', because: '' };
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
        .looseObject({
          kind: text,
          plural: text,
          shortNames: z.array(z.string()).catch([]),
          categories: z.array(z.string()).catch([]),
        })
        .catch({ kind: '', plural: '', shortNames: [], categories: [] }),
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
    categories: spec?.names.categories ?? [],
    kind: spec?.names.kind || plural,
    version: spec?.versions[0]?.name || 'v1',
    served: (spec?.versions ?? []).flatMap(({ name, served }) => (served ? [name] : [])),
    namespaced: spec?.scope !== 'Cluster',
    conversion: conversionOf(manifest),
    conditions: conditionsOf(manifest),
  };
}

const WORKLOADS: readonly string[] = [
  'Deployment',
  'ReplicaSet',
  'StatefulSet',
  'ReplicationController',
  'DaemonSet',
  'Job',
  'CronJob',
];

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

const selectorSchema = z.record(z.string(), text).catch({});

/** The storage that a volume has, of those kinds of which it makes a difference. */
export const VOLUME_SOURCES = ['csi', 'hostPath', 'local', 'nfs', 'iscsi', 'fc'] as const;
export type VolumeSource = (typeof VOLUME_SOURCES)[number];

/** `AnnMigratedTo`, `AnnDynamicallyProvisioned`. */
const MIGRATED = 'pv.kubernetes.io/migrated-to';
const PROVISIONED = 'pv.kubernetes.io/provisioned-by';

function volumeOf(manifest: unknown): Observation {
  const { data } = volumeSchema.safeParse(manifest);
  const annotation = (name: string): string =>
    text.parse(valueAt(manifest, ['metadata', 'annotations', name]));
  const provisioner = annotation(PROVISIONED);
  const isInTree = provisioner.startsWith('kubernetes.io/');
  return {
    of: 'PersistentVolume',
    reclaim: data?.spec?.persistentVolumeReclaimPolicy || 'unsaid',
    driver:
      text.parse(valueAt(manifest, ['spec', 'csi', 'driver'])) ||
      annotation(MIGRATED) ||
      (isInTree ? '' : provisioner),
    provisioner,
    failed: valueAt(manifest, ['status', 'phase']) === 'Failed',
    source: VOLUME_SOURCES.find((one) => valueAt(manifest, ['spec', one]) !== undefined) ?? '',
    path: text.parse(valueAt(manifest, ['spec', 'hostPath', 'path'])),
    handle: text.parse(valueAt(manifest, ['spec', 'csi', 'volumeHandle'])),
  };
}

/** `ConfigMirrorAnnotationKey`. */
const MIRROR = 'kubernetes.io/config.mirror';

/** `JobIndexFailureCountAnnotation`. */
const INDEX_FAILURES = 'batch.kubernetes.io/job-index-failure-count';

/** Default roles and their bindings, which `PostStartHook` of the RBAC storage makes. */
function isBootstrapped(manifest: unknown): boolean {
  const label = valueAt(manifest, ['metadata', 'labels', 'kubernetes.io/bootstrapping']);
  return label === 'rbac-defaults';
}

/** Reads one manifest of this kind (without its group). */
export function observe(kind: string, manifest: unknown): Observation {
  const marks = marksOf(manifest);
  const names = referencesOf(kind, manifest);
  const observed = ofKind(kind, manifest);
  if (marks.length + names.length === 0) return observed;
  return {
    ...(observed.of === 'other' ? { of: 'object' } : observed),
    ...(marks.length > 0 ? { marks } : {}),
    ...(names.length > 0 ? { names } : {}),
  };
}

function ofKind(kind: string, manifest: unknown): Observation {
  switch (kind) {
    case 'Node': {
      const { data } = nodeSchema.safeParse(manifest);
      const keys = (data?.spec.taints ?? []).map(({ key }) => key);
      const outOfService = keys.includes('node.kubernetes.io/out-of-service');
      const taints = taintsOf(manifest);
      const version = text.parse(valueAt(manifest, ['status', 'nodeInfo', 'kubeletVersion']));
      return { of: 'Node', ...readinessOf(manifest, keys), outOfService, taints, version };
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
    case 'ValidatingAdmissionPolicy':
      return { of: 'admission policy', ...policyOf(manifest) };
    case 'ValidatingAdmissionPolicyBinding':
      return { of: 'admission binding', ...policyBindingOf(manifest) };
    case 'MutatingAdmissionPolicy':
      return { of: 'mutating policy', ...mutatingPolicyOf(manifest) };
    case 'MutatingAdmissionPolicyBinding':
      return { of: 'mutating binding', ...policyBindingOf(manifest) };
    case 'Endpoints':
    case 'EndpointSlice':
      return { of: 'endpoints', ...endpointsOf(manifest) };
    case 'PersistentVolume':
      return volumeOf(manifest);
    case 'PersistentVolumeClaim':
      return { of: valueAt(manifest, ['status', 'phase']) === 'Lost' ? 'lost claim' : 'other' };
    case 'Secret': {
      const token = tokenOf(manifest);
      return token === null ? { of: 'other' } : { of: 'token', ...token };
    }
    case 'Service': {
      const selector = valueAt(manifest, ['spec', 'selector']);
      const isSaid = valueAt(manifest, ['spec']) !== undefined;
      const type = text.parse(valueAt(manifest, ['spec', 'type']));
      return { of: kind, selector: isSaid ? selectorSchema.parse(selector) : null, type };
    }
    case 'PodDisruptionBudget': {
      const allowed = valueAt(manifest, ['status', 'disruptionsAllowed']);
      return {
        of: kind,
        selector: selectorOf(valueAt(manifest, ['spec', 'selector'])),
        allowed: typeof allowed === 'number' ? allowed : null,
      };
    }
    case 'VolumeSnapshotContent':
    case 'VolumeGroupSnapshotContent': {
      const policy = valueAt(manifest, ['spec', 'deletionPolicy']);
      const driver = text.parse(valueAt(manifest, ['spec', 'driver']));
      return { of: 'VolumeSnapshotContent', policy: text.parse(policy) || 'unsaid', driver };
    }
    case 'Pod': {
      const mirror = valueAt(manifest, ['metadata', 'annotations', MIRROR]);
      if (mirror !== undefined) return { of: 'mirror pod' };
      const failures = Number(valueAt(manifest, ['metadata', 'annotations', INDEX_FAILURES]));
      return Number.isInteger(failures) ? { of: 'pod of an index', failures } : podOf(manifest);
    }
    case 'Role':
    case 'ClusterRole':
      return { of: 'role', writes: writesOf(manifest), bootstrapped: isBootstrapped(manifest) };
    case 'RoleBinding':
    case 'ClusterRoleBinding':
      return { of: 'binding', ...subjectsOf(manifest), bootstrapped: isBootstrapped(manifest) };
    default: {
      if (WORKLOADS.includes(kind)) return workloadOf(manifest);
      return reconciledOf(kind, manifest) ?? { of: 'other' };
    }
  }
}
