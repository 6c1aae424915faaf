import { type Body, bodyIn, isBody, metadataOf, textIn } from '../cluster/body.ts';
import type { Resource } from '../cluster/resources.ts';
import { labelOfNamespace } from '../cluster/views.ts';
import { podSpecWithDefaults } from './pod-defaults.ts';

/**
 * The fields that an API server fills in where a client has left them out, and that clients then
 * read without a look: `*deployment.Spec.Replicas`. Mirrors the functions `SetDefaults_…` of
 * `apps/v1`, `batch/v1` and `core/v1`. Fields of which the model has its own default are not among
 * them.
 */

const ROLLING = { type: 'RollingUpdate' };

const SPECS: Readonly<Record<string, Body>> = {
  'Deployment.apps': {
    replicas: 1,
    revisionHistoryLimit: 10,
    progressDeadlineSeconds: 600,
    strategy: { ...ROLLING, rollingUpdate: { maxSurge: '25%', maxUnavailable: '25%' } },
  },
  'ReplicaSet.apps': { replicas: 1 },
  ReplicationController: { replicas: 1 },
  'StatefulSet.apps': {
    replicas: 1,
    persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Retain', whenScaled: 'Retain' },
    podManagementPolicy: 'OrderedReady',
    revisionHistoryLimit: 10,
    updateStrategy: { ...ROLLING, rollingUpdate: { partition: 0 } },
  },
  'DaemonSet.apps': {
    revisionHistoryLimit: 10,
    updateStrategy: { ...ROLLING, rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } },
  },
  'Job.batch': { backoffLimit: 6, completionMode: 'NonIndexed', parallelism: 1, suspend: false },
  'CronJob.batch': {
    concurrencyPolicy: 'Allow',
    failedJobsHistoryLimit: 1,
    successfulJobsHistoryLimit: 3,
    suspend: false,
  },
  'HorizontalPodAutoscaler.autoscaling': { minReplicas: 1 },
  Service: { type: 'ClusterIP', sessionAffinity: 'None' },
  Pod: { enableServiceLinks: true },
  PersistentVolume: { persistentVolumeReclaimPolicy: 'Retain', volumeMode: 'Filesystem' },
  PersistentVolumeClaim: { volumeMode: 'Filesystem' },
};

/** The object with the fields that its kind has by default. */
export function withDefaults({ kind }: Resource, body: Body): Body {
  switch (kind.name) {
    case 'Secret':
      return secret(body);
    case 'Namespace':
      return labelled(body);
    case 'RoleBinding.rbac.authorization.k8s.io':
    case 'ClusterRoleBinding.rbac.authorization.k8s.io':
      return binding(body);
    case 'StorageClass.storage.k8s.io':
      return filled(body, { reclaimPolicy: 'Delete', volumeBindingMode: 'Immediate' });
    case 'PriorityClass.scheduling.k8s.io':
      return filled(body, { preemptionPolicy: 'PreemptLowerPriority' });
    default:
      return withDefaultSpec(kind.name, body);
  }
}

function withDefaultSpec(kind: string, body: Body): Body {
  const defaults = Object.hasOwn(SPECS, kind) ? SPECS[kind] : undefined;
  if (defaults === undefined || !isBody(body.spec)) return body;
  const spec = filled(withPods(kind, body.spec), defaults);
  switch (kind) {
    case 'Service':
      return {
        ...body,
        spec: { ...filled(spec, trafficOf(textIn(spec, 'type'))), ...portsOf(spec) },
      };
    case 'StatefulSet.apps':
      return { ...body, spec: withClaims(spec) };
    case 'Job.batch': {
      // A job with more than one worker ends when its queue is empty, and has no number to reach.
      const isQueue = body.spec.completions === undefined && body.spec.parallelism !== undefined;
      return { ...body, spec: isQueue ? spec : filled(spec, { completions: 1 }) };
    }
    default:
      return { ...body, spec };
  }
}

/** The spec, with what the specs of pods in it have by default. */
function withPods(kind: string, spec: Body): Body {
  if (kind === 'Pod') return podSpecWithDefaults(spec);
  if (kind === 'CronJob.batch') {
    const job = bodyIn(spec, 'jobTemplate');
    if (!isBody(job.spec)) return spec;
    return { ...spec, jobTemplate: { ...job, spec: withPods('Job.batch', job.spec) } };
  }
  const template = bodyIn(spec, 'template');
  if (!isBody(template.spec)) return spec;
  return { ...spec, template: { ...template, spec: podSpecWithDefaults(template.spec) } };
}

/** Mappings are filled too, unless they are of another type: `Recreate` has no `rollingUpdate`. */
function filled(given: Body, defaults: Body): Body {
  const missing = Object.entries(defaults).flatMap(([field, value]) => {
    const own = Object.hasOwn(given, field) ? given[field] : undefined;
    if (own === undefined || own === null) return [[field, value] as const];
    if (!isBody(own) || !isBody(value)) return [];
    const isOther = textIn(own, 'type') !== '' && own.type !== value.type;
    return isOther ? [] : [[field, filled(own, value)] as const];
  });
  return missing.length === 0 ? given : { ...given, ...Object.fromEntries(missing) };
}

/** The spec, with what its templates of claims have by default. */
function withClaims(spec: Body): Body {
  const { volumeClaimTemplates: claims } = spec;
  if (!Array.isArray(claims)) return spec;
  const defaults = {
    ...{ apiVersion: 'v1', kind: 'PersistentVolumeClaim' },
    ...{ spec: SPECS.PersistentVolumeClaim, status: { phase: 'Pending' } },
  };
  return {
    ...spec,
    volumeClaimTemplates: claims.map((one) => (isBody(one) ? filled(one, defaults) : one)),
  };
}

/** How a service of this type sends traffic on. */
function trafficOf(type: string): Body {
  switch (type) {
    case 'ExternalName':
      return {};
    case 'LoadBalancer':
      return { ...trafficOf('NodePort'), allocateLoadBalancerNodePorts: true };
    case 'NodePort':
      return { ...trafficOf('ClusterIP'), externalTrafficPolicy: 'Cluster' };
    default:
      return { internalTrafficPolicy: 'Cluster' };
  }
}

function portsOf(spec: Body): Body {
  if (!Array.isArray(spec.ports)) return {};
  const ports = spec.ports.map((port) =>
    isBody(port) ? filled(port, { protocol: 'TCP', targetPort: port.port }) : port,
  );
  return { ports };
}

/** `stringData` can only be written: it goes into `data`. */
function secret(body: Body): Body {
  const { stringData, ...rest } = body;
  const typed = textIn(rest, 'type') === '' ? { ...rest, type: 'Opaque' } : rest;
  if (!isBody(stringData)) return typed;
  const texts = Object.entries(stringData).filter(([, text]) => typeof text === 'string');
  const data = texts.map(([key, text]) => [key, Buffer.from(String(text)).toString('base64')]);
  return { ...typed, data: { ...bodyIn(rest, 'data'), ...Object.fromEntries(data) } };
}

function labelled(body: Body): Body {
  const metadata = metadataOf(body);
  const name = textIn(metadata, 'name');
  if (name === '') return body;
  const labels = { ...bodyIn(metadata, 'labels'), ...labelOfNamespace(name) };
  return { ...body, metadata: { ...metadata, labels } };
}

/** `SetDefaults_RoleBinding` and `SetDefaults_Subject`: the group of what a binding names. */
function binding(body: Body): Body {
  const ofGroup = { apiGroup: 'rbac.authorization.k8s.io' };
  const { roleRef, subjects } = body;
  return {
    ...body,
    ...(isBody(roleRef) ? { roleRef: named(roleRef, ofGroup) } : {}),
    ...(Array.isArray(subjects)
      ? {
          subjects: subjects.map((subject) =>
            isBody(subject) && ['User', 'Group'].includes(textIn(subject, 'kind'))
              ? named(subject, ofGroup)
              : subject,
          ),
        }
      : {}),
  };
}

/** The mapping, with these texts in place of empty ones. */
function named(given: Body, texts: Body): Body {
  const missing = Object.entries(texts).filter(([field]) => textIn(given, field) === '');
  return missing.length === 0 ? given : { ...given, ...Object.fromEntries(missing) };
}
