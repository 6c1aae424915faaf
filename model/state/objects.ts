/**
 * Metadata of API objects, as far as deletion reads it. The names are those of `metav1.ObjectMeta`.
 */

export type Uid = string;

/** The two finalizers that belong to the garbage collector. */
export const ORPHAN = 'orphan';
export const FOREGROUND = 'foregroundDeletion';

/** `metav1.OwnerReference`. It never contains a namespace. */
export interface OwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: Uid;
  readonly controller?: boolean;
  /** Absent means unset, which does not block. */
  readonly blockOwnerDeletion?: boolean;
}

/**
 * The coordinates of an API object, plus its uid. An empty namespace means cluster scope, or
 * unknown.
 */
export interface Identity {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly uid: Uid;
}

/** An object as it is stored. */
export interface ApiObject {
  /** Name of its kind in the table of kinds: `Pod`, `Deployment.apps`. */
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly uid: Uid;
  /** 0 if the kind has no generation. */
  readonly generation: number;
  /**
   * `status.observedGeneration`. Absent if nothing has been observed yet, or if the collector
   * ignores it (rule `observedGeneration`).
   */
  readonly observedGeneration?: number;
  readonly finalizers: readonly string[];
  readonly ownerReferences: readonly OwnerReference[];
  /**
   * Seconds after the start of the model's clock, which stays at 0. Null when unset. So a deletion
   * with a grace period of 30 sets 30, and a deletion without one sets 0.
   */
  readonly deletionTimestamp: number | null;
  readonly deletionGracePeriodSeconds: number | null;
  /** Absent once the object is initialized. */
  readonly initializers?: Initializers;
  /** `spec.finalizers` of a Namespace. Absent on every other kind. */
  readonly specFinalizers?: readonly string[];
  /**
   * `status` of a Namespace. Absent: the phase that deletionTimestamp implies, and no conditions.
   */
  readonly phase?: NamespacePhase;
  readonly conditions?: readonly NamespaceCondition[];
  /**
   * `spec.replicas` of a workload that has been scaled. Absent: the number in the setup of its
   * controller.
   */
  readonly replicas?: number;
  /** The labels have changed, so no selector matches the object any more. */
  readonly otherLabels?: true;
  /** Pods only: the fields that `podStrategy.CheckGracefulDelete` reads. */
  readonly pod?: PodGrace;
  /** PersistentVolumes only, in setups that protect volumes: the claim that the volume is for. */
  readonly volume?: VolumeBinding;
}

/**
 * `metav1.Initializers` (1.7): the initializers that still have to work on a new object, in order.
 */
export interface Initializers {
  /** Names. */
  readonly pending: readonly string[];
  /** `result` is a failure. */
  readonly failed?: true;
}

export type NamespacePhase = 'Active' | 'Terminating';

/** `v1.NamespaceCondition` without its times. */
export interface NamespaceCondition {
  readonly type: string;
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason: string;
  readonly message: string;
}

/**
 * `lost`: the taints of a node that does not answer. `out of service`: these, and the taint with
 * which a person says that the node is out of service.
 */
export type Tolerance = 'lost' | 'out of service';

export interface PodGrace {
  /** `spec.terminationGracePeriodSeconds`. */
  readonly terminationGracePeriodSeconds: number | null;
  readonly scheduled: boolean;
  /** Phase Succeeded or Failed. */
  readonly finished: boolean;
  /** Phase Running at the start, if kubelets run containers. Absent: the pod does not run. */
  readonly running?: true;
  /** `spec.nodeName`, in setups with nodes. Absent: the pod is not scheduled. */
  readonly node?: string;
  /** What it tolerates for ever, in setups with nodes. Absent: no loss of its node. */
  readonly tolerates?: Tolerance;
  /** Names of the claims that its volumes use, in setups with claims. Absent: none. */
  readonly claims?: readonly string[];
}

export interface VolumeBinding {
  /** `spec.claimRef`. Without the uid the volume is for any claim with this name. */
  readonly claim: ObjectKey;
  readonly claimUid?: Uid;
  /** Phase Bound. Otherwise the claim is gone and the volume is Released. */
  readonly bound: boolean;
}

/** Key of the store: one object for each kind, namespace and name. */
export type ObjectKey = string;

export function objectKey(kind: string, namespace: string, name: string): ObjectKey {
  return `${kind}/${namespace}/${name}`;
}

export function keyOf(object: Pick<ApiObject, 'kind' | 'namespace' | 'name'>): ObjectKey {
  return objectKey(object.kind, object.namespace, object.name);
}

export function isBeingDeleted(object: Pick<ApiObject, 'deletionTimestamp'>): boolean {
  return object.deletionTimestamp !== null;
}

/** Whether every client sees the object. Until its initializers are done, only they see it. */
export function isVisible(object: Pick<ApiObject, 'initializers'>): boolean {
  return object.initializers === undefined || object.initializers.failed === true;
}

/** Whether a kubelet has to end the grace period of this pod. */
export function hasGraceToEnd(
  object: Pick<ApiObject, 'pod' | 'deletionGracePeriodSeconds'>,
): boolean {
  return object.pod?.scheduled === true && (object.deletionGracePeriodSeconds ?? 0) > 0;
}

/** Finalizers that do not belong to the garbage collector, in their order. */
export function thirdPartyFinalizers(object: Pick<ApiObject, 'finalizers'>): readonly string[] {
  return object.finalizers.filter((name) => name !== ORPHAN && name !== FOREGROUND);
}

/**
 * The finalizer in `spec.finalizers` that stays until the namespace controller has emptied the
 * namespace.
 */
export const NAMESPACE_TOKEN = 'kubernetes';

/** Finalizers in `spec.finalizers` of a namespace that belong to other controllers than its own. */
export function otherSpecFinalizers({
  specFinalizers = [],
}: Pick<ApiObject, 'specFinalizers'>): readonly string[] {
  return specFinalizers.filter((name) => name !== NAMESPACE_TOKEN);
}

/**
 * All finalizers that controllers have to remove, except `kubernetes` in the spec of a namespace.
 */
export function allFinalizers(
  object: Pick<ApiObject, 'finalizers' | 'specFinalizers'>,
): readonly string[] {
  return [...object.finalizers, ...otherSpecFinalizers(object)];
}

/**
 * Mirrors `ownerReferenceCoordinates`: the fields of the reference that identify its owner, without
 * the flags.
 */
export function coordinatesOf(reference: OwnerReference, namespace: string): Identity {
  return {
    apiVersion: reference.apiVersion,
    kind: reference.kind,
    namespace,
    name: reference.name,
    uid: reference.uid,
  };
}

/** Mirrors `ownerReferenceMatchesCoordinates`, which does not compare the namespace. */
export function matchesCoordinates(reference: OwnerReference, identity: Identity): boolean {
  return (
    reference.uid === identity.uid &&
    reference.name === identity.name &&
    reference.kind === identity.kind &&
    reference.apiVersion === identity.apiVersion
  );
}

export function sameIdentity(a: Identity, b: Identity): boolean {
  return (
    a.uid === b.uid &&
    a.name === b.name &&
    a.kind === b.kind &&
    a.apiVersion === b.apiVersion &&
    a.namespace === b.namespace
  );
}
