import { type Body, bodyIn, isBody, textIn } from '../cluster/body.ts';
import type { Resource } from '../cluster/resources.ts';

/**
 * The fields that an API server fills in where a client has left them out, and that clients then read
 * without a look: `*deployment.Spec.Replicas`. Mirrors the functions `SetDefaults_…` of `apps/v1`,
 * `batch/v1` and `core/v1`. Fields of which the model has its own default are not among them.
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
  Service: { type: 'ClusterIP', sessionAffinity: 'None' },
  Pod: { dnsPolicy: 'ClusterFirst', restartPolicy: 'Always', schedulerName: 'default-scheduler' },
  PersistentVolume: { persistentVolumeReclaimPolicy: 'Retain', volumeMode: 'Filesystem' },
  PersistentVolumeClaim: { volumeMode: 'Filesystem' },
};

/** The object with the fields that its kind has by default. */
export function withDefaults({ kind }: Resource, body: Body): Body {
  if (kind.name === 'Secret') return secret(body);
  const defaults = Object.hasOwn(SPECS, kind.name) ? SPECS[kind.name] : undefined;
  if (defaults === undefined || !isBody(body.spec)) return body;
  const spec = filled(body.spec, defaults);
  switch (kind.name) {
    case 'Service':
      return { ...body, spec: { ...spec, ...(isBody(spec) ? portsOf(spec) : {}) } };
    case 'Job.batch': {
      // A job with more than one worker ends when its queue is empty, and has no number to reach.
      const isQueue = body.spec.completions === undefined && body.spec.parallelism !== undefined;
      return { ...body, spec: isQueue ? spec : filled(spec, { completions: 1 }) };
    }
    default:
      return { ...body, spec };
  }
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
