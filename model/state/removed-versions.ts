import { RELEASE_NAMES } from '../rules/rule.ts';
import { BUILT_IN_KINDS } from './kind-table.ts';
import type { KindTable } from './kinds.ts';

/**
 * The versions of built-in kinds that releases no longer serve, as the migration guide for
 * deprecated APIs lists them (https://kubernetes.io/docs/reference/using-api/deprecation-guide/,
 * read in November 2026). Of alpha versions only those that an owner reference can still name.
 */
const REMOVED: readonly {
  readonly since: (typeof RELEASE_NAMES)[number];
  readonly versions: readonly string[];
  /** Absent: all kinds of these versions. */
  readonly kinds?: readonly string[];
}[] = [
  {
    since: 'v1.16',
    versions: ['extensions/v1beta1'],
    kinds: ['DaemonSet', 'Deployment', 'NetworkPolicy', 'PodSecurityPolicy', 'ReplicaSet'],
  },
  { since: 'v1.16', versions: ['apps/v1beta1', 'apps/v1beta2'] },
  { since: 'v1.21', versions: ['batch/v2alpha1'] },
  {
    since: 'v1.22',
    versions: [
      'admissionregistration.k8s.io/v1beta1',
      'apiextensions.k8s.io/v1beta1',
      'apiregistration.k8s.io/v1beta1',
      'certificates.k8s.io/v1beta1',
      'coordination.k8s.io/v1beta1',
      'networking.k8s.io/v1beta1',
      'rbac.authorization.k8s.io/v1beta1',
      'scheduling.k8s.io/v1beta1',
    ],
    kinds: [
      ...['APIService', 'CertificateSigningRequest', 'ClusterRole', 'ClusterRoleBinding'],
      ...['CustomResourceDefinition', 'Ingress', 'IngressClass', 'Lease', 'PriorityClass'],
      ...['MutatingWebhookConfiguration', 'Role', 'RoleBinding', 'ValidatingWebhookConfiguration'],
    ],
  },
  { since: 'v1.22', versions: ['extensions/v1beta1'], kinds: ['Ingress'] },
  {
    since: 'v1.22',
    versions: ['storage.k8s.io/v1beta1'],
    kinds: ['CSIDriver', 'CSINode', 'StorageClass', 'VolumeAttachment'],
  },
  {
    since: 'v1.25',
    versions: [
      ...['autoscaling/v2beta1', 'batch/v1beta1', 'discovery.k8s.io/v1beta1'],
      ...['events.k8s.io/v1beta1', 'node.k8s.io/v1beta1', 'policy/v1beta1'],
    ],
  },
  { since: 'v1.26', versions: ['autoscaling/v2beta2', 'flowcontrol.apiserver.k8s.io/v1beta1'] },
  { since: 'v1.27', versions: ['storage.k8s.io/v1beta1'], kinds: ['CSIStorageCapacity'] },
  { since: 'v1.29', versions: ['flowcontrol.apiserver.k8s.io/v1beta2'] },
  { since: 'v1.32', versions: ['flowcontrol.apiserver.k8s.io/v1beta3'] },
];

const POLICIES = ['ValidatingAdmissionPolicy', 'ValidatingAdmissionPolicyBinding'];
const MUTATING_POLICIES = ['MutatingAdmissionPolicy', 'MutatingAdmissionPolicyBinding'];

/** Kinds that act on what others delete, by the release that first serves a version of them. */
const ADDED: readonly {
  readonly since: (typeof RELEASE_NAMES)[number];
  readonly version: string;
  readonly kinds: readonly string[];
}[] = [
  { since: 'v1.26', version: 'admissionregistration.k8s.io/v1alpha1', kinds: POLICIES },
  { since: 'v1.28', version: 'admissionregistration.k8s.io/v1beta1', kinds: POLICIES },
  { since: 'v1.30', version: 'admissionregistration.k8s.io/v1', kinds: POLICIES },
  { since: 'v1.32', version: 'admissionregistration.k8s.io/v1alpha1', kinds: MUTATING_POLICIES },
  { since: 'v1.34', version: 'admissionregistration.k8s.io/v1beta1', kinds: MUTATING_POLICIES },
  { since: 'v1.36', version: 'admissionregistration.k8s.io/v1', kinds: MUTATING_POLICIES },
];

/** The release that first serves this version of a kind, if that is newer than the protocol. */
export function servedLater(apiVersion: string, kind: string, protocol: string): string | null {
  const found = ADDED.find(({ version, kinds }) => version === apiVersion && kinds.includes(kind));
  const names: readonly string[] = RELEASE_NAMES;
  if (found === undefined || protocol === 'newest') return null;
  return names.indexOf(protocol) < names.indexOf(found.since) ? found.since : null;
}

/** The first release that does not serve this version of a kind any more; null: none is known. */
export function removedSince(apiVersion: string, kind: string): string | null {
  const found = REMOVED.find(
    ({ versions, kinds }) => versions.includes(apiVersion) && kinds?.includes(kind) !== false,
  );
  return found?.since ?? null;
}

/**
 * The built-in kinds without the versions that a protocol does not serve, and without the kinds of
 * which nothing is left.
 *
 * @param protocol a name of a protocol; `newest` is the newest release, and the proposals are older
 * than every release.
 */
export function kindsServedIn(protocol: string): KindTable {
  return Object.fromEntries(
    Object.values(BUILT_IN_KINDS).flatMap((kind) => {
      const apiVersions = kind.apiVersions.filter(
        (version) => !isRemoved(version, kind.kind, protocol),
      );
      return apiVersions.length === 0 ? [] : [[kind.name, { ...kind, apiVersions }]];
    }),
  );
}

/** Whether a protocol does not serve this version of a built-in kind any more. */
export function isRemoved(apiVersion: string, kind: string, protocol: string): boolean {
  const since = removedSince(apiVersion, kind);
  if (since === null) return false;
  const names: readonly string[] = RELEASE_NAMES;
  return protocol === 'newest' || names.indexOf(since) <= names.indexOf(protocol);
}
