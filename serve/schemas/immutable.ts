import { equalJson } from '../../model/index.ts';
import { type Body, bodyIn, textIn, valueAt } from '../cluster/body.ts';
import type { Fault } from '../requests/status.ts';
import { forbidden, invalid, same, without } from './field-faults.ts';
import { changedClaim, changedPod, changedVolume } from './immutable-specs.ts';

/**
 * What an update of a built-in kind must leave as it is, in the words of the functions
 * `Validate...Update` of Kubernetes (1.33).
 */

const FIXED = 'field is immutable';

/** By kind: fields that never change, each with the words of its refusal. */
const IMMUTABLE: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'Deployment.apps': { 'spec.selector': FIXED },
  'ReplicaSet.apps': { 'spec.selector': FIXED },
  'DaemonSet.apps': { 'spec.selector': FIXED },
  'ControllerRevision.apps': { data: FIXED },
  Secret: { type: FIXED },
  'RoleBinding.rbac.authorization.k8s.io': { roleRef: 'cannot change roleRef' },
  'ClusterRoleBinding.rbac.authorization.k8s.io': { roleRef: 'cannot change roleRef' },
  'StorageClass.storage.k8s.io': { volumeBindingMode: FIXED },
  'PriorityClass.scheduling.k8s.io': { preemptionPolicy: FIXED },
  'EndpointSlice.discovery.k8s.io': { addressType: FIXED },
  'IngressClass.networking.k8s.io': { 'spec.controller': FIXED },
  'CustomResourceDefinition.apiextensions.k8s.io': {
    'spec.scope': FIXED,
    'spec.names.kind': FIXED,
  },
};

/** By kind: fields that may not change, where Kubernetes does not show the value. */
const FORBIDDEN: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'StorageClass.storage.k8s.io': {
    parameters: 'updates to parameters are forbidden.',
    provisioner: 'updates to provisioner are forbidden.',
    reclaimPolicy: 'updates to reclaimPolicy are forbidden.',
  },
  'PriorityClass.scheduling.k8s.io': { value: 'may not be changed in an update.' },
};

/** What is wrong with a change. Both objects have their defaults. */
export function changedFaults(kind: string, object: Body, old: Body): readonly Fault[] {
  const rows = (table: Readonly<Record<string, Readonly<Record<string, string>>>>) =>
    Object.entries(Object.hasOwn(table, kind) ? (table[kind] ?? {}) : {});
  return [
    ...rows(IMMUTABLE).flatMap(([field, words]) => fixed(field, object, old, words)),
    ...rows(FORBIDDEN).flatMap(([field, words]) =>
      sameAt(field, object, old) ? [] : [forbidden(field, words)],
    ),
    ...changedOf(kind, object, old),
  ];
}

function changedOf(kind: string, object: Body, old: Body): readonly Fault[] {
  switch (kind) {
    case 'ConfigMap':
    case 'Secret':
      return changedData(object, old);
    case 'StatefulSet.apps':
      return changedStatefulSet(bodyIn(object, 'spec'), bodyIn(old, 'spec'));
    case 'Job.batch':
      return changedJob(object, old);
    case 'Pod':
      return changedPod(bodyIn(object, 'spec'), bodyIn(old, 'spec'));
    case 'PersistentVolumeClaim':
      return changedClaim(object, old);
    case 'Service':
      return changedAddress(bodyIn(object, 'spec'), bodyIn(old, 'spec'));
    case 'PersistentVolume':
      return changedVolume(bodyIn(object, 'spec'), bodyIn(old, 'spec'));
    default:
      return [];
  }
}

/** Mirrors `ValidateConfigMapUpdate` and `ValidateSecretUpdate`. */
function changedData(object: Body, old: Body): readonly Fault[] {
  if (old.immutable !== true) return [];
  const words = 'field is immutable when `immutable` is set';
  return ['immutable', 'data', 'binaryData'].flatMap((field) =>
    sameAt(field, object, old) ? [] : [forbidden(field, words)],
  );
}

/** Mirrors `ValidateStatefulSetUpdate`. */
function changedStatefulSet(spec: Body, old: Body): readonly Fault[] {
  const free = [
    ...['replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit'],
    ...['persistentVolumeClaimRetentionPolicy', 'minReadySeconds'],
  ];
  if (same(without(spec, free), without(old, free)) || Object.keys(old).length === 0) return [];
  const [last] = free.slice(-1);
  const names = free.slice(0, -1).map((name) => `'${name}'`);
  const words = `updates to statefulset spec for fields other than ${names.join(', ')} and '${last}' are forbidden`;
  return [forbidden('spec', words)];
}

/** Mirrors `ValidateServiceClusterIPsRelatedFields` for updates. */
function changedAddress(spec: Body, old: Body): readonly Fault[] {
  const hasAddress = (one: Body): boolean =>
    textIn(one, 'type') !== 'ExternalName' && textIn(one, 'clusterIP') !== '';
  if (!hasAddress(spec) || !hasAddress(old) || spec.clusterIP === old.clusterIP) return [];
  return [invalid('spec.clusterIPs[0]', [spec.clusterIP], 'may not change once set')];
}

/** Mirrors `ValidateJobSpecUpdate`. */
function changedJob(object: Body, old: Body): readonly Fault[] {
  const spec = bodyIn(object, 'spec');
  const isElastic =
    spec.completionMode === 'Indexed' && equalJson(spec.completions, spec.parallelism ?? null);
  const isWaiting =
    valueAt(old, 'spec.suspend') === true && valueAt(old, 'status.startTime') === undefined;
  const rest = ['completionMode', 'podFailurePolicy', 'backoffLimitPerIndex', 'managedBy'];
  return [
    ...(isElastic ? [] : fixed('spec.completions', object, old)),
    ...fixed('spec.selector', object, old),
    ...(isWaiting && same(scheduled(object), scheduled(old))
      ? []
      : fixed('spec.template', object, old)),
    ...[...rest, 'successPolicy'].flatMap((field) => fixed(`spec.${field}`, object, old)),
  ];
}

/** The template of a job that has not started, without what decides where its pods run. */
function scheduled(job: Body): Body {
  const template = bodyIn(bodyIn(job, 'spec'), 'template');
  const free = ['nodeSelector', 'affinity', 'tolerations', 'schedulingGates'];
  return {
    metadata: without(bodyIn(template, 'metadata'), ['labels', 'annotations']),
    spec: without(bodyIn(template, 'spec'), free),
  };
}

function fixed(field: string, object: Body, old: Body, words = FIXED): readonly Fault[] {
  if (valueAt(old, field) === undefined || sameAt(field, object, old)) return [];
  return [invalid(field, valueAt(object, field), words)];
}

function sameAt(field: string, object: Body, old: Body): boolean {
  return same(valueAt(object, field), valueAt(old, field));
}
