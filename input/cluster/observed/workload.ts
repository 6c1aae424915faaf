import * as z from 'zod';
import { textAt, valueAt } from '../../documents/shape.ts';
import { fieldsAt, tolerationsOf } from '../new-pods/pod-security.ts';
import { type Requirement, selectorOf } from '../webhooks/observed.ts';
import { conditionsOf } from './conditions.ts';
import { placesOf } from './selectors.ts';
import { type Watched, watchedOf } from './watched.ts';

/** What is said of a workload. */
export interface WorkloadObservation {
  readonly of: 'workload';
  /** `spec.replicas`, or 1. */
  readonly replicas: number;
  /** `status.replicas`, the children that are not being deleted; null: not said. */
  readonly counted: number | null;
  /** What it selects its children by; empty: not said. */
  readonly selector: readonly Requirement[];
  /** Of a StatefulSet: its `spec.podManagementPolicy` is OrderedReady; null: not said. */
  readonly inOrder: boolean | null;
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
  /** It has failed. */
  readonly failed: boolean;
  /** When it did, as its condition says; empty: not said. */
  readonly finishedAt: string;
  /** Of a Job: it makes no more pods, as it is finished, ends, or shares out work that is done. */
  readonly ending: boolean;
  /** Of a Job: seconds after its end until it is deleted; null: never. */
  readonly ttl: number | null;
  /** Of a Job: how many more pods may fail until it fails as a whole; null: not said, or no Job. */
  readonly failuresLeft: number | null;
  /**
   * Of a Job: how often each index may fail (`spec.backoffLimitPerIndex`); null: not said, or no
   * Job.
   */
  readonly failuresPerIndex: number | null;
  /** Of a Job: `spec.managedBy`, if that is not the Job controller of Kubernetes; null: it is. */
  readonly managedBy: string | null;
  /**
   * Of a Job: `spec.podReplacementPolicy` is Failed, so it counts pods only once they have ended.
   */
  readonly countsEnded: boolean;
  /** Of a Job: it has a `spec.podFailurePolicy`. */
  readonly judgesFailures: boolean;
  /** Of a CronJob: how many Jobs that have completed or failed it keeps; null: all, or not said. */
  readonly keepsComplete: number | null;
  readonly keepsFailed: number | null;
  /** Of a StatefulSet: names of its `spec.volumeClaimTemplates`. */
  readonly claimTemplates: readonly string[];
  /** Of a StatefulSet: `spec.persistentVolumeClaimRetentionPolicy`. */
  readonly whenDeleted: 'Retain' | 'Delete';
  readonly whenScaled: 'Retain' | 'Delete';
  /** `spec.template.spec.serviceAccountName`; empty: not said. */
  readonly serviceAccount: string;
  /** Those of its containers. */
  readonly images: readonly string[];
  /** Null: it watches all namespaces, or the dump does not say which. */
  readonly watches: Watched | null;
  /** The nodes that may run its pods, as `spec.template.spec` says: one of these has to be met. */
  readonly places: readonly (readonly Requirement[])[];
  /** Of its pods; null: the dump may lack them. */
  readonly tolerations: readonly unknown[] | null;
  /** Its pods are in the network of their node. */
  readonly ofHost: boolean;
}

/** What is said of a pod that may run a controller. */
export interface PodObservation {
  readonly of: 'pod';
  /** It has the condition Ready; null: not said. */
  readonly ready: boolean | null;
  /** No end of its containers ends it. Not if the dump does not say how it restarts them. */
  readonly endless: boolean;
  /** `spec.serviceAccountName`; empty: not said. */
  readonly serviceAccount: string;
  /** Those of its containers. */
  readonly images: readonly string[];
  /** Null: it watches all namespaces, or the dump does not say which. */
  readonly watches: Watched | null;
}

export function podOf(manifest: unknown): PodObservation {
  const ready = conditionsOf(manifest).find(({ type }) => type === 'Ready');
  return {
    of: 'pod',
    ready: ready === undefined ? null : ready.status === 'True',
    endless:
      valueAt(manifest, ['spec', 'restartPolicy']) === 'Always' &&
      (valueAt(manifest, ['spec', 'activeDeadlineSeconds']) ?? null) === null,
    serviceAccount: text.parse(valueAt(manifest, ['spec', 'serviceAccountName'])),
    images: imagesIn(manifest),
    watches: watchedOf(manifest),
  };
}

function imagesIn(pod: unknown): readonly string[] {
  const containers = valueAt(pod, ['spec', 'containers']);
  const images = (Array.isArray(containers) ? containers : []).map((one) =>
    valueAt(one, ['image']),
  );
  return images.filter((image) => typeof image === 'string');
}

const text = z.string().catch('');

const workloadSchema = z.looseObject({
  metadata: z
    .looseObject({ annotations: z.record(z.string(), text).nullish().catch(null) })
    .optional()
    .catch(undefined),
  spec: z
    .looseObject({
      replicas: z.int().min(0).catch(1).default(1),
      parallelism: z.int().min(0).optional().catch(undefined),
      completions: z.int().min(0).nullish().catch(undefined),
      paused: z.boolean().catch(false).default(false),
      suspend: z.boolean().catch(false).default(false),
      successfulJobsHistoryLimit: z.int().min(0).nullish().catch(null),
      failedJobsHistoryLimit: z.int().min(0).nullish().catch(null),
      ordinals: z
        .looseObject({ start: z.int().min(0).catch(0).default(0) })
        .optional()
        .catch(undefined),
      podReplacementPolicy: z.string().optional().catch(undefined),
      podFailurePolicy: z.looseObject({}).nullish().catch(null),
      backoffLimit: z.int().min(0).optional().catch(undefined),
      backoffLimitPerIndex: z.int().min(0).optional().catch(undefined),
      managedBy: z.string().optional().catch(undefined),
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
      replicas: z.int().min(0).optional().catch(undefined),
      readyReplicas: z.int().optional().catch(undefined),
      numberReady: z.int().optional().catch(undefined),
      failed: z.int().min(0).optional().catch(undefined),
      succeeded: z.int().min(0).optional().catch(undefined),
    })
    .optional()
    .catch(undefined),
});

/** Reads a manifest of a Deployment, Job or another workload. Lenient, as all observations are. */
export function workloadOf(manifest: unknown): WorkloadObservation {
  const { data } = workloadSchema.safeParse(manifest);
  const { spec, status } = data ?? {};
  const policy = spec?.persistentVolumeClaimRetentionPolicy;
  const said = new Set(
    conditionsOf(manifest).flatMap(({ type, status: value }) => (value === 'True' ? [type] : [])),
  );
  const finished = FINISHED.some((type) => said.has(type));
  return {
    of: 'workload',
    replicas: spec?.parallelism ?? spec?.replicas ?? 1,
    counted: status?.replicas ?? null,
    selector: selectorIn(manifest),
    inOrder: policyOf(manifest),
    firstOrdinal: spec?.ordinals?.start ?? 0,
    ready: status === undefined ? null : (status.readyReplicas ?? status.numberReady ?? 0),
    revision: data?.metadata?.annotations?.['deployment.kubernetes.io/revision'] ?? null,
    paused: spec?.paused === true || spec?.suspend === true,
    finished,
    failed: said.has('Failed'),
    finishedAt: finishedAt(manifest),
    ending: finished || ENDING.some((type) => said.has(type)) || isSharedOut(manifest, data),
    ttl: spec?.ttlSecondsAfterFinished ?? null,
    failuresLeft:
      spec?.backoffLimit === undefined ? null : spec.backoffLimit - (status?.failed ?? 0),
    failuresPerIndex: spec?.backoffLimitPerIndex ?? null,
    managedBy: spec?.managedBy === JOB_CONTROLLER ? null : (spec?.managedBy ?? null),
    countsEnded: spec?.podReplacementPolicy === 'Failed',
    judgesFailures: Boolean(spec?.podFailurePolicy),
    keepsComplete: spec?.successfulJobsHistoryLimit ?? null,
    keepsFailed: spec?.failedJobsHistoryLimit ?? null,
    claimTemplates: (spec?.volumeClaimTemplates ?? []).map(({ metadata }) => metadata.name),
    whenDeleted: policy?.whenDeleted === 'Delete' ? 'Delete' : 'Retain',
    whenScaled: policy?.whenScaled === 'Delete' ? 'Delete' : 'Retain',
    serviceAccount: spec?.template?.spec?.serviceAccountName ?? '',
    images: imagesIn(valueAt(manifest, ['spec', 'template'])),
    watches: watchedOf(valueAt(manifest, ['spec', 'template'])),
    places: placesOf(valueAt(manifest, ['spec', 'template', 'spec'])),
    tolerations: tolerationsOf(fieldsAt(manifest, ['spec', 'template', 'spec'])),
    ofHost: valueAt(manifest, ['spec', 'template', 'spec', 'hostNetwork']) === true,
  };
}

function policyOf(manifest: unknown): boolean | null {
  const policy = textAt(manifest, ['spec', 'podManagementPolicy']);
  return policy === null ? null : policy === 'OrderedReady';
}

/** A ReplicationController has the labels themselves. */
function selectorIn(manifest: unknown): readonly Requirement[] {
  const selector = valueAt(manifest, ['spec', 'selector']);
  const isPlain = valueAt(manifest, ['kind']) === 'ReplicationController';
  return selector === undefined ? [] : selectorOf(isPlain ? { matchLabels: selector } : selector);
}

/** `JobControllerName`, the default of `spec.managedBy`. */
const JOB_CONTROLLER = 'kubernetes.io/job-controller';

const FINISHED: readonly string[] = ['Complete', 'Failed'];

/** `timeLeft` of the TTL controller: the transition of the condition, and no other time. */
function finishedAt(manifest: unknown): string {
  const all = valueAt(manifest, ['status', 'conditions']);
  const ended = (Array.isArray(all) ? all : []).find(
    (one) =>
      valueAt(one, ['status']) === 'True' && FINISHED.includes(String(valueAt(one, ['type']))),
  );
  return textAt(ended, ['lastTransitionTime']) ?? '';
}

/** Conditions of a Job that ends its remaining pods (`successPolicy`, `activePodsToBeDeleted`). */
const ENDING: readonly string[] = ['SuccessCriteriaMet', 'FailureTarget'];

/**
 * Whether pods of a Job share out a number of tasks that only they know, and one has ended well: no
 * pod is made from then on (`manageJob`, `wantActivePods`).
 */
function isSharedOut(
  manifest: unknown,
  data: z.output<typeof workloadSchema> | undefined,
): boolean {
  const isJob = valueAt(manifest, ['kind']) === 'Job';
  return (
    isJob &&
    data?.spec !== undefined &&
    (data.spec.completions ?? null) === null &&
    (data.status?.succeeded ?? 0) > 0
  );
}
