import { SHORT_NAMES } from '../../input/manifests/short-names.ts';
import { type Kind, type KindTable, kindOf, type ObjectKey } from '../../model/index.ts';
import type { Body } from './body.ts';

/** A resource as the server offers it: what discovery says beside the kind of the model. */
export interface Resource {
  readonly kind: Kind;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly status: boolean;
  /** Paths of the fields behind the subresource `scale`. Null: there is none. */
  readonly scale: ScalePaths | null;
  /** The columns that a definition prints, by version of the API. Built-in kinds have none here. */
  readonly columns: Readonly<Record<string, readonly Column[]>>;
  /**
   * The `openAPIV3Schema` of a definition, by version of the API. Built-in kinds have none here.
   */
  readonly schemas: Readonly<Record<string, Body>>;
  /** Paths of the fields that a definition lets clients select by, by version of the API. */
  readonly selectable: Readonly<Record<string, readonly string[]>>;
}

export interface ScalePaths {
  readonly spec: string;
  readonly status: string;
  /** Absent: the status has no selector. */
  readonly selector?: string;
}

/** A column of a table: the value at a JSONPath. */
export interface Column {
  readonly name: string;
  readonly type: string;
  readonly format: string;
  readonly description: string;
  /** 0: always shown. */
  readonly priority: number;
  readonly path: string;
}

/** Built-in kinds without a status. */
const WITHOUT_STATUS: readonly string[] = [
  'ConfigMap',
  'Endpoints',
  'Event',
  'LimitRange',
  'PodTemplate',
  'Secret',
  'ServiceAccount',
  'ControllerRevision.apps',
  'EndpointSlice.discovery.k8s.io',
  'IngressClass.networking.k8s.io',
  'Lease.coordination.k8s.io',
  'MutatingWebhookConfiguration.admissionregistration.k8s.io',
  'ValidatingWebhookConfiguration.admissionregistration.k8s.io',
  'MutatingAdmissionPolicy.admissionregistration.k8s.io',
  'MutatingAdmissionPolicyBinding.admissionregistration.k8s.io',
  'ValidatingAdmissionPolicyBinding.admissionregistration.k8s.io',
  'ClusterRole.rbac.authorization.k8s.io',
  'ClusterRoleBinding.rbac.authorization.k8s.io',
  'Role.rbac.authorization.k8s.io',
  'RoleBinding.rbac.authorization.k8s.io',
  'PriorityClass.scheduling.k8s.io',
  'RuntimeClass.node.k8s.io',
  'CSIDriver.storage.k8s.io',
  'CSINode.storage.k8s.io',
  'CSIStorageCapacity.storage.k8s.io',
  'StorageClass.storage.k8s.io',
  'PodSecurityPolicy.policy',
];

const SCALED: readonly string[] = [
  'Deployment.apps',
  'ReplicaSet.apps',
  'StatefulSet.apps',
  'ReplicationController',
];

/** The category `all` of kubectl. */
const IN_ALL: readonly string[] = [
  'Pod',
  'ReplicationController',
  'Service',
  'DaemonSet.apps',
  'Deployment.apps',
  'ReplicaSet.apps',
  'StatefulSet.apps',
  'HorizontalPodAutoscaler.autoscaling',
  'CronJob.batch',
  'Job.batch',
];

function builtIn(kind: Kind): Resource {
  const shortNames = Object.entries(SHORT_NAMES).flatMap(([short, name]) =>
    name === kind.name ? [short] : [],
  );
  return {
    kind,
    singular: kind.kind.toLowerCase(),
    shortNames,
    categories: IN_ALL.includes(kind.name) ? ['all'] : [],
    status: !WITHOUT_STATUS.includes(kind.name),
    scale: SCALED.includes(kind.name)
      ? { spec: 'spec.replicas', status: 'status.replicas', selector: 'spec.selector' }
      : null,
    columns: {},
    schemas: {},
    selectable: {},
  };
}

/** The group of a version of the API: `apps` for `apps/v1`, empty for `v1`. */
export function groupOf(apiVersion: string): string {
  const slash = apiVersion.indexOf('/');
  return slash < 0 ? '' : apiVersion.slice(0, slash);
}

/** The resources that the server offers now. Definitions add some and take some away. */
export class Resources {
  /** By apiVersion and plural: `apps/v1/deployments`. */
  readonly #served = new Map<string, Resource>();
  readonly #byKind = new Map<string, Resource>();

  constructor(kinds: KindTable) {
    for (const kind of Object.values(kinds)) this.add(builtIn(kind));
  }

  add(resource: Resource): void {
    this.remove(resource.kind.name);
    this.#byKind.set(resource.kind.name, resource);
    for (const apiVersion of resource.kind.apiVersions) {
      this.#served.set(`${apiVersion}/${resource.kind.resource}`, resource);
    }
  }

  remove(kind: string): void {
    const known = this.#byKind.get(kind);
    if (known === undefined) return;
    this.#byKind.delete(kind);
    for (const apiVersion of known.kind.apiVersions) {
      this.#served.delete(`${apiVersion}/${known.kind.resource}`);
    }
  }

  find(apiVersion: string, plural: string): Resource | null {
    return this.#served.get(`${apiVersion}/${plural}`) ?? null;
  }

  ofKind(name: string): Resource | null {
    return this.#byKind.get(name) ?? null;
  }

  ofKey(key: ObjectKey): Resource | null {
    return this.ofKind(kindOf(key));
  }

  all(): readonly Resource[] {
    return [...this.#byKind.values()];
  }

  /** Versions of a group, in the order of the API: the stable ones first, and the newest first. */
  versions(): ReadonlyMap<string, readonly string[]> {
    const groups = new Map<string, Set<string>>();
    for (const { kind } of this.#byKind.values()) {
      for (const apiVersion of kind.apiVersions) {
        const group = groupOf(apiVersion);
        groups.set(group, (groups.get(group) ?? new Set()).add(apiVersion));
      }
    }
    return inOrder([...groups].map(([group, found]) => [group, [...found].sort(byVersion)]));
  }

  /** The resources that a version of the API serves. */
  in(apiVersion: string): readonly Resource[] {
    return this.all().filter(({ kind }) => kind.apiVersions.includes(apiVersion));
  }
}

/**
 * The groups in the order of their priority, in which kubectl looks for the resource that a word
 * names (`apiVersionPriorities` of kube-apiserver). Those of definitions follow.
 */
const PRIORITIES: readonly string[] = [
  '',
  'apiregistration.k8s.io',
  'apps',
  'events.k8s.io',
  'authentication.k8s.io',
  'authorization.k8s.io',
  'autoscaling',
  'batch',
  'certificates.k8s.io',
  'networking.k8s.io',
  'extensions',
  'policy',
  'rbac.authorization.k8s.io',
  'storage.k8s.io',
  'admissionregistration.k8s.io',
  'apiextensions.k8s.io',
  'scheduling.k8s.io',
  'coordination.k8s.io',
  'node.k8s.io',
  'discovery.k8s.io',
  'resource.k8s.io',
  'flowcontrol.apiserver.k8s.io',
];

/** Groups and their versions in the order of their priority. */
export function inOrder(
  groups: readonly (readonly [group: string, versions: readonly string[]])[],
): ReadonlyMap<string, readonly string[]> {
  const place = (group: string): number => {
    const at = PRIORITIES.indexOf(group);
    return at < 0 ? PRIORITIES.length : at;
  };
  const sorted = groups.toSorted(([a], [b]) => place(a) - place(b) || (a < b ? -1 : 1));
  return new Map(sorted);
}

/**
 * Mirrors `version.CompareKubeAwareVersionStrings`: v2 before v1 before v1beta2 before v1alpha1.
 */
export function byVersion(a: string, b: string): number {
  const [one, other] = [rank(a), rank(b)];
  for (const [index, part] of one.entries()) {
    const difference = (other[index] ?? 0) - part;
    if (difference !== 0) return difference;
  }
  return a < b ? -1 : 1;
}

function rank(apiVersion: string): readonly number[] {
  const match = apiVersion.match(/v(\d+)(?:(alpha|beta)(\d+))?$/);
  if (match === null) return [0, 0, 0];
  const [, major, stage, minor] = match;
  const maturity = stage === undefined ? 3 : stage === 'beta' ? 2 : 1;
  return [maturity, Number(major), Number(minor ?? 0)];
}
